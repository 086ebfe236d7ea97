"""A whole page in a frame: what a notebook shows where no live widget is installed."""

from __future__ import annotations

from html import escape

FRAME = (
    '<iframe srcdoc="{page}" title="{title}" allow="fullscreen" '
    'style="width:100%;height:{height}px;border:1px solid rgba(127,127,127,0.35)"></iframe>'
    '<p style="opacity:0.75;font-size:90%">{told}</p>'
)


class FramedPage:
    """A page in a frame, and below it one line that says how to get the live widget."""

    widget = None

    def __init__(self, page: str, told: str, text: str, *, height: int = 680) -> None:
        self.page, self.told, self._text, self.height = page, told, text, height

    def _repr_html_(self) -> str:
        page, title, told = map(escape, (self.page, self._text, self.told))
        return FRAME.format(page=page, title=title, told=told, height=self.height)

    def __repr__(self) -> str:
        return self._text
