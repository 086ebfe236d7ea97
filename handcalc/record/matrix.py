"""A matrix that holds its numbers and remembers how it was computed: one operation, its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from handcalc.foundation import lazy_rooms, stale_names
from handcalc.foundation.errors import FrozenError, HandcalcError, StaleNameError, short
from handcalc.notation import identifiers, labels, numbers, validation
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.operations import Operation
from handcalc.record import blocks, rendering
from handcalc.record.blocks import Block
from handcalc.record.draft import FIELDS, Draft
from handcalc.record.explained import Explained
from handcalc.record.operators import Operators

_count = count().__next__


def frozen(draft: Draft) -> Matrix:
    """The same object as a Matrix, in which nothing can be set any more."""
    draft.__class__ = Matrix  # costs less than eleven object.__setattr__
    return draft  # type: ignore[return-value]  # its class is another one now


class Matrix(Draft, Operators, Explained):
    """Numbers in rows and columns that know where they came from; nothing in it can be changed.

    `values` is read-only float64 with two axes. A flat list is one column, a number is 1 by 1.
    `rows` and `columns` label them: a list of words, or one letter (`"q"` gives q₁, q₂, …).
    Readers see a matrix that has a name; one without is written inline where it is used.

    >>> A = Matrix([[1, 2], [3, 4]], "A")
    >>> B = (A @ A).named("B")
    >>> print(B.explain(0, 1))
    B[1,2] = 1·2 + 2·4 = 10

    Raises HandcalcError, in one sentence, for ragged lists, text, empty input, NaN and infinity.
    """

    __slots__ = ()

    def __new__(
        cls,
        values: Any,
        name: str | None = None,
        *,
        rows: Labels | Sequence[str] = None,
        columns: Labels | Sequence[str] = None,
    ) -> Matrix:
        name, block = identifiers.read_name(name), None
        if isinstance(values, Matrix):
            values = values.values
        values = validation.read_values(values, name or "The matrix")
        if name is not None and (block := blocks.current()) is not None:
            name, block = blocks.placed(name, block)
        height, width = values.shape
        rows = None if rows is None else labels.checked(rows, height, "row", name)
        columns = None if columns is None else labels.checked(columns, width, "column", name)
        return given(values, name, block, rows, columns)

    @classmethod
    def computed(cls, operation: Operation, *inputs: Matrix) -> Matrix:
        """The result of an operation on other matrices, unnamed as yet."""
        values, shapes, rows, columns, signs = [], [], [], [], []  # in one loop: there are many matrices
        for m in inputs:
            if m.origin is not None:
                return cls.computed(operation, *[m.origin or m for m in inputs])
            values.append(m.values)
            shapes.append(m.values.shape)
            rows.append(m.rows_)
            columns.append(m.columns_)
            signs.append(m.never_negative)
        if operation.needs_check or len(values) > 1:
            operation.check(shapes, rendering.InputNames(inputs))
        new = Draft()
        new.values, new.operation, new.inputs = _computed(operation, inputs, values), operation, inputs
        new.name = new.meaning = new.why_ = new.stage = None
        new.block = new.origin = new.size = new.renamed = None
        if operation.repeats and shapes[0] != shapes[-1]:  # what is repeated to fit lends its labels to none
            rows, columns = labels.fitting(rows, columns, shapes, new.values.shape)
        new.rows_, new.columns_ = operation.labels(rows, columns)
        new.never_negative = operation.never_negative(signs)
        new.serial = _count()
        return frozen(new)

    # a copy that differs --------------------------------------------------------------------

    def replace(self, **changes: Any) -> Matrix:
        """A copy with other fields: `replace(name="Q")`."""
        new = self._draft()
        for field, value in changes.items():
            if field not in FIELDS:
                raise HandcalcError(f"A matrix has no field {short(field)} to replace.")
            setattr(new, field, value if field != "name" else identifiers.read_name(value))
        return frozen(new)

    def _draft(self) -> Draft:
        """Its own fields, to be changed; the only way in which a copy is made."""
        new = Draft()
        new.values, new.operation, new.inputs = self.values, self.operation, self.inputs
        new.name, new.meaning, new.why_, new.stage = self.name, self.meaning, self.why_, self.stage
        new.rows_, new.columns_, new.never_negative = self.rows_, self.columns_, self.never_negative
        new.block, new.serial = self.block, _count()
        new.origin = new.size = new.renamed = None
        return new

    def named(
        self,
        name: str,
        meaning: str | None = None,
        *,
        why: str | None = None,
        stage: str | None = None,
        rows: Labels | Sequence[str] = None,
        columns: Labels | Sequence[str] = None,
    ) -> Matrix:
        """The same matrix under a name, with a few words on what it means and a sentence on why it is there.

        Steps of the same `stage`, one word or two, belong together: "Compare", then "Mix".

        A letter as a label gives way to the words that the columns were given at the start. Within a block
        (`with block("head_1"):`) it belongs to that; what a formula put in a block stays there.
        """
        new = self._draft()
        name = identifiers.read_name(name, required=True) or ""
        block = blocks.current() or self._kept_block()
        new.name, new.block = (name, None) if block is None else blocks.placed(name, block)
        if meaning is not None:
            new.meaning = identifiers.read_text(meaning, "The meaning") or self.meaning
        if why is not None:
            new.why_ = identifiers.read_text(why, "The reason") or self.why_
        if stage is not None:
            new.stage = identifiers.read_text(stage, "The stage") or self.stage
        if rows is not None or columns is not None:
            new.rows_, new.columns_ = self._labels(rows, columns, new.name)
        return frozen(new)

    def _kept_block(self) -> Block | None:
        """What a formula made stays part of it under another name, as the result of a layer norm does."""
        return self.block if self.block is not None and self.block.is_numbered else None

    def with_reason(self, why: str) -> Matrix:
        """The same matrix with a sentence on why it is there, which it keeps when it is named."""
        return self.replace(why_=identifiers.read_text(why, "The reason"))

    def relabelled(self, rows: Labels | Sequence[str], columns: Labels | Sequence[str]) -> Matrix:
        """The same matrix with labels of its own, where any are given."""
        if rows is None and columns is None:
            return self
        new = self._draft()
        new.rows_, new.columns_ = self._labels(rows, columns, self.name)
        return frozen(new)

    def _labels(
        self, rows: Labels | Sequence[str], columns: Labels | Sequence[str], name: str | None
    ) -> tuple[Labels, Labels]:
        height, width = self.values.shape
        return (
            labels.relabelled(self.rows_, rows, height, "row", name),
            labels.relabelled(self.columns_, columns, width, "column", name),
        )

    def described_like(self, other: Matrix) -> Matrix:
        """The same numbers in the place of another matrix: with its name, meaning, reason and labels."""
        new = self._draft()
        new.name, new.meaning, new.why_, new.stage = other.name, other.meaning, other.why_, other.stage
        new.rows_, new.columns_, new.block = other.rows_, other.columns_, other.block
        return frozen(new)

    def filled(self, values: Values) -> Matrix:
        """A given in the place of this matrix: its name and labels, but somebody's own numbers."""
        own = np.array(values, dtype=np.float64, order="C")
        return given(numbers.sealed(own)).described_like(self)

    def _unchangeable(self, *_: object) -> NoReturn:
        raise FrozenError('A matrix cannot be changed; .named("Q") and .replace(…) return another one.')

    __setattr__ = __delattr__ = _unchangeable

    def __copy__(self) -> Matrix:
        return self

    def __deepcopy__(self, memo: object) -> Matrix:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, ({field: getattr(self, field) for field in FIELDS}, self.is_idle)

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
        inputs = self.inputs
        return self.operation is not None and (
            self.name is None or (bool(inputs) and self.values is inputs[0].values)  # is_idle
        )

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
            if told := stale_names.sentence(f"Matrix.{name}", stale_names.ATTRIBUTES):
                raise StaleNameError(told)
            raise AttributeError(f"A Matrix has no attribute {short(name)}.", name=name, obj=self)

    def __repr__(self) -> str:
        return str(lazy_rooms.view("text").matrix(self))

    def _repr_html_(self) -> str:
        return str(lazy_rooms.view("html").matrix(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Values:
        return np.array(self.values, dtype=dtype) if copy or dtype else self.values


def given(
    values: Values,
    name: str | None = None,
    block: Block | None = None,
    rows: Labels = None,
    columns: Labels = None,
) -> Matrix:
    """What was handed in, sealed already: these numbers themselves, and no copy of them."""
    new = Draft()
    new.values, new.name, new.block, new.rows_, new.columns_ = values, name, block, rows, columns
    new.meaning = new.why_ = new.stage = new.operation = new.origin = new.size = new.renamed = None
    new.inputs, new.never_negative, new.serial = (), False, _count()
    return frozen(new)


def _computed(operation: Operation, inputs: tuple[Matrix, ...], values: list[Values]) -> Values:
    """Run an operation; what is too large for a float64 is an error, never an infinity that spreads."""
    if not operation.can_overflow:
        return numbers.sealed(operation.compute(*values))
    try:
        found = numbers.strict_context().run(operation.compute, *values)
    except FloatingPointError:
        what = rendering.in_a_sentence(operation.formula(*(m.symbol() for m in inputs)))
        raise HandcalcError(f"{what} cannot be calculated: a number in it is too large.") from None
    return found if values and found is values[0] else numbers.sealed(found)


def _restored(fields: dict[str, Any], is_idle: bool) -> Matrix:
    """What pickle wrote: numbers that are shared are shared again, and none can be changed."""
    new = Draft()
    new.size, new.renamed, new.stage, new.serial = None, None, None, _count()
    for field, value in fields.items():
        setattr(new, field, value)
    shared = new.inputs[0] if is_idle else new.origin
    new.values = shared.values if shared is not None else numbers.sealed(new.values)
    return frozen(new)
