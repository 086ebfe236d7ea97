"""A matrix: numbers with a name that know how they were made, by one operation from inputs."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from weakref import ref

import numpy as np

from handcalc.foundation import lazy_rooms
from handcalc.foundation.errors import FrozenError, HandcalcError, short
from handcalc.notation import identifiers, labels, numbers, validation
from handcalc.notation.accepted_types import LabelsLike, MatrixLike
from handcalc.notation.expression import Expression
from handcalc.notation.labels import Labels
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Text
from handcalc.notation.numbers import Values
from handcalc.operations import (
    Absolute,
    Add,
    Constant,
    Divide,
    MatMul,
    Multiply,
    Negate,
    Operation,
    Power,
    Subtract,
    Transpose,
)
from handcalc.record import blocks, graph, rendering
from handcalc.record.blocks import Block
from handcalc.record.rendering import Address, Explanation

if TYPE_CHECKING:
    from handcalc.record.inlining import Size

_count = count().__next__

ADD, SUBTRACT, MULTIPLY, DIVIDE = Add(), Subtract(), Multiply(), Divide()  # the same from use to use
MATMUL, TRANSPOSE, NEGATE, ABSOLUTE = MatMul(), Transpose(), Negate(), Absolute()
OPERATIONS_OF_UFUNCS = {
    "matmul": MATMUL,
    "add": ADD,
    "subtract": SUBTRACT,
    "multiply": MULTIPLY,
    "divide": DIVIDE,
}
NUMPY_NAMES_WE_HAVE = {"absolute", "exp", "floor", "log", "sqrt", "tanh"}


class Description(NamedTuple):
    """A matrix's name, meaning, labels and block: in one place, copied and replaced as a whole."""

    name: str | None = None
    meaning: str | None = None
    why: str | None = None  # its own sentence; without one, its operation has one
    stage: str | None = None  # of the way through its sheet: Project, Compare, Share, Mix
    rows: Labels = None
    columns: Labels = None
    block: Block | None = None  # the part of a calculation that it belongs to (blocks.py)


UNNAMED = Description()


class Matrix:
    """Numbers in rows and columns that know where they came from; nothing in it can be changed.

    >>> A = hc.Matrix([[1, 2], [3, 4]], "A")
    >>> B = (A @ A).named("B")
    >>> print(B.explain(0, 1))
    B[1,2] = 1·2 + 2·4 = 10

    `values` is read-only float64 with two axes. A flat list is one column, a number is 1 by 1.
    `rows` and `columns` label them: a list of words, or one letter (`"q"` gives q₁, q₂, …).
    Readers see a matrix that has a name; one without is written inline where it is used.

    Raises HandcalcError, in one sentence, for ragged lists, text, empty input, NaN and infinity.
    """

    __slots__ = (
        "__weakref__",
        "_last_copy",
        "_origin",
        "_serial",
        "_size",
        "description",
        "inputs",
        "never_negative",
        "operation",
        "values",
    )

    values: Values
    operation: Operation | None
    inputs: tuple[Matrix, ...]
    description: Description
    never_negative: bool
    _origin: Matrix | None  # of a copy that a record made to name things apart, the matrix itself
    _serial: int  # matrices are counted as they are made: an input before its reader
    # computed facts about it, kept because they cannot change
    _size: Size | None  # of its arithmetic (inlining.py)
    _last_copy: ref[Matrix] | None  # in the record that was made last

    def __new__(
        cls,
        values: MatrixLike,
        name: str | None = None,
        *,
        rows: LabelsLike = None,
        columns: LabelsLike = None,
    ) -> Matrix:
        name, block = identifiers.read_name(name), None
        if isinstance(values, Matrix):
            values = values.values
        values = validation.read_values(values, name or "The matrix")
        if name is not None and (block := blocks.current_block()) is not None:
            name, block = blocks.place_name(name, block)
        height, width = values.shape
        rows = None if rows is None else labels.read_labels(rows, height, "row", name)
        columns = None if columns is None else labels.read_labels(columns, width, "column", name)
        return given_matrix(values, Description(name, rows=rows, columns=columns, block=block))

    @classmethod
    def computed(cls, operation: Operation, /, *inputs: Matrix) -> Matrix:
        """The result of an operation on other matrices, unnamed as yet."""
        values, shapes, rows, columns, signs = [], [], [], [], []  # in one loop: there are many matrices
        for m in inputs:
            if m._origin is not None:
                return cls.computed(operation, *[m.original for m in inputs])
            values.append(m.values)
            shapes.append(m.values.shape)
            about = m.description
            rows.append(about.rows)
            columns.append(about.columns)
            signs.append(m.never_negative)
        if operation.needs_check or len(values) > 1:
            operation.check(shapes, rendering.InputNames(inputs))
        found = _computed(operation, inputs, values)
        if operation.repeats and shapes[0] != shapes[-1]:  # an input repeated to fit lends no labels
            rows, columns = labels.labels_that_fit(rows, columns, shapes, found.shape)
        if operation.moves_labels:
            beside, above = operation.moved_labels(values[0], rows[0], columns[0])
        else:
            beside, above = operation.labels(rows, columns)
        about = UNNAMED if beside is above is None else Description(rows=beside, columns=above)
        return _made(found, operation, inputs, about, operation.never_negative(signs))

    # a copy that differs --------------------------------------------------------------------

    def replace(self, **changes: object) -> Matrix:
        """A copy with other fields: `replace(name="Q")`."""
        own: dict[str, Any] = {field: changes.pop(field, getattr(self, field)) for field in OWN_FIELDS}
        if unknown := [field for field in changes if field not in Description._fields]:
            raise HandcalcError(f"A matrix has no field {short(unknown[0])} to replace.")
        about: dict[str, Any] = changes
        if "name" in about:
            about["name"] = identifiers.read_name(about["name"])
        return _made(**own, description=self.description._replace(**about))

    def described(self, description: Description) -> Matrix:
        """The same numbers under another description."""
        return _made(self.values, self.operation, self.inputs, description, self.never_negative)

    def named(
        self,
        name: str,
        meaning: str | None = None,
        *,
        why: str | None = None,
        stage: str | None = None,
        rows: LabelsLike = None,
        columns: LabelsLike = None,
    ) -> Matrix:
        """The same matrix under a name, with a few words on what it means and a sentence on why it is there.

        Steps of the same `stage`, one word or two, belong together: "Compare", then "Mix".

        A letter as a label gives way to the words that the columns were given at the start. Within a block
        (`with block("head_1"):`) it belongs to that; what a formula put in a block stays there.
        """
        name = identifiers.read_name(name, required=True) or ""
        block, own = blocks.current_block() or self._kept_block(), self.description
        if block is not None:
            name, block = blocks.place_name(name, block)
        beside, above = self._labels(rows, columns, name)
        about = Description(
            name,
            identifiers.read_text(meaning, "The meaning") or own.meaning,
            identifiers.read_text(why, "The reason") or own.why,
            identifiers.read_text(stage, "The stage") or own.stage,
            beside,
            above,
            block,
        )
        return self.described(about)

    def _kept_block(self) -> Block | None:
        """A numbered block, which its matrices stay in when renamed, as the result of a layer norm does."""
        block = self.description.block
        return block if block is not None and block.is_numbered else None

    def with_reason(self, why: str) -> Matrix:
        """The same matrix with a sentence on why it is there, which it keeps when it is named."""
        return self.replace(why=identifiers.read_text(why, "The reason"))

    def relabelled(self, rows: LabelsLike, columns: LabelsLike) -> Matrix:
        """The same matrix with labels of its own, where any are given."""
        if rows is None and columns is None:
            return self
        beside, above = self._labels(rows, columns, self.name)
        return self.described(self.description._replace(rows=beside, columns=above))

    def _labels(self, rows: LabelsLike, columns: LabelsLike, name: str | None) -> tuple[Labels, Labels]:
        own = self.description
        if rows is None and columns is None:
            return own.rows, own.columns
        height, width = self.values.shape
        return (
            labels.relabelled(own.rows, rows, height, "row", name),
            labels.relabelled(own.columns, columns, width, "column", name),
        )

    def described_like(self, other: Matrix) -> Matrix:
        """The same numbers in the place of another matrix: with its name, meaning, reason and labels."""
        return self.described(other.description)

    def filled(self, values: Values) -> Matrix:
        """A given in the place of this matrix: its name and labels, but somebody's own numbers."""
        return given_matrix(numbers.sealed(np.array(values, dtype=np.float64, order="C")), self.description)

    def copied(self, name: str | None, inputs: tuple[Matrix, ...]) -> Matrix:
        """A copy for one record, under another name or with other inputs, which knows its original.

        Where the last record had the same one, that: a stack of layers is a record made longer again and
        again, and what is in it stays called as it was.
        """
        original = self.original
        last = original._last_copy() if original._last_copy else None
        if last is None or last.name != name or last.inputs != inputs:
            about = self.description._replace(name=identifiers.read_name(name))
            last = _made(self.values, self.operation, inputs, about, self.never_negative, original)
            object.__setattr__(original, "_last_copy", ref(last))
        return last

    @property
    def original(self) -> Matrix:
        """Of a copy that a record made to name things apart, the matrix itself; of others, themselves."""
        return self._origin or self

    def is_older_than(self, other: Matrix) -> bool:
        """Whether it was made before another one, so that it cannot be computed from that."""
        return self._serial < other._serial

    def _unchangeable(self, *_: object) -> NoReturn:
        raise FrozenError('A matrix cannot be changed; .named("Q") and .replace(…) return another one.')

    __setattr__ = __delattr__ = _unchangeable

    def __copy__(self) -> Matrix:
        return self

    def __deepcopy__(self, memo: object) -> Matrix:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (*(getattr(self, field) for field in PICKLED_FIELDS), self.is_idle)

    # what it is -----------------------------------------------------------------------------

    @property
    def name(self) -> str | None:
        """What it is called, with the path of its block: `head_1.Q`; None where it is written inline."""
        return self.description.name

    @property
    def meaning(self) -> str | None:
        """A few words on what it means."""
        return self.description.meaning

    @property
    def stage(self) -> str | None:
        """The stage of the calculation that it belongs to: Project, Compare, Share, Mix."""
        return self.description.stage

    @property
    def block(self) -> Block | None:
        """The part of a calculation that it belongs to."""
        return self.description.block

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        rows, columns = self.values.shape
        return rows, columns

    @property
    def rows(self) -> tuple[str, ...] | None:
        """The rows' labels, or None."""
        return labels.spell_labels(self.description.rows, self.shape[0])

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns' labels, or None."""
        return labels.spell_labels(self.description.columns, self.shape[1])

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
        inputs = self.inputs
        return self.operation is not None and (
            self.description.name is None or (bool(inputs) and self.values is inputs[0].values)  # is_idle
        )

    @property
    def why(self) -> str:
        """Why it is calculated, in one sentence: its own, or else its operation's."""
        if self.description.why is not None:
            return self.description.why
        return (
            self.operation.why() if self.operation else f"Given: {self.meaning or 'numbers to start from'}."
        )

    # how it was made, for readers (rendering.py) ----------------------------------------------

    @property
    def display_name(self) -> str:
        """How a sentence names it: its name, or its formula, cut where it is long."""
        return rendering.display_name(self)

    @property
    def formula(self) -> str:
        """The formula as text: `S = Kᵀ Q`; of a given, its name."""
        return rendering.write_equation(self, Text)

    @property
    def latex(self) -> str:
        r"""The formula as LaTeX: `S = K^{\mathsf{T}} \, Q`."""
        return rendering.write_equation(self, Latex)

    def symbol(self) -> Expression:
        """How a formula refers to it: by its name, or by the formula it stands for."""
        return rendering.symbol(self)

    def arithmetic(self, row: int, column: int) -> Expression:
        """The arithmetic of one cell, down to the named matrices (or givens) that it reads."""
        return rendering.arithmetic(self, row, column)

    def read(self, operand: int, row: int, column: int) -> Expression:
        """What another cell reads here; `operand` is the input through which it came."""
        return rendering.read_cell(self, operand, row, column)

    def explain(self, row: int, column: int, places: int | None = 2) -> Explanation:
        """The arithmetic of cell (row, column), counted from 0; `places=None` writes every digit."""
        return rendering.explain(self, row, column, places)

    def sources(self, row: int, column: int) -> list[Address]:
        """The cells that this cell reads directly, each once, in reading order; a given reads none."""
        return rendering.cells_read(self, row, column)

    def reads(self, *, idle: bool = False) -> list[Matrix]:
        """The named matrices (and givens) that its cells read directly; with `idle`, idle steps, too."""
        return rendering.matrices_read(self, idle=idle)

    def __repr__(self) -> str:
        return str(lazy_rooms.view("text").matrix_text(self))

    def _repr_html_(self) -> str:
        return str(lazy_rooms.view("html").matrix_html(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        return np.array(self.values, dtype=dtype) if copy or dtype else self.values

    # the signs of arithmetic; a plain number beside one is a part of the formula ----------------

    __iter__ = None  # or Python would try [0], [1], …

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """`array @ matrix`, which numpy leaves to the matrix.

        Raises HandcalcError for functions of numpy, which would forget how the numbers were made.
        """
        name = function.__name__
        if name in ("equal", "not_equal"):
            return name == "not_equal"
        if name in OPERATIONS_OF_UFUNCS and method == "__call__" and not options:
            return apply(OPERATIONS_OF_UFUNCS[name], *inputs)
        instead = f"use hc.{name}" if name in NUMPY_NAMES_WE_HAVE else "its numbers alone are in .values"
        raise HandcalcError(f"np.{name} would forget how a matrix was made; {instead}.")

    def __getitem__(self, place: object) -> NoReturn:
        raise HandcalcError(
            "A matrix has no [ ]; hc.rows(M, 0, 1) and hc.columns(M, 0, 1) cut it; M.values[0] has numbers."
        )

    @property
    def T(self) -> Matrix:  # noqa: N802 - numpy's and the paper's name
        """The transpose, Aᵀ."""
        return Matrix.computed(TRANSPOSE, self)

    def __matmul__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(MATMUL, self, as_operand(other))

    def __rmatmul__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(MATMUL, as_operand(other), self)

    def __add__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(ADD, self, as_operand(other))

    def __radd__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(ADD, as_operand(other), self)

    def __sub__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(SUBTRACT, self, as_operand(other))

    def __rsub__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(SUBTRACT, as_operand(other), self)

    def __mul__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(MULTIPLY, self, as_operand(other))

    def __rmul__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(MULTIPLY, as_operand(other), self)

    def __truediv__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(DIVIDE, self, as_operand(other))

    def __rtruediv__(self, other: MatrixLike) -> Matrix:
        return Matrix.computed(DIVIDE, as_operand(other), self)

    def __pow__(self, exponent: int) -> Matrix:
        return Matrix.computed(Power(exponent), self)

    def __abs__(self) -> Matrix:
        return Matrix.computed(ABSOLUTE, self)

    def __neg__(self) -> Matrix:
        return Matrix.computed(NEGATE, self)


OWN_FIELDS = ("values", "operation", "inputs", "never_negative")
PICKLED_FIELDS = ("values", "operation", "inputs", "description", "never_negative", "_origin")


def _made(
    values: Values,
    operation: Operation | None,
    inputs: tuple[Matrix, ...],
    description: Description,
    never_negative: bool,
    origin: Matrix | None = None,
) -> Matrix:
    """Make a matrix, in the only place that does: nothing in it can be set later."""
    new = object.__new__(Matrix)
    put = object.__setattr__
    put(new, "values", values)
    put(new, "operation", operation)
    put(new, "inputs", inputs)
    put(new, "description", description)
    put(new, "never_negative", never_negative)
    put(new, "_origin", origin)
    put(new, "_serial", _count())
    put(new, "_size", None)
    put(new, "_last_copy", None)
    return new


def given_matrix(values: Values, description: Description = UNNAMED) -> Matrix:
    """A given of numbers that are sealed already: these very numbers, not a copy."""
    return _made(values, None, (), description, never_negative=False)


def _computed(operation: Operation, inputs: tuple[Matrix, ...], values: list[Values]) -> Values:
    """Run an operation; a number too large for a float64 is an error, never an infinity that spreads."""
    if not operation.can_overflow:
        return numbers.sealed(operation.compute(*values))
    try:
        found = numbers.strict_context().run(operation.compute, *values)
    except FloatingPointError:
        what = rendering.in_a_sentence(operation.formula(*(m.symbol() for m in inputs)))
        raise HandcalcError(f"{what} cannot be calculated: a number in it is too large.") from None
    return found if values and found is values[0] else numbers.sealed(found)


def _restored(
    values: Values,
    operation: Operation | None,
    inputs: tuple[Matrix, ...],
    description: Description,
    never_negative: bool,
    origin: Matrix | None,
    is_idle: bool,
) -> Matrix:
    """A matrix from a pickle: shared numbers are shared again, and none can be changed."""
    shared = inputs[0] if is_idle else origin
    values = shared.values if shared is not None else numbers.sealed(values)
    return _made(values, operation, inputs, description, never_negative, origin)


# operands of signs: matrices, lists, arrays, and numbers of the formula -----------------------------


def apply(operation: Operation, *operands: MatrixLike) -> Matrix:
    """The result of an operation on matrices, lists or numbers."""
    return Matrix.computed(operation, *[v if type(v) is Matrix else as_operand(v) for v in operands])


def as_operand(value: MatrixLike) -> Matrix:
    """A plain number is a part of the formula, anything else a matrix."""
    if isinstance(value, Matrix):
        return value
    return constant(value) if validation.is_number(value) else Matrix(value)


def constant(value: float, symbol: str | None = None) -> Matrix:
    """A number that belongs to the formula: no given, no slider; `symbol` names it in formulas.

    >>> X = hc.Matrix([[4, 8]], "X")
    >>> (X / hc.constant(2, "k")).named("Y")
    Y = X / k  (1 by 2)
    2  4
    """
    return Matrix.computed(Constant(value, identifiers.read_symbol(symbol)))


def as_matrix(
    values: MatrixLike, name: str | None = None, *, rows: LabelsLike = None, columns: LabelsLike = None
) -> Matrix:
    """A Matrix as it is; lists and arrays become a given.

    One that has no name yet is named, unless a matrix that it was computed from is called so.

    `rows` and `columns` label a matrix that has no labels of its own.
    """
    if not isinstance(values, Matrix):
        return Matrix(values, name, rows=rows, columns=columns)
    if name is None or values.name is not None or graph.depends_on(values, blocks.path_here(name)):
        return values
    return values.named(name, rows=rows, columns=columns)
