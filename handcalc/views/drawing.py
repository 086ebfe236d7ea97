"""The strokes of a heatmap: cells, numbers, labels and captions of one measured box, into given axes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure, FigureBase
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform, ScaledTranslation, Transform

from handcalc.expressions import Cell
from handcalc.matrix import Matrix
from handcalc.numbers import Values
from handcalc.views.captions import LABEL, LINE, NUMBER, font
from handcalc.views.grouping import Placed
from handcalc.views.measure import BESIDE, IMAGE, Box
from handcalc.views.palette import Colours, Theme, borders, rgb, shades

INCH, DPI = 72.0, 144  # an inch in points, and in dots of a picture
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False, "va": "baseline"}
ROUND, GAP = 2.5, 0.75  # a cell's corners, and the gap around it
MIDDLE = 0.365  # from the middle of a digit down to its foot, in sizes of type
DASHES = {"chosen": "solid", "left": "solid", "right": (0, (2.2, 1.4))}
Roles = dict[tuple[Matrix, int, int], str]  # (matrix, row, column) of a cell -> chosen, left or right


@dataclass(frozen=True)
class Look:
    """How everything on one figure is drawn."""

    theme: Theme
    scale: float = 1.0
    roles: Roles = field(default_factory=dict)
    answered: bool = False  # whether blanks are filled in, as on a teacher's key

    def font(self, size: float, *, bold: bool = False) -> FontProperties:
        return font(size * self.scale, bold=bold)


def draw_all(page: Figure, placed: Iterable[Placed], size: tuple[float, float], look: Look) -> None:
    """Every box at its place on a page of that size, width and height in points before they shrink."""
    width, height = size
    for p in placed:
        wide, high = p.box.size[0] / width, p.box.size[1] / height
        draw_box(p.box, page.add_axes((p.x / width, 1 - p.y / height - high, wide, high)), look)


def draw_box(box: Box, ax: Axes, look: Look) -> None:
    """Everything of one matrix; the axes are its cells: x counts columns, y rows."""
    rows, columns = box.matrix.shape
    ax.set(xlim=(0, columns), ylim=(rows, 0), label=box.matrix.display_name)
    ax.set_axis_off()
    if box.texts is None:
        _image(box, ax, look)
    else:
        _cells(box, ax, look)
        _numbers(box, ax, look)
        _labels(box, ax, look)
    _caption(box, ax, look)


def write(
    where: Axes | FigureBase,
    place: Transform,
    x: float,
    y: float,
    text: str,
    type_: FontProperties,
    **how: Any,
) -> None:
    """Put one text somewhere, whatever the reader's own settings are."""
    how = {**PLAIN, **how}
    where.text(x, y, text, transform=place, fontproperties=type_, **how)


def write_at(
    page: Figure, x: float, y: float, text: str, type_: FontProperties, look: Look, **how: Any
) -> None:
    """Write at a place in points from the page's lower left corner."""
    points = Affine2D().scale(look.scale / INCH) + page.dpi_scale_trans
    write(page, points, x, y, text, type_, **how)


def offset(ax: Axes, place: Transform, x: float, y: float, look: Look) -> Transform:
    """A place moved by points."""
    points = look.scale / INCH
    return place + ScaledTranslation(x * points, y * points, ax.figure.dpi_scale_trans)


def _cells(box: Box, ax: Axes, look: Look) -> None:
    rows, columns = box.matrix.shape
    colours = _behind(box, look).reshape(-1, 3)
    centres = [(j + 0.5, i + 0.5) for i in range(rows) for j in range(columns)]
    cells = PathCollection(
        [_square(box)],
        offsets=centres,
        offset_transform=ax.transData,
        facecolors=colours,
        edgecolors=look.theme.ink if box.is_blank else borders(colours, look.theme),
        linewidths=0.6 * look.scale,
    )
    stretched: Any = ax.transData  # affine, which its type does not say
    cells.set_transform(AffineDeltaTransform(stretched))
    _add(ax, cells)
    for (row, column), role in _roles(box.matrix, look.roles).items():
        _outline(box, ax, look, role, row, column)


def _outline(box: Box, ax: Axes, look: Look, role: str, row: int, column: int) -> None:
    path = _square(box, column + 0.5, row + 0.5)
    line = (2.0 if role == "chosen" else 1.5) * look.scale
    accent = getattr(look.theme, role)
    _add(ax, PathPatch(path, fill=False, edgecolor=accent, linewidth=line, linestyle=DASHES[role]))


def _add(ax: Axes, artist: PathCollection | PathPatch | Rectangle) -> None:
    """Add without the search for limits, which are known; borders may cross the edge."""
    artist.set_clip_on(False)
    ax.add_artist(artist)


def _square(box: Box, x0: float = 0, y0: float = 0) -> Path:
    """A rounded square around a place, as large as a cell; lengths in columns and rows."""
    rows, columns = box.matrix.shape
    wide, high = box.size[0] / columns, box.size[1] / rows
    x, y = 0.5 - GAP / wide, 0.5 - GAP / high
    a, b = x - ROUND / wide, y - ROUND / high
    round_ = [(-a, -y), (a, -y), (x, -y), (x, -b), (x, b), (x, y), (a, y), (-a, y), (-x, y)]
    round_ += [(-x, b), (-x, -b), (-x, -y), (-a, -y), (-a, -y)]
    line, curve = Path.LINETO, [Path.CURVE3, Path.CURVE3]
    codes = [Path.MOVETO, line, *curve, line, *curve, line, *curve, line, *curve, Path.CLOSEPOLY]
    return Path([(x0 + x, y0 + y) for x, y in round_], codes)


def _numbers(box: Box, ax: Axes, look: Look) -> None:
    place = offset(ax, ax.transData, 0, -MIDDLE * NUMBER, look)
    if box.is_blank and not look.answered:
        return
    plain, type_ = look.theme.ink, look.font(NUMBER, bold=box.is_blank)
    for i, line in enumerate(box.texts or ()):
        for j, text in enumerate(line):
            quiet = "∞" in text
            ink = look.theme.quiet if quiet else plain
            write(ax, place, j + 0.5, i + 0.5, text, type_, color=ink, ha="center")


def _labels(box: Box, ax: Axes, look: Look) -> None:
    """Quiet names of rows and columns; a long name of a column reads upwards."""
    how = {"color": look.theme.quiet}
    type_ = look.font(LABEL)
    beside = offset(ax, ax.transData, -BESIDE, -MIDDLE * LABEL, look)
    for i, word in enumerate(box.matrix.rows or ()):
        write(ax, beside, 0, i + 0.5, word, type_, ha="right", **how)
    over = offset(ax, ax.transData, 0, 4, look)
    rotated = {"rotation": 90, "va": "bottom"} if box.labels_rotated else {}
    for j, word in enumerate((box.matrix.columns or ()) if box.header else ()):
        write(ax, over, j + 0.5, 0, word, type_, ha="center", **how, **rotated)


def _caption(box: Box, ax: Axes, look: Look) -> None:
    for count, line in enumerate(reversed(box.caption)):
        for piece in line:
            place = offset(ax, ax.transAxes, piece.x, box.header + 5 + count * LINE, look)
            ink = look.theme.ink if piece.is_name else look.theme.quiet
            type_ = look.font(piece.size, bold=piece.is_name)
            write(ax, place, 0, 1, piece.text, type_, color=ink, parse_math=piece.math)


def _image(box: Box, ax: Axes, look: Look) -> None:
    """The colours alone; where there are more numbers than dots, a dot shows the largest of its own."""
    rows, columns = box.matrix.shape
    values = np.where(np.isfinite(box.matrix.values), box.matrix.values, 0)
    for axis in (0, 1):
        values = _strongest(values, axis, int(IMAGE))
    colours = _colours(box.matrix, values, look)
    ax.imshow(colours, extent=(0, columns, rows, 0), aspect="auto", interpolation="nearest")
    edge = borders(rgb(look.theme.paper), look.theme)
    _add(ax, Rectangle((0, 0), columns, rows, fill=False, edgecolor=edge, linewidth=0.6 * look.scale))


def _behind(box: Box, look: Look) -> Colours:
    """The colour of every cell; a blank's would give its number away."""
    paper = rgb(look.theme.paper)
    return (
        np.broadcast_to(paper, (*box.matrix.shape, 3))
        if box.is_blank
        else _colours(box.matrix, box.matrix.values, look)
    )


def _colours(matrix: Matrix, values: Values, look: Look) -> Colours:
    return shades(values, look.theme, never_negative=matrix.never_negative)


def _strongest(values: Values, axis: int, most: int) -> Values:
    """At most this many lines along one axis, each with the largest absolute value among its neighbours."""
    count = values.shape[axis]
    if count <= most:
        return values
    starts = np.linspace(0, count, most, endpoint=False).astype(int)
    high, low = (reduce.reduceat(values, starts, axis=axis) for reduce in (np.maximum, np.minimum))
    return np.where(high >= -low, high, low)


def _roles(matrix: Matrix, roles: Roles) -> dict[tuple[int, int], str]:
    """The marked cells of a matrix; of an unnamed copy such as Kᵀ those whose home is marked."""
    if not roles:
        return {}
    if matrix.name:
        return {(i, j): role for (owner, i, j), role in roles.items() if owner is matrix}
    places = [(i, j) for i in range(matrix.shape[0]) for j in range(matrix.shape[1])]
    read = {place: matrix.read(0, *place) for place in places}
    homes = {p: (c.matrix, c.row, c.column) for p, c in read.items() if isinstance(c, Cell)}
    return {place: roles[home] for place, home in homes.items() if home in roles}
