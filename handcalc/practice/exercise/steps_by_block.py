"""Steps by block: which belong together, and how a sentence says which block it speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from handcalc.notation.expression import Address
from handcalc.notation.names import split_name, words_of_path
from handcalc.notation.numbers import counted
from handcalc.notation.sentences import (
    Called,
    Sentence,
    Thing,
    Typeset,
    html_of,
    join_sentences,
    list_things,
    said,
    text_of,
)


def block_of_step(step: str) -> str:
    """The block that a step belongs to: `attention.head_1`; empty for a step in none."""
    return step.rpartition(".")[0]


def within_block(sentence: Sentence, step: str) -> Sentence:
    """A sentence on a step, with names as they are called inside its block: `head_1.Q` as Q.

    A name in another block is told with that block, `W_Q of head 2`, and then its namesake is, too.
    """
    return _from_block(block_of_step(step), sentence)


def _from_block(path: str, sentence: Sentence) -> Sentence:
    names = list(_names_in(sentence))

    def seen(part: Thing) -> Thing:
        if isinstance(part, Sentence):
            return _from_block(path, part)
        if type(part) is str and f"{path}." not in part:  # most parts name nothing
            return part
        return _seen_from(_around(names, part, path), part)

    return Sentence(*map(seen, sentence.parts))


def _names_in(sentence: Sentence) -> Iterator[str]:
    for part in sentence.parts:
        yield from _names_in(part) if isinstance(part, Sentence) else filter(None, [_name_of(part)])


def _name_of(part: Thing) -> str:
    """The name, if a part of a sentence is a name, or a cell by its name."""
    is_name = isinstance(part, Called | Address) or hasattr(part, "display_name")
    return getattr(part, "name", None) or "" if is_name else ""


def _around(names: Iterable[str], part: Thing, path: str) -> str:
    """The block from which a name is seen: the step's own, or around all that would be called the same."""
    name = _name_of(part)
    alike = {other for other in names if name and short_part(other) == short_part(name)}
    homes = [blocks_around(other) for other in alike]
    common = [blocks[0] for blocks in zip(*homes, strict=False) if len({*blocks}) == 1]
    return (common[-1] if common else "") if len(alike) > 1 else path


def _seen_from(home: str, part: Thing) -> Thing:
    """A part of a sentence with names as they are called in a block."""
    name = _name_of(part)
    block = split_name(name, home, worded=True).block if "." in name else ""
    if block:
        place = f"[{counted(part.row)},{counted(part.column)}]" if isinstance(part, Address) else ""
        end = f"{place} of {block}"
        return Typeset(short_part(name) + end, html_of(Called(name), block_of_step(name)) + end)
    prefix = re.compile(rf"(?<![\w.]){re.escape(home)}\.(?=\w)")
    return Typeset(prefix.sub("", text_of(part)), html_of(part, home)) if home else part


def short_part(step: str) -> str:
    """A step's name without its blocks, as text: Q."""
    return step.rpartition(".")[2]


def short_name(step: str) -> Sentence:
    """The name of a step inside its block."""
    return within_block(Sentence(Called(step)), step)


def blocks_around(step: str) -> list[str]:
    """The blocks around a step, the outermost first: `attention`, then `attention.head_1`."""
    parts = step.split(".")[:-1]
    return [".".join(parts[: depth + 1]) for depth in range(len(parts))]


def list_names(names: Sequence[str]) -> Sentence:
    """Steps and blocks in a sentence: `head 1 and Z`; `layer 1, head 1; Z`, as a block has a comma itself."""
    return join_sentences("; ", names) if any(", " in name for name in names) else list_things(names)


class ByBlock:
    """The steps that are asked for, block by block; a block is named only where there is more than one."""

    def __init__(self, steps: Iterable[str]) -> None:
        self.steps = list(steps)
        self.is_one = len({block_of_step(step) for step in self.steps}) < 2

    def place(self, path: str) -> str:
        """The beginning of a sentence on something in a block: `In head 2`; empty where that is clear."""
        return "" if self.is_one or not path else f"In {words_of_path(path.split('.'))}"

    def about(self, step: str, sentence: Sentence) -> Sentence:
        """A sentence that begins with the name of a step: `In head 2, S: …`."""
        place, sentence = self.place(block_of_step(step)), within_block(sentence, step)
        return said("{}, {}", place, sentence) if place else sentence

    def groups(self, kind: Callable[[str], str]) -> dict[str, list[str]]:
        """The steps of each block, in order; blocks of which all steps are of one kind are not taken apart.

        `kind` gives the kind of a step, or an empty text for one that needs a closer look. A step in no block
        is a group of its own, as is each step where there are not two blocks.
        """
        kinds: dict[str, set[str]] = {}
        for step in self.steps:
            for path in blocks_around(step):
                kinds.setdefault(path, set()).add(kind(step))
        found: dict[str, list[str]] = {}
        for step in self.steps:
            alike = (path for path in blocks_around(step) if len(kinds[path]) == 1 and kinds[path] != {""})
            home = step if self.is_one else next(alike, block_of_step(step)) or step
            found.setdefault(home, []).append(step)
        return found

    def listed(self, steps: Iterable[str]) -> Sentence:
        """Steps in a sentence: `head 2 (S and E); Z`."""
        homes: dict[str, list[str]] = {}
        for step in steps:
            homes.setdefault(step if self.is_one else block_of_step(step) or step, []).append(step)
        return list_names(self.names(homes))

    def names(self, homes: Mapping[str, list[str]]) -> list[Sentence]:
        """The names of blocks and steps: `head 2`, if it is all of it, else `head 2 (S and E)`."""
        return [self._name(home, steps) for home, steps in homes.items()]

    def _name(self, home: str, steps: list[str]) -> Sentence:
        if home in steps:
            return short_name(home)
        every = [step for step in self.steps if step.startswith(f"{home}.")]
        block = words_of_path(home.split("."))
        return (
            Sentence(block) if steps == every else said("{} ({})", block, list_things(map(short_name, steps)))
        )
