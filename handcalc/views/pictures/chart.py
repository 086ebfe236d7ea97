"""Lines over two axes, each counted evenly or in powers: a grid with its numbers, lines, dots and a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any, NamedTuple

from handcalc.views.canvas import SMALL, Canvas, Point, text_width
from handcalc.views.pictures.label_room import LabelRoom


class Axis(NamedTuple):
    """From where to where it runs, and what is written along it."""

    low: float
    high: float
    told: Mapping[float, str]
    in_powers: bool = False

    def share(self, value: float) -> float:
        """How far along a value is: 0 at the low end, 1 at the high one."""
        low, high, here = (log10(x) if self.in_powers else x for x in (self.low, self.high, value))
        return (here - low) / ((high - low) or 1.0)


class Chart:
    """A diagram whose upper left corner is at a point of a canvas; lines keep an `indent` from its sides."""

    def __init__(
        self,
        canvas: Canvas,
        corner: Point,
        size: tuple[float, float],
        axes: tuple[Axis, Axis],
        *,
        indent: float = 0.0,
        beside: float = 0.0,
    ) -> None:
        self.canvas, (self.left, self.top), (self.wide, self.high) = canvas, corner, size
        self.across, self.up = axes
        self.indent = indent
        right, foot = self.left + self.wide + beside, self.top + self.high
        self.room = LabelRoom((self.left - 3, self.top - 15, right, foot + 3))

    def place(self, x: float, y: float) -> Point:
        """Where a point of the diagram is on the canvas."""
        along = self.indent + (self.wide - 2 * self.indent) * self.across.share(x)
        return self.left + along, self.top + self.high * (1 - self.up.share(y))

    def grid(self, name: str) -> None:
        """A faint line for each number at the left, the numbers below, and what they count."""
        canvas, quiet, foot = self.canvas, self.canvas.theme.quiet, self.top + self.high
        for value, text in self.up.told.items():
            y = self.place(self.across.low, value)[1]
            ends = [(self.left, y), (self.left + self.wide, y)]
            canvas.line(ends, canvas.laid(canvas.theme.ink, 0.1), 0.8, stroke=False, zorder=0.7)
            canvas.middle(self.left - 8, y, text, size=SMALL, ink=quiet, ha="right", math="$" in text)
        for value, text in self.across.told.items():
            canvas.middle(self.place(value, self.up.low)[0], foot + 13, text, size=SMALL, ink=quiet)
        canvas.middle(self.left + self.wide / 2, foot + 29, name, size=SMALL, ink=quiet, math="$" in name)

    def line(self, points: Sequence[Point], ink: str, style: Any = "-", radius: float = 0.0) -> list[Point]:
        """A line through points of the diagram, a dot at each; where they are on the canvas."""
        found = [self.place(*point) for point in points]
        if len(found) > 1:
            self.canvas.line(found, ink, 1.8, linestyle=style)
        self.room.keep_off(found)
        for place in found if radius else ():
            self.dot(place, ink, radius)
        return found

    def dot(self, place: Point, ink: str, radius: float) -> None:
        """A dot that no label touches."""
        self.canvas.dot(place, ink, radius)
        self.room.keep_clear(place, radius)

    def key(self, y: float, kinds: Sequence[tuple[str, str, Any]]) -> None:
        """What each line is, in one line over the diagram: its words, ink and style."""
        x = self.left
        for words, ink, style in kinds:
            is_math = "$" in words
            self.canvas.line([(x, y), (x + 18, y)], ink, 1.8, linestyle=style)
            self.canvas.middle(x + 23, y, words, size=SMALL, ink=ink, ha="left", math=is_math)
            x += 41 + text_width(words, SMALL, math=is_math)
