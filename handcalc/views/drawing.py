"""The strokes of a heatmap: cells, numbers, labels and captions of one measured box, into given axes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import FigureBase
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import AffineDeltaTransform, ScaledTranslation, Transform

from handcalc.expressions import Cell
from handcalc.matrix import Matrix
from handcalc.views.boxes import BESIDE, IMAGE, Box
from handcalc.views.captions import LABEL, LINE, NUMBER, font
from handcalc.views.palette import Colours, Theme, borders, rgb, shades

INCH = 72.0  # in points
ROUND, GAP = 2.5, 0.75  # a cell's corners, and the gap around it
MIDDLE = 0.365  # from the middle of a digit down to its foot, in sizes of type
DASHES = {"chosen": "solid", "left": "solid", "right": (0, (2.2, 1.4))}
Roles = dict[tuple[int, int, int], str]  # (matrix, row, column) of a cell -> chosen, left or right


@dataclass(frozen=True)
class Look:
    """How everything on one figure is drawn."""

    theme: Theme
    scale: float = 1.0
    roles: Roles = field(default_factory=dict)

    def font(self, size: float, *, bold: bool = False) -> FontProperties:
        return font(size * self.scale, bold=bold)


def draw_box(box: Box, ax: Axes, look: Look) -> None:
    """Everything of one matrix; the axes are its cells: x counts columns, y rows."""
    rows, columns = box.matrix.shape
    ax.set(xlim=(0, columns), ylim=(rows, 0), label=box.matrix.said)
    ax.set_axis_off()
    if box.texts is None:
        _image(box, ax, look)
    else:
        _cells(box, ax, look)
        _numbers(box, ax, look)
        _labels(box, ax, look)
    _caption(box, ax, look)


def write(
    where: Axes | FigureBase, place: Transform, x: float, y: float, text: str, type_: FontProperties, **how: Any
) -> None:
    """Put one text somewhere, whatever the reader's own settings are."""
    how = {"parse_math": False, "usetex": False, "va": "baseline"} | how
    where.text(x, y, text, transform=place, fontproperties=type_, **how)


def offset(ax: Axes, place: Transform, x: float, y: float, look: Look) -> Transform:
    """A place moved by points."""
    points = look.scale / INCH
    return place + ScaledTranslation(x * points, y * points, ax.figure.dpi_scale_trans)


def _cells(box: Box, ax: Axes, look: Look) -> None:
    rows, columns = box.matrix.shape
    colours = shades(box.matrix, look.theme).reshape(-1, 3)
    centres = [(j + 0.5, i + 0.5) for i in range(rows) for j in range(columns)]
    cells = PathCollection(
        [_square(box)],
        offsets=centres,
        offset_transform=ax.transData,
        facecolors=colours,
        edgecolors=borders(colours, look.theme),
        linewidths=0.6 * look.scale,
    )
    cells.set_transform(AffineDeltaTransform(ax.transData))
    _add(ax, cells)
    for (row, column), role in _roles(box.matrix, look.roles).items():
        path = _square(box).transformed(_shift(column + 0.5, row + 0.5))
        accent = getattr(look.theme, role)
        line = (1.8 if role == "chosen" else 1.4) * look.scale
        _add(ax, PathPatch(path, fill=False, edgecolor=accent, linewidth=line, linestyle=DASHES[role]))
