"""The drawing that a question is asked on, chosen by its file and by what the notebook hands over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.asking.asked_sentence import SentenceDrawn
from handcalc.views.asking.asked_sheet import FLOW, SheetQuestion, sheet_on
from handcalc.views.sheet_tables import VEILED

CARD = "display:inline-block;padding:2px 12px;margin:2px 8px 2px 0;border:1px solid rgba(127,127,127,.6)"
ROOM = "display:inline-block;width:12em;height:1em;border:1px solid rgba(127,127,127,.5)"


class _Drawn:
    """A drawing: `spec` has the data that the page draws, `html` the same for readers without a kernel."""

    original = None  # the matrix that the answer shows again, as a sheet does

    def answer(self) -> float | None:
        """The asked number, if it is one."""
        return None


class _Bars(_Drawn):
    """A share to guess as a bar: the column of the asked share, and the share of each of its labels."""

    def __init__(self, sheet: SheetQuestion) -> None:
        matrix, self.row, column = sheet.asked
        self.sheet = sheet
        self.labels = list(matrix.rows or [f"row {i + 1}" for i in range(matrix.shape[0])])
        self.shares = matrix.values[:, column or 0].tolist()

    def answer(self) -> float | None:
        return self.sheet.answer()

    def spec(self) -> dict[str, Any]:
        return {"kind": "bars", "labels": self.labels, "at": self.row, "shares": self.shares}

    def html(self) -> str:
        bar = f'<td><span style="{ROOM}"></span></td>'
        lines = [
            f"<tr><th>{escape(label)}</th>{bar}<td>{'?' if k == self.row else ''}</td></tr>"
            for k, label in enumerate(self.labels)
        ]
        return f'<div data-drawn="bars"><table>{"".join(lines)}</table></div>'


class _Shape(_Drawn):
    """A shape to guess on a blank matrix, beside the shapes of the matrices that it reads."""

    def __init__(self, sheet: SheetQuestion) -> None:
        self.matrix = sheet.asked.matrix
        self.reads = sheet.shown or [m for m in sheet.calculation.record if m.name and m is not self.matrix]

    def spec(self) -> dict[str, Any]:
        return {"kind": "shape", **_size(self.matrix), "reads": [_size(m) for m in self.reads]}

    def html(self) -> str:
        body = "".join(map(_blank, self.reads))
        asked = f"<p><b>{_size(self.matrix)['name']}</b> ? by ?</p>"
        return f'<div data-drawn="shape" style="{FLOW}">{body}{asked}</div>'


def _size(matrix: Matrix) -> dict[str, Any]:
    return {"name": typeset_equation(matrix)["name"], "shape": list(matrix.shape)}


def _blank(matrix: Matrix) -> str:
    rows, columns = matrix.shape
    row = f'<tr>{f"""<td style="background:{VEILED};width:1.6em">&nbsp;</td>""" * columns}</tr>'
    return f"<table><caption><b>{_size(matrix)['name']}</b> {rows} by {columns}</caption>{row * rows}</table>"


class _Pictured(_Drawn):
    """Pictures that a question is about, as HTML."""

    def __init__(self, html: str) -> None:
        self.pictures = html

    def spec(self) -> dict[str, Any]:
        return {"kind": "pictures", "html": self.pictures}

    def html(self) -> str:
        return f'<div data-drawn="pictures">{self.pictures}</div>'


class _Ordered(_Drawn):
    """Cards that are to be put in order, as HTML; the page makes them from the options."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = cards

    def spec(self) -> dict[str, Any]:
        return {"kind": "cards"}

    def html(self) -> str:
        cards = "".join(f'<span style="{CARD}">{card}</span>' for card in self.cards)
        return f'<div data-drawn="cards">{cards}</div>'


ON_A_SHEET: dict[str, Callable[[Any], Any]] = {"sheet": lambda sheet: sheet, "bars": _Bars, "shape": _Shape}


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
        return _Ordered(asks.cards)
    if asks.sentence:
        return SentenceDrawn(asks.sentence, asks.asks, asks.options, _shares(on))
    if asks.cell:
        sheet = sheet_on(on, asks.cell, asks.reads)
        return sheet and ON_A_SHEET[asks.drawn](sheet)
    return _Pictured(as_html(on)) if is_handed_in else None


def _shares(on: Any) -> Matrix | None:
    """The shares of a sentence, if the notebook hands them over."""
    found = on["A"] if isinstance(on, Calculation) and "A" in on else on
    return found if isinstance(found, Matrix) else None
