"""A distinct name for every matrix of a record, so that layers can simply be joined.

One call of a formula makes a layer: where several are joined, names begin with layer_1, layer_2, …
(blocks.py), and norms side by side with norm_1, norm_2, …. Where names are still the same, all are called as
in the record that they were taken from; if that does not tell them apart, a given is called after the block
that reads it, the last of the others keeps its name, and the earlier ones are called layer_1.Q and so on. A
given without a name is called given_1, and what would be too long to be written inline (inlining.py) step_1.
The matrices themselves stay as they are: a record that needs other names is made of copies, which know their
origin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from handcalc.foundation.errors import HandcalcError
from handcalc.record.blocks import Block
from handcalc.record.graph import toposort, with_names
from handcalc.record.inlining import NO_NAMES, step_names
from handcalc.record.matrix import Matrix

Names = dict[Matrix, str]


def named_apart(
    record: Sequence[Matrix],
    kept: Mapping[Matrix, str] = NO_NAMES,
    *,
    before: Mapping[Matrix, str] = NO_NAMES,
) -> Sequence[Matrix]:
    """The record, inputs before their readers, with no name twice, no given and nothing long unnamed.

    `kept` are names that matrices had in a record before, and have in this one, too; `before` are such that
    they have in this one where other names would not tell them apart.
    """
    if kept:
        record = with_names(record, kept)
    names = {} if kept else _names_of(record, before)
    if steps := step_names(record, names):
        names |= _in_blocks_of_readers(steps, record, names)
    return with_names(record, names) if names else record


def check_results(matrices: Sequence[Matrix]) -> None:
    """Raise HandcalcError for a matrix without a name that none of the others was computed from."""
    if not [m for m in matrices if m.name is None and m.operation is not None]:
        return
    read = {m for reader in toposort(matrices) for m in reader.inputs}
    for matrix in matrices:
        if matrix.name is None and not matrix.is_given and matrix.original not in read:
            raise HandcalcError(
                f'The result {matrix.display_name} has no name; give it one with .named("name").'
            )


def _names_of(record: Sequence[Matrix], before: Mapping[Matrix, str]) -> Names:
    """New names for matrices in numbered blocks, for givens without a name, and for equal names."""
    names = _in_blocks(record)
    if _are_distinct(record, names):
        return names
    if before and _are_distinct(record, {**names, **before}):
        return {**names, **before}
    if not _are_distinct([m for m in record if m.name and not m.is_given], names):
        names = _in_blocks(record, is_single_layer_shown=True)
    return names | _told_apart(record, names)


def _are_distinct(record: Sequence[Matrix], names: Names) -> bool:
    found = [names.get(m, m.name) for m in record if m.name or m.operation is None]
    return None not in found and len(set(found)) == len(found)


# blocks ---------------------------------------------------------------------------------------


def _in_blocks(record: Sequence[Matrix], *, is_single_layer_shown: bool = False) -> Names:
    """The names that differ once every numbered block has its number."""
    blocks = {m.block: None for m in record if m.block is not None}
    if not blocks or _are_one_layer(blocks, record, is_single_layer_shown):
        return {}
    readers_first = {m.block: None for m in record if m.block is not None and not m.is_given}
    prefixes = _Prefixes(readers_first | blocks, is_single_layer_shown)
    found = {}
    for matrix in record:
        if matrix.name and matrix.block is not None:
            name = prefixes.of(matrix.block) + matrix.name.rpartition(".")[2]
            if name != matrix.name:
                found[matrix] = name
    return found


def _are_one_layer(
    blocks: Mapping[Block, None], record: Sequence[Matrix], is_single_layer_shown: bool
) -> bool:
    """Whether everything was made by one call of a formula without blocks, as most calculations are."""
    (layer, *others) = blocks
    is_alone = not others and layer.is_layer and layer.parent is None and not is_single_layer_shown
    return is_alone and not any(m.name and "." in m.name for m in record)


class _Prefixes:
    """The prefix of the names in each block, once blocks that stand side by side are numbered."""

    def __init__(self, blocks: Iterable[Block], is_single_layer_shown: bool) -> None:
        self.least = 0 if is_single_layer_shown else 1
        self.found: dict[Block | None, str] = {None: ""}
        self.siblings: dict[tuple[object, str], dict[Block, int]] = {}
        for block in blocks:
            for part in reversed(list(_chain(block))):
                if part.is_numbered:
                    side_by_side = self.siblings.setdefault((_key(part.parent), part.name), {})
                    side_by_side.setdefault(part, len(side_by_side) + 1)

    def of(self, block: Block | None) -> str:
        if block not in self.found:
            assert block is not None  # its prefix is there from the start
            self.found[block] = self.of(block.parent) + self._own(block)
        return self.found[block]

    def _own(self, block: Block) -> str:
        if not block.is_numbered:
            return f"{block.name}."
        side_by_side = self.siblings[_key(block.parent), block.name]
        if len(side_by_side) > (self.least if block.is_layer else 1):
            return f"{block.name}_{side_by_side[block]}."
        return "" if block.is_layer else f"{block.name}."


def _chain(block: Block | None) -> Iterable[Block]:
    while block is not None:
        yield block
        block = block.parent


def _key(block: Block | None) -> object:
    """A key for a block, the same each time that it is opened again."""
    if block is None or block.is_numbered:
        return block
    return _key(block.parent), block.name


def _in_blocks_of_readers(steps: Names, record: Sequence[Matrix], names: Names) -> Names:
    """Steps that got a name because they are long, each in the block of the first that reads it."""
    found: Names = {}
    for reader in reversed(record):  # of several, the first comes last
        name = names.get(reader, reader.name)
        prefix = found.get(reader, "") if name is None else _prefix(name)
        found |= {read: prefix for read in reader.inputs if read.name is None}
    return {m: f"{found.get(m, '')}{name}" for m, name in steps.items()}


def _prefix(name: str) -> str:
    return "".join(name.rpartition(".")[:2])


# names that are the same ----------------------------------------------------------------------


def _told_apart(record: Sequence[Matrix], names: Names) -> Names:
    """New names for givens without one, and for those that have the same."""

    def name_of(matrix: Matrix) -> str:
        return names.get(matrix) or matrix.name or ""

    order = _as_read(record)
    counts = Counter(name_of(m) for m in order)
    free, found = _Free(set(counts)), {}
    for matrix, reader in _first_readers(record).items():
        name = name_of(matrix)
        if name and counts[name] > 1 and (better := free.take(f"{_prefix(name_of(reader))}{name}")):
            found[matrix] = better
    last = {name_of(m): m for m in order if name_of(m) and m not in found}
    for matrix in order:
        name = name_of(matrix)
        if name and matrix not in found and last[name] is not matrix:
            found[matrix] = free.name("layer_", f".{name}")
    for matrix in record:
        if matrix.name is None and matrix.is_given:
            found[matrix] = free.name("given_")
    return found


def _first_readers(record: Sequence[Matrix]) -> dict[Matrix, Matrix]:
    """The givens, each with the first matrix with a name that reads it."""
    found: dict[Matrix, Matrix] = {}
    for reader in record:
        if reader.name and reader.operation is not None:
            for read in reader.reads():
                if read.is_given:
                    found.setdefault(read, reader)
    return found


def _as_read(record: Sequence[Matrix]) -> Iterable[Matrix]:
    """The record with each given where it is read first: a weight is numbered with its layer."""
    read = {*chain.from_iterable([m.inputs for m in record])}
    computed = [(*m.inputs, m) for m in record if m.operation is not None or m not in read]
    return dict.fromkeys(chain.from_iterable(computed))


class _Free:
    """Names that are still free."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.counts: dict[tuple[str, str], count[int]] = {}

    def take(self, name: str) -> str | None:
        """The name, if nothing has it yet."""
        if name in self.taken:
            return None
        self.taken.add(name)
        return name

    def name(self, head: str, tail: str = "") -> str:
        """The first of step_1, step_2, … that is not taken; it is taken from then on."""
        numbers = self.counts.setdefault((head, tail), count(1))
        name = next(name for k in numbers if (name := f"{head}{k}{tail}") not in self.taken)
        self.taken.add(name)
        return name
