"""A calculation of several blocks as one figure: the map, and below it the sheet of each block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.accepted_types import Convention
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.views import captions, heatmap
from handcalc.views.canvas import Region
from handcalc.views.captions import LINE_HEIGHT, Line
from handcalc.views.cell_marks import CellMarks, marks
from handcalc.views.drawing import DPI, FigureStyle, draw_all
from handcalc.views.grouping import SHEET_MARGIN, Placed, arranged, grouped
from handcalc.views.map import map_figure
from handcalc.views.matrix_sizes import Ruler
from handcalc.views.palette import Theme, theme_called
from handcalc.views.picture import INCH, Picture, describe_figure, tables_for_listeners
from handcalc.views.sections import Section, fit_sections, sections
from handcalc.views.sheet_layout import where_tokens_are

BLOCK_GAP = 10.0  # between two blocks
MAX_SQUARE_INCHES = 500.0  # square inches of a figure that nobody has asked for block by block


def draw_blocks(
    calculation: Calculation,
    *names: str,
    convention: Convention | None = None,
    places: int = 2,
    theme: str = "light",
    width: float | None = None,
    explain: tuple[str, int, int] | None = None,
) -> Picture:
    """Draw the whole calculation, the named matrices, or the named blocks.

    Of several blocks the map comes first, then one sheet below the other; where that would be too much, the
    map alone and a sentence that says so. Options and errors are those of `heatmap.figure`.
    """
    shown = calculation.in_convention(convention or calculation.convention)
    found = sections(shown)
    blocks = [name for name in names if name in shown.blocks and name not in shown]
    if (names and not blocks) or (not names and len(found) == 1):
        options = {"places": places, "theme": theme, "width": width, "explain": explain}
        return heatmap.draw_sheet_heatmaps(shown, *names, **options)  # type: ignore[arg-type]
    if len(blocks) < len(names):
        other = next(name for name in names if name not in blocks)
        raise HandcalcError(f"{short(other)} is not a block: name blocks or matrices, not both in a figure.")
    marked = marks(shown, explain, read_places(places))
    limit = heatmap.inches(width) * INCH
    page = _Page(shown, theme_called(theme), limit, read_places(places), marked)
    if blocks:
        return page.drawn([s for s in found if _is_in(s.path, blocks)], has_map=False)
    return page.drawn(found if len(fit_sections(found)) == len(found) else [], has_map=True)


def _is_in(path: str, blocks: Sequence[str]) -> bool:
    return any(path == block or path.startswith(f"{block}.") for block in blocks)


class MeasuredBlock(NamedTuple):
    """A block's sheet, measured; lengths are points before it shrinks."""

    section: Section
    placed: list[Placed]
    scale: float

    @property
    def high(self) -> float:
        return (max(p.y + p.box.size[1] for p in self.placed) + BLOCK_GAP) * self.scale

    @property
    def wide(self) -> float:
        cells = max(SHEET_MARGIN + p.x + p.box.right for p in self.placed)
        return max(cells, heatmap.heading_width(_about(self.section))) * self.scale


class _Page(NamedTuple):
    whole: Calculation
    theme: Theme
    limit: float
    places: int
    marked: CellMarks

    def drawn(self, found: list[Section], *, has_map: bool) -> Picture:
        """The figure, as large as its contents need."""
        lines = _lines([self._measured(section) for section in found], self.limit)
        heights = [max(part.high for part in line) for line in lines]
        if has_map and sum(heights) * self.limit > MAX_SQUARE_INCHES * INCH**2:
            return self.drawn([], has_map=True)
        drawn = map_figure.lay_out(self.whole, self.limit) if has_map else None
        roof, across = (SHEET_MARGIN + 2 * LINE_HEIGHT + drawn.high, drawn.wide) if drawn else (0.0, 0.0)
        wide = max([sum(part.wide for part in line) for line in lines] + [across + 2 * SHEET_MARGIN])
        foot = self._foot(wide - 2 * SHEET_MARGIN, is_too_much=not found)
        high = roof + sum(heights) + SHEET_MARGIN + LINE_HEIGHT * (len(foot) + bool(foot))
        page = self._empty(wide, high, found)
        self._head(page, drawn, high)
        y = roof
        for line, height in zip(lines, heights, strict=True):
            x = 0.0
            for part in line:
                self._draw(page, part, x, y)
                x += part.wide
            y += height
        heatmap.write_footer(page, foot, FigureStyle(self.theme))
        return page

    def _foot(self, room: float, *, is_too_much: bool) -> list[Line]:
        """The arithmetic of the cell that is explained, or what else there is to know."""
        if self.marked.explained:
            return captions.wrap_markup(self.marked.explained.html, room)
        return captions.wrapped(self._sentence(), room) if is_too_much else []

    def _measured(self, section: Section) -> MeasuredBlock:
        here = {m: self.marked.around[o] for m, o in section.origins.items() if o in self.marked.around}
        ruler = Ruler(self.places, around=here)
        groups = [grouped(track, ruler) for track in section.tracks]
        return MeasuredBlock(section, *arranged(groups, self.limit, SHEET_MARGIN + 2 * LINE_HEIGHT))

    def _empty(self, wide: float, high: float, found: list[Section]) -> Picture:
        title = ", ".join(filter(None, [self.whole.title, where_tokens_are(self.whole)]))
        blocks = [b.matrix for s in found for track in s.tracks for row in track.rows for b in row.blocks()]
        drawn = list(dict.fromkeys(blocks))
        words = describe_figure(f"Heatmaps of {title}", drawn) if found else f"Map of {title}."
        size = (wide / INCH, high / INCH)
        page = Picture(title, words, figsize=size, dpi=DPI, facecolor=self.theme.paper)
        page.tables = tables_for_listeners(drawn, self.places) if found else ""
        return page

    def _head(self, page: Picture, drawn: map_figure.Map | None, high: float) -> None:
        """The title of the whole, and the map."""
        if drawn:
            about = [self.whole.title, where_tokens_are(self.whole)]
            heatmap.write_heading(page, about, FigureStyle(self.theme), high)
            map_figure.draw_map(
                drawn, theme=self.theme, within=Region(page, SHEET_MARGIN, SHEET_MARGIN + 2 * LINE_HEIGHT)
            )

    def _draw(self, page: Picture, part: MeasuredBlock, x: float, y: float) -> None:
        look = FigureStyle(self.theme, part.scale, self.marked.roles, origins=part.section.origins)
        high = float(page.get_figheight()) * INCH / part.scale
        x, y = x / part.scale, y / part.scale
        draw_all(page, (Placed(p.box, p.x + x, p.y + y) for p in part.placed), high, look)
        heatmap.write_heading(page, _about(part.section), look, high - y, x)

    def _sentence(self) -> str:
        *_, path = self.whole.blocks
        count = len(self.whole.blocks)
        return (
            f'The sheets of {count} blocks are too many for one figure: calc.figure("{path}") draws a block.'
        )


def _lines(parts: list[MeasuredBlock], limit: float) -> list[list[MeasuredBlock]]:
    """Blocks side by side as long as there is room for another one."""
    lines: list[list[MeasuredBlock]] = []
    for part in parts:
        if lines and sum(each.wide for each in lines[-1]) + part.wide <= limit:
            lines[-1].append(part)
        else:
            lines.append([part])
    return lines


def _about(section: Section) -> list[str]:
    """A block's title and the way to it."""
    *around, title = section.way
    return [title, " › ".join(around) or where_tokens_are(section.whole)]
