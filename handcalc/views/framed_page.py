"""A whole page in a frame, for notebooks where no live widget is installed."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from handcalc.record.calculation import Calculation

FRAME = (
    '<iframe srcdoc="{page}" title="{title}" allow="fullscreen" '
    'style="width:100%;height:680px;border:1px solid rgba(127,127,127,0.35)"></iframe>'
    '<p style="opacity:0.75;font-size:90%">{told}</p>'
)


class Opened(NamedTuple):
    """A calculation as a page opens it, with the same fields as an Explorer."""

    calculation: Calculation
    places: int
    at: str


class FramedPage:
    """A page in a frame, and below it one line that says how to get the live widget."""

    def __init__(self, page: str, told: str, text: str, opened: Opened | None = None) -> None:
        self.page, self.told, self._text, self.opened = page, told, text, opened

    def _repr_html_(self) -> str:
        return FRAME.format(page=escape(self.page), title=escape(self._text), told=escape(self.told))

    def __repr__(self) -> str:
        return self._text
