"""A sheet on a page of paper: all of it, or a half that is cut off later."""

from __future__ import annotations

from typing import Any, NamedTuple

from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from handcalc.views.canvas import Region
from handcalc.views.drawing import FigureStyle, write_at
from handcalc.views.pagination import Size
from handcalc.views.palette import COPIER
from handcalc.views.picture import INCH, Picture

Modules = tuple[str, ...]  # the rows of a QR code, 1 for dark
QR_LABEL = "QR code"  # the label of its shape
MODULE_OVERLAP = 0.03  # of a module: no viewer leaves a hair of white between two rows
CUT_DASHES = (0, (1, 4))  # the line to cut along, dotted


class Leaf(NamedTuple):
    """A part of a page; lengths are points from its lower left corner."""

    page: Picture
    size: Size
    corner: tuple[float, float] = (0.0, 0.0)  # where that is on the page

    def write(self, x: float, y: float, text: str, size: float, *, bold: bool = False, **how: Any) -> None:
        """Put one text on the paper, its baseline at y; in black, if `color` is no other."""
        look, how = FigureStyle(COPIER), {"color": COPIER.ink} | how
        write_at(
            self.page, self.corner[0] + x, self.corner[1] + y, text, look.font(size, bold=bold), look, **how
        )

    def line(self, start: float, end: float, y: float, **how: Any) -> None:
        """A level line."""
        (left, foot), (right, _) = self._place(start, y), self._place(end, y)
        options: dict[str, Any] = {"color": COPIER.ink, "linewidth": 0.6} | how
        self.page.add_artist(Line2D([left, right], [foot] * 2, **options))

    def box(self, x: float, y: float, wide: float, high: float, **how: Any) -> None:
        """A rectangle from its lower left corner."""
        (left, foot), (right, top) = self._place(x, y), self._place(x + wide, y + high)
        self.page.add_artist(Rectangle((left, foot), right - left, top - foot, **how))

    def code(self, x: float, y: float, side: float, modules: Modules) -> None:
        """A QR code from its upper left corner, drawn as one shape."""
        unit = side / len(modules)
        corners: list[tuple[float, float]] = []
        for row, line in enumerate(modules):
            for start, end in dark_runs(line):
                left, right = x + start * unit, x + end * unit
                top, foot = y - row * unit, y - (row + 1 + MODULE_OVERLAP) * unit
                shape = [(left, foot), (right, foot), (right, top), (left, top), (left, foot)]
                corners += [self._place(*corner) for corner in shape]
        steps = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * (len(corners) // 5)
        drawn = PathPatch(Path(corners, steps), facecolor=COPIER.ink, linewidth=0, label=QR_LABEL)
        drawn.set_transform(self.page.transFigure)
        self.page.add_artist(drawn)

    def region(self, x: float, y: float, scale: float) -> Region:
        """A room on the page for a picture, by its upper left corner; y counts from above."""
        _, high = self._paper
        return Region(self.page, self.corner[0] + x, high - self.corner[1] - self.size[1] + y, scale)

    @property
    def _paper(self) -> Size:
        wide, high = self.page.get_size_inches() * INCH
        return float(wide), float(high)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """As shares of the page."""
        wide, high = self._paper
        return (self.corner[0] + x) / wide, (self.corner[1] + y) / high


def halves(page: Picture, size: Size) -> tuple[Leaf, Leaf]:
    """The upper and the lower half of a page of this size, and a line to cut along."""
    half = (size[0], size[1] / 2)
    upper, lower = Leaf(page, half, (0.0, half[1])), Leaf(page, half)
    upper.line(0, size[0], 0, color=COPIER.quiet, linestyle=CUT_DASHES)
    return upper, lower


def dark_runs(line: str) -> list[tuple[int, int]]:
    """Where the dark stretches of a row begin and end."""
    edges = [k for k in range(len(line) + 1) if (f"0{line}0")[k] != (f"0{line}0")[k + 1]]
    return list(zip(edges[::2], edges[1::2], strict=True))
