"""The drawing that a question is asked on, chosen by its file and by what the notebook hands over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.asking.asked_bars import BarsQuestion
from handcalc.views.asking.asked_sentence import SentenceDrawn
from handcalc.views.asking.asked_shape import ShapeQuestion
from handcalc.views.asking.asked_sheet import sheet_on

CARD = "display:inline-block;padding:2px 12px;margin:2px 8px 2px 0;border:1px solid rgba(127,127,127,.6)"
ON_A_SHEET: dict[str, Callable[[Any], Any]] = {
    "sheet": lambda sheet: sheet,
    "bars": BarsQuestion,
    "shape": ShapeQuestion,
}


class Pictured:
    """Pictures that a question is about, as HTML."""

    original = None

    def __init__(self, html: str) -> None:
        self.pictures = html

    def answer(self) -> None:
        """It has no number of its own."""

    def spec(self) -> dict[str, Any]:
        """The data that the page draws."""
        return {"kind": "pictures", "html": self.pictures}

    def html(self) -> str:
        """The same for readers without a kernel."""
        return f'<div data-drawn="pictures">{self.pictures}</div>'


class Ordered:
    """Cards that are to be put in order, as HTML."""

    original = None

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = cards

    def answer(self) -> None:
        """It has no number of its own."""

    def spec(self) -> dict[str, Any]:
        """The page makes its cards from the options."""
        return {"kind": "cards"}

    def html(self) -> str:
        """The cards as they are handed out."""
        cards = "".join(f'<span style="{CARD}">{card}</span>' for card in self.cards)
        return f'<div data-drawn="cards">{cards}</div>'


class Asks(NamedTuple):
    """The part of a question's file about its drawing."""

    drawn: str = "sheet"
    cell: str = ""
    reads: Sequence[str] = ()
    sentence: str = ""
    asks: str = ""
    options: Sequence[str] = ()
    cards: Sequence[str] = ()  # as HTML


def drawing(asks: Asks, on: Any, as_html: Callable[[Any], str], *, is_handed_in: bool) -> Any:
    """The drawing of a question: its cards, its sentence, its sheet, pictures handed in, or nothing."""
    if asks.cards:
        return Ordered(asks.cards)
    if asks.sentence:
        return SentenceDrawn(asks.sentence, asks.asks, asks.options, _shares(on))
    if asks.cell:
        sheet = sheet_on(on, asks.cell, asks.reads)
        return sheet and ON_A_SHEET[asks.drawn](sheet)
    return Pictured(as_html(on)) if is_handed_in else None


def _shares(on: Any) -> Matrix | None:
    """The shares of a sentence, if the notebook hands them over."""
    found = on["A"] if isinstance(on, Calculation) and "A" in on else on
    return found if isinstance(found, Matrix) else None
