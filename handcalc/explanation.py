"""One cell explained: its arithmetic, the cells it reads and the cells it feeds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from handcalc import numbers
from handcalc.expressions import Cell, Expression
from handcalc.markup import Latex, Markup, MathML, Text

if TYPE_CHECKING:
    from handcalc.matrix import Matrix

Address = tuple["Matrix", int, int]


class Explanation:
    """The arithmetic of one cell; `str` gives it in one line: `S[1,1] = 0·2 + 0·0 + 1·3 = 3`.

    `places` is how many decimal places numbers are written with; None writes every digit. Of a sum of more
    than 16 terms the largest are written, and what the others make up; `complete` has all (abridging.py).
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
        """The arithmetic as a tree (see `expressions.py`)."""
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
        return numbers.show(self.value, self.places)

    @property
    def symbolic(self) -> str:
        """The arithmetic in symbols: `V[2,1]·A[1,1] + V[2,2]·A[2,1] + …`."""
        return self.arithmetic.write(self._in(Text, symbolic=True))

    @property
    def substituted(self) -> str:
        """The arithmetic with the numbers put in: `0·0.26 + 0·0.46 + …`."""
        return self.arithmetic.write(self._in(Text))

    @property
    def latex(self) -> str:
        """Name, symbols, numbers and result as LaTeX, without dollar signs."""
        return self._line(Latex, " = ")

    @property
    def mathml(self) -> str:
        """The same as MathML, which browsers draw by themselves."""
        return f"<math><mrow>{self._mathml('<mo>=</mo>')}</mrow></math>"

    def _mathml(self, equals: str) -> str:
        return self._line(MathML, equals)

    def _in(self, markup: type[Markup], *, symbolic: bool = False) -> Markup:
        return markup(symbolic=symbolic, places=self.places, brief=self._brief)

    def _line(self, markup: type[Markup], equals: str) -> str:
        symbolic, numeric = self._in(markup, symbolic=True), self._in(markup)
        result = numeric.number(self.result)
        parts = [symbolic.cell_name(self.cell), self.arithmetic.write(symbolic)]
        parts += [self.arithmetic.write(numeric), result]
        return equals.join(dict.fromkeys(parts))  # a moved number is written once

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
        given = self.matrix.is_given
        parts = [self.label] if given else [self.label, self.substituted]
        return " = ".join(dict.fromkeys([*parts, self.result]))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = self._mathml("</mrow></math> <math><mrow><mo>=</mo>")  # so that lines break before =
        return f'<p style="font-size:1.1em;line-height:1.9"><math><mrow>{lines}</mrow></math></p>'
