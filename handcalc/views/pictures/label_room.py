"""Room for words in a drawing: a label goes where it touches no line and no other label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin

from handcalc.views.canvas import TEXT, Canvas, Point, text_width

Box = tuple[float, float, float, float]  # left, top, right, bottom
Segment = tuple[Point, Point]
LABEL_AIR = (5.0, 3.0)  # points beside a label, and above and below it
DISTANCES = (6.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0)
TURNS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8)  # sixteenths of a full turn
TEXT_HEIGHT, TEXT_DEPTH = 0.95, 0.2  # of a line of text and of what hangs below its foot, in sizes of type


class LabelRoom:
    """A part of a canvas, with the lines and labels in it."""

    def __init__(self, within: Box) -> None:
        self.within = within
        self.lines: list[Segment] = []
        self.thin: list[Segment] = []
        self.taken: list[Box] = []

    def keep_off(self, points: Sequence[Point], *, thin: bool = False) -> None:
        """No label shall touch the line through these points; a thin one only if all else is full."""
        (self.thin if thin else self.lines).extend(pairwise(points))

    def keep_clear(self, place: Point, radius: float) -> None:
        """No label shall touch a dot."""
        x, y = place
        self.taken.append((x - radius, y - radius, x + radius, y + radius))

    def label(
        self,
        canvas: Canvas,
        place: Point,
        text: str,
        ink: str,
        *,
        away: Point = (0.0, 1.0),
        size: float = TEXT,
        math: bool = False,
        needed: bool = True,
    ) -> None:
        """Write beside a place, on the side that `away` points to (y up) if it is free, else around it.

        A label that is not `needed` is left out where there is no room for it nearby.
        """
        extent, angle = (text_width(text, size, math=math), TEXT_HEIGHT * size), atan2(away[1], away[0])
        box = self._best(place, extent, angle) if needed else self._near(place, extent, angle)
        if box is None:
            return
        self.taken.append(box)
        canvas.text(box[0], box[3] - TEXT_DEPTH * size, text, size=size, ink=ink, math=math)

    def _best(self, place: Point, size: Point, angle: float) -> Box:
        """The first free box; failing that one across a thin line, then across any, then any at all."""
        every = list(_around(place, size, angle, DISTANCES))
        boxes = [box for box in every if self._is_inside(box)]
        clear = [box for box in boxes if self._is_clear(box)]
        open_ = [box for box in clear if not _touches(self.lines, box)]
        free = [box for box in open_ if not _touches(self.thin, box)]
        return (free or open_ or clear or boxes or every)[0]

    def _near(self, place: Point, size: Point, angle: float) -> Box | None:
        """A free box nearby, if there is one."""
        boxes = _around(place, size, angle, DISTANCES[:3])
        lines = self.lines + self.thin
        good = (b for b in boxes if self._is_inside(b) and self._is_clear(b) and not _touches(lines, b))
        return next(good, None)

    def _is_clear(self, box: Box) -> bool:
        return not any(_meet(_aired(box), other) for other in self.taken)

    def _is_inside(self, box: Box) -> bool:
        left, top, right, bottom = self.within
        return left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom


def _around(place: Point, size: Point, angle: float, distances: Sequence[float]) -> Iterator[Box]:
    """Boxes around a place, near ones first; of those at one distance the wanted direction first."""
    wide, high = size
    for distance in distances:
        for turn in TURNS:
            u, v = cos(angle + turn * pi / 8), -sin(angle + turn * pi / 8)
            far = max(abs(u), abs(v))
            x, y = place[0] + distance * u + wide / 2 * u / far, place[1] + distance * v + high / 2 * v / far
            yield x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def crosses(line: Segment, box: Box) -> bool:
    """Whether a line runs through a box (Liang and Barsky, 1984)."""
    (x0, y0), (x1, y1) = line
    first, last = 0.0, 1.0
    for start, change, low, high in ((x0, x1 - x0, box[0], box[2]), (y0, y1 - y0, box[1], box[3])):
        if change == 0:
            if not low < start < high:
                return False
            continue
        enter, leave = sorted(((low - start) / change, (high - start) / change))
        first, last = max(first, enter), min(last, leave)
    return first < last


def _touches(lines: Sequence[Segment], box: Box) -> bool:
    return any(crosses(line, _aired(box)) for line in lines)


def _aired(box: Box) -> Box:
    return box[0] - LABEL_AIR[0], box[1] - LABEL_AIR[1], box[2] + LABEL_AIR[0], box[3] + LABEL_AIR[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
