"""A matrix that holds its numbers and remembers how it was computed: one operation, its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from handcalc import labels, lazy, numbers, operations, renamed
from handcalc.errors import HandcalcError, size
from handcalc.explanation import Explanation
from handcalc.expressions import Cell, Expression, Symbol
from handcalc.labels import Labels
from handcalc.markup import Latex, Text
from handcalc.numbers import Values
from handcalc.operations import Operation
from handcalc.operators import Operators

UNFIT = frozenset("[]=\n\r")  # in a name they would spoil  Z[2,1] = …


class Matrix(Operators):
    """Numbers in rows and columns that know where they came from; nothing in it can be changed.

    `values` is read-only float64 with two axes. A flat list is one column, a number is 1 by 1.
    `rows` and `columns` label them: a list of words, or one letter (`"q"` gives q₁, q₂, …).
    A matrix with a name is seen by readers; one without is written inline where it is used.

    >>> A = Matrix([[1, 2], [3, 4]], "A")
    >>> B = (A @ A).named("B")
    >>> print(B.explain(0, 1))
    B[1,2] = 1·2 + 2·4 = 10

    Raises HandcalcError, in one sentence, for ragged lists, text, empty input, NaN and infinity.
    """

    __slots__ = (
        "columns_",
        "inputs",
        "meaning",
        "name",
        "never_negative",
        "operation",
        "origin",
        "rows_",
        "values",
        "why_",
    )

    values: Values
    name: str | None
    meaning: str | None
    why_: str | None  # its own sentence; without one, its operation has one
    operation: Operation | None
    inputs: tuple[Matrix, ...]
    never_negative: bool
    origin: Matrix | None  # of a twin that bears another name (naming.py), the matrix itself

    def __init__(
        self,
        values: Any,
        name: str | None = None,
        *,
        rows: Labels | Sequence[str] = None,
        columns: Labels | Sequence[str] = None,
    ) -> None:
        if isinstance(values, Matrix):
            values = values.values
        self.values = numbers.read_values(values, name or "The matrix")
        self.name, self.meaning, self.why_ = _checked_name(name), None, None
        self.operation, self.inputs, self.never_negative, self.origin = None, (), False, None
        self.rows_ = labels.checked(rows, self.shape[0], "row", name)
        self.columns_ = labels.checked(columns, self.shape[1], "column", name)

    @classmethod
    def computed(cls, operation: Operation, *inputs: Matrix) -> Matrix:
        """The result of an operation on other matrices, unnamed as yet."""
        inputs = tuple([m if m.origin is None else m.origin for m in inputs])
        if len(inputs) > 1 or operation.needs_check:
            operation.check([m.values.shape for m in inputs], _Names(inputs))
        self = cls.__new__(cls)
        values = _computed(operation, inputs)
        values.flags.writeable = False
        self.values, self.operation, self.inputs = values, operation, inputs
        self.name = self.meaning = self.why_ = self.origin = None
        rows, columns = operation.labels([m.rows_ for m in inputs], [m.columns_ for m in inputs])
        self.rows_, self.columns_ = rows, columns
        self.never_negative = operation.never_negative([m.never_negative for m in inputs])
        return self

    def named(
        self,
        name: str,
        meaning: str | None = None,
        *,
        why: str | None = None,
        rows: Labels | Sequence[str] = None,
        columns: Labels | Sequence[str] = None,
    ) -> Matrix:
        """The same matrix under a name, with a few words on what it means and a sentence on why it is there.

        A letter as a label gives way to the words that the columns were given at the start.
        """
        twin = self.twin(_checked_name(name), self.inputs)
        twin.meaning, twin.why_, twin.origin = meaning or self.meaning, why or self.why_, None
        if rows is not None:
            twin.rows_ = labels.relabelled(self.rows_, rows, self.shape[0], "row", name)
        if columns is not None:
            twin.columns_ = labels.relabelled(self.columns_, columns, self.shape[1], "column", name)
        return twin

    def with_reason(self, why: str) -> Matrix:
        """The same matrix with a sentence on why it is there, which it keeps when it is named."""
        twin = self.twin(self.name, self.inputs)
        twin.why_, twin.origin = why, None
        return twin

    def twin(self, name: str | None, inputs: tuple[Matrix, ...]) -> Matrix:
        """The same numbers under another name, made from twins of the inputs."""
        twin = Matrix.__new__(Matrix)
        twin.values, twin.operation, twin.inputs = self.values, self.operation, inputs
        twin.name, twin.meaning, twin.why_, twin.origin = name, self.meaning, self.why_, self.origin or self
        twin.never_negative, twin.rows_, twin.columns_ = self.never_negative, self.rows_, self.columns_
        return twin

    def filled(self, values: Values) -> Matrix:
        """A given in the place of this matrix: its name and labels, but somebody's own numbers."""
        twin = self.twin(self.name, ())
        values = np.array(values, dtype=np.float64)
        values.flags.writeable = False
        twin.values, twin.operation, twin.origin, twin.never_negative = values, None, None, False
        return twin

    def depends_on(self, name: str) -> bool:
        """Whether the matrix, or one that it was computed from, is called so."""
        waiting, seen = [self], {id(self)}
        while waiting:
            matrix = waiting.pop()
            if matrix.name == name:
                return True
            waiting.extend(m for m in matrix.inputs if id(m) not in seen)
            seen.update(id(m) for m in matrix.inputs)
        return False

    # what it is -----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        rows, columns = self.values.shape
        return rows, columns

    @property
    def rows(self) -> tuple[str, ...] | None:
        """The rows' labels, or None."""
        return labels.spelled(self.rows_, self.shape[0])

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns' labels, or None."""
        return labels.spelled(self.columns_, self.shape[1])

    @property
    def is_given(self) -> bool:
        """Whether the numbers were handed in rather than computed."""
        return self.operation is None

    @property
    def is_idle(self) -> bool:
        """Whether the operation changed nothing, so that readers see through it."""
        return bool(self.inputs) and self.values is self.inputs[0].values

    @property
    def is_inline(self) -> bool:
        """Whether this matrix is written as its own arithmetic where another one reads it."""
        return self.operation is not None and (self.name is None or self.is_idle)

    @property
    def display_name(self) -> str:
        """How a sentence names it: its name, or its formula."""
        return self.name or ("the matrix" if self.is_given else self.symbol().write(Text(symbolic=True)))

    @property
    def why(self) -> str:
        """Why it is calculated, in one sentence: its own, or else its operation's."""
        if self.why_ is not None:
            return self.why_
        return (
            self.operation.why() if self.operation else f"Given: {self.meaning or 'numbers to start from'}."
        )

    if not TYPE_CHECKING:  # mypy is not to believe that a matrix has every attribute

        def __getattr__(self, name: str) -> Any:
            new = renamed.current(name, renamed.ATTRIBUTES)
            if new is None:
                raise AttributeError(f"A Matrix has no attribute {name!r}.", name=name, obj=self)
            renamed.warn(f"Matrix.{name}", f"Matrix.{new}")
            return getattr(self, new)

    def __repr__(self) -> str:
        return str(lazy.view("text").matrix(self))

    def _repr_html_(self) -> str:
        return str(lazy.view("html").matrix(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        return np.array(self.values, dtype=dtype) if copy or dtype else self.values

    # how it was made ------------------------------------------------------------------------

    def symbol(self) -> Expression:
        """How a formula refers to it: by its name, or by the formula it stands for."""
        if self.operation is None or not self.is_inline:
            return Symbol(self.name or "□")
        return self.inputs[0].symbol() if self.is_idle else self._formula()

    def _formula(self) -> Expression:
        if self.operation is None:
            return self.symbol()
        return self.operation.formula(*(m.symbol() for m in self.inputs))

    @property
    def formula(self) -> str:
        """The formula as text: `S = Kᵀ Q`; of a given, its name."""
        return self._equation(Text(symbolic=True))

    @property
    def latex(self) -> str:
        r"""The formula as LaTeX: `S = K^{\mathsf{T}} \, Q`."""
        return self._equation(Latex(symbolic=True))

    def _equation(self, markup: Text | Latex) -> str:
        right = self._formula().write(markup)
        return right if self.is_given or self.name is None else f"{markup.name(self.name)} = {right}"

    def arithmetic(self, row: int, column: int) -> Expression:
        """The arithmetic of one cell, down to the named matrices (or givens) that it reads."""
        if self.operation is None:
            return Cell(self, row, column)
        shapes = [m.shape for m in self.inputs]
        readers = [partial(m.read, operand) for operand, m in enumerate(self.inputs)]
        return self.operation.cell(readers, shapes, row, column)

    def read(self, operand: int, row: int, column: int) -> Expression:
        """What another cell reads here; `operand` tells through which of its inputs it came."""
        if not self.is_inline or self.operation is None:
            return Cell(self, row, column, operand)
        if self.is_idle:
            return self.inputs[0].read(operand, row, column)
        shapes = [m.shape for m in self.inputs]
        readers = [partial(m.read, operand) for m in self.inputs]
        return self.operation.cell(readers, shapes, row, column)

    def explain(self, row: int, column: int, places: int | None = 2) -> Explanation:
        """The arithmetic of cell (row, column), counted from 0; `places=None` writes every digit."""
        row, column = self._checked_cell(row, column)
        return Explanation(self, row, column, places if places is None else numbers.read_places(places))

    def sources(self, row: int, column: int) -> list[tuple[Matrix, int, int]]:
        """The cells that this cell reads directly, each once, in reading order; a given reads none."""
        row, column = self._checked_cell(row, column)
        if self.operation is None:
            return []
        cells = self.arithmetic(row, column).cells()
        return list({(id(c.matrix), c.row, c.column): (c.matrix, c.row, c.column) for c in cells}.values())

    def reads(self, *, idle: bool = False) -> list[Matrix]:
        """The named matrices (and givens) that its cells read directly, each once.

        With `idle`, steps that change nothing just now are not seen through.
        """
        found: dict[int, Matrix] = {}
        for source in self.inputs:
            hidden = source.is_inline and not (idle and source.name)
            for matrix in source.reads(idle=idle) if hidden else [source]:
                found.setdefault(id(matrix), matrix)
        return list(found.values())

    def _checked_cell(self, row: int, column: int) -> tuple[int, int]:
        row, column = numbers.read_whole(row, "The row"), numbers.read_whole(column, "The column")
        rows, columns = self.shape
        if not (-rows <= row < rows and -columns <= column < columns):
            raise HandcalcError(
                f"{self.display_name} is {size(self.shape)}: "
                f"row {row}, column {column} (from 0) is not in it."
            )
        return row % rows, column % columns


class _Names(Sequence[str]):
    """How sentences name the inputs; worked out only when one has to be said."""

    def __init__(self, inputs: tuple[Matrix, ...]) -> None:
        self.inputs = inputs

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, place: Any) -> Any:
        return [m.display_name for m in self.inputs][place]


def _computed(operation: Operation, inputs: tuple[Matrix, ...]) -> Values:
    """Run an operation; what is too large for a float64 is an error, never an infinity that spreads."""
    values = [m.values for m in inputs]
    if not operation.can_overflow:
        return operation.compute(*values)
    try:
        with np.errstate(over="raise", invalid="raise"):
            return operation.compute(*values)
    except FloatingPointError:
        said = operation.formula(*(m.symbol() for m in inputs)).write(Text(symbolic=True))
        raise HandcalcError(f"{said} cannot be calculated: a number in it is too large.") from None


def as_matrix(values: Any, name: str | None = None, *, rows: Labels = None, columns: Labels = None) -> Matrix:
    """A Matrix as it is; lists and arrays become a given.

    One that has no name yet is named, unless a matrix that it was computed from is called so.

    `rows` and `columns` label a matrix that has no labels of its own.
    """
    if not isinstance(values, Matrix):
        return Matrix(values, name, rows=rows, columns=columns)
    if name is None or values.name is not None or values.depends_on(name):
        return values
    return values.named(name, rows=rows, columns=columns)


def as_operand(value: Any) -> Matrix:
    """A plain number is a part of the formula, anything else a matrix."""
    if isinstance(value, Matrix):
        return value
    return constant(float(value)) if isinstance(value, int | float | np.number) else Matrix(value)


def _apply(operation: Operation, *operands: Any) -> Matrix:
    return Matrix.computed(operation, *[as_operand(value) for value in operands])


Operation.apply = staticmethod(_apply)  # so that an operation can be called, and operators.py can call it


def constant(value: float, symbol: str | None = None) -> Matrix:
    """A number that belongs to the formula: no given, no slider; `symbol` names it in formulas."""
    if not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise HandcalcError(f"{symbol or 'The number'} is {value!r}; it must be a finite number.")
    return Matrix.computed(operations.Constant(value, symbol))


def _checked_name(name: str | None) -> str | None:
    if name is not None and (not isinstance(name, str) or not name.strip() or not UNFIT.isdisjoint(name)):
        raise HandcalcError(f"A matrix's name is a word such as 'Q', without [ ] = in it; {name!r} is none.")
    return name
