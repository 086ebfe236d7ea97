"""The formula of each operation in a spreadsheet: one row each, for writing as well as for reading.

An operation that works number by number follows from its tree and PRIMITIVES; one that only moves numbers is
a reference; any other one has a row in FORMULAS. `parse_formula.py` reads the same rows backwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from handcalc.operations import trees
from handcalc.operations.base import Index, Operation, Place, Shape
from handcalc.operations.elementwise import Elementwise
from handcalc.operations.trees import Tree

HIDDEN = "−∞"  # the text in the cell of a score that is hidden
OPERATOR_OUTSIDE_BRACKETS = re.compile(r"[-+*/^<>=]")
IN_BRACKETS = re.compile(r"\([^()]*\)|'[^']*'|\d[.\d]*E[-+]\d+")

# b: in brackets, where it is arithmetic with a sign itself.
PRIMITIVES: Mapping[str, str] = {
    "+": "{0:b}+{1:b}",
    "-": "{0:b}-{1:b}",
    "·": "{0:b}*{1:b}",
    "/": "{0:b}/{1:b}",
    "^": "{0:b}^{1:b}",
    "negative": "-{0:b}",
    "exp": "EXP({0})",
    "root": "SQRT({0})",
    "tanh": "TANH({0})",
    "ln": "LN({0})",
    "Φ": "NORMSDIST({0})",
    "floor": "INT({0})",
    "abs": "ABS({0})",
    "sign": "SIGN({0})",
    "max": "MAX({0},{1})",
    "min": "MIN({0},{1})",
    "step": "IF({0:b}>0,1,0)",
    "round": "ROUND({0},{1})",
}


class Part(str):
    """A piece of a formula that `b` sets in brackets where it needs them."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        if how != "b":
            return str(self)
        outside, left = str(self), ""
        while left != outside:
            left, outside = outside, IN_BRACKETS.sub("", outside)
        return f"({self})" if OPERATOR_OUTSIDE_BRACKETS.search(outside) else str(self)


class FormulaInputs(Protocol):
    """The inputs of one matrix for a row of the table, as references to the cells that hold them."""

    def cell(self, operand: int, row: int, column: int) -> Part:
        """One number of an input."""

    def area(self, operand: int, first: Place, last: Place) -> str:
        """Cells of an input, from the first to the last."""


class CellLine(NamedTuple):
    """The cell that a formula is written for: its place in the column (axis 0), or row, that it lies in."""

    operation: Any
    shapes: Sequence[Shape]
    cells: FormulaInputs
    i: int
    j: int

    def at(self, place: int) -> Place:
        """The cell at a place along its own line."""
        return (place, self.j) if self.operation.axis == 0 else (self.i, place)

    def along(self, first: int = 0, last: int = -1) -> str:
        """The line of the first input, or a part of it."""
        count = self.shapes[0][self.operation.axis]
        return self.cells.area(0, self.at(first), self.at(last % count))

    @property
    def whole(self) -> str:
        """All of it."""
        return self.along()

    @property
    def place(self) -> int:
        """The cell's place along its line, from 0."""
        return (self.i, self.j)[self.operation.axis]

    @property
    def so_far(self) -> str:
        """The line up to here; or from here on."""
        is_back = getattr(self.operation, "from_end", False)
        return self.along(self.place) if is_back else self.along(0, self.place)

    @property
    def own(self) -> Part:
        """The number in the same place of the last input."""
        return self.cells.cell(len(self.shapes) - 1, self.i, self.j)

    @property
    def one(self) -> Part:
        """The number that the last input has for the whole line."""
        return self.cells.cell(len(self.shapes) - 1, *self.at(0))


def _product(line: CellLine) -> str:
    (_, inner), _ = line.shapes
    left = line.cells.area(0, (line.i, 0), (line.i, inner - 1))
    return f"MMULT({left},{line.cells.area(1, (0, line.j), (inner - 1, line.j))})"


def _kept(line: CellLine) -> str:
    if line.operation.allowed[line.i, line.j]:
        return line.own
    hidden = line.operation.hidden
    return f'"{HIDDEN}"' if np.isinf(hidden) else write_number(hidden)


def _put_back(line: CellLine) -> str:
    indices = line.operation.indices
    return line.cells.cell(0, *line.at(indices.index(line.place))) if line.place in indices else "0"


def _wave(line: CellLine) -> str:
    operation = line.operation
    feature, place = (line.i, line.j) if operation.axis == 0 else (line.j, line.i)
    slowed = f"{write_number(operation.base)}^({feature - feature % 2}/{operation.d_model})"
    turned = str(place) if operation.turn is None else f"RADIANS({place}*{write_number(operation.turn)})"
    return f"{('SIN', 'COS')[feature % 2]}({turned}/{slowed})"


def _one_number(line: CellLine) -> str:
    return write_number(line.operation.compute()[line.i, line.j])


FORMULAS: Mapping[str, Callable[[CellLine], str]] = {
    "matmul": _product,
    "sums": lambda line: f"SUM({line.whole})",
    "means": lambda line: f"AVERAGE({line.whole})",
    "maxima": lambda line: f"MAX({line.whole})",
    "argmax": lambda line: f"MATCH(MAX({line.whole}),{line.whole},0)",
    "subtract_max": lambda line: f"{line.own:b}-MAX({line.whole})",
    "cumulative_sums": lambda line: f"SUM({line.so_far})",
    "cumulative_maxima": lambda line: f"MAX({line.so_far})",
    "sort": lambda line: f"LARGE({line.whole},{line.place + 1})",
    "rank": lambda line: f"RANK({line.own},{line.whole})+COUNTIF({line.so_far},{line.own})-1",
    "take_ranked": lambda line: f"INDEX({line.whole},{line.own})",
    "sample": lambda line: (
        f'MIN(COUNTIF({line.whole},"<="&{line.one})+1,{line.shapes[0][line.operation.axis]})'
    ),
    "one_hot": lambda line: f"IF({line.one:b}={line.place + 1},1,0)",
    "mask": _kept,
    "keep": _kept,
    "scatter": _put_back,
    "fixed_one_hot": _one_number,
    "constant": _one_number,
    "positions": _wave,
}
# What the rows above call, beside what PRIMITIVES do.
WRITTEN_FUNCTIONS = frozenset(
    "MMULT SUM AVERAGE MAX MATCH LARGE RANK COUNTIF INDEX MIN IF SIN COS RADIANS".split()  # noqa: SIM905
)
WITHOUT_FORMULA: Mapping[str, str] = {}  # by name, why a spreadsheet cannot calculate it


def write_formula(
    operation: Operation, shapes: Sequence[Shape], cells: FormulaInputs, i: int, j: int
) -> Part:
    """The formula of one cell of an operation's result, without the = before it."""
    if isinstance(operation, Elementwise):
        places = [(i if rows > 1 else 0, j if columns > 1 else 0) for rows, columns in shapes]
        parts = [cells.cell(operand, *place) for operand, place in enumerate(places)]
        return _write_tree(operation.shown, parts, vars(operation))
    if isinstance(operation, Index):
        return cells.cell(*operation.where(shapes, i, j))
    return Part(FORMULAS[operation.name](CellLine(operation, shapes, cells, i, j)))


def _write_tree(tree: Tree, parts: Sequence[Part], parameters: Mapping[str, Any]) -> Part:
    tree = trees.choose_form(tree, parameters)
    if tree.head == "operand":
        return parts[int(tree.value)]
    if tree.head == "named":
        return Part("PI()")
    if tree.head in ("number", "parameter"):
        return Part(write_number(parameters[tree.value] if tree.head == "parameter" else tree.value))
    inside = map(partial(_write_tree, parts=parts, parameters=parameters), tree.parts)
    return Part(PRIMITIVES[tree.head].format(*inside))


def write_number(value: float) -> str:
    """Every digit of a number, as a formula has it."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value).upper()
