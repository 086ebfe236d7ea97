"""Rendering of a matrix: its formula, the arithmetic of each of its cells, the cells that it reads.

A matrix without a name is written inline, as its own arithmetic where another one reads it. Where that would
grow too long, a copy is written in which parts have names (inlining.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handcalc.foundation.errors import HandcalcError, cut, shape_text, short
from handcalc.notation import numbers, validation
from handcalc.notation.calculator import Line, line_of, typed
from handcalc.notation.expression import CellRead, Cells, Expression, Symbol
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Html, Markup, Spoken, Text
from handcalc.notation.mathml import MathML
from handcalc.notation.names import shared_home
from handcalc.notation.sentences import Sentence
from handcalc.record.inlining import has_short_formula, shorten_arithmetic

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix

Address = tuple["Matrix", int, int]
MAX_FORMULA_AS_NAME = 40  # characters of a formula used as a name in a sentence


def write_equation(matrix: Matrix, kind: type[Markup]) -> str:
    """Name and formula, `S = Kᵀ Q`; of a given its name, without a name the formula alone."""
    if not has_short_formula(matrix):
        matrix = shorten_arithmetic(matrix)
    if matrix.is_given:
        return _formula(matrix).write(kind(symbolic=True))
    right = _formula(matrix).write(kind(symbolic=True, home=None if kind is Text else home_of(matrix)))
    return right if matrix.name is None else f"{kind().name(matrix.name)} = {right}"


def home_of(matrix: Matrix) -> str | None:
    """The block from which its formula writes names; None where they are written in full."""
    return None if matrix.name is None else shared_home(matrix.name, [m.name for m in matrix.reads()])


def display_name(matrix: Matrix) -> str:
    """The matrix's name, or its formula, cut where it is long."""
    if matrix.name is not None:
        return matrix.name
    return "the matrix" if matrix.is_given else in_a_sentence(symbol(matrix))


def in_a_sentence(formula: Expression) -> str:
    """A formula as text, cut where it is long."""
    return cut(formula.write(Text(symbolic=True)), MAX_FORMULA_AS_NAME)


def symbol(matrix: Matrix) -> Expression:
    """How a formula refers to it: by its name, or by the formula it stands for."""
    return _symbol(matrix if has_short_formula(matrix) else shorten_arithmetic(matrix))


def arithmetic(matrix: Matrix, row: int, column: int) -> Expression:
    """The arithmetic of one cell, down to the named matrices (or givens) that it reads."""
    matrix = shorten_arithmetic(matrix)
    if matrix.operation is None:
        return CellRead(matrix, row, column)
    shapes = [m.shape for m in matrix.inputs]
    readers = [Cells(_read, m, operand) for operand, m in enumerate(matrix.inputs)]
    return matrix.operation.cell(readers, shapes, row, column)


def read_cell(matrix: Matrix, operand: int, row: int, column: int) -> Expression:
    """The arithmetic that another cell reads here; `operand` is the input through which it came."""
    return _read(shorten_arithmetic(matrix), operand, row, column)


def explain(matrix: Matrix, row: int, column: int, places: int | None) -> Explanation:
    """The arithmetic of one cell, checked to be there."""
    row, column = checked_cell(matrix, row, column)
    return Explanation(
        shorten_arithmetic(matrix), row, column, places if places is None else validation.read_places(places)
    )


def cells_read(matrix: Matrix, row: int, column: int) -> list[Address]:
    """The cells that this cell reads directly, each once, in reading order; a given reads none."""
    row, column = checked_cell(matrix, row, column)
    if matrix.is_given:
        return []
    cells = arithmetic(matrix, row, column).cells()
    return list(dict.fromkeys([(cell.matrix, cell.row, cell.column) for cell in cells]))


def matrices_read(matrix: Matrix, *, idle: bool) -> list[Matrix]:
    """The named matrices (and givens) that its cells read directly, each once.

    With `idle`, idle steps, which change nothing, are not seen through.
    """
    waiting = list(reversed(shorten_arithmetic(matrix).inputs))
    is_read: dict[Matrix, bool] = {}  # or seen through
    while waiting:
        source = waiting.pop()
        if source not in is_read:
            is_read[source] = not source.is_inline or (idle and source.name is not None)
            waiting.extend(() if is_read[source] else reversed(source.inputs))
    return [source for source in is_read if is_read[source]]


class InputNames(tuple[Any, ...]):
    """The inputs, whose names fill in sentences; each is worked out only when a sentence needs it."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return (m.display_name for m in super().__iter__())

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return InputNames(found) if isinstance(place, slice) else found.display_name


def checked_cell(matrix: Matrix, row: int, column: int) -> tuple[int, int]:
    """Row and column from 0, also where they are counted from the end. Raises HandcalcError outside."""
    row, column = validation.read_count(row, "The row"), validation.read_count(column, "The column")
    rows, columns = matrix.shape
    if not (-rows <= row < rows and -columns <= column < columns):
        raise HandcalcError(
            f"{matrix.display_name} is {shape_text((rows, columns))}: "
            f"row {short(row)}, column {short(column)} (counted from 0) is outside it."
        )
    return row % rows, column % columns


def _formula(matrix: Matrix) -> Expression:
    if matrix.operation is None:
        return _symbol(matrix)
    return matrix.operation.formula(*(_symbol(m) for m in matrix.inputs))


def _symbol(matrix: Matrix) -> Expression:
    if not matrix.is_inline:
        return Symbol(matrix.name or "□")
    return _symbol(matrix.inputs[0]) if matrix.is_idle else _formula(matrix)


def _read(matrix: Matrix, operand: int, row: int, column: int) -> Expression:
    if matrix.operation is None or not matrix.is_inline:
        return CellRead(matrix, row, column, operand)
    if matrix.is_idle:
        return _read(matrix.inputs[0], operand, row, column)
    shapes = [m.shape for m in matrix.inputs]
    readers = [Cells(_read, m, operand) for m in matrix.inputs]
    return matrix.operation.cell(readers, shapes, row, column)


# one cell explained ------------------------------------------------------------------------------


class Noting(Text):
    """Text that also notes which cells it names."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.cells: list[CellRead] = []

    def cell(self, cell: CellRead) -> str:
        self.cells.append(cell)
        return super().cell(cell)


class Explanation:
    """The arithmetic of one cell; `str` gives it in one line: `S[1,1] = 0·2 + 0·0 + 1·3 = 3`.

    >>> calc = hc.examples.self_attention()
    >>> print(calc.explain("S", 0, 0))
    S[1,1] = 0·2 + 0·0 + 1·3 = 3

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
    def cell(self) -> CellRead:
        """The cell itself."""
        return CellRead(self.matrix, self.row, self.column)

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

    def operand(self, cell: CellRead) -> str:
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
    def named(self) -> list[CellRead]:
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

    def written(self, kind: type[Markup], home: str | None = None) -> str:
        """The line of numbers in any markup: `=` where a calculator gets the result as printed, else `≈`."""
        return self._line(self._in(kind, home=home))

    def _line(self, markup: Markup, *symbols: str, before: str = "") -> str:
        """Name, symbols, numbers and result, with `before` each sign; identical parts are written once."""
        numeric = [] if self.matrix.is_given else [self._numbers(markup)]
        written = dict.fromkeys([self._name(markup), *symbols, *numeric, markup.number(self.result)])
        *parts, result = written
        last = markup.equals if self.line.is_true else markup.about
        return f"{(before + markup.equals).join(parts)}{before}{last}{result}"

    def _numbers(self, markup: Markup) -> str:
        """The arithmetic with the numbers put in; a number that only moved is written as the result is."""
        is_moved = isinstance(self.arithmetic, CellRead)
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
