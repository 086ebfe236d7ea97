"""Operations number by number. Each is a row of attributes; all that it does follows from its trees."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Reader
from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values, check_every, format_constant
from handcalc.operations import trees
from handcalc.operations.base import M, Operation, Place, Shape
from handcalc.operations.constants import Constant
from handcalc.operations.masking import Keep
from handcalc.operations.tree_code import compile_tree
from handcalc.operations.trees import Tree

NO_SLOPE = trees.number_leaf(0)  # a derivative: nothing goes back


class Domain(NamedTuple):
    """The numbers that an operation takes, and the refusal of others."""

    holds: Callable[[Values], Any]
    refusal: str


class Elementwise(Operation):
    """Number by number; a column, a row or a single number is repeated to fit.

    In sentences and on the badge `{alpha}` stands for the parameter of this name.
    """

    repeats = True
    shown: ClassVar[Tree]
    stable: ClassVar[Tree | None] = None  # what is computed, where the form that is shown loses digits
    domain: ClassVar[Domain | None] = None
    ends_well: ClassVar[bool] = False  # though a power on the way may be too large: 1 / (1 + e^800) is 0
    derivative: ClassVar[Tree | tuple[Tree, ...] | None] = None  # by operand; None: there is no rule for it
    is_never_negative: ClassVar[bool | None] = None
    _function: ClassVar[Callable[..., Any] | None] = None
    abbreviation: ClassVar[str] = ""  # in formulas of whole matrices, of arithmetic that is long

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._function = None  # not that of the class that it extends

    @classmethod
    def of(cls, *parts: Tree, **parameters: Tree) -> Tree:
        """The operation as a step in the derivative of another one."""
        return Tree("operation", *parts, value=(cls, tuple(parameters.items())))

    # the numbers ------------------------------------------------------------------------------

    def compute(self, *values: Values) -> Values:
        if self.domain is not None:
            check_every(self.domain.holds(values[0]), values[0], self.domain.refusal)
        if not self.ends_well:
            return self._computed(values)
        with np.errstate(over="ignore", under="ignore"):
            return self._computed(values)

    def compute_or_nan(self, *values: Values) -> Values:
        if self.domain is None:
            return self.compute(*values)
        return self._computed((np.where(self.domain.holds(values[0]), values[0], np.nan),))

    def _computed(self, values: tuple[Values, ...]) -> Values:
        function = self._function or self._compiled(len(values))
        found: Values = function(*values, *[getattr(self, field) for field in self.fields])
        return found

    @classmethod
    def _compiled(cls, count: int) -> Callable[..., Any]:
        """Its tree as a function of numpy, made when it is first used."""
        cls._function = staticmethod(compile_tree(cls.stable or cls.shown, count, cls.fields))
        return cls._function

    # what one reads ---------------------------------------------------------------------------

    def write(self, *parts: Expression) -> Expression:
        """The arithmetic of one cell and the formula of the whole are the same words."""
        return trees.write_expression(self.shown, parts, vars(self))

    def cell(self, inputs: Sequence[Reader], shapes: Sequence[Shape], i: int, j: int) -> Expression:
        places = [(i if rows > 1 else 0, j if columns > 1 else 0) for rows, columns in shapes]
        return self.write(*(read(*place) for read, place in zip(inputs, places, strict=True)))

    def formula(self, *inputs: Expression) -> Expression:
        return ex.FunctionCall(self.abbreviation, *inputs) if self.abbreviation else self.write(*inputs)

    def badge(self, constants: Sequence[str | None]) -> str:
        sign = self._said(self.sign)
        return sign.join(part or "" for part in constants) if len(constants) > 1 else sign

    def sentence_words(self) -> Mapping[str, str]:
        return {field: _short(getattr(self, field)) for field in self.fields}

    # the way back -----------------------------------------------------------------------------

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        tree = self.derivative[operand] if isinstance(self.derivative, tuple) else self.derivative
        if tree is None:
            return super().slope(operand, grad_output, inputs, result)
        return None if tree is NO_SLOPE else _times(grad_output, tree, _Known(vars(self), inputs, result))

    # how it fits ------------------------------------------------------------------------------

    def read_by(self, operand: int, i: int, j: int, shapes: Sequence[Shape], shape: Shape) -> Iterable[Place]:
        rows = [i] if shapes[operand][0] == shape[0] else range(shape[0])
        columns = [j] if shapes[operand][1] == shape[1] else range(shape[1])
        return product(rows, columns)

    def check(self, shapes: Sequence[Shape], names: Sequence[str]) -> None:
        (rows, columns), (others, across) = shapes[0], shapes[-1]  # there are never more than two
        if (rows != others and rows != 1 != others) or (columns != across and columns != 1 != across):
            sizes = " but ".join(f"{n} is {shape_text(s)}" for n, s in zip(names, shapes, strict=True))
            raise HandcalcError(
                f"{sizes}; to {self.name} them they need one shape, or one is a row, a column or a number."
            )

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        return max(rows for rows, _ in shapes), max(columns for _, columns in shapes)

    def labels(self, rows: Sequence[Labels], columns: Sequence[Labels]) -> tuple[Labels, Labels]:
        return _first(rows), _first(columns)

    def terms(self, inputs: Sequence[int], shapes: Sequence[Shape]) -> int:
        tree = trees.choose_form(self.shown, vars(self))
        return sum(inputs[part.value] for part in tree if part.head == "operand") or 1


def _short(value: Any) -> str:
    return "e" if value == np.e else format_constant(value or 0)


def _first(labels: Sequence[Labels]) -> Labels:
    """The labels of the first input that has any."""
    for label in labels:
        if label:
            return label
    return None


# a derivative as a record -----------------------------------------------------------------------


class _Known(NamedTuple):
    """The values for the leaves of a derivative."""

    parameters: Mapping[str, Any]
    inputs: Sequence[Any]
    result: Any


def _times(grad_output: M, tree: Tree, known: _Known) -> M:
    """A slope times a derivative, factor after factor: `grad_output * y * (1 - y)`."""
    tree = trees.choose_form(tree, known.parameters)
    if tree.head == "negative":
        return -_times(grad_output, tree.parts[0], known)
    if tree.head in ("·", "/"):
        left, right = _times(grad_output, tree.parts[0], known), _made(tree.parts[1], known)
        found: M = left if _is_one(right) else SIGNS_OF_MATRICES[tree.head](left, right)
        return found
    factor = _made(tree, known)
    if tree.head in ("operand", "result"):
        factor = _finite(factor)
    return grad_output if _is_one(factor) else grad_output * factor


def _made(tree: Tree, known: _Known) -> Any:
    """A matrix, or a plain number."""
    if tree.head == "operand":
        return known.inputs[tree.value]
    if tree.head == "result":
        return known.result
    if tree.head in ("number", "parameter"):
        return tree.value if tree.head == "number" else known.parameters[tree.value]
    parts = [_made(part, known) for part in tree.parts]
    if tree.head == "operation":
        kind, parameters = tree.value
        made = kind(**{field: _made(part, known) for field, part in parameters})
        return made(*[known.result.computed(Constant(p)) if isinstance(p, float) else p for p in parts])
    return SIGNS_OF_MATRICES[tree.head](*parts)


def _power(base: Any, exponent: int) -> Any:
    return base**exponent if exponent > 1 else base if exponent else 1


def _is_one(factor: Any) -> bool:
    return isinstance(factor, int) and factor == 1


def _finite(matrix: M) -> M:
    """A factor of a slope that is 0 where a mask has hidden a number: −∞ · 0 is 0 there, and no error."""
    is_there = np.isfinite(matrix.values)
    if is_there.all():
        return matrix
    return Keep(is_there)(matrix)


SIGNS_OF_MATRICES: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "·": operator.mul,
    "/": operator.truediv,
    "^": _power,
    "negative": operator.neg,
}
