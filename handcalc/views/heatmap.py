"""Heatmaps as matplotlib figures: the whole sheet as on paper, or single matrices, to save and print.

A sheet wider than `width` shrinks a little, then its tracks wrap, then it shrinks down to the smallest
type that can be read; nothing is ever cut.
"""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.accepted_types import Convention
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import Explanation
from handcalc.views import captions
from handcalc.views.captions import LINE_HEIGHT, QUIET_SIZE, Line
from handcalc.views.cell_marks import marks
from handcalc.views.drawing import DPI, FigureStyle, draw_all, write_at
from handcalc.views.grouping import SHEET_MARGIN, Placed, arranged, grouped
from handcalc.views.matrix_sizes import Ruler
from handcalc.views.palette import theme_called
from handcalc.views.picture import INCH, Picture, describe_figure, tables_for_listeners
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track, tracks, where_tokens_are

FIGURE_WIDTH = 11.0  # inches; a notebook's 950 px show it at nine tenths
MAX_FIGURE_WIDTH = 1000
MAX_DOTS = 2.0**16 - 64  # dots: matplotlib draws no page with more of them on a side
HEADING_SIZE = 13.0  # the size of the sheet's title


def draw_sheet_heatmaps(
    calculation: Calculation,
    *names: str,
    convention: Convention | None = None,
    places: int = 2,
    theme: str = "light",
    width: float | None = None,
    explain: tuple[str, int, int] | None = None,
) -> Picture:
    """Draw the whole sheet as heatmaps, or the named matrices side by side.

    `convention` is "columns" or "rows" (that of the calculation, by default), `theme` "light" or
    "dark", `width` the limit in inches, `places` the decimal places; `explain=("Z", 1, 0)` marks one
    cell, counted from 0, and what it reads, and writes its arithmetic below.
    Raises HandcalcError for an unknown name, convention, theme or width.
    """
    theme_, limit, places = theme_called(theme), inches(width) * INCH, read_places(places)
    shown = calculation.in_convention(convention or calculation.convention)
    chosen = [Track([SheetRow(PlacedMatrix(shown[name]))]) for name in names] or tracks(shown)
    marked = marks(shown, explain, places)
    ruler = Ruler(places, around=marked.around)
    groups = [grouped(track, ruler) for track in chosen]
    placed, scale = arranged(groups, limit, SHEET_MARGIN if names else SHEET_MARGIN + 2 * LINE_HEIGHT)
    about = [shown.title, ", ".join(names) or where_tokens_are(shown)]
    page = _page(placed, about, marked.explained, FigureStyle(theme_, scale, marked.roles), headed=not names)
    page.tables = tables_for_listeners(_drawn(placed), places)
    return page


def _drawn(placed: list[Placed]) -> list[Matrix]:
    return list(dict.fromkeys(p.box.matrix for p in placed))


def _page(
    placed: list[Placed], about: list[str], explained: Explanation | None, look: FigureStyle, *, headed: bool
) -> Picture:
    """The figure, as large as its contents need."""
    width = max(SHEET_MARGIN + p.x + p.box.right for p in placed)
    width = max(width, heading_width(about) if headed else 0)
    lines = captions.wrap_markup(explained.html, width - 2 * SHEET_MARGIN) if explained else []
    height = (
        max(p.y + p.box.size[1] for p in placed) + SHEET_MARGIN + LINE_HEIGHT * (len(lines) + bool(lines))
    )
    inches = look.scale / INCH
    title = ", ".join(filter(None, about))
    page = Picture(
        title,
        describe_figure(f"Heatmaps of {title}", _drawn(placed)),
        figsize=(width * inches, height * inches),
        dpi=min(DPI, MAX_DOTS / (max(width, height) * inches)),
        facecolor=look.theme.paper,
    )
    draw_all(page, placed, height, look)
    if headed:
        write_heading(page, about, look, height)
    write_footer(page, lines, look)
    return page


def heading_width(about: list[str]) -> float:
    """How wide the title is with what stands beside it, margins included."""
    title, rest = about
    return (
        2 * SHEET_MARGIN
        + captions.caption_width(title, HEADING_SIZE, bold=True)
        + 8
        + captions.caption_width(rest, QUIET_SIZE)
    )


def write_heading(page: Picture, about: list[str], look: FigureStyle, height: float, x: float = 0) -> None:
    """Write the sheet's title at its upper edge, which is so far from the page's lower one."""
    title, rest = about
    y = height - SHEET_MARGIN - 0.8 * HEADING_SIZE
    x += SHEET_MARGIN
    write_at(page, x, y, title, look.font(HEADING_SIZE, bold=True), look, color=look.theme.ink)
    x += captions.caption_width(title, HEADING_SIZE, bold=True) + 8
    write_at(page, x, y, rest, look.font(QUIET_SIZE), look, color=look.theme.quiet)


def write_footer(page: Picture, lines: list[Line], look: FigureStyle) -> None:
    """Write lines at the foot of the page."""
    for count, line in enumerate(reversed(lines)):
        for piece in line:
            y = SHEET_MARGIN + count * LINE_HEIGHT + piece.rise
            write_at(
                page, SHEET_MARGIN + piece.x, y, piece.text, look.font(piece.size), look, color=look.theme.ink
            )


def inches(width: float | None) -> float:
    """The limit of a figure's width, as somebody asked for it."""
    if width is None:
        return FIGURE_WIDTH
    if not isinstance(width, int | float) or isinstance(width, bool) or not 0 < width <= MAX_FIGURE_WIDTH:
        raise HandcalcError(
            f"width is {short(width)}; it must be a number of inches above 0, up to {MAX_FIGURE_WIDTH}."
        )
    return float(width)
