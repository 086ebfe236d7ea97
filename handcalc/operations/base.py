"""The base of all operations. `axis` 0 runs down each column, `axis` 1 along each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np

from handcalc.foundation.errors import HandcalcError
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Sentence


class Operand(Protocol):
    """An operand of operations: numbers that take arithmetic signs and record each result's making.

    A Matrix of the record is one; operations know no more of it than this.
    """

    @property
    def values(self) -> Values: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def display_name(self) -> str: ...
    @property
    def T(self) -> Self: ...  # noqa: N802 - numpy's and the paper's name
    def computed(self, operation: Operation, /, *inputs: Self) -> Self:
        """The result of an operation."""

    def __add__(self, other: Any, /) -> Self: ...
    def __sub__(self, other: Any, /) -> Self: ...
    def __rsub__(self, other: Any, /) -> Self: ...
    def __mul__(self, other: Any, /) -> Self: ...
    def __rmul__(self, other: Any, /) -> Self: ...
    def __truediv__(self, other: Any, /) -> Self: ...
    def __pow__(self, exponent: int, /) -> Self: ...
    def __neg__(self) -> Self: ...
    def __matmul__(self, other: Any, /) -> Self: ...


M = TypeVar("M", bound=Operand)
Shape = tuple[int, int]
Place = tuple[int, int]  # of a cell: row and column, from 0


KINDS: dict[str, type[Operation]] = {}  # every operation by its name; a class with a name joins by itself


class Operation:
    """The operation that made a computed matrix; the matrix keeps it beside its inputs.

    An operation is called on matrices and returns the matrix that it makes of them.
    """

    name: ClassVar[str] = ""
    fields: ClassVar[tuple[str, ...]] = ()  # what makes it again: `type(op)(**parameters)`
    optional: ClassVar[frozenset[str]] = frozenset()  # fields that are not written where they are None
    inputs: ClassVar[int | None] = 1  # how many matrices it reads; None: as many as there are
    reads_right_first: ClassVar[bool] = False  # X before W_Q, where a record is put in order
    can_overflow: ClassVar[bool] = True  # whether its result can be too large for a float64
    needs_check: ClassVar[bool] = False  # whether even a single input can be of a wrong shape
    repeats: ClassVar[bool] = False  # whether a column, a row or a number is repeated to fit
    moves_labels: ClassVar[bool] = False  # whether the labels of its result follow from the numbers
    can_be_idle: ClassVar[bool] = False  # whether its result can be its input itself
    sign: ClassVar[str] = ""  # the operation on its badge, in a few letters: ·, Σ, x^2
    is_never_negative: ClassVar[bool | None] = False  # whether no cell can be; None: where no input's can
    reason: ClassVar[str] = ""  # what it does and why one would, in one sentence
    derivative_reason: ClassVar[str | tuple[str, ...]] = ""  # of its slope, by operand if they differ

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            KINDS[cls.name] = cls

    def __call__(self, first: M, *others: M) -> M:
        return first.computed(self, first, *others)

    def compute(self, *values: Values) -> Values:
        """The whole result, in numpy; of matrices that are stacked along axes in front, that of each."""
        raise NotImplementedError

    def compute_or_nan(self, *values: Values) -> Values:
        """The whole result; NaN where it cannot be calculated, and no error for the rest."""
        return self.compute(*values)

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        """The arithmetic of one cell of the result."""
        raise NotImplementedError

    def formula(self, *inputs: Expression) -> Expression:
        """The formula of the whole result."""
        raise NotImplementedError

    def why(self) -> str:
        """Its effect and purpose, in one sentence."""
        return self._said(self.reason)

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        """The slope of a loss for one input; `grad_output` is that for the result. None: it has no effect.

        Where an input was repeated to fit, it may have the shape of the result: what is too much is summed.
        """
        raise HandcalcError(
            f"There is no rule for the slope of {self.name}, so no slopes go back through it."
        )

    def slope_why(self, operand: int) -> str:
        """The reason for the slope of one input, in one sentence."""
        reason = self.derivative_reason
        return self._said(reason if isinstance(reason, str) else reason[operand])

    def _said(self, sentence: str) -> str:
        return sentence.format_map(self.sentence_words())

    def sentence_words(self) -> Mapping[str, str]:
        """The words that replace fields such as `{alpha}` in its sentences and on its badge."""
        return {}

    def by_hand(
        self, inputs: Sequence[Values], i: int, j: int, places: int, of_operands: int | None
    ) -> Sentence | None:
        """How to work out cell (i, j) with a pencil, where its arithmetic does not say it.

        Its operands are written with `of_operands` places.
        """
        return None

    def badge(self, constants: Sequence[str | None]) -> str:
        """Its sign; `constants` are the inputs that belong to the formula, written, and None for others."""
        return self.sign

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        """Raise HandcalcError if the inputs do not fit together."""

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        """The shape of the result, without computing it, of inputs that fit together."""
        return shapes[0]

    def transposed(self) -> Operation:
        """The operation that makes the transposed result from the transposed inputs."""
        return self

    def order(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """The inputs in the order in which `transposed` wants them."""
        return inputs

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        """Row and column labels of the result, from those of the inputs."""
        return None, None

    def moved_labels(self, values: Values, rows: Labels, columns: Labels) -> tuple[Labels, Labels]:
        """Row and column labels of the result where they follow from the numbers of its input."""
        raise NotImplementedError

    def with_words(self, words: Labels) -> Operation:
        """The same operation where the words that it chooses from have moved; one without words, itself."""
        return self

    def never_negative(self, inputs: Sequence[bool]) -> bool:
        """Whether no cell can be negative, whatever the givens; it follows from the inputs."""
        return all(inputs) if self.is_never_negative is None else self.is_never_negative

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        """The count of numbers that the arithmetic of one cell shows, given those of each input's cells."""
        return sum(inputs) or 1

    def longest_sum(self, shapes: Sequence[Shape]) -> int:
        """The number of terms in the longest sum of one cell, by itself."""
        return 0

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        """The cells of the result, which has this shape, that read cell (i, j) of one input."""
        for place in np.ndindex(*shape):
            if (operand, i, j) in self._reads(shapes, *place):
                yield place

    def _reads(self, shapes: Sequence[Shape], i: int, j: int) -> set[tuple[int, int, int]]:
        """(input, row, column) of every cell that cell (i, j) of the result reads."""
        read: set[tuple[int, int, int]] = set()

        def reader(operand: int) -> Reader:
            def note(row: int, column: int) -> Expression:
                read.add((operand, row, column))
                return Expression()

            return note

        self.cell([reader(k) for k in range(len(shapes))], shapes, i, j)
        return read

    def parameters(self) -> dict[str, Any]:
        """The parameters that `to_spec` writes: plain numbers, strings and lists."""
        found = {field: plain(getattr(self, field)) for field in self.fields}
        return {
            field: value for field, value in found.items() if not (field in self.optional and value is None)
        }


class Index(Operation):
    """Every cell is one cell of an input, moved and not changed."""

    can_overflow = False
    is_never_negative = None

    def where(self, shapes: Sequence[Shape], i: int, j: int) -> tuple[int, int, int]:
        """(input, row, column) that cell (i, j) shows."""
        raise NotImplementedError

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        source, row, column = self.where(shapes, i, j)
        return inputs[source](row, column)


class AlongAxis(Operation):
    """An operation down each column (axis 0) or along each row (axis 1); transposing swaps the two.

    In its sentences `{line}` is the line it runs along, a column, and `{unit}` a unit of that line, a row.
    """

    axis: int

    @property
    def unit(self) -> str:
        """The unit that is counted along the axis: a row, or a column."""
        return ("row", "column")[self.axis]

    def sentence_words(self) -> Mapping[str, str]:
        return {"unit": self.unit, "line": ("column", "row")[self.axis]}

    def turned(self, along: Any, across: Any) -> tuple[Any, Any]:
        """The values along and across the axis as (row, column); the same call turns these back."""
        return (along, across) if self.axis == 0 else (across, along)

    def length(self, shapes: Sequence[Shape]) -> int:
        """The length of the result along the axis."""
        return shapes[0][self.axis]

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return self.turned(self.length(shapes), shapes[0][1 - self.axis])

    def transposed(self) -> Operation:
        parameters: dict[str, Any] = {field: getattr(self, field) for field in self.fields}
        return type(self)(**parameters | {"axis": 1 - self.axis})

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        along, across = self.turned(rows, columns)
        return self.turned(self.labels_along(along), across[0] if across else None)

    def labels_along(self, labels: Sequence[Labels]) -> Labels:
        """The labels along the axis, from those of the inputs."""
        return None


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, for JSON."""
    return (
        value.tolist()
        if isinstance(value, np.ndarray)
        else list(value)
        if isinstance(value, tuple)
        else value
    )
