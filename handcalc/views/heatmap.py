"""A calculation as a matplotlib figure, to save and print: its sheets as on paper below the map, or matrices.

A sheet wider than `width` shrinks a little, then its strips fold and its tracks wrap, then it shrinks down
to the smallest type that can be read; nothing is ever cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.accepted_types import Convention
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views import captions
from handcalc.views.canvas import Region
from handcalc.views.captions import LINE_HEIGHT, QUIET_SIZE, Line
from handcalc.views.cell_marks import CellMarks, marks
from handcalc.views.drawing import DPI, FigureStyle, draw_all, write_at
from handcalc.views.drawing_order import strips
from handcalc.views.grouping import SHEET_MARGIN, Placed, arranged, grouped, in_lines
from handcalc.views.map import map_figure
from handcalc.views.matrix_sizes import Ruler
from handcalc.views.palette import Theme, theme_called
from handcalc.views.picture import INCH, Picture, describe_figure, inches, tables_for_listeners
from handcalc.views.sections import Section, fit_sections, sections
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, Track, where_tokens_are

MAX_DOTS = 2.0**16 - 64  # dots: matplotlib draws no page with more of them on a side
HEADING_SIZE = 13.0  # of the type of a sheet's title
HEADING_HEIGHT = 2 * LINE_HEIGHT  # the room that it takes
BLOCK_GAP = 10.0  # between two blocks
MAX_SQUARE_INCHES = 500.0  # square inches of a figure that nobody has asked for block by block


def draw_heatmaps(
    calculation: Calculation,
    *names: str,
    convention: Convention | None = None,
    places: int = 2,
    theme: str = "light",
    width: float | None = None,
    explain: tuple[str, int, int] | None = None,
) -> Picture:
    """Draw the whole calculation, the named blocks, or the named matrices side by side.

    Of several blocks the map comes first, then one sheet below the other; where that would be too much, the
    map alone and a sentence that says so. `convention` is "columns" or "rows" (that of the calculation, by
    default), `theme` "light" or "dark", `width` the limit in inches, `places` the decimal places;
    `explain=("Z", 1, 0)` marks one cell, counted from 0, and what it reads, and writes its arithmetic below.
    Raises HandcalcError for an unknown name, convention, theme or width.
    """
    shown = calculation.in_convention(convention or calculation.convention)
    theme_, limit, places = theme_called(theme), inches(width) * INCH, read_places(places)
    page = _Page(shown, theme_, limit, places, marks(shown, explain, places))
    blocks = [name for name in names if name in shown.blocks and name not in shown]
    if names and not blocks:
        return page.drawn([page.matrices(names)], ", ".join(names))
    if len(blocks) < len(names):
        other = next(name for name in names if name not in blocks)
        raise HandcalcError(f"{short(other)} is not a block: name blocks or matrices, not both in a figure.")
    found = sections(shown)
    if not blocks and len(found) > 1:
        return page.with_map(found)
    asked = tuple(f"{block}." for block in blocks)
    return page.drawn([page.sheet(s) for s in found if not blocks or f"{s.path}.".startswith(asked)])


class _Sheet(NamedTuple):
    """A sheet, measured; lengths are points before it shrinks."""

    about: list[str]  # its title and the words beside it, if any
    placed: list[Placed]
    look: FigureStyle

    @property
    def high(self) -> float:
        return max(p.y + p.box.size[1] for p in self.placed) * self.look.scale

    @property
    def wide(self) -> float:
        cells = max(SHEET_MARGIN + p.x + p.box.right for p in self.placed)
        return max(cells, _heading_width(self.about) if self.about else 0.0) * self.look.scale

    def draw(self, page: Picture, x: float, y: float) -> None:
        """Draw it so far from the left and upper edge of a page."""
        scale = self.look.scale
        high, x, y = (length / scale for length in (float(page.get_figheight()) * INCH, x, y))
        draw_all(page, (p.moved(x, y) for p in self.placed), high, self.look)
        if self.about:
            _write_heading(page, self.about, self.look, high - y, x)


class _Page(NamedTuple):
    whole: Calculation
    theme: Theme
    limit: float
    places: int
    marked: CellMarks

    def matrices(self, names: Iterable[str]) -> _Sheet:
        """Some matrices without a title."""
        alone = [Track([SheetRow(PlacedMatrix(self.whole[name]))]) for name in names]
        groups = list(grouped(alone, Ruler(self.places, around=self.marked.around), self.limit))
        placed, scale = arranged(groups, self.limit, SHEET_MARGIN)
        return _Sheet([], placed, FigureStyle(self.theme, scale, self.marked.roles))

    def sheet(self, section: Section) -> _Sheet:
        """The sheet of a block, with its title and the way to it."""
        origins, around = section.origins, self.marked.around
        ruler = Ruler(self.places, around={m: around[o] for m, o in origins.items() if o in around})
        groups = list(grouped(strips(section.tracks), ruler, self.limit))
        placed, scale = arranged(groups, self.limit, SHEET_MARGIN + HEADING_HEIGHT)
        look = FigureStyle(self.theme, scale, self.marked.roles, origins=origins)
        *above, title = section.way
        return _Sheet([title, " › ".join(above) or where_tokens_are(self.whole)], placed, look)

    def with_map(self, found: list[Section]) -> Picture:
        """The map above the sheets, or alone where that would be too much."""
        fit = len(fit_sections(found)) == len(found)
        sheets = [self.sheet(section) for section in found] if fit else []
        high = sum(max(sheet.high for sheet in line) for line in self._lines(sheets))
        if high * self.limit > MAX_SQUARE_INCHES * INCH**2:
            sheets = []
        return self.drawn(sheets, drawn=map_figure.lay_out(self.whole, self.limit))

    def drawn(self, sheets: list[_Sheet], names: str = "", drawn: map_figure.Map | None = None) -> Picture:
        """The figure, as large as its contents need."""
        lines = self._lines(sheets)
        heights = [max(sheet.high for sheet in line) for line in lines]
        roof, across = (SHEET_MARGIN + HEADING_HEIGHT + drawn.high, drawn.wide) if drawn else (0.0, 0.0)
        wide = max([sum(sheet.wide for sheet in line) for line in lines] + [across + 2 * SHEET_MARGIN])
        foot = self._foot(wide - 2 * SHEET_MARGIN, is_too_much=not sheets)
        high = roof + sum(heights) + BLOCK_GAP * (len(lines) - 1) + SHEET_MARGIN
        page = self._empty(wide, high + LINE_HEIGHT * (len(foot) + bool(foot)), sheets, names)
        if drawn:
            about = [self.whole.title, where_tokens_are(self.whole)]
            _write_heading(page, about, FigureStyle(self.theme), float(page.get_figheight()) * INCH)
            region = Region(page, SHEET_MARGIN, SHEET_MARGIN + HEADING_HEIGHT)
            map_figure.draw_map(drawn, theme=self.theme, within=region)
        y = roof
        for line, height in zip(lines, heights, strict=True):
            x = 0.0
            for sheet in line:
                sheet.draw(page, x, y)
                x += sheet.wide
            y += height + BLOCK_GAP
        _write_footer(page, foot, FigureStyle(self.theme))
        return page

    def _lines(self, sheets: list[_Sheet]) -> list[list[_Sheet]]:
        return in_lines(sheets, lambda sheet: sheet.wide, self.limit)

    def _foot(self, room: float, *, is_too_much: bool) -> list[Line]:
        """The lines at the foot: the arithmetic of the explained cell, or a note on the figure."""
        if self.marked.explained:
            return captions.wrap_markup(self.marked.explained.html, room)
        return captions.wrap_markup(escape(self._sentence()), room) if is_too_much else []

    def _sentence(self) -> str:
        *_, path = self.whole.blocks
        count = len(self.whole.blocks)
        return (
            f'The sheets of {count} blocks are too many for one figure: calc.figure("{path}") draws a block.'
        )

    def _empty(self, wide: float, high: float, sheets: list[_Sheet], names: str) -> Picture:
        title = ", ".join(filter(None, [self.whole.title, names or where_tokens_are(self.whole)]))
        drawn: list[Matrix] = list(dict.fromkeys(p.box.matrix for sheet in sheets for p in sheet.placed))
        words = describe_figure(f"Heatmaps of {title}", drawn) if drawn else f"Map of {title}."
        size = wide / INCH, high / INCH
        dpi = min(DPI, MAX_DOTS / max(size))
        page = Picture(title, words, figsize=size, dpi=dpi, facecolor=self.theme.paper)
        page.tables = tables_for_listeners(drawn, self.places) if drawn else ""
        return page


def _heading_width(about: list[str]) -> float:
    """The width of the title and the words beside it, margins included."""
    title, rest = about
    return (
        2 * SHEET_MARGIN
        + captions.caption_width(title, HEADING_SIZE, bold=True)
        + 8
        + captions.caption_width(rest, QUIET_SIZE)
    )


def _write_heading(page: Picture, about: list[str], look: FigureStyle, height: float, x: float = 0) -> None:
    """Write a title at an upper edge, which is so far from the page's lower one."""
    title, rest = about
    y = height - SHEET_MARGIN - 0.8 * HEADING_SIZE
    x += SHEET_MARGIN
    write_at(page, x, y, title, look.font(HEADING_SIZE, bold=True), look, color=look.theme.ink)
    x += captions.caption_width(title, HEADING_SIZE, bold=True) + 8
    write_at(page, x, y, rest, look.font(QUIET_SIZE), look, color=look.theme.quiet)


def _write_footer(page: Picture, lines: list[Line], look: FigureStyle) -> None:
    """Write lines at the foot of the page."""
    for count, line in enumerate(reversed(lines)):
        for piece in line:
            y = SHEET_MARGIN + count * LINE_HEIGHT + piece.rise
            write_at(
                page, SHEET_MARGIN + piece.x, y, piece.text, look.font(piece.size), look, color=look.theme.ink
            )
