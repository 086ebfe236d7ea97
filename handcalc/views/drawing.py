"""The strokes of a heatmap: cells, numbers, labels and captions of one measured box, into given axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, AffineDeltaTransform, Transform

from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.record.matrix import Matrix
from handcalc.views.captions import LABEL_SIZE, LINE_HEIGHT, NUMBER_SIZE, font
from handcalc.views.cell_marks import Roles, Stretch, home, stretches
from handcalc.views.grouping import Placed
from handcalc.views.lettering import Letters, Word
from handcalc.views.matrix_sizes import DRAWN_STRIP_SPOTS, LABEL_GAP, MatrixBox, Strip
from handcalc.views.palette import Colours, Theme, borders, rgb, shades
from handcalc.views.picture import INCH, Frame, Picture, on_page
from handcalc.views.visible_window import strip

DPI = 144  # dots to an inch of a picture
PLAIN_TEXT: dict[str, Any] = {"parse_math": False, "usetex": False, "va": "baseline"}
CELL_CORNER, CELL_GAP = 2.5, 0.75  # a cell's corners, and the gap around it
DIGIT_MIDDLE = 0.365  # from the middle of a digit down to its foot, in sizes of type
ROLE_DASHES = {"chosen": "solid", "left": "solid", "right": (0, (2.2, 1.4))}


@dataclass(frozen=True)
class FigureStyle:
    """The style of everything on one figure."""

    theme: Theme
    scale: float = 1.0
    roles: Roles = field(default_factory=dict)
    origins: Mapping[Matrix, Matrix] = field(default_factory=dict)  # matrices with another name elsewhere

    def font(self, size: float, *, bold: bool = False) -> FontProperties:
        return font(size * self.scale, bold=bold)


def draw_all(page: Picture, placed: Iterable[Placed], height: float, look: FigureStyle) -> None:
    """Every box at its place on a page of that height, in points before they shrink."""
    for p in placed:
        place = on_page(page, p.x, height - p.y, _cell(p.box), look.scale)
        page.frames.append(draw_box(p.box, page, place, look))


def draw_box(box: MatrixBox, onto: Figure, place: Transform, look: FigureStyle) -> Frame:
    """Everything of one matrix; `place` leads from its columns and rows to the canvas."""
    label = look.origins.get(box.matrix, box.matrix).display_name
    rows, columns = len(box.window.rows), len(box.window.columns)
    frame = Frame(onto, place, label, (rows, columns))
    words = [*_caption(box, look), *_numbers(box, look), *_labels(box, look)]
    _cells(box, frame, look)
    if box.strip:
        _strip(box, box.strip, frame, look)
    frame.add(Letters(words, place, look.scale))
    return frame


def _cell(box: MatrixBox) -> tuple[float, float]:
    """The width and height of one cell."""
    return box.size[0] / len(box.window.columns), box.size[1] / len(box.window.rows)


def write_at(
    page: Figure, x: float, y: float, text: str, type_: FontProperties, look: FigureStyle, **how: Any
) -> None:
    """Write at a place in points from the page's lower left corner."""
    points = Affine2D().scale(look.scale / INCH) + page.dpi_scale_trans
    page.text(x, y, text, transform=points, fontproperties=type_, **PLAIN_TEXT, **how)


def _cells(box: MatrixBox, frame: Frame, look: FigureStyle) -> None:
    rows, columns = len(box.window.rows), len(box.window.columns)
    colours = _colours(box.matrix, box.matrix.values[box.window.values], look).reshape(-1, 3)
    centres = [(j + 0.5, i + 0.5) for i in range(rows) for j in range(columns)]
    cells = PathCollection(
        [_square(box)],
        offsets=centres,
        offset_transform=frame.place,
        facecolors=colours,
        edgecolors=borders(colours, look.theme),
        linewidths=0.6 * look.scale,
    )
    stretched: Any = frame.place  # affine, which its type does not say
    cells.set_transform(AffineDeltaTransform(stretched))
    frame.add(cells)
    for marked in stretches(_roles(box, look)):
        _outline(box, frame, look, marked)


def _outline(box: MatrixBox, frame: Frame, look: FigureStyle, marked: Stretch) -> None:
    """A frame in the accent of its role; paper on either side keeps it clear of every colour."""
    role, (top, bottom), (left, right) = marked
    centre = (left + right) / 2 - box.window.columns.start, (top + bottom) / 2 - box.window.rows.start
    path = _square(box, *centre, (bottom - top, right - left))
    line = (2.2 if role == "chosen" else 1.5) * look.scale
    accent = getattr(look.theme, role)
    halo = line + 1.4 * look.scale
    frame.add(PathPatch(path, fill=False, edgecolor=look.theme.paper, linewidth=halo))
    frame.add(PathPatch(path, fill=False, edgecolor=accent, linewidth=line, linestyle=ROLE_DASHES[role]))


def _square(box: MatrixBox, x0: float = 0, y0: float = 0, cells: tuple[int, int] = (1, 1)) -> Path:
    """A rounded box around a number of cells from a place on; lengths in columns and rows."""
    wide, high = _cell(box)
    x, y = cells[1] / 2 - CELL_GAP / wide, cells[0] / 2 - CELL_GAP / high
    a, b = x - CELL_CORNER / wide, y - CELL_CORNER / high
    round_ = [(-a, -y), (a, -y), (x, -y), (x, -b), (x, b), (x, y), (a, y), (-a, y), (-x, y)]
    round_ += [(-x, b), (-x, -b), (-x, -y), (-a, -y), (-a, -y)]
    line, curve = Path.LINETO, [Path.CURVE3, Path.CURVE3]
    codes = [Path.MOVETO, line, *curve, line, *curve, line, *curve, line, *curve, Path.CLOSEPOLY]
    return Path([(x0 + x, y0 + y) for x, y in round_], codes)


def _numbers(box: MatrixBox, look: FigureStyle) -> Iterator[Word]:
    foot = -DIGIT_MIDDLE * NUMBER_SIZE
    for i, line in enumerate(box.texts):
        for j, text in enumerate(line):
            ink = look.theme.quiet if "∞" in text else look.theme.ink
            yield Word(text, j + 0.5, i + 0.5, 0, foot, NUMBER_SIZE, ink, 0.5)


def _labels(box: MatrixBox, look: FigureStyle) -> Iterator[Word]:
    """Quiet names of rows and columns; a long name of a column reads upwards."""
    ink, (rows, columns) = look.theme.quiet, box.window.labels(box.matrix)
    for i, text in enumerate(rows if box.gutter else ()):
        yield Word(text, 0, i + 0.5, -LABEL_GAP, -DIGIT_MIDDLE * LABEL_SIZE, LABEL_SIZE, ink, 1)
    for j, text in enumerate(columns if box.header else ()):
        if box.labels_rotated:
            yield Word(text, j + 0.5, 0, DIGIT_MIDDLE * LABEL_SIZE, 4, LABEL_SIZE, ink, reads_upwards=True)
        else:
            yield Word(text, j + 0.5, 0, 0, 4, LABEL_SIZE, ink, 0.5)


def _caption(box: MatrixBox, look: FigureStyle) -> Iterator[Word]:
    for count, line in enumerate(reversed(box.caption)):
        for piece in line:
            up = box.roof + 5 + count * LINE_HEIGHT + piece.rise
            ink = look.theme.ink if piece.is_name else look.theme.quiet
            yield Word(piece.text, 0, 0, piece.x, up, piece.size, ink, bold=piece.bold)


def _strip(box: MatrixBox, room: Strip, frame: Frame, look: FigureStyle) -> None:
    """The whole of a large matrix, with a frame around the window."""
    wide, high = _cell(box)
    x, y = room.x / wide, room.y / high
    right, low = x + room.wide / wide, y + room.high / high
    _image(box, frame, look, (x, right, low, y))
    (rows, columns), shown = box.matrix.shape, box.window
    left, top = x + (right - x) * shown.columns.start / columns, y + (low - y) * shown.rows.start / rows
    size = (right - x) * len(shown.columns) / columns, (low - y) * len(shown.rows) / rows
    ink = look.theme.ink
    frame.add(Rectangle((left, top), *size, fill=False, edgecolor=ink, linewidth=look.scale, zorder=2.5))


def _image(
    box: MatrixBox, frame: Frame, look: FigureStyle, extent: tuple[float, float, float, float]
) -> None:
    """All numbers as colours; a spot shows the strongest of its numbers."""
    colours = _colours(box.matrix, strip(box.matrix.values, (DRAWN_STRIP_SPOTS, DRAWN_STRIP_SPOTS)), look)
    frame.add_image(colours, extent)
    left, right, low, top = extent
    edge = borders(rgb(look.theme.paper), look.theme)
    line = 0.6 * look.scale
    frame.add(Rectangle((left, top), right - left, low - top, fill=False, edgecolor=edge, linewidth=line))


def _colours(matrix: Matrix, values: Values, look: FigureStyle) -> Colours:
    """The colours behind numbers."""
    largest = numbers.largest(matrix.values)
    return shades(values, look.theme, never_negative=matrix.never_negative, largest=largest)


def _roles(box: MatrixBox, look: FigureStyle) -> dict[tuple[int, int], str]:
    """The marked cells that are shown; of an unnamed copy such as Kᵀ those whose home is marked."""
    if not look.roles:
        return {}
    found = {place: home(box.matrix, *place) for place in box.window.cells()}
    homes = {place: (look.origins.get(h[0], h[0]), *h[1:]) for place, h in found.items() if h}
    return {place: look.roles[home] for place, home in homes.items() if home in look.roles}
