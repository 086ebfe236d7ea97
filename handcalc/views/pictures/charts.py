"""Lines over two axes, and arrows in a plane: their grids, their ticks, and labels where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, ceil, cos, floor, pi, sin
from typing import Any

import numpy as np
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from handcalc.foundation.errors import HandcalcError
from handcalc.views.canvas import SMALL, TEXT, Page, Panel, Point, signed_number, text_width
from handcalc.views.picture import INCH

MIN_EXTENT, MAX_EXTENT = 1e-6, 1e9  # how far from the origin the outermost point of a plane may be
GRID, AXIS = 0.7, 0.8  # how far up lines lie that a label may cross, and had better not
DISTANCES = 6.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0  # points from a label to its place
TURNS = 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8  # sixteenths of a full turn
AIR = 3.0  # points around a label


def chart(
    page: Page,
    corner: Point,
    size: Point,
    across: Mapping[float, str],
    up: Mapping[float, str],
    *,
    name: str,
    powers: str = "",
    indent: float = 0.0,
) -> Panel:
    """A panel for lines, from the first tick to the last, with a faint line for each tick that goes up.

    Axes in `powers`, such as "xy", are logarithmic; lines keep an `indent`, a part of the width, at its ends.
    """
    panel = page.panel(*corner, size)
    for axis, ticks, room in ((panel.xaxis, across, indent), (panel.yaxis, up, 0.0)):
        if axis.axis_name in powers:
            getattr(panel, f"set_{axis.axis_name}scale")("log")
        scale = axis.get_transform()
        ends = scale.transform(np.array([min(ticks), max(ticks)]))
        low, high = scale.inverted().transform(ends + np.ptp(ends) * room * np.array([-1, 1]))
        axis.set_view_interval(low, high, ignore=True)
    quiet: dict[str, Any] = {"size": SMALL, "ink": page.theme.quiet}
    beside, below = panel.get_yaxis_transform(), panel.get_xaxis_transform()
    panel.hlines([*up], 0, 1, transform=beside, color=panel.faint(0.1), linewidth=0.8, zorder=GRID)
    for y, text in up.items():
        panel.write(0, y, text, xycoords=beside, shift=(-8, 0), ha="right", math="$" in text, **quiet)
    for x, text in across.items():
        panel.write(x, 0, text, xycoords=below, shift=(0, -13), math="$" in text, **quiet)
    panel.write(0.5, 0, name, xycoords="axes fraction", shift=(0, -29), math="$" in name, **quiet)
    return panel


def round_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from the one below to the one above."""
    return [float(tick) for tick in MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(low, high)]


def plane(
    page: Page,
    points: Sequence[Point],
    wide: float,
    high: float,
    *,
    x: float = 0,
    is_wide: bool = False,
    ticks: bool = True,
) -> Panel:
    """A panel with the same scale both ways, large enough for all points: a faint grid, axes, their numbers.

    It is at most so many points of paper wide and high; or just so wide, if it `is_wide`.
    """
    xs, ys = np.transpose(points)
    far = np.abs(points).max()
    if not (far == 0 or MIN_EXTENT <= far <= MAX_EXTENT):
        raise HandcalcError("These numbers cannot be drawn: the largest must be from 10⁻⁶ to 10⁹.")
    step = float(np.diff(round_ticks(0, max(np.ptp(xs), np.ptp(ys)) or 1.0, 7)[:2])[0])
    left, right, low, top = (
        (way(end(values) / step) + half) * step
        for values in (xs, ys)
        for end, way, half in ((min, floor, -0.5), (max, ceil, 0.5))
    )
    scale = min(wide / (right - left), high / (top - low))
    more = (wide / scale - (right - left)) / 2 if is_wide else 0
    left, right = left - more, right + more
    panel = page.panel(x, 0, (scale, scale), right - left, top - low)
    panel.set(xlim=(left, right), ylim=(low, top))
    quiet = {"size": SMALL, "ink": page.theme.quiet}
    for lines, start, end, ends in (
        (panel.vlines, left, right, (low, top)),
        (panel.hlines, low, top, (left, right)),
    ):
        for value in step * np.arange(ceil(start / step), floor(end / step) + 1):
            is_axis = value == 0
            ink = panel.faint(0.45 if is_axis else 0.1)
            lines(value, *ends, color=ink, linewidth=0.8, zorder=AXIS if is_axis else GRID)
            if ticks and lines == panel.vlines:
                panel.write(value, low, signed_number(value), shift=(0, -9), **quiet)
            elif ticks:
                panel.write(left, value, signed_number(value), shift=(-5, 0), ha="right", **quiet)
    return panel


def beside(
    panel: Panel, place: Point, words: str, *, away: Point = (0.0, 1.0), needed: bool = True, **how: Any
) -> None:
    """Write beside a place where no line, dot or text is touched: on the side `away` (y up), or around it.

    Lines have to be there before. A label that is not `needed` is left out where there is no room nearby.
    """
    dots, type_ = panel.figure.dpi / INCH, how.get("size", TEXT)
    size = text_width(words, type_, math=how.get("math", False)), 1.2 * type_
    x, y = panel.transData.transform(place)
    taken = [text.get_window_extent() for text in panel.texts]
    drawn = [one for one in (*panel.lines, *panel.patches, *panel.collections) if one.get_zorder() > GRID]
    lines = [(one.get_zorder(), path) for one in drawn for path in outlines(one)]
    spots = np.array([np.array(path.vertices)[0] for _, path in lines])  # a dot has no line
    inside = Bbox(panel.bbox.get_points() + np.array([(-4, -11), (18, 8)]) * dots)

    def cost(shift: Point) -> float:
        corner = x + (shift[0] - size[0] / 2) * dots, y + (shift[1] - size[1] / 2) * dots
        box = Bbox.from_bounds(*corner, size[0] * dots, size[1] * dots).padded(AIR * dots)
        touched = sum(10 if z > AXIS else 1 for z, path in lines if path.intersects_bbox(box, filled=False))
        outside = not (inside.contains(*box.p0) and inside.contains(*box.p1))
        return 1000 * outside + 100 * box.count_overlaps(taken) + touched + 10 * box.count_contains(spots)

    near = DISTANCES if needed else DISTANCES[:3]
    shifts = list(_around(size, atan2(away[1], away[0]), near))
    free = next((shift for shift in shifts if not cost(shift)), None)
    if free or needed:
        panel.write(*place, words, shift=free or min(shifts, key=cost), va="center", **how)


def _around(size: Point, angle: float, distances: Sequence[float]) -> Iterator[Point]:
    """From a place to the middle of labels around it, near ones first, and the wanted direction first."""
    for distance in distances:
        for turn in TURNS:
            u, v = cos(angle + turn * pi / 8), sin(angle + turn * pi / 8)
            far = max(abs(u), abs(v))
            yield distance * u + size[0] / 2 * u / far, distance * v + size[1] / 2 * v / far


def outlines(artist: Any) -> Iterator[Path]:
    """The lines of an artist, in dots of a screen, without the one that closes it; each dot by itself."""
    if getattr(artist, "get_linestyle", str)() == "None":
        yield from (Path([place]) for place in artist.get_transform().transform(artist.get_xydata()))
        return
    for path in artist.get_paths() if hasattr(artist, "get_paths") else [artist.get_path()]:
        yield from map(Path, path.to_polygons(artist.get_transform(), closed_only=False))
