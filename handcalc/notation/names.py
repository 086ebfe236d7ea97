"""The parts of a matrix's name, for typesetting; every way of writing starts from this one rule.

A name is a letter with its own subscript, after the blocks it stands in: attention.head_1.W_Q is W, Q and
"attention, head 1". In a sentence the blocks are named in words, all of it below the W. In a formula what
the names have in common with the step's own is left out: inside its block it is W with a Q. And where a step
reads several blocks of one kind, each is its number alone there, as on paper: concat = [Z₁; Z₂].

The slope of W_Q is called dW_Q: a d, then the name. Slopes stand in the block `backward`, which nobody names:
the d says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

GREEK = {"gamma": "γ", "beta": "β", "epsilon": "ε"}
BACKWARD = "backward"  # the block of the slopes
_NUMBERED = re.compile(r"(.*)_(\d+)")
_SLOPE = re.compile(rf"d([A-Z]\w*|(?:[a-z]|{'|'.join(GREEK)})(?:_\w+)?)")  # where its block is not said


class Name(NamedTuple):
    """The parts of a name; `own` and `block` are empty where there are none, and `d` where it is no slope."""

    letter: str
    own: str = ""
    block: str = ""
    d: str = ""

    @property
    def letters(self) -> str:
        """The part on the baseline: W, or dW for a slope."""
        return self.d + self.letter

    @property
    def below(self) -> str:
        """The whole subscript: the name's own, then the block."""
        return ", ".join(filter(None, (self.own, self.block)))


class Beside(str):
    """The path of a block whose formulas name numbered blocks of one kind, side by side, by number alone."""

    __slots__ = ()


@lru_cache(maxsize=4096, typed=True)
def split_name(name: str, home: str | None = None, *, worded: bool = False) -> Name:
    """The parts of a name: for a sentence, or for a formula of a step that stands in the block `home`.

    With `worded`, a formula names numbered blocks in words, too.

    >>> split_name("head_1.W_Q").below, split_name("head_1.W_Q", "head_1").below
    ('Q, head 1', 'Q')
    >>> split_name("head_1.Z", "").below, split_name("head_1.Z", Beside("")).below
    ('head 1', '1')
    """
    *blocks, last = name.split(".")
    d, last = _slope(blocks, last)
    letter, _, own = last.strip("_").partition("_")
    letter, own = GREEK.get(letter, letter) or last, own.replace("_", " ").strip()
    if home is None:
        return Name(letter, own, words_of_path(_said(blocks, d)), d)
    away = _said(blocks[_common(blocks, home.split(".")) :], d)
    is_brief = isinstance(home, Beside) and len(away) == 1 and not own[-1:].isdigit() and not worded
    number = _NUMBERED.fullmatch(away[0]) if is_brief else None
    return Name(letter, own, number[2] if number else words_of_path(away), d)


def _slope(blocks: list[str], name: str) -> tuple[str, str]:
    """The d of a slope's name, and the name it is the slope of; for any other name, "" and the name."""
    is_slope = name[1:] and name[0] == "d" if BACKWARD in blocks else _SLOPE.fullmatch(name)
    return ("d", name[1:]) if is_slope else ("", name)


def _said(blocks: list[str], d: str) -> list[str]:
    """The blocks that a name says: not that of the slopes, where there is a d."""
    return [block for block in blocks if not (d and block == BACKWARD)]


def has_slopes(names: Iterable[str | None]) -> bool:
    """Whether slopes are among them: then no step before can be exchanged without its way back."""
    return any(name is not None and name.startswith(f"{BACKWARD}.") for name in names)


def words_of_path(blocks: Iterable[str]) -> str:
    """The path of a block as a person reads it: `layer 2, head 1`."""
    return ", ".join(block.replace("_", " ") for block in blocks)


def shared_home(name: str, read: Iterable[str | None]) -> str | None:
    """The block from which a step's formula names its operands: its own if they stay distinct, or None."""
    home = name.rpartition(".")[0]
    names = {other or "" for other in read}
    if _are_side_by_side(names, home):
        home = Beside(home)
    return home if len({split_name(name, home) for name in names}) == len(names) else None


def _are_side_by_side(names: Iterable[str], home: str) -> bool:
    """Whether some names are of numbered blocks, and all of these of one kind: head_1 and head_2."""
    around = home.split(".")
    ways = [name.split(".")[:-1] for name in names]
    away = [blocks[_common(blocks, around) :] for blocks in ways]
    numbered = [found[1] for path in away if len(path) == 1 and (found := _NUMBERED.fullmatch(path[0]))]
    return len(numbered) > 1 and len(set(numbered)) == 1


def _common(blocks: list[str], home: list[str]) -> int:
    """The number of leading blocks that two paths share."""
    alike = (one == other for one, other in zip(blocks, home, strict=False))
    return next((k for k, is_alike in enumerate(alike) if not is_alike), min(len(blocks), len(home)))
