"""What a matrix says of itself: its formula, the arithmetic of each cell, and the cells that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc.notation.expression import Expression
from handcalc.notation.latex import Latex
from handcalc.notation.markup import Text
from handcalc.record import rendering
from handcalc.record.explanation import Address, Explanation

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix


class Explained:
    """How a matrix was made, for readers; rendering.py works it out."""

    __slots__ = ()

    @property
    def display_name(self: Any) -> str:
        """How a sentence names it: its name, or its formula, cut where it is long."""
        return rendering.display_name(self)

    @property
    def formula(self: Any) -> str:
        """The formula as text: `S = Kᵀ Q`; of a given, its name."""
        return rendering.equation(self, Text)

    @property
    def latex(self: Any) -> str:
        r"""The formula as LaTeX: `S = K^{\mathsf{T}} \, Q`."""
        return rendering.equation(self, Latex)

    def symbol(self: Any) -> Expression:
        """How a formula refers to it: by its name, or by the formula it stands for."""
        return rendering.symbol(self)

    def arithmetic(self: Any, row: int, column: int) -> Expression:
        """The arithmetic of one cell, down to the named matrices (or givens) that it reads."""
        return rendering.arithmetic(self, row, column)

    def read(self: Any, operand: int, row: int, column: int) -> Expression:
        """What another cell reads here; `operand` is the input through which it came."""
        return rendering.read(self, operand, row, column)

    def explain(self: Any, row: int, column: int, places: int | None = 2) -> Explanation:
        """The arithmetic of cell (row, column), counted from 0; `places=None` writes every digit."""
        return rendering.explain(self, row, column, places)

    def sources(self: Any, row: int, column: int) -> list[Address]:
        """The cells that this cell reads directly, each once, in reading order; a given reads none."""
        return rendering.sources(self, row, column)

    def reads(self: Any, *, idle: bool = False) -> list[Matrix]:
        """The named matrices (and givens) that its cells read directly; with `idle`, idle steps, too."""
        return rendering.reads(self, idle=idle)
