"""Sums in the arithmetic of a cell; of a long one only those terms are made that somebody asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handcalc.notation import truncation
from handcalc.notation.calculator import Calculator
from handcalc.notation.expression import QUOTIENT, SUM, Cell, Expression
from handcalc.notation.numbers import Values
from handcalc.notation.truncation import MOST

if TYPE_CHECKING:
    from handcalc.notation.markup import Markup


class Terms(Sequence[Expression]):
    """The terms of a long sum: `make` one of them, or get all their numbers at once; then some more terms."""

    def __init__(
        self,
        made: int,
        make: Callable[[int], Expression],
        numbers: Callable[[], Values],
        more: Sequence[Expression] = (),
    ) -> None:
        self.made, self.make, self.numbers, self.more = made, make, numbers, tuple(more)

    def __len__(self) -> int:
        return self.made + len(self.more)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        return self.make(place) if place < self.made else self.more[place - self.made]

    def __iter__(self) -> Iterator[Expression]:
        yield from map(self.make, range(self.made))
        yield from self.more

    def values(self) -> list[float]:
        """What each of them comes to."""
        return [*self.numbers().tolist(), *(term.value for term in self.more)]

    def and_then(self, more: Sequence[Expression]) -> Terms:
        """The same terms with others after them."""
        return Terms(self.made, self.make, self.numbers, (*self.more, *more))


class Sum(Expression):
    """a + b + …; a sum at the left end is continued, not bracketed."""

    precedence = SUM

    def __init__(self, *terms: Expression) -> None:
        first, *more = terms
        if not isinstance(first, Sum):
            self.parts: Sequence[Expression] = terms
        elif isinstance(first.parts, Terms):
            self.parts = first.parts.and_then(more)
        else:
            self.parts = (*first.parts, *more)

    @classmethod
    def of(cls, count: int, make: Callable[[int], Expression], numbers: Callable[[], Values] | None) -> Sum:
        """So many terms; of many, whose `numbers` are known, none is made before it is asked for."""
        if count <= MOST or numbers is None:
            return cls(*map(make, range(count)))
        new = cls.__new__(cls)
        new.parts = Terms(count, make, numbers)
        return new

    def evaluated(self, calculator: Calculator) -> float:
        if calculator.places is None:
            return truncation.added(self._values())
        if calculator.is_brief and len(self.parts) > MOST:
            return calculator.noted(self._largest(calculator)) + calculator.number(self._short.rest)
        return truncation.added([part.evaluated(calculator) for part in self.parts])

    @cached_property
    def _short(self) -> truncation.Abridged:
        return truncation.abridged(self._values())

    def _largest(self, calculator: Calculator) -> float:
        """What the largest terms make up for whoever types them in as they are written."""
        return truncation.added_as_decimals([self.parts[k].evaluated(calculator) for k in self._short.places])

    def _values(self) -> list[float]:
        if isinstance(self.parts, Terms):
            return self.parts.values()
        return [part.value for part in self.parts]

    def cells(self, most: int | None = None) -> Iterator[Cell]:
        if most is None or not isinstance(self.parts, Terms):
            yield from super().cells(most)
        else:
            for part in (*self.parts[:most], *self.parts.more):
                yield from part.cells(most)

    def write(self, markup: Markup) -> str:
        if len(self.parts) == 1:
            return self.parts[0].write(markup)
        if markup.is_brief and len(self.parts) > MOST:
            return self._abridged(markup)
        return self._joined(markup, self.parts)

    @staticmethod
    def _joined(markup: Markup, parts: Sequence[Expression]) -> str:
        return markup.infix("+", [part.within(markup, QUOTIENT) for part in parts])

    def _abridged(self, markup: Markup) -> str:
        """The largest terms, what they make up, and what is left."""
        short = self._short
        largest = self._joined(markup, [self.parts[k] for k in short.places])
        written = markup.noted(largest, short.largest, self._largest(Calculator(markup.places)))
        return markup.infix("+", [written, markup.noted("", short.others, short.rest)])

    def binds(self, markup: Markup) -> int:
        return self.precedence if len(self.parts) > 1 else self.parts[0].binds(markup)
