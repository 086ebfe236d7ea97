"""Numbers that remember how they were made: a mal-rule that runs on them leaves its recipe behind.

A recipe is a list of nodes, each made from earlier ones, on flat numbers. A page that has other numbers for
the matrices that were read works it out again. What depends on whether a number is negative, say, is decided
on the numbers of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from handcalc.notation.numbers import Values, half_up
from handcalc.practice.replay.error_carried_forward import LearnerReplay, Made, recompute
from handcalc.practice.replay.patterns import is_constant
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

REARRANGING = {
    np.broadcast_to,
    np.concatenate,
    np.expand_dims,
    np.stack,
}
ON_NUMBERS = {  # the functions of one or two numbers that a page has
    *(np.absolute, np.exp, np.log, np.log10, np.negative, np.sqrt, np.square, np.tanh),
    *(np.add, np.divide, np.maximum, np.minimum, np.multiply, np.power, np.subtract),
}
REDUCED = {np.add: "sum", np.maximum: "max", np.minimum: "min"}
Node = list[Any]


class ForgottenError(Exception):
    """Something was done with the numbers of which no recipe can be written."""


class Traced(NDArrayOperatorsMixin):
    """A matrix's numbers, and the node of the recipe that they come from."""

    def __init__(self, recipe: Recipe, values: Values, node: Node) -> None:
        self.recipe, self.values = recipe, values
        self.place = recipe.add(node)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.values.shape)

    @property
    def size(self) -> int:
        return self.values.size

    @property
    def T(self) -> Traced:  # noqa: N802 - as numpy has it
        return self.recipe.rearranged(np.transpose, self)

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, *_: Any, **__: Any) -> Values:
        raise ForgottenError

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        known = [values_of(value) for value in inputs]
        if method == "reduce" and ufunc in REDUCED:
            return inputs[0].along(REDUCED[ufunc], options["axis"], options.get("keepdims", False))
        if method != "__call__" or options:
            raise ForgottenError
        values = np.asarray(ufunc(*known))
        if values.dtype == bool:
            return values
        if ufunc is np.matmul:
            (rows, count), columns = known[0].shape, values.shape[1]
            return Traced(self.recipe, values, ["matmul", *self.recipe.places(inputs), rows, count, columns])
        if ufunc not in ON_NUMBERS:
            raise ForgottenError
        known = [self.recipe.traced(value) for value in inputs]
        spread = [self.recipe.rearranged(np.broadcast_to, value, values.shape) for value in known]
        return Traced(self.recipe, values, [ufunc.__name__, *self.recipe.places(spread)])

    def __array_function__(self, function: Any, _: Any, given: Any, options: Any) -> Any:
        if function is np.where:
            return self.recipe.chosen(*given)
        if function in REARRANGING:
            several = isinstance(given[0], list | tuple)
            first = [*map(self.recipe.traced, given[0])] if several else given[0]
            return self.recipe.rearranged(function, first, *given[1:], **options)
        found = function(*map(values_of, given), **options)
        if np.asarray(found).dtype == float:
            raise ForgottenError
        return found

    def __getitem__(self, place: Any) -> Traced:
        return self.recipe.rearranged(lambda values: np.asarray(values[place]), self)

    def __setitem__(self, place: Any, value: Any) -> None:
        def put(values: Any, new: Any) -> Any:
            changed = values.copy()
            changed[place] = new
            return changed

        new = self.recipe.rearranged(put, self, self.recipe.traced(value))
        self.values, self.place = new.values, new.place

    def copy(self) -> Traced:
        return self.recipe.rearranged(np.asarray, self)

    def reshape(self, *shape: int) -> Traced:
        return self.recipe.rearranged(lambda values: values.reshape(*shape), self)

    def ravel(self) -> Traced:
        return self.reshape(-1)

    def take(self, places: Any, axis: int) -> Traced:
        return self.recipe.rearranged(np.take, self, list(places), axis=axis)

    def item(self) -> float:
        return float(self.values.item())

    def any(self) -> bool:
        return bool(self.values.any())

    def all(self) -> bool:
        return bool(self.values.all())

    def sum(self, axis: int, keepdims: bool = False) -> Traced:
        return self.along("sum", axis, keepdims)

    def mean(self, axis: int, keepdims: bool = False) -> Traced:
        return self.along("mean", axis, keepdims)

    def max(self, axis: int, keepdims: bool = False) -> Traced:
        return self.along("max", axis, keepdims)

    def along(self, name: str, axis: int, keepdims: bool) -> Traced:
        rows, columns = self.values.shape
        values = getattr(self.values, name)(axis=axis, keepdims=keepdims)
        return Traced(self.recipe, values, [name, self.place, rows, columns, axis % 2])


def _written(number: float) -> float | str:
    """JSON has no infinities."""
    return number if np.isfinite(number) else repr(number).replace("inf", "Infinity")


def values_of(value: Any) -> Any:
    """The numbers alone."""
    if isinstance(value, list | tuple):
        return type(value)(map(values_of, value))
    return value.values if isinstance(value, Traced) else value


class Recipe:
    """All nodes, each once."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._places: dict[str, int] = {}

    def add(self, node: Node) -> int:
        """The place of a node."""
        place = self._places.setdefault(repr(node), len(self.nodes))
        if place == len(self.nodes):
            self.nodes.append(node)
        return place

    def places(self, values: Sequence[Any]) -> list[int]:
        """The nodes of these numbers; untraced ones are constants."""
        return [self.traced(value).place for value in values]

    def traced(self, value: Any) -> Traced:
        if isinstance(value, Traced):
            return value
        numbers = np.asarray(value, dtype=float)
        return Traced(self, numbers, ["constant", [*map(_written, numbers.ravel().tolist())]])

    def rearranged(self, move: Callable[..., Any], *given: Any, **options: Any) -> Traced:
        """Numbers in other places: `move` is applied to the places of traced ones."""
        sources: list[Traced] = []

        def places_of(value: Any) -> Any:
            if isinstance(value, list):
                return [*map(places_of, value)]
            if not isinstance(value, Traced):
                return value
            start = sum(source.size for source in sources)
            sources.append(value)
            return start + np.arange(value.size).reshape(value.shape)

        moved = np.asarray(move(*map(places_of, given), **options))
        every = np.concatenate([source.values.ravel() for source in sources])
        node = ["pick", [source.place for source in sources], moved.ravel().tolist()]
        return Traced(self, every[moved], node)

    def chosen(self, is_first: Any, one: Any, other: Any) -> Traced:
        """`np.where`, where the choice is known."""
        one, other = self.traced(one), self.traced(other)
        return self.rearranged(lambda a, b: np.where(values_of(is_first), a, b), one, other)


class TracedReplay(LearnerReplay):
    """Every step as it should be, in numbers that remember how they were made."""

    def __init__(self, calculation: Calculation, recipe: Recipe, places: int) -> None:
        super().__init__(calculation, {}, places)
        self.recipe = recipe
        self.index = {matrix: place for place, matrix in enumerate(calculation.record)}

    def read(self, matrix: Matrix) -> Any:
        """The numbers of a matrix; a number of the formula is the same for everyone."""
        if is_constant(matrix):
            return self.recipe.traced(matrix.values)
        return Traced(self.recipe, matrix.values, ["read", self.index[matrix]])

    def follow(self, matrix: Matrix) -> Any:
        return self.compute(matrix)

    def compute(self, matrix: Matrix, instead: Mapping[Matrix, Any] | None = None) -> Any:
        """The step on its own inputs, with other numbers `instead` of some."""
        instead = instead or {}
        inputs = [instead[m] if m in instead else self.read(m) for m in matrix.inputs]
        values = recompute(matrix, *map(values_of, inputs))
        node = ["step", self.index[matrix], self.recipe.places(inputs)]
        return None if values is None else Traced(self.recipe, values, node)

    def tried(self, make: Callable[[Matrix, Any], Iterator[Made]], matrix: Matrix) -> Iterator[Made]:
        """The results of a mal-rule for a matrix, up to where a recipe can be written."""
        with suppress(ForgottenError):
            yield from make(matrix, self)

    def shown(self, values: Any, places: int) -> Any:
        """Numbers as a sheet shows them."""
        return Traced(self.recipe, half_up(values.values, places), ["shown", values.place, places])
