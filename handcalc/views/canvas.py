"""A sheet of paper in points, from its upper left corner: text, lines, arrows and boxes in a theme's inks.

Every picture is drawn at the width of a notebook's page, so that its type keeps its size there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, PathPatch, Polygon, Rectangle
from matplotlib.path import Path

from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.views import captions, lettering
from handcalc.views.captions import Line
from handcalc.views.drawing import DIGIT_MIDDLE, draw_text
from handcalc.views.palette import (
    FAINTEST,
    MINUS,
    NEVER_NEGATIVE,
    PLUS,
    STRONGEST,
    Theme,
    mix,
    rgb,
    theme_called,
)
from handcalc.views.picture import INCH, Picture

WIDTH = 516.0  # points: 688 pixels of a browser, as a notebook has them
MARGIN = 10.0
HAIRS = 0.6, 0.8  # points before and after what is raised or lowered
HEAD, TEXT, SMALL = 11.0, 10.0, 9.0  # sizes of type; none is smaller
STROKE, FAINT = "stroke", "faint"  # labels of a line that no text may touch, and of one that it may cross
Point = tuple[float, float]


class Region(NamedTuple):
    """A part of a page that has other things, too, from its upper left corner (x, y) on, in points."""

    page: Picture
    x: float
    y: float
    scale: float = 1.0

    def place(self, wide: float, high: float) -> tuple[float, float, float, float]:
        """Left, bottom, width and height as shares of the page."""
        across, down = (float(length) * INCH for length in self.page.get_size_inches())
        wide, high = wide * self.scale, high * self.scale
        return self.x / across, 1 - (self.y + high) / down, wide / across, high / down


class Canvas:
    """An empty page of a theme; x runs to the right and y down, both in points."""

    def __init__(self, wide: float, high: float, theme: str | Theme, within: Region | None = None) -> None:
        self.theme: Theme = theme if isinstance(theme, Theme) else theme_called(theme)
        self.wide, self.high, self.scale = wide, high, 1.0
        place = (0.0, 0.0, 1.0, 1.0)
        if within is None:
            size = (wide / INCH, high / INCH)
            self.picture = Picture("", "", figsize=size, dpi=144, facecolor=self.theme.paper)
        else:
            self.picture, self.scale, place = within.page, within.scale, within.place(wide, high)
        self.ax = self.picture.add_axes(place, label="map" if within else "")
        self.ax.set(xlim=(0, wide), ylim=(high, 0))
        self.ax.set_axis_off()

    def finished(self, title: str, alt: str) -> Picture:
        """The picture, with its title and alternative text."""
        self.picture.title, self.picture.alt = title, alt
        return self.picture

    def text(
        self, x: float, y: float, text: str, *, size: float = TEXT, ink: str | None = None, **how: Any
    ) -> None:
        """Write with the baseline at y; `bold`, `ha` and `math` mean the same as elsewhere."""
        type_ = captions.font(size * self.scale, bold=how.pop("bold", False))
        how = {"ha": "left", "color": ink or self.theme.ink, "parse_math": how.pop("math", False)} | how
        draw_text(self.ax, self.ax.transData, x, y, text, type_, **how)

    def write(self, line: Line, x: float, y: float, ink: str | None = None, scale: float = 1.0) -> None:
        """A line of type, with a hair of room around its raised and lowered parts."""
        for piece in line:
            how: dict[str, Any] = {"label": "raised"} if piece.rise else {}
            x += HAIRS[0] if piece.rise else 0.0
            place = x + piece.x * scale, y - piece.rise * scale
            self.text(*place, piece.text, size=piece.size * scale, bold=piece.bold, ink=ink, **how)
            x += HAIRS[1] if piece.rise else 0.0

    def middle(self, x: float, y: float, text: str, *, size: float = TEXT, **how: Any) -> None:
        """Write around the height y, at the middle of x."""
        self.text(x, y + DIGIT_MIDDLE * size, text, size=size, **{"ha": "center"} | how)

    def line(self, points: Sequence[Point], ink: str, width: float = 1.0, **how: Any) -> None:
        """A line through points; `stroke=False` for one so faint that text may cross it."""
        label = STROKE if how.pop("stroke", True) else FAINT
        xs, ys = zip(*points, strict=True)
        options: dict[str, Any] = {"solid_capstyle": "butt", "clip_on": False} | how
        self.ax.add_artist(Line2D(xs, ys, color=ink, linewidth=width, label=label, **options))

    def curve(self, points: Sequence[Point], colour: Any, width: float) -> None:
        """A curve of one bend, by its start, two handles and its end."""
        path = Path(list(points), [Path.MOVETO, *[Path.CURVE4] * 3])
        patch = PathPatch(path, fill=False, edgecolor=colour, linewidth=width, capstyle="butt")
        patch.set_clip_on(False)
        self.ax.add_artist(patch)

    def arrow(self, points: Sequence[Point], ink: str, width: float = 1.8, **how: Any) -> None:
        """A line through points that ends in a head; one shorter than its head is a dot."""
        (x0, y0), (x1, y1) = points[-2:]
        length, size = float(np.hypot(x1 - x0, y1 - y0)), 2.6 * width + 2.5
        if length < size:
            self.dot((x1, y1), ink, 2.2)
            return
        u, v = (x1 - x0) / length, (y1 - y0) / length
        foot = (x1 - size * u, y1 - size * v)
        self.line([*points[:-1], foot], ink, width, **how)
        wing = 0.42 * size
        corners = [
            (x1, y1),
            (foot[0] - wing * v, foot[1] + wing * u),
            (foot[0] + wing * v, foot[1] - wing * u),
        ]
        self.ax.add_artist(
            Polygon(corners, closed=True, facecolor=ink, linewidth=0, zorder=2.5, clip_on=False)
        )

    def dot(self, place: Point, ink: str, radius: float = 3.0) -> None:
        """A filled circle."""
        circle = Path.circle(place, radius)
        self.ax.add_artist(PathPatch(circle, facecolor=ink, linewidth=0, zorder=2.6, clip_on=False))

    def ring(self, centre: Point, radius: float, ink: str, thick: float = 0.8) -> None:
        """A circle with nothing in it."""
        circle = Circle(centre, radius, fill=False, edgecolor=ink, linewidth=thick, clip_on=False)
        self.ax.add_artist(circle)

    def box(self, x: float, y: float, wide: float, high: float, **how: Any) -> None:
        """A rectangle from its upper left corner; `facecolor`, `edgecolor` as in matplotlib."""
        options: dict[str, Any] = {
            "facecolor": "none",
            "edgecolor": "none",
            "linewidth": 0.8,
            "clip_on": False,
        } | how
        self.ax.add_artist(Rectangle((x, y), wide, high, **options))

    def area(self, points: Sequence[Point], **how: Any) -> None:
        """A filled shape behind everything."""
        how = {"linewidth": 0.8, "zorder": 0.5, "clip_on": False} | how
        self.ax.add_artist(Polygon(list(points), closed=True, **how))

    def tinted(self, value: float, largest: float = 1.0, *, never_negative: bool = False) -> Any:
        """The colour behind a number, as heatmaps have it: stronger with its size."""
        hue = MINUS if value < 0 else NEVER_NEGATIVE if never_negative else PLUS
        strength = FAINTEST + (STRONGEST - FAINTEST) * min(1.0, abs(value) / (largest or 1.0))
        return self.laid(hue, strength)

    def laid(self, hue: tuple[int, int, int] | str, strength: float) -> Any:
        """A hue laid over the paper."""
        above = rgb(hue) if isinstance(hue, str) else np.array(hue) / 255
        return mix(rgb(self.theme.paper), above, strength)


def signed_number(value: float, places: int = 2) -> str:
    """A number as a person sees it, with a true minus sign."""
    return numbers.typeset_number(numbers.show(value, places))


def tuple_of(values: Sequence[float] | Values, places: int = 2) -> str:
    """A vector as a person sees it: `(2, −1)`."""
    return f"({', '.join(signed_number(value, places) for value in values)})"


def factor(value: float, places: int | None = 2) -> str:
    """A number as an operand: a negative one is in brackets."""
    text = numbers.typeset_number(numbers.operand(value, places))
    return f"({text})" if value < 0 else text


def labels(words: Sequence[str] | None, count: int, letter: str) -> list[str]:
    """The labels that a matrix has, or a letter that is counted."""
    return list(words) if words else [numbers.label(letter, i) for i in range(count)]


def text_width(text: str, size: float = TEXT, *, bold: bool = False, math: bool = False) -> float:
    """The width of a text, in points."""
    return lettering.mathtext_width(text, size) if math else captions.caption_width(text, size, bold=bold)
