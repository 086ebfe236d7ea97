"""One cell explained: its arithmetic, the cells it reads and the cells it feeds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handcalc.notation import numbers
from handcalc.notation.calculator import Line, line_of, typed
from handcalc.notation.expression import Cell, Expression
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Markup, Spoken, Text
from handcalc.notation.mathml import MathML
from handcalc.notation.names import home_of
from handcalc.notation.sentences import Sentence

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix

Address = tuple["Matrix", int, int]


class Noting(Text):
    """Text that also notes which cells it names."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.cells: list[Cell] = []

    def cell(self, cell: Cell) -> str:
        self.cells.append(cell)
        return super().cell(cell)


class Explanation:
    """The arithmetic of one cell; `str` gives it in one line: `S[1,1] = 0·2 + 0·0 + 1·3 = 3`.

    `places` is how many decimal places the result is written with; the operands have as many more as it takes
    to get it from them, up to four (calculator.py). None writes every digit. Of a sum of more
    than 16 terms the largest are written, and what the others make up; `complete` has all (truncation.py).
    """

    def __init__(
        self,
        matrix: Matrix,
        row: int,
        column: int,
        places: int | None = 2,
        *,
        readers: Callable[[Matrix, int, int], list[Address]] | None = None,
        brief: bool = True,
    ) -> None:
        self.matrix, self.row, self.column, self.places = matrix, row, column, places
        self._readers, self._brief = readers, brief

    @property
    def complete(self) -> Explanation:
        """The same with every term of every sum, however many there are."""
        return Explanation(
            self.matrix, self.row, self.column, self.places, readers=self._readers, brief=False
        )

    @cached_property
    def arithmetic(self) -> Expression:
        """The arithmetic as a tree (see `expression.py`)."""
        return self.matrix.arithmetic(self.row, self.column)

    @property
    def cell(self) -> Cell:
        """The cell itself."""
        return Cell(self.matrix, self.row, self.column)

    @property
    def value(self) -> float:
        """The cell's number, not rounded."""
        return self.cell.value

    @property
    def label(self) -> str:
        """The cell's name, counted from 1: `Z[2,1]`."""
        return self.cell.label

    @property
    def result(self) -> str:
        """The cell's number as it is written: `2.83`."""
        return numbers.show_of(self.matrix.shape, self.value, self.places)

    @cached_property
    def line(self) -> Line:
        """With how many places its operands are written, and whether they then give the result as printed."""
        return line_of(self.arithmetic, self.value, self.result, self.places, is_brief=self._brief)

    @cached_property
    def typed(self) -> float:
        """What a calculator gets from the line as it is printed; NaN where it refuses."""
        return typed(self.arithmetic, self.line.places, is_brief=self._brief)

    def operand(self, cell: Cell) -> str:
        """A number as the line has it."""
        return numbers.operand(cell.value, self.line.places)

    @cached_property
    def symbolic(self) -> str:
        """The arithmetic in symbols: `V[2,1]·A[1,1] + V[2,2]·A[2,1] + …`."""
        return self.arithmetic.write(self._in(Text, symbolic=True))

    @cached_property
    def substituted(self) -> str:
        """The arithmetic with the numbers put in: `0·0.2577 + 0·0.4590 + …`."""
        return self._numbers(self._in(Text))

    @property
    def named(self) -> list[Cell]:
        """The cells that are named, in the order of writing: of long sums those of the largest terms."""
        text = Noting(places=self.line.places, brief=self._brief)
        self.arithmetic.write(text)
        return text.cells

    @property
    def latex(self) -> str:
        """Name, symbols, numbers and result as LaTeX, without dollar signs."""
        return self._in_symbols(Latex)

    @property
    def mathml(self) -> str:
        """The same as MathML, which browsers draw by themselves."""
        return f"<math><mrow>{self._in_symbols(MathML)}</mrow></math>"

    @property
    def html(self) -> str:
        """Name, numbers and result as HTML of text, <sub> and <sup> alone."""
        return self.written(Html)

    @property
    def spoken(self) -> str:
        """The same in words where signs would need tags: `E[1,1] = e to the power of 2 = 7.39`."""
        return self.written(Spoken)

    def _in_symbols(self, kind: type[Markup], before: str = "") -> str:
        symbols = self.arithmetic.write(self._in(kind, symbolic=True, home=home_of(self.matrix)))
        return self._line(self._in(kind), symbols, before=before)

    def written(self, kind: type[Markup], **how: Any) -> str:
        """The line of numbers in any markup: `=` where a calculator gets the result as printed, else `≈`."""
        return self._line(self._in(kind, **how))

    def _line(self, markup: Markup, *symbols: str, before: str = "") -> str:
        """Name, symbols, numbers and result, with `before` each sign; identical parts are written once."""
        numeric = [] if self.matrix.is_given else [self._numbers(markup)]
        written = dict.fromkeys([self._name(markup), *symbols, *numeric, markup.number(self.result)])
        *parts, result = written
        last = markup.equals if self.line.is_true else markup.about
        return f"{(before + markup.equals).join(parts)}{before}{last}{result}"

    def _numbers(self, markup: Markup) -> str:
        """The arithmetic with the numbers put in; a number that only moved is written as the result is."""
        is_moved = isinstance(self.arithmetic, Cell)
        return markup.number(self.result) if is_moved else self.arithmetic.write(markup)

    def _name(self, markup: Markup) -> str:
        return markup.address(self.matrix.name or "", self.row, self.column)

    def _in(self, kind: type[Markup], **how: Any) -> Markup:
        return kind(places=self.line.places, brief=self._brief, **how)

    @property
    def by_hand(self) -> Sentence | None:
        """How to work it out with a pencil, where the arithmetic does not say it: `e^0.15 ≈ 1 + …`."""
        operation = self.matrix.operation
        if operation is None or self.places is None:
            return None
        inputs = [source.values for source in self.matrix.inputs]
        return operation.by_hand(inputs, self.row, self.column, self.places, self.line.places)

    @property
    def sources(self) -> list[Address]:
        """The cells read directly, as (matrix, row, column); a given has none."""
        return self.matrix.sources(self.row, self.column)

    @property
    def feeds(self) -> list[Address]:
        """The cells that read this one directly; known to explanations that a calculation gave."""
        return self._readers(self.matrix, self.row, self.column) if self._readers else []

    def chain(self) -> Iterator[Explanation]:
        """This explanation and those of all it depends on, each cell once, back to the givens."""
        first: Address = (self.matrix, self.row, self.column)
        waiting, found = deque([first]), {first}
        while waiting:
            now = Explanation(*waiting.popleft(), self.places, readers=self._readers, brief=self._brief)
            yield now
            more = [source for source in now.sources if source not in found]
            waiting.extend(more)
            found.update(more)

    def __str__(self) -> str:
        return self.written(Text)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = self._in_symbols(MathML, "</mrow></math> <math><mrow>")  # so that lines break there
        hand = f"<p>By hand: {self.by_hand.html}</p>" if self.by_hand else ""
        return f'<p style="font-size:1.1em;line-height:1.9"><math><mrow>{lines}</mrow></math></p>{hand}'
