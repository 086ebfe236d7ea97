"""A plane with the same scale both ways, put somewhere on a canvas: its grid, axes and arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, hypot, log10
from typing import Any

from handcalc.foundation.errors import HandcalcError
from handcalc.views.canvas import MARGIN, SMALL, Canvas, Point, signed_number
from handcalc.views.pictures.label_room import LabelRoom

MIN_EXTENT, MAX_EXTENT = 1e-6, 1e9  # how far from the origin the outermost point may be
MAX_GRID_LINES = 7  # of the grid, one way
TICKS = (26.0, 16.0)  # room for the numbers at the left and below


class Plane:
    """A plane large enough for all `points`, at most `wide` by `high` points of paper; or just so `wide`."""

    def __init__(
        self, points: Sequence[Point], wide: float, high: float, *, whole_width: bool = False
    ) -> None:
        xs, ys = zip(*points, strict=True)
        far = max(map(abs, (*xs, *ys)))
        if not (far == 0 or MIN_EXTENT <= far <= MAX_EXTENT):
            raise HandcalcError("These numbers cannot be drawn: the largest must be from 10⁻⁶ to 10⁹.")
        self.step = _step((max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0) / MAX_GRID_LINES)
        self.left, self.right = _around(xs, self.step)
        self.low, self.top = _around(ys, self.step)
        self.scale = min(wide / (self.right - self.left), high / (self.top - self.low))
        if whole_width:
            more = (wide / self.scale - (self.right - self.left)) / 2
            self.left, self.right = self.left - more, self.right + more
        self.wide, self.high = self.scale * (self.right - self.left), self.scale * (self.top - self.low)
        self.x = self.y = 0.0
        self.room = LabelRoom((0.0, 0.0, 0.0, 0.0))

    def at(self, point: Point) -> Point:
        """The place of a point of the plane on the canvas."""
        return self.x + (point[0] - self.left) * self.scale, self.y + (self.top - point[1]) * self.scale

    def drawn(self, canvas: Canvas, x: float, y: float, *, ticks: bool = True) -> None:
        """Put the plane at a place: a faint grid, its axes and their numbers."""
        self.x, self.y = x, y
        beside = MARGIN - 3 if ticks else 0.0  # some of the right margin is free for labels
        self.room = LabelRoom((x, y, x + self.wide + beside, y + self.high))
        for ends, value, upright in self._lines():
            self._line(canvas, [self.at(end) for end in ends], is_axis=value == 0)
            if ticks:
                self._tick(canvas, value, upright=upright)

    def _lines(self) -> Iterator[tuple[tuple[Point, Point], float, bool]]:
        for value in _multiples(self.left, self.right, self.step):
            yield ((value, self.low), (value, self.top)), value, True
        for value in _multiples(self.low, self.top, self.step):
            yield ((self.left, value), (self.right, value)), value, False

    def _line(self, canvas: Canvas, ends: list[Point], *, is_axis: bool) -> None:
        ink = canvas.laid(canvas.theme.ink, 0.45 if is_axis else 0.1)
        canvas.line(ends, ink, 0.8, stroke=False, zorder=0.8 if is_axis else 0.7)
        if is_axis:
            self.room.keep_off(ends, thin=True)

    def _tick(self, canvas: Canvas, value: float, *, upright: bool) -> None:
        quiet, text = canvas.theme.quiet, signed_number(value)
        if upright:
            canvas.middle(self.at((value, 0))[0], self.y + self.high + 9, text, size=SMALL, ink=quiet)
        else:
            canvas.middle(self.x - 5, self.at((0, value))[1], text, size=SMALL, ink=quiet, ha="right")

    def arrow(
        self, canvas: Canvas, start: Point, end: Point, ink: str, thick: float = 2.2, style: Any = "-"
    ) -> None:
        """An arrow between two points of the plane; labels keep off it."""
        ends = [self.at(start), self.at(end)]
        canvas.arrow(ends, ink, thick, linestyle=style)
        self.room.keep_off(ends)

    def label(self, canvas: Canvas, point: Point, text: str, ink: str, **how: Any) -> None:
        """Write beside a point of the plane, where there is room."""
        self.room.label(canvas, self.at(point), text, ink, **how)


def unit(vector: Point) -> Point:
    """The vector of length 1 in the same direction; of a zero vector itself."""
    length = hypot(*vector)
    return (vector[0] / length, vector[1] / length) if length else (0.0, 0.0)


def _around(values: Sequence[float], step: float) -> tuple[float, float]:
    """The start and end of an axis: half a step beyond the lines of the grid around all values."""
    return (floor(min(values) / step) - 0.5) * step, (ceil(max(values) / step) + 0.5) * step


def _step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, at least as large as asked for."""
    power = 10.0 ** floor(log10(rough))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))


def _multiples(low: float, high: float, step: float) -> list[float]:
    return [count * step for count in range(ceil(low / step), floor(high / step) + 1)]
