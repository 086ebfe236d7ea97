"""The like formulas of one block as operations on whole matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from itertools import chain
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, many, shape_text
from handcalc.notation.validation import read_number
from handcalc.operations import KINDS, Add, Concat, Means, Multiply, Repeat, Slice, Subtract, Sums
from handcalc.operations.choosing import Maxima
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.functions import Absolute, Relu, Sign, Sqrt, Step
from handcalc.operations.ordering import Sort
from handcalc.operations.trees import VALUES_OF_NAMED_NUMBERS, Tree
from handcalc.record.matrix import Matrix, apply, constant
from handcalc.spreadsheet.cells import CellBlock
from handcalc.spreadsheet.parse_formula import CellRange, fit
from handcalc.spreadsheet.recognising import Gather, Trees, addresses, recognised

MOST_ARGUMENTS = 255  # of a function, as in Excel
ADD, SUBTRACT, MULTIPLY = Add(), Subtract(), Multiply()


class UnlikeError(Exception):
    """The formulas of a block form no operation on whole matrices: each cell is a step of its own."""


class Lifted(NamedTuple):
    """A part of a formula for all cells of a block at once.

    `number`: one number for each cell; `row`: each row of cells has a row of this matrix for itself;
    `column`: each column of cells has a column of it; `whole`: all cells have the whole matrix.
    """

    matrix: Matrix
    kind: str


def lift(block: CellBlock, trees: Trees, gather: Gather) -> Matrix:
    """One matrix from the formulas of a block. Raises UnlikeError where they are not alike."""
    is_sum = trees[0][0].head in ("SUM", "MAX")
    if not (block.array or is_sum) and (known := recognised(trees, gather)):
        return known
    try:
        found = _Lifter(gather).lift(_stacked(trees))
    except UnlikeError:
        if is_sum and (known := recognised(trees, gather)):
            return known
        if len(trees) == len(trees[0]) == 1:
            raise HandcalcError("handcalc cannot read its formula in this form") from None
        raise
    matrix, shape = found.matrix, (len(trees), len(trees[0]))
    if block.array:
        shape = block.height, block.width
    elif found.kind != "number" and matrix.shape != (1, 1):
        raise HandcalcError("its formula gives more than one number")
    for axis in (0, 1):
        if matrix.shape[axis] == 1 < shape[axis]:
            matrix = apply(Repeat(shape[axis], axis), matrix)
    if matrix.shape != shape:
        sizes = shape_text(matrix.shape), shape_text(shape)
        raise HandcalcError("its formula gives {} numbers for {} cells".format(*sizes))
    return matrix


def assembled(rows: Sequence[Sequence[Matrix]]) -> Matrix:
    """A matrix put together from parts."""
    return _joined([_joined(list(row), 1) for row in rows], 0)


def _joined(parts: list[Matrix], axis: int) -> Matrix:
    return parts[0] if len(parts) == 1 else apply(Concat(axis), *parts)


def _stacked(trees: Trees) -> Tree:
    """One tree whose leaves hold the leaves of all cells."""
    first, cells = trees[0][0], [tree for row in trees for tree in row]
    if any(t.head != first.head or len(t.parts) != len(first.parts) for t in cells):
        raise UnlikeError
    if first.parts:
        parts = [[[t.parts[k] for t in row] for row in trees] for k in range(len(first.parts))]
        return Tree(first.head, *map(_stacked, parts))
    if first.head == "cells" and len({_size(t.value) for t in cells}) == 1:
        return Tree("cells", value=tuple(tuple(t.value for t in row) for row in trees))
    if first.head != "cells" and all(t.value == first.value for t in cells):
        return first
    if first.head != "number":
        raise UnlikeError
    return Tree("numbers", value=tuple(tuple(t.value for t in row) for row in trees))


def _size(area: CellRange) -> tuple[int, int, bool]:
    return area.bottom - area.top, area.right - area.left, area.is_range


class _Lifter:
    def __init__(self, gather: Gather) -> None:
        self.gather = gather

    def lift(self, tree: Tree) -> Lifted:
        if leaf := self.leaf(tree):
            return leaf
        if tree.head in FUNCTIONS:
            least, most, handler = FUNCTIONS[tree.head]
            if not least <= len(tree.parts) <= most:
                raise HandcalcError(f"{tree.head} has {many(len(tree.parts), 'argument')}")
            return handler(self, tree)
        for kind, pattern, known in _patterns():
            bound: dict[Any, Any] = {}
            if fit(pattern, tree, bound):
                operands = [self.lift(bound.pop(k)) for k in range(kind.inputs or 0)]
                return self.combined(kind(**{**known, **_parameters(bound)}), operands)
        if tree.head in ("max", "min"):
            return (self.larger if tree.head == "max" else self.smaller)(*map(self.lift, tree.parts))
        raise HandcalcError(f"handcalc cannot read {tree.head} in this form")

    def leaf(self, tree: Tree) -> Lifted | None:
        """Numbers and cells."""
        if tree.head == "cells":
            return self.cells(tree.value)
        if tree.head == "numbers":
            return Lifted(assembled([[constant(v) for v in row] for row in _collapsed(tree.value)]), "number")
        if tree.head == "constant":
            return Lifted(tree.value, "number")
        if tree.head in ("number", "named"):
            value = tree.value if tree.head == "number" else VALUES_OF_NAMED_NUMBERS[tree.value]
            return Lifted(constant(read_number(value, "The number")), "number")
        return None

    def cells(self, areas: Sequence[Sequence[CellRange]]) -> Lifted:
        """A range for all cells of a block: the rows or columns that it moves along, or itself."""
        first, areas = areas[0][0], _collapsed(areas)
        if not first.is_range:
            return Lifted(self.gather([[addresses(area)[0][0] for area in row] for row in areas]), "number")
        height, width = len(areas), len(areas[0])
        if height == width == 1:
            return Lifted(self.gather(addresses(first)), "whole")
        if (first.top != first.bottom and first.left != first.right) or 1 not in (height, width):
            raise UnlikeError
        lines = [[*chain.from_iterable(addresses(area))] for row in areas for area in row]
        if width == 1:
            return Lifted(self.gather(lines), "row")
        return Lifted(self.gather([list(line) for line in zip(*lines, strict=True)]), "column")

    def combined(self, operation: Elementwise, operands: Sequence[Lifted]) -> Lifted:
        """Number by number: of lines and numbers that belong to the same cells."""
        lines = {found.kind for found in operands} - {"number"}
        kind = min(lines, default="number")
        for found in operands:
            across = {"row": found.matrix.shape[1], "column": found.matrix.shape[0]}
            if found.kind != kind and across.get(kind, found.matrix.values.size) > 1:
                raise UnlikeError
        return Lifted(apply(operation, *[found.matrix for found in operands]), kind)

    # functions --------------------------------------------------------------------------------------

    def sum(self, tree: Tree) -> Lifted:
        parts = [self.along(self.lift(part), Sums) for part in tree.parts]
        return reduce(lambda a, b: self.combined(ADD, [a, b]), parts)

    def average(self, tree: Tree) -> Lifted:
        return self.along(self.lift(tree.parts[0]), Means)

    def highest(self, tree: Tree) -> Lifted:
        parts = [self.along(self.lift(part), Maxima) for part in tree.parts]
        return reduce(self.larger, parts)

    def lowest(self, tree: Tree) -> Lifted:
        parts = [self.lift(Tree("negative", part)) for part in tree.parts]
        found = reduce(self.larger, [self.along(part, Maxima) for part in parts])
        return Lifted(-found.matrix, found.kind)

    def deviation(self, tree: Tree) -> Lifted:
        """The standard deviation, divided by one less than there are numbers."""
        line = self.lift(tree.parts[0])
        apart = self.combined(SUBTRACT, [line, self.along(line, Means)])
        height, width = line.matrix.shape
        count = {"row": width, "column": height}.get(line.kind, height * width)
        squares = self.along(Lifted(apart.matrix**2, apart.kind), Sums)
        return Lifted(apply(Sqrt(), squares.matrix / (count - 1)), squares.kind)

    def along(self, found: Lifted, kind: Any) -> Lifted:
        """A reduction of all the numbers that each cell reads."""
        if found.kind in ("row", "column"):
            return Lifted(apply(kind(int(found.kind == "row")), found.matrix), "number")
        if found.kind == "number":
            return found
        height, width = found.matrix.shape
        matrix = found.matrix if height == 1 < width else apply(kind(0), found.matrix)
        return Lifted(apply(kind(1), matrix) if width > 1 else matrix, "number")

    def largest(self, tree: Tree) -> Lifted:
        """The first, second, … of the numbers, from the largest on."""
        line, place = self.lift(tree.parts[0]), tree.parts[1].value
        axis = int(line.kind == "row" or line.matrix.shape[0] == 1)
        if tree.parts[1].head != "number" or place not in range(1, line.matrix.shape[axis] + 1):
            raise HandcalcError("LARGE needs its second argument as a number: 1, 2, …")
        ordered = apply(Sort(axis), line.matrix)
        return Lifted(apply(Slice(int(place) - 1, int(place), axis), ordered), "number")

    def mmult(self, tree: Tree) -> Lifted:
        left, right = map(self.lift, tree.parts)
        if left.kind not in ("row", "whole") or right.kind not in ("column", "whole"):
            raise UnlikeError
        product = left.matrix @ right.matrix
        if left.kind == right.kind == "whole":
            return Lifted(product, "whole")
        if right.kind == "whole":
            return Lifted(product, "number" if right.matrix.shape[1] == 1 else "row")
        return Lifted(product, "number" if left.kind == "row" or left.matrix.shape[0] == 1 else "column")

    def sumproduct(self, tree: Tree) -> Lifted:
        first, *others = map(self.lift, tree.parts)
        for other in others:
            kinds = {first.kind: first.matrix, other.kind: other.matrix}
            if kinds.keys() == {"row", "column"} and len(others) == 1:
                return Lifted(kinds["row"] @ kinds["column"], "number")
            first = self.combined(MULTIPLY, [_beside(first, other), _beside(other, first)])
        return self.along(first, Sums)

    def transpose(self, tree: Tree) -> Lifted:
        found = self.lift(tree.parts[0])
        return Lifted(found.matrix.T, "whole") if found.kind == "whole" else found

    def equal(self, tree: Tree) -> Lifted:
        """1 where two numbers are equal, 0 elsewhere."""
        apart = self.combined(SUBTRACT, [self.lift(part) for part in tree.parts])
        return Lifted(1 - apply(Absolute(), apply(Sign(), apart.matrix)), apart.kind)

    def is_larger(self, tree: Tree) -> Lifted:
        """1 where the first one is larger than the second, 0 elsewhere."""
        apart = self.combined(SUBTRACT, [self.lift(part) for part in tree.parts])
        return Lifted(apply(Step(), apart.matrix), apart.kind)

    def is_smaller(self, tree: Tree) -> Lifted:
        return self.is_larger(Tree(">", *tree.parts[::-1]))

    def larger(self, first: Lifted, second: Lifted) -> Lifted:
        """The larger one of two: what the first lacks is added."""
        more = apply(Relu(), self.combined(SUBTRACT, [second, first]).matrix)
        return self.combined(ADD, [first, Lifted(more, second.kind)])

    def smaller(self, first: Lifted, second: Lifted) -> Lifted:
        """The smaller one of two: what the first has too much is taken away."""
        more = apply(Relu(), self.combined(SUBTRACT, [first, second]).matrix)
        return self.combined(SUBTRACT, [first, Lifted(more, second.kind)])


# How many arguments each has, at least and at most, and what it makes of them.
FUNCTIONS: Mapping[str, tuple[int, int, Callable[[_Lifter, Tree], Lifted]]] = {
    "SUM": (1, MOST_ARGUMENTS, _Lifter.sum),
    "AVERAGE": (1, 1, _Lifter.average),
    "MAX": (1, MOST_ARGUMENTS, _Lifter.highest),
    "MIN": (1, MOST_ARGUMENTS, _Lifter.lowest),
    "STDEV": (1, 1, _Lifter.deviation),
    "LARGE": (2, 2, _Lifter.largest),
    "MMULT": (2, 2, _Lifter.mmult),
    "SUMPRODUCT": (1, MOST_ARGUMENTS, _Lifter.sumproduct),
    "TRANSPOSE": (1, 1, _Lifter.transpose),
    "equal": (2, 2, _Lifter.equal),
    "=": (2, 2, _Lifter.equal),
    ">": (2, 2, _Lifter.is_larger),
    "<": (2, 2, _Lifter.is_smaller),
}


def _beside(found: Lifted, other: Lifted) -> Lifted:
    """A line that is the same for all cells as one beside lines that each row, or column, has for itself."""
    if found.kind != "whole" or other.kind == "whole":
        return found
    is_along = found.matrix.shape[int(other.kind == "column")] == 1
    return Lifted(found.matrix if is_along else found.matrix.T, other.kind)


@cache
def _patterns() -> list[tuple[type[Elementwise], Tree, Mapping[str, Any]]]:
    """Each operation that works number by number, with a tree that it stands for; the largest first."""
    kinds = [kind for kind in KINDS.values() if issubclass(kind, Elementwise)]
    found = [(kind, tree, known) for kind in kinds for tree, known in _forms(kind)]
    return sorted(found, key=lambda one: -len(list(one[1])))


def _forms(kind: type[Elementwise]) -> Iterable[tuple[Tree, Mapping[str, Any]]]:
    """The forms that its tree takes with its parameters, each with these parameters."""
    if kind.shown.head != "either":
        return [(kind.shown, {})]
    (field, named), (then, otherwise) = kind.shown.value, kind.shown.parts
    if named:
        return [(then, {field: VALUES_OF_NAMED_NUMBERS[named]}), (otherwise, {})]
    return [(then, {field: True}), (otherwise, {} if field in kind.optional else {field: False})]


def _parameters(bound: Mapping[str, float]) -> dict[str, Any]:
    return {field: int(value) if value.is_integer() else value for field, value in bound.items()}


def _collapsed(grid: Any) -> list[list[Any]]:
    """One row, or one column, where all are the same."""
    rows = [list(row) for row in grid]
    if all(row == rows[0] for row in rows):
        rows = rows[:1]
    if all(value == row[0] for row in rows for value in row):
        rows = [row[:1] for row in rows]
    return rows
