"""A map as a matplotlib figure: for slides, and wherever pictures are saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import Convention
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import Page, Panel, Region
from handcalc.views.captions import Line, wrap_markup
from handcalc.views.grouping import in_lines
from handcalc.views.map.map_plan import (
    MAX_SPOTS,
    MAX_STACKED,
    MapPart,
    describe_map,
    path_shown,
    plan,
    short_titles,
    size_of,
)
from handcalc.views.palette import Theme, shades
from handcalc.views.picture import INCH, PX_PER_PT, Picture, inches
from handcalc.views.visible_window import strip

GAP, PAD, AIR = 13.0, 7.0, 5.0  # points between columns; inside a frame; between parts of a column
TYPE, LEADING = 9.0, 11.0  # size of type; from one line to the next
TITLE_ROOM = 62.0  # of a part's title, before it goes on in another line
MARGIN = 4.0
Draw = Callable[[Panel, float, float], None]


class Laid(NamedTuple):
    """Something measured, in points, and how it is drawn; `axis` is how far down arrows meet it."""

    wide: float
    high: float
    axis: float
    draw: Draw


class Map(NamedTuple):
    """A map that is laid out; lengths are points."""

    title: str
    alt: str
    laid: Laid

    @property
    def wide(self) -> float:
        return self.laid.wide + 2 * MARGIN

    @property
    def high(self) -> float:
        return self.laid.high + 2 * MARGIN


def draw_block_map(
    calculation: Calculation,
    *names: str,
    convention: Convention | None = None,
    theme: str = "light",
    width: float | None = None,
    lit: str = "",
) -> Picture:
    """Draw the map: all parts from the givens to the result, each as one of its matrices.

    The block at the path `lit` is marked. `convention`, `theme` and `width` are those of heatmaps; columns
    for which there is no room stand below the others.
    Raises HandcalcError for an unknown convention, theme, width or block, and for names of matrices.
    """
    if names:
        raise HandcalcError(f"A map shows blocks, not {listed(map(short, names))}; lit=… marks one of them.")
    shown = calculation.in_convention(convention or calculation.convention)
    return draw_map(lay_out(shown, inches(width) * INCH, lit=lit), theme=theme)


def lay_out(calculation: Calculation, width: float, *, lit: str = "") -> Map:
    """The map of a calculation, as wide as that at most where its parts allow it."""
    whole = plan(calculation, lit=lit)
    title = f"Map of {calculation.title}"
    lit = path_shown(whole, lit)
    return Map(title, f"{title}: {describe_map(whole)}", _columns(whole, width - 2 * MARGIN, lit))


def draw_map(found: Map, *, theme: str | Theme = "light", within: Region | None = None) -> Picture:
    """A map on a page of its own or on a part of another one."""
    page = Page(theme, within)
    page.sheet.set_label("map")
    start = MARGIN if within else 0.0
    found.laid.draw(page.sheet, start, start)
    return within.page if within else page.finished(found.title, found.alt, MARGIN)


def _columns(frame: MapPart, room: float, lit: str) -> Laid:
    """Columns from left to right, in several lines where there is no room."""
    columns = [_column(parts, room, lit) for parts in frame.columns]
    lines = in_lines(columns, lambda column: column.wide, room, GAP)
    return _below([_beside(line, GAP, has_arrows=True) for line in lines], 2 * AIR)


def _column(parts: list[MapPart], room: float, lit: str) -> Laid:
    """Parts one above the other; many stand in several columns."""
    titles = zip(parts, short_titles(parts), strict=True)
    laid = [_part(replace(part, title=title), len(parts), room, lit) for part, title in titles]
    tall = [_below(laid[k : k + MAX_STACKED], AIR) for k in range(0, len(laid), MAX_STACKED)]
    return _beside(tall, AIR)


def _beside(columns: list[Laid], gap: float, *, has_arrows: bool = False) -> Laid:
    """From left to right: with arrows between them, which all meet on one level, or from one top."""
    level = max((c.axis for c in columns), default=0.0)
    tops = [level - c.axis if has_arrows else 0.0 for c in columns]
    high = max((top + c.high for top, c in zip(tops, columns, strict=True)), default=0.0)

    def draw(page: Panel, x: float, y: float) -> None:
        for place, (column, top) in enumerate(zip(columns, tops, strict=True)):
            if place and has_arrows:
                page.arrow_through([(x - gap + 2, y + level), (x - 2, y + level)], page.theme.quiet, 0.9)
            column.draw(page, x, y + top)
            x += column.wide + gap

    axis = level if has_arrows or len(columns) == 1 else high / 2
    return Laid(sum(c.wide + gap for c in columns) - gap, high, axis, draw)


def _below(rows: list[Laid], air: float) -> Laid:
    """One below the other."""

    def draw(page: Panel, x: float, y: float) -> None:
        for row in rows:
            row.draw(page, x, y)
            y += row.high + air

    wide, high = max((r.wide for r in rows), default=0.0), sum(r.high + air for r in rows) - air
    return Laid(wide, high, rows[0].axis if len(rows) == 1 else high / 2, draw)


def _part(part: MapPart, beside: int, room: float, lit: str) -> Laid:
    is_lit = bool(lit) and part.path == lit and part.kind in ("block", "frame")
    return _frame(part, room, lit, is_lit) if part.columns else _picture(part, beside, is_lit)


def _frame(part: MapPart, room: float, lit: str, is_lit: bool) -> Laid:
    inside = _columns(part, room - 2 * PAD, lit)
    title = wrap_markup(part.title, max(TITLE_ROOM, inside.wide), TYPE, bold=True)
    head = LEADING * len(title) + AIR
    wide = max(inside.wide, _width(title)) + 2 * PAD
    high = inside.high + head + 2 * PAD

    def draw(page: Panel, x: float, y: float) -> None:
        ink = page.theme.chosen if is_lit else page.faint(0.15)
        page.box(x, y, wide, high, facecolor=page.faint(0.035), edgecolor=ink)
        _write(page, title, x + PAD, y + PAD, page.theme.chosen if is_lit else page.theme.quiet)
        inside.draw(page, x + PAD, y + PAD + head)

    return Laid(wide, high, PAD + head + inside.axis, draw)


def _picture(part: MapPart, beside: int, is_lit: bool) -> Laid:
    across, down = (length / PX_PER_PT for length in size_of(part, beside))
    title = wrap_markup(part.title, TITLE_ROOM, TYPE, bold=True)
    wide, high = max(across, _width(title)), down + AIR / 2 + LEADING * len(title)

    def draw(page: Panel, x: float, y: float) -> None:
        left = x + (wide - across) / 2
        if part.face is not None:
            _paint(page, part, (left, left + across, y + down, y))
        ink = page.theme.chosen if is_lit else page.theme.quiet
        page.box(left, y, across, down, edgecolor=ink, linewidth=1.8 if is_lit else 0.5, zorder=2)
        start = x + (wide - _width(title)) / 2
        _write(page, title, start, y + down + AIR / 2, page.theme.chosen if is_lit else page.theme.ink)

    return Laid(wide, high, down / 2, draw)


def _paint(page: Panel, part: MapPart, extent: tuple[float, float, float, float]) -> None:
    assert part.face is not None
    colours = shades(strip(part.face.values, MAX_SPOTS), page.theme, never_negative=part.face.never_negative)
    page.imshow(colours, extent=extent, interpolation="nearest", aspect="auto", zorder=1, clip_on=False)


def _width(lines: list[Line]) -> float:
    return max(line[-1].end for line in lines if line)


def _write(page: Panel, lines: list[Line], x: float, y: float, ink: str) -> None:
    for count, line in enumerate(lines):
        page.write_line(x, y + LEADING * (count + 0.5), line, ink=ink)
