"""Heatmaps as matplotlib figures: the whole sheet as on paper, or single matrices, to save and print.

A sheet wider than `width` shrinks a little, then its tracks wrap, then it shrinks down to the smallest
type that can be read; nothing is ever cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import AffineDeltaTransform, ScaledTranslation, Transform

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.expressions import Cell
from handcalc.matrix import Matrix
from handcalc.views import captions
from handcalc.views.boxes import (
    BESIDE,
    CELL_HEIGHT,
    IMAGE,
    MARGIN,
    SMALLEST,
    Box,
    Placed,
    arranged,
    box_for,
    cell_width,
    fitting_scale,
    grouped,
    image_box,
)
from handcalc.views.captions import LABEL, LINE, NUMBER, Line, font
from handcalc.views.layout import Block, Row, Track, tracks
from handcalc.views.palette import Theme, borders, rgb, shades, theme_called
from handcalc.views.picture import Picture, described

INCH = 72.0  # in points
WIDTH = 11.0  # inches; the 950 px of a notebook show it at nine tenths
HEADING = 13.0  # the sheet's title
MIDDLE = 0.365  # from the middle of a digit down to its foot, in sizes of type
Roles = dict[tuple[int, int, int], str]  # (matrix, row, column) of a cell -> chosen, left or right


@dataclass(frozen=True)
class Look:
    """How everything on one figure is drawn."""

    theme: Theme
    scale: float = 1.0
    roles: Roles = field(default_factory=dict)


def figure(
    calculation: Calculation,
    *names: str,
    convention: str | None = None,
    places: int = 2,
    theme: str = "light",
    width: float | None = None,
    explain: tuple[str, int, int] | None = None,
) -> Picture:
    """Draw the whole sheet as heatmaps, or the named matrices side by side.

    `convention` is "columns" or "rows" (as the calculation has it, if not said), `theme` "light" or
    "dark", `width` the limit in inches, `places` the decimal places; `explain=("Z", 1, 0)` writes the
    arithmetic of one cell, counted from 0, under the sheet and marks the cell and what it reads.
    Raises HandcalcError for an unknown name, convention or theme, and for a width that is none.
    """
    look = Look(theme_called(theme))
    limit = _checked_width(width) * INCH
    shown = calculation.in_convention(convention or calculation.convention)
    chosen = [Track([Row(Block(shown[name]))]) for name in names] or tracks(shown)
    footer: list[str] = []
    if explain is not None:
        footer, look = _explained(shown, explain, places, look)
    groups = [grouped(track, _checked_places(places)) for track in chosen]
    look = replace(look, scale=fitting_scale(groups, limit))
    heading = [] if names else [shown.title, f"tokens as {shown.convention}"]
    placed = arranged(groups, limit / look.scale, MARGIN + (2 * LINE if heading else 0))
    title = f"{shown.title}: {', '.join(names)}" if names else f"{shown.title}, tokens as {shown.convention}"
    return _page(placed, heading, footer, title, look)


def draw(matrix: Matrix, ax: Axes, *, places: int = 2, theme: str = "light", caption: bool = True) -> Axes:
    """Draw one matrix into axes of your own, whose size it takes; returns the axes.

    Numbers shrink to fit their cells; where they could not be read any more, an image is drawn.
    """
    rows, columns = matrix.shape
    frame = ax.get_window_extent()
    size = (float(frame.width * INCH / ax.figure.dpi), float(frame.height * INCH / ax.figure.dpi))
    scale = min(1.0, size[0] / columns / cell_width(matrix, places), size[1] / rows / CELL_HEIGHT)
    box = box_for(Block(matrix), places, size[0] / columns / max(scale, SMALLEST))
    if scale < SMALLEST:
        box, scale = image_box(Block(matrix), size[0] / columns), 1.0
    box = replace(box, size=(size[0] / scale, size[1] / scale), caption=box.caption if caption else [])
    _draw(box, ax, Look(theme_called(theme), scale))
    return ax


def _page(placed: list[Placed], heading: list[str], footer: list[str], title: str, look: Look) -> Picture:
    """The figure: its size follows from what stands on it."""
    width = max(p.x + p.box.right for p in placed) + MARGIN
    if heading:
        width = max(width, 2 * MARGIN + _heading_width(heading))
    lines = captions.wrapped(footer, width - 2 * MARGIN) if footer else []
    below = max(p.y + p.box.size[1] for p in placed)
    height = below + MARGIN + LINE * (len(lines) + 1 if lines else 0)
    scale = look.scale / INCH
    alt = described(f"Heatmaps of {title}", list(dict.fromkeys(p.box.matrix for p in placed)))
    page = Picture(title, alt, figsize=(width * scale, height * scale), facecolor=look.theme.paper)
    for p in placed:
        w, h = p.box.size
        ax = page.add_axes((p.x / width, 1 - (p.y + h) / height, w / width, h / height))
        _draw(p.box, ax, look)
    _write_heading(page, heading, look)
    _write_footer(page, lines, look)
    return page
