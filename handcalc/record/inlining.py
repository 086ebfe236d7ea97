"""Inlining: where arithmetic would grow too long to be read, a matrix without a name gets one.

A matrix without a name is written inline, so `M = M + M` twenty times would be a sum of a million numbers.
How many numbers a cell's arithmetic shows is counted without writing it; beyond about 30, and four more
for each number of its longest sum, the part that shortens it most is to have a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from handcalc.record.graph import with_names

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix

MAX_TERMS_INLINE, MORE_FOR_EACH_TERM = 30, 4
MAX_DEPTH_INLINE = 30  # operations inside one another
IDLE_DEPTH = 20  # of one that may be idle: not two of them, as each may wake up and show a whole column


class Size(NamedTuple):
    """How much arithmetic one cell of an unnamed matrix shows where another matrix reads it."""

    terms: int
    longest_sum: int
    depth: int

    @property
    def is_too_long(self) -> bool:
        return (
            self.terms > MAX_TERMS_INLINE + MORE_FOR_EACH_TERM * self.longest_sum
            or self.depth > MAX_DEPTH_INLINE
        )

    @property
    def is_one_number(self) -> bool:
        """Whether it adds no more than a name would, whatever reads it: K.T, √d_k."""
        return self.terms == 1 and self.depth <= MAX_DEPTH_INLINE - IDLE_DEPTH

    @property
    def is_short(self) -> bool:
        """Whether no part of it can be too long either."""
        return self.terms <= MAX_TERMS_INLINE and self.depth <= MAX_DEPTH_INLINE


NAMED_SIZE = Size(1, 0, 0)
NO_NAMES: Mapping[Matrix, str] = {}


def to_be_named(record: Sequence[Matrix]) -> set[Matrix]:
    """The unnamed matrices of a record, inputs before their readers, that need a name."""
    named: set[Matrix] = set()
    parts = {m for m in record if m.is_inline and not (m._size or _measured(m)).is_one_number}
    longer = [m for m in record if m in parts or not parts.isdisjoint(m.inputs)] if parts else []
    if long := [m for m in longer if (m._size or _measured(m)).is_too_long]:
        inline = _written_inline(long)
        written = [m for m in record if m in inline]
        readers = Counter(chain.from_iterable([m.inputs for m in record]))
        while more := _Count(written, named, readers).to_be_named:
            named |= more
    return named


def step_names(record: Sequence[Matrix], names: Mapping[Matrix, str] = NO_NAMES) -> dict[Matrix, str]:
    """Names for those that need one: step_1, step_2, … unless something else has, or will get, that name."""
    long = to_be_named(record)
    if not long:
        return {}
    taken = {names.get(m, m.name) for reader in record for m in (reader, *reader.inputs)}
    free = (name for k in count(1) if (name := f"step_{k}") not in taken)
    return {m: next(free) for m in record if m in long}


def shorten_arithmetic(matrix: Matrix) -> Matrix:
    """The matrix itself; where its arithmetic would be too long, a copy made from inputs with names."""
    if matrix._size is not None and matrix._size.is_short:
        return matrix
    if not any(m.is_inline for m in matrix.inputs):
        return matrix
    record = list(_written_inline([matrix]))
    names = step_names(record)
    return with_names(record, names)[-1] if names else matrix


def _measured(matrix: Matrix) -> Size:
    """The size of its arithmetic as it stands, kept with the matrix; its inputs have been measured."""
    size = _joined(matrix, [m._size or _measured(m) if m.is_inline else NAMED_SIZE for m in matrix.inputs])
    object.__setattr__(matrix, "_size", size)
    return size


def _joined(matrix: Matrix, parts: Sequence[Size]) -> Size:
    """The size of a matrix whose inputs have these."""
    operation = matrix.operation
    if operation is None or (matrix.name and matrix.is_idle):
        return parts[0]
    shapes = [m.values.shape for m in matrix.inputs]
    terms, longest_sum, depth = [], operation.longest_sum(shapes), 0
    for part in parts:
        terms.append(part.terms)
        if part is not NAMED_SIZE:  # most are
            longest_sum, depth = max(longest_sum, part.longest_sum), max(depth, part.depth)
    return Size(
        operation.terms(terms, shapes), longest_sum, depth + (IDLE_DEPTH if operation.can_be_idle else 1)
    )


def has_short_formula(matrix: Matrix) -> bool:
    """Whether the formula of the whole matrix can be read as it is, however long its cells' arithmetic is."""
    if not any(m.is_inline for m in matrix.inputs):  # as most
        return len(matrix.inputs) <= MAX_TERMS_INLINE
    sizes: dict[Matrix, tuple[int, int]] = {}  # symbols, and operations inside one another
    for part in _written_inline([matrix]):
        inside = [sizes.get(m, (1, 0)) for m in part.inputs]
        sizes[part] = (sum(symbols for symbols, _ in inside) or 1, 1 + max((d for _, d in inside), default=0))
    symbols, depth = sizes[matrix]
    return symbols <= MAX_TERMS_INLINE and depth <= MAX_DEPTH_INLINE


class _Count:
    """One walk through a record that names parts of whatever is too long."""

    def __init__(
        self, record: Sequence[Matrix], named: Collection[Matrix], readers: Mapping[Matrix, int]
    ) -> None:
        self.named, self.readers = named, readers
        self.to_be_named: set[Matrix] = set()
        self._sizes: dict[Matrix, Size] = {}  # of what is written inline
        for matrix in record:
            is_inline = matrix.is_inline and matrix not in named
            if is_inline or not self._sizes.keys().isdisjoint(matrix.inputs):
                size = self._cut(matrix)
                if is_inline:
                    self._sizes[matrix] = size

    def _size(self, matrix: Matrix, *, without: Matrix | None = None) -> Size:
        parts = [NAMED_SIZE if m is without else self._sizes.get(m, NAMED_SIZE) for m in matrix.inputs]
        return _joined(matrix, parts)

    def _cut(self, matrix: Matrix) -> Size:
        """The matrix's size, once enough of its inputs are named to make it short."""
        size = self._size(matrix)
        if not size.is_too_long:
            return size
        candidates = dict.fromkeys(m for m in matrix.inputs if m in self._sizes)
        while size.is_too_long and candidates:
            sizes = {m: self._size(matrix, without=m) for m in candidates}
            longest = min(sizes, key=lambda m: (sizes[m].terms, sizes[m].depth))
            del candidates[longest]
            self._name(longest)
            size = self._size(matrix)
        return size

    def _name(self, matrix: Matrix) -> None:
        """Name a matrix, or better the one inside it that others read, too: it is then written only once."""
        wrapping = [matrix]
        while self.readers[wrapping[-1]] < 2 and (inside := self._wrapped(wrapping[-1])):
            wrapping.append(inside)
        if self.readers[wrapping[-1]] < 2:
            wrapping = [matrix]
        while _can_be_idle(wrapping[-1]) and wrapping[-1].inputs[0] in self._sizes:
            wrapping.append(wrapping[-1].inputs[0])
        *around, best = wrapping
        if not _can_be_idle(best):
            self.to_be_named.add(best)
            del self._sizes[best]
        for part in reversed(around):
            self._sizes[part] = self._size(part)

    def _wrapped(self, matrix: Matrix) -> Matrix | None:
        """The one input of a matrix that adds hardly anything to it: x in x², in √x; else None."""
        inside = [m for m in matrix.inputs if m in self._sizes]
        is_thin = len(inside) == 1 and self._sizes[matrix].terms == self._sizes[inside[0]].terms
        return inside[0] if is_thin and self._sizes[matrix].terms > 1 else None


def _can_be_idle(matrix: Matrix) -> bool:
    return matrix.operation is not None and matrix.operation.can_be_idle


def _written_inline(matrices: Sequence[Matrix]) -> dict[Matrix, None]:
    """Some matrices and the ones written inline in them, inputs before their readers."""
    found: dict[Matrix, None] = {}
    waiting = list(reversed(matrices))
    while waiting:
        missing = [m for m in waiting[-1].inputs if m.is_inline and m not in found]
        if missing and waiting[-1] not in found:
            waiting.extend(reversed(missing))
        else:
            found[waiting.pop()] = None
    return found
