"""The arithmetic of one cell, or the formula of a whole matrix, as a small tree that can be written.

A tree is written by a markup (`markup.py`: text, LaTeX, MathML), with symbols or with the numbers put in.
Brackets follow from precedence: a part is bracketed where it binds less than its place asks for.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from handcalc.notation import numbers, truncation
from handcalc.notation.calculator import EXACT_CALCULATOR, Calculator
from handcalc.notation.numbers import Values

if TYPE_CHECKING:
    from handcalc.notation.markup import Markup

WRITTEN_AS_SYMBOLS = ("e", "π")  # with numbers put in, too
NEGATIVE, SUM, QUOTIENT, PRODUCT, POWER, ATOM = range(6)
UNLIKE_MATH: Mapping[str, Callable[..., float]] = {
    "ln": math.log,
    "Φ": lambda x: math.erfc(-x * math.sqrt(0.5)) / 2,
    "abs": abs,
    "max": lambda *values: max(values),
    "equal": lambda a, b: float(a == b),
    "step": lambda a: float(a > 0),
    "sign": lambda a: float((a > 0) - (a < 0)),
    "round": lambda a, places: math.copysign(math.floor(abs(a) * 10**places + 0.5) / 10**places, a) + 0.0,
    "index": lambda *values: values[int(values[-1]) - 1],
    "sin°": lambda degrees: float(numbers.sine_of_degrees(degrees)),
    "cos°": lambda degrees: float(numbers.sine_of_degrees(degrees + 90)),
}
SIGN_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "-": operator.sub,
    "·": operator.mul,
    "/": operator.truediv,
}


class Expression:
    """A node of the tree; `parts` are its children in the order in which they are read."""

    precedence = ATOM
    parts: Sequence[Expression] = ()

    @property
    def value(self) -> float:
        """The value of the arithmetic; formulas of whole matrices have none."""
        return self.evaluated(EXACT_CALCULATOR)

    def evaluated(self, calculator: Calculator) -> float:
        """The calculator's result: from the exact numbers, or from the numbers as they are written."""
        raise TypeError(f"{type(self).__name__} has no value")

    def write(self, markup: Markup) -> str:
        """This node alone, its parts written by the same markup."""
        raise TypeError(f"{type(self).__name__} cannot be written")

    def within(self, markup: Markup, precedence: int) -> str:
        """This node as a part of another: bracketed if it binds less than `precedence`."""
        text = self.write(markup)
        return markup.brackets(text) if self.binds(markup) < precedence else text

    def binds(self, markup: Markup) -> int:
        """The precedence of this node as `markup` writes it."""
        return self.precedence

    def cells(self, most: int | None = None) -> Iterator[CellRead]:
        """Every cell that is read, in order, repeats included; of long sums those of `most` terms."""
        for part in self.parts:
            yield from part.cells(most)


class NamedNumbers(Protocol):
    """A matrix, as far as its cells need it: a name and numbers."""

    @property
    def name(self) -> str | None: ...
    @property
    def values(self) -> numbers.Values: ...


class CellRead(Expression):
    """One number of a named matrix (or of a given): the leaves of the arithmetic.

    `operand` says through which input of the operation it was reached, 0 for the left one.
    """

    def __init__(self, matrix: NamedNumbers, row: int, column: int, operand: int = 0) -> None:
        self.matrix: Any = matrix  # the very one that was handed over, whatever else it can do
        self.row, self.column, self.operand = row, column, operand

    @property
    def value(self) -> float:
        return float(self.matrix.values[self.row, self.column])

    def evaluated(self, calculator: Calculator) -> float:
        return calculator.number(self.value)

    @property
    def label(self) -> str:
        """The cell's name as a learner reads it, from 1: `Z[2,1]`."""
        name = self.matrix.name or ""
        return f"{name}[{numbers.counted(self.row)},{numbers.counted(self.column)}]"

    def write(self, markup: Markup) -> str:
        return markup.cell(self)

    def binds(self, markup: Markup) -> int:
        if markup.symbolic or self.value >= 1:
            return ATOM
        return NEGATIVE if self.value < 0 else PRODUCT if numbers.is_tiny(self.value, markup.places) else ATOM

    def cells(self, most: int | None = None) -> Iterator[CellRead]:
        yield self


Reader = Callable[[int, int], Expression]  # of a matrix: what is read from one of its cells


class Cells(partial[Expression]):
    """A reader of one matrix, its first argument, all of whose numbers are known."""


def numbers_of(reader: Reader) -> Values | None:
    """All numbers of the matrix that is read, if they are known."""
    return reader.args[0].values if isinstance(reader, Cells) else None


class WrittenNumber(Expression):
    """A number that belongs to the formula: written in full, by its symbol where symbols are asked for.

    A `unit` follows it: 90°.
    """

    def __init__(self, value: float, symbol: str | None = None, unit: str = "") -> None:
        self.number, self.symbol, self.unit = value, symbol, unit

    def evaluated(self, calculator: Calculator) -> float:
        return self.number

    def write(self, markup: Markup) -> str:
        if self.symbol and (markup.symbolic or self.symbol in WRITTEN_AS_SYMBOLS):
            return markup.name(self.symbol)
        return markup.number(numbers.format_constant(self.number) + self.unit)

    def binds(self, markup: Markup) -> int:
        return NEGATIVE if self.number < 0 and not (markup.symbolic and self.symbol) else ATOM


class Infix(Expression):
    """Two operands around a sign; the right one is bracketed where it binds no more than the node."""

    sign = ""

    def __init__(self, left: Expression, right: Expression) -> None:
        self.parts = (left, right)

    def evaluated(self, calculator: Calculator) -> float:
        return SIGN_FUNCTIONS[self.sign](*(part.evaluated(calculator) for part in self.parts))

    def write(self, markup: Markup) -> str:
        left, right = self.parts
        pieces = [left.within(markup, self.precedence), right.within(markup, self.precedence + 1)]
        return markup.infix(self.sign, pieces)


class Difference(Infix):
    """a - b"""

    precedence, sign = SUM, "-"


class Product(Infix):
    """a·b"""

    precedence, sign = PRODUCT, "·"


class Terms(Sequence[Expression]):
    """The terms of a long sum: `make` one of them, or get all their numbers at once; then some more terms."""

    def __init__(
        self,
        made: int,
        make: Callable[[int], Expression],
        values: Callable[[], Values],
        more: Sequence[Expression] = (),
    ) -> None:
        self.made, self.make, self._values, self.more = made, make, values, tuple(more)

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
        """The value of each term."""
        return [*self._values().tolist(), *(term.value for term in self.more)]

    def and_then(self, more: Sequence[Expression]) -> Terms:
        """The same terms with others after them."""
        return Terms(self.made, self.make, self._values, (*self.more, *more))


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
    def of(cls, count: int, make: Callable[[int], Expression], values: Callable[[], Values] | None) -> Sum:
        """A sum of `count` terms; of many whose `values` are known, each is made only on demand."""
        if count <= truncation.MAX_TERMS or values is None:
            return cls(*map(make, range(count)))
        new = cls.__new__(cls)
        new.parts = Terms(count, make, values)
        return new

    def evaluated(self, calculator: Calculator) -> float:
        if calculator.places is None:
            return numbers.added(self._values())
        if calculator.is_brief and len(self.parts) > truncation.MAX_TERMS:
            return calculator.noted(self._largest(calculator)) + calculator.number(self._short.rest)
        return numbers.added([part.evaluated(calculator) for part in self.parts])

    @cached_property
    def _short(self) -> truncation.TruncatedSum:
        return truncation.truncate_sum(self._values())

    def _largest(self, calculator: Calculator) -> float:
        """The sum of the largest terms, typed in as they are written."""
        return numbers.added_as_decimals([self.parts[k].evaluated(calculator) for k in self._short.places])

    def _values(self) -> list[float]:
        if isinstance(self.parts, Terms):
            return self.parts.values()
        return [part.value for part in self.parts]

    def cells(self, most: int | None = None) -> Iterator[CellRead]:
        if most is None or not isinstance(self.parts, Terms):
            yield from super().cells(most)
        else:
            for part in (*self.parts[:most], *self.parts.more):
                yield from part.cells(most)

    def write(self, markup: Markup) -> str:
        if len(self.parts) == 1:
            return self.parts[0].write(markup)
        if markup.is_brief and len(self.parts) > truncation.MAX_TERMS:
            return self._abridged(markup)
        return self._joined(markup, self.parts)

    @staticmethod
    def _joined(markup: Markup, parts: Sequence[Expression]) -> str:
        return markup.infix("+", [part.within(markup, QUOTIENT) for part in parts])

    def _abridged(self, markup: Markup) -> str:
        """The largest terms, their subtotal, and the rest."""
        short = self._short
        largest = self._joined(markup, [self.parts[k] for k in short.places])
        written = markup.noted(largest, short.largest, self._largest(Calculator(markup.places)))
        return markup.infix("+", [written, markup.noted("", short.others, short.rest)])

    def binds(self, markup: Markup) -> int:
        return self.precedence if len(self.parts) > 1 else self.parts[0].binds(markup)


class Negative(Expression):
    """-a, whatever sign a has: -(-0.5) where a is negative."""

    precedence = NEGATIVE

    def __init__(self, inside: Expression) -> None:
        self.parts = (inside,)

    def evaluated(self, calculator: Calculator) -> float:
        return -self.parts[0].evaluated(calculator)

    def write(self, markup: Markup) -> str:
        return markup.negative(self.parts[0].within(markup, ATOM))


class Quotient(Infix):
    """a / b"""

    precedence, sign = QUOTIENT, "/"

    def write(self, markup: Markup) -> str:
        top, bottom = self.parts
        if markup.stacks_fractions:
            return markup.fraction(top.write(markup), bottom.write(markup))
        return markup.infix("/", [top.within(markup, PRODUCT), bottom.within(markup, POWER)])


class Raised(Expression):
    """base ^ exponent"""

    precedence = POWER

    def __init__(self, base: Expression, exponent: Expression) -> None:
        self.parts = (base, exponent)

    def evaluated(self, calculator: Calculator) -> float:
        base, exponent = (part.evaluated(calculator) for part in self.parts)
        return float(base**exponent)

    def write(self, markup: Markup) -> str:
        base, exponent = self.parts
        level = NEGATIVE if markup.raises_exponents else ATOM
        return markup.power(base.within(markup, ATOM), exponent.within(markup, level))


class Root(Expression):
    """√a"""

    def __init__(self, inside: Expression) -> None:
        self.parts = (inside,)

    def evaluated(self, calculator: Calculator) -> float:
        return math.sqrt(self.parts[0].evaluated(calculator))

    def write(self, markup: Markup) -> str:
        (inside,) = self.parts
        level = NEGATIVE if markup.stacks_fractions else ATOM
        return markup.root(inside.within(markup, level))


class FunctionCall(Expression):
    """A function of its parts: max(a, b), sin(a), ⌊a⌋ (written floor), |a| (abs); sin° is that of degrees."""

    def __init__(self, function: str, *parts: Expression) -> None:
        self.function, self.parts = function, parts

    def evaluated(self, calculator: Calculator) -> float:
        function = UNLIKE_MATH.get(self.function) or getattr(math, self.function)
        return float(function(*(part.evaluated(calculator) for part in self.parts)))

    def write(self, markup: Markup) -> str:
        if markup.is_brief and len(self.parts) > truncation.MAX_TERMS:  # as max and argmax may have
            return markup.call(self.function, self._largest(markup))
        return markup.call(self.function.rstrip("°"), [part.write(markup) for part in self.parts])

    def _largest(self, markup: Markup) -> list[str]:
        places = truncation.places_by_size([part.value for part in self.parts])[: truncation.TERMS_SHOWN]
        written = [self.parts[k].write(markup) for k in places]
        return [*written, markup.note(f"… {len(self.parts) - len(places)} more")]


class PlaceOfHighest(FunctionCall):
    """The place of the highest of its parts, counted from 1: argmax(0.01, 0.97) (highest: row 2, “negro”).

    `told` describes the entry at a place, counted from 0.
    """

    def __init__(self, told: Callable[[int], str], *parts: Expression) -> None:
        super().__init__("argmax", *parts)
        self.told = told

    @property
    def place(self) -> int:
        """The place of the highest part, from 0; the first of equal ones."""
        values = [part.value for part in self.parts]
        return values.index(max(values))

    def evaluated(self, calculator: Calculator) -> float:
        values = [part.evaluated(calculator) for part in self.parts]
        return float(numbers.counted(values.index(max(values))))

    def write(self, markup: Markup) -> str:
        compared = super().write(markup)
        return compared if markup.symbolic else markup.remark(compared, self._remark)

    @property
    def _remark(self) -> str:
        values = [part.value for part in self.parts]
        alike = values.count(max(values))
        first = f", the first of {alike} equal ones" if alike > 1 else ""
        return f"highest: {self.told(self.place)}{first}"


class Symbol(Expression):
    """A whole matrix, in a formula."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, markup: Markup) -> str:
        return markup.name(self.name)


class Address(Expression):
    """A cell by its name alone, such as one that a sentence points at."""

    def __init__(self, name: str, row: int, column: int) -> None:
        self.name, self.row, self.column = name, row, column

    def write(self, markup: Markup) -> str:
        return markup.address(self.name, self.row, self.column)


class MatrixProduct(Infix):
    """A B, as the paper writes it."""

    precedence, sign = PRODUCT, " "


class Transposed(Expression):
    """Aᵀ"""

    def __init__(self, inside: Expression) -> None:
        self.parts = (inside,)

    def write(self, markup: Markup) -> str:
        return markup.transposed(self.parts[0].within(markup, ATOM))


class Stacked(Expression):
    """Matrices on top of one another (axis 0), [A; B], or side by side (axis 1), [A, B]."""

    def __init__(self, axis: int, *parts: Expression) -> None:
        self.axis, self.parts = axis, parts

    def write(self, markup: Markup) -> str:
        return markup.stacked(";,"[self.axis], [part.write(markup) for part in self.parts])


class Along(Expression):
    """A sum, mean or maximum down each column (axis 0, ↓) or along each row (axis 1, →)."""

    def __init__(self, function: str, axis: int, inside: Expression) -> None:
        self.function, self.axis, self.parts = function, axis, (inside,)

    def write(self, markup: Markup) -> str:
        inside = self.parts[0].within(markup, ATOM)
        return markup.along(self.function, "↓→"[self.axis], inside)


class Words(Expression):
    """A formula in words rather than signs: `rows 1 to 3 of` Q."""

    def __init__(self, words: str, *parts: Expression) -> None:
        self.words, self.parts = words, parts

    def write(self, markup: Markup) -> str:
        return markup.words(self.words, [part.write(markup) for part in self.parts])
