"""Paper for pictures: panels in units of one's own; numbers in cells, bars, arrows, arcs in a theme's inks.

A panel is matplotlib's axes without a frame. What is drawn may leave it: in the end the page is cut to
what is there, with a margin around it. A page of a notebook's width keeps its type there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path

from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.views import captions, lettering
from handcalc.views.captions import Line
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
HEAD, TEXT, SMALL = 11.0, 10.0, 9.0  # sizes of type; none is smaller
CELL_GAP = 1.0  # points around a cell
THINNEST = 0.8  # points of a bar that is 0
HAIR = 0.7  # points before and after what is raised or lowered
Point = tuple[float, float]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


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


class Region(NamedTuple):
    """A part of a page that has other things, too, from its upper left corner (x, y) on, in points."""

    page: Picture
    x: float
    y: float
    scale: float = 1.0


class Panel(Axes):
    """A part of a page; x runs to the right and y down, both in units of so many points."""

    theme: Theme
    unit: Point
    scale: float = 1.0  # of type and of distances in points

    def write(self, x: float, y: float, words: str, *, shift: Point = (0, 0), **how: Any) -> None:
        """Words at a place, `shift` points to the right and up; `size`, `bold`, `ink`, `ha` and `math`."""
        type_ = captions.font(how.pop("size", TEXT) * self.scale, bold=how.pop("bold", False))
        shift = shift[0] * self.scale, shift[1] * self.scale
        place: dict[str, Any] = {"ha": "center", "va": "center_baseline", "annotation_clip": False}
        how = place | how | {"usetex": False}
        how |= {"color": how.pop("ink", self.theme.ink), "parse_math": how.pop("math", False)}
        if shift == (0, 0):
            how.pop("annotation_clip")
            self.text(x, y, words, fontproperties=type_, **how)
        else:
            self.annotate(words, (x, y), shift, textcoords="offset points", fontproperties=type_, **how)

    def write_line(self, x: float, y: float, line: Line, *, shift: Point = (0, 0), **how: Any) -> None:
        """A line of type with raised and lowered parts, each with a hair of room around it."""
        ha, hairs = how.pop("ha", "left"), 0.0
        start = shift[0] - line_width(line) * {"left": 0, "center": 0.5, "right": 1}[ha]
        for piece in line:
            hairs += HAIR * bool(piece.rise)
            place = start + piece.x + hairs, shift[1] + piece.rise - 0.365 * line[0].size
            label = {"label": "raised"} if piece.rise else {}
            type_: dict[str, Any] = {"size": piece.size, "bold": piece.bold, "ha": "left", "va": "baseline"}
            self.write(x, y, piece.text, shift=place, **type_, **label, **how)
            hairs += HAIR * bool(piece.rise)

    def name_rows(self, names: Sequence[str], **how: Any) -> None:
        """Quiet names before rows of one unit each."""
        for i, name in enumerate(names):
            quiet = {"ha": "right", "ink": self.theme.quiet} | how
            self.write(0, i + 0.5, name, shift=(-6, 0), **quiet)

    def name_columns(self, names: Sequence[str], **how: Any) -> None:
        """Names above columns of one unit each."""
        for j, name in enumerate(names):
            self.write(j + 0.5, 0, name, shift=(0, 9), **{"size": SMALL} | how)

    def box(self, x: float, y: float, wide: float = 1, high: float = 1, gap: float = 0, **how: Any) -> None:
        """A rectangle from its upper left corner, smaller by a gap of points on every side."""
        across, down = gap / self.unit[0], gap / self.unit[1]
        plain: dict[str, Any] = {"facecolor": "none", "edgecolor": "none", "linewidth": 0.8, "clip_on": False}
        self.add_artist(Rectangle((x + across, y + down), wide - 2 * across, high - 2 * down, **plain | how))

    def cells(
        self,
        values: Values,
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        *,
        title: str = "",
        size: float = SMALL,
        largest: float = 0.0,
        never_negative: bool = False,
        lit: Mask | bool = True,
        framed: Mask | bool = False,
        written: Callable[[float], str] = signed_number,
    ) -> None:
        """A matrix, a unit for each number, on its colour; unlit ones are quiet, NaN is left out."""
        self.write(0, 0, title, shift=(0, 28), ha="left", size=size, bold=True)
        self.name_rows(rows, size=size)
        self.name_columns(columns, **({"bold": True} if size == TEXT else {"ink": self.theme.quiet}))
        largest = largest or float(np.abs(values[np.isfinite(values)]).max(initial=0))
        is_lit, is_framed = (np.broadcast_to(which, values.shape) for which in (lit, framed))
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                tint = self.tinted(value, largest, never_negative=never_negative)
                look = {"facecolor": tint if value and is_lit[i, j] else "none", "edgecolor": self.faint(0.2)}
                frame = {"edgecolor": self.theme.chosen, "linewidth": 1.6} if is_framed[i, j] else {}
                self.box(j, i, gap=CELL_GAP, **look | frame)
                ink = self.theme.ink if is_lit[i, j] else self.theme.quiet
                self.write(j + 0.5, i + 0.5, written(float(value)), size=size, ink=ink)

    def bars(
        self,
        values: Sequence[float],
        names: Sequence[str] = (),
        *,
        whole: float = 0.0,
        largest: float = 1.0,
        ink: Any = None,
    ) -> None:
        """Shares as bars, one below the other, with their numbers; the grey frame is the `whole`."""
        self.name_rows(names)
        middles, least = np.arange(len(values)) + 0.5, THINNEST / self.unit[0]
        if whole:
            self.barh(middles, whole, 0.7, color="none", edgecolor=self.faint(0.25), linewidth=0.7)
        fills = [self.tinted(value, largest, never_negative=value >= 0) for value in values]
        self.barh(middles, np.maximum(values, least), 0.7, color=fills, edgecolor=ink or self.theme.right)
        for y, value, colour in zip(middles, values, ink or [self.theme.ink] * len(values), strict=True):
            end = whole or max(0, value)
            self.write(end, y, signed_number(value), shift=(5, 0), ha="left", size=SMALL, ink=colour)

    def columns(
        self,
        xs: Sequence[float],
        foot: float,
        values: Sequence[float],
        scale: float,
        *,
        largest: float = 1.0,
        never_negative: bool = False,
        places: int = 2,
        **how: Any,
    ) -> None:
        """Numbers as bars up and down from a height, `scale` units for a 1, with the number beyond each."""
        high = [max(THINNEST, value * scale) if value >= 0 else value * scale for value in values]
        fills = [self.tinted(value, largest, never_negative=never_negative) for value in values]
        self.bar(xs, [-up for up in high], bottom=foot, color=fills, linewidth=0.8, **how)
        for x, value, up in zip(xs, values, high, strict=True):
            beyond = (0, 8 if value >= 0 else -9)
            self.write(x, foot - up, signed_number(value, places), shift=beyond, size=SMALL)

    def arrow_through(self, points: Sequence[Point], ink: str, thick: float = 1.8, **how: Any) -> None:
        """A line through points with a head at its end."""
        head = f"-|>,head_length={2 * thick + 2.5},head_width={0.7 * thick + 1.2}"
        ends: dict[str, Any] = {"capstyle": "butt", "joinstyle": "miter", "mutation_scale": 1, "zorder": 2}
        shape = {"path": Path(points), "arrowstyle": head, "color": ink, "linewidth": thick}
        self.add_artist(FancyArrowPatch(clip_on=False, **ends | shape | how))

    def arc(self, start: Point, end: Point, high: float, ink: Any, thick: float) -> None:
        """A bow from one place to another, so high that its top is `high` units above both."""
        (x0, y0), (x1, y1) = start, end
        bend = [(x0, y0), (x0, y0 - high * 4 / 3), (x1, y1 - high * 4 / 3), (x1, y1)]
        path = Path(bend, [Path.MOVETO, *[Path.CURVE4] * 3])
        self.add_artist(PathPatch(path, fill=False, edgecolor=ink, linewidth=thick, capstyle="butt"))

    def dot(self, x: float, y: float, ink: Any, size: float = 5.0, **how: Any) -> None:
        """A dot of so many points across."""
        self.plot([x], [y], "o", color=ink, markersize=size, markeredgewidth=0, **{"zorder": 2.6} | how)

    def key(self, *, math: bool = False) -> None:
        """What each labelled line or bar is, in a line over the panel."""
        how: dict[str, Any] = {"prop": captions.font(SMALL), "labelcolor": self.theme.ink, "frameon": False}
        place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 9, "borderpad": 0}
        for text in self.legend(borderaxespad=0.8, **place, **how).get_texts():
            text.set(usetex=False, parse_math=math)

    def tinted(self, value: float, largest: float = 1.0, *, never_negative: bool = False) -> Any:
        """The colour behind a number, as heatmaps have it: stronger with its size."""
        hue = MINUS if value < 0 else NEVER_NEGATIVE if never_negative else PLUS
        strength = FAINTEST + (STRONGEST - FAINTEST) * min(1.0, abs(value) / (largest or 1.0))
        return mix(rgb(self.theme.paper), np.array(hue) / 255, strength)

    def faint(self, strength: float, ink: str = "") -> Any:
        """An ink laid thinly over the paper."""
        return mix(rgb(self.theme.paper), rgb(ink or self.theme.ink), strength)


class Page:
    """A picture with panels, each put at a place in points."""

    def __init__(self, theme: str | Theme, within: Region | None = None) -> None:
        self.theme: Theme = theme if isinstance(theme, Theme) else theme_called(theme)
        side = (WIDTH / INCH, WIDTH / INCH)
        paper: Any = {"figsize": side, "dpi": 144, "facecolor": self.theme.paper}
        self.within = within or Region(Picture("", "", **paper), 0, 0)
        self.picture = self.within.page

    @cached_property
    def sheet(self) -> Panel:
        """All of the page, in points."""
        return self.panel()

    def panel(
        self, x: float = 0, y: float = 0, unit: Point = (1, 1), across: float = 1, down: float = 1
    ) -> Panel:
        """A panel of units of so many points, so many across and down; (x, y) is its upper left corner."""
        _, left, top, scale = self.within
        page = np.array(self.picture.get_size_inches()) * INCH
        size = np.array([unit[0] * across, unit[1] * down]) * scale
        corner = np.array([left + x * scale, page[1] - top - y * scale - size[1]])
        panel = Panel(self.picture, (*(corner / page), *(size / page)), xlim=(0, across), ylim=(down, 0))
        panel.theme, panel.unit, panel.scale = self.theme, unit, scale
        panel.set_axis_off()
        self.picture.add_axes(panel)
        return panel

    def finished(self, title: str, alt: str, margin: float = MARGIN) -> Picture:
        """The picture, cut to what is drawn, with its title and alternative text."""
        picture = self.picture
        picture.title, picture.alt = title, alt
        for panel in picture.axes:
            for artist in (*panel.patches, *panel.lines, *panel.collections):
                artist.set_clip_on(False)
        drawn = picture.get_tightbbox().get_points() * INCH
        wide, high = (drawn[1] - drawn[0] + 2 * margin).tolist()
        for panel in picture.axes:
            x0, y0, x1, y1 = np.array(panel.get_position().extents) * WIDTH
            x, y = (x0, y0) - drawn[0] + margin
            panel.set_position((x / wide, y / high, (x1 - x0) / wide, (y1 - y0) / high))
        picture.set_size_inches(wide / INCH, high / INCH)
        return picture


def widest(words: Sequence[str], size: float = TEXT, *, bold: bool = False) -> float:
    """The width of the widest of some words, in points."""
    return max((captions.caption_width(word, size, bold=bold) for word in words), default=0.0)


def line_width(line: Line) -> float:
    """The width of a line of type, in points."""
    return line[-1].end + 2 * HAIR * sum(bool(piece.rise) for piece in line)
