"""A map as a matplotlib figure: for paper, for slides, and wherever pictures are saved."""

from __future__ import annotations

from typing import Any

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import Convention
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import Canvas, Region
from handcalc.views.heatmap import inches
from handcalc.views.lettering import can_be_set, upright
from handcalc.views.map.box_sizes import (
    DETAIL_PX,
    TITLE_PX,
    MapBox,
    PlacedText,
    markup_runs,
    plain_label,
    text_places,
)
from handcalc.views.map.map_plan import Map, describe_map, keys_of_block, plan
from handcalc.views.palette import Theme
from handcalc.views.picture import INCH, PX_PER_PT, Picture


def draw_block_map(
    calculation: Calculation,
    *names: str,
    convention: Convention | None = None,
    theme: str = "light",
    width: float | None = None,
    lit: str = "",
) -> Picture:
    """Draw the map: blocks, what comes out of each, and what goes where.

    The block at the path `lit` is marked, and its layer is the one that is open. `convention`, `theme` and
    `width` are those of heatmaps; a map that would be wider is laid out more narrowly.
    Raises HandcalcError for an unknown convention, theme, width or block, and for names of matrices.
    """
    if names:
        raise HandcalcError(f"A map shows blocks, not {listed(map(short, names))}; lit=… marks one of them.")
    shown = calculation.in_convention(convention or calculation.convention)
    return draw_map(plan(shown, lit=lit, width=inches(width) * INCH * PX_PER_PT), theme=theme, lit=lit)


def draw_map(
    found: Map, *, theme: str | Theme = "light", lit: str = "", within: Region | None = None
) -> Picture:
    """A map that is laid out already, on a page of its own or on a part of another one."""
    page = Canvas(found.wide / PX_PER_PT, found.high / PX_PER_PT, theme, within)
    for stack in found.stacks:
        wedge = [(x / PX_PER_PT, y / PX_PER_PT) for x, y in stack.corners[stack.current]]
        page.area(wedge, facecolor=page.laid(page.theme.ink, 0.08), linewidth=0, zorder=0.2)
    current = keys_of_block(found, lit)
    for count, box in enumerate(found.boxes):
        _box(page, box, 0.3 + count / 1000, is_lit=box.key in current)
    for line in sorted(found.lines, key=lambda line: line.is_residual):
        ink, wide = (page.theme.left, 1.4) if line.is_residual else (page.theme.quiet, 1.1)
        way = [(x / PX_PER_PT, y / PX_PER_PT) for x, y in line.points]
        (page.arrow if line.has_head else page.line)(way, ink, wide)
    if within:
        return within.page
    title = f"Map of {plain_label(found.title)}"
    return page.finished(title, f"{title}: {describe_map(found)}")


def _box(page: Canvas, box: MapBox, order: float, *, is_lit: bool) -> None:
    """A rectangle with its words."""
    ink, paper, is_around = page.theme.ink, page.theme.paper, box.kind in ("frame", "band")
    how: dict[str, Any] = {"zorder": order}
    how["facecolor"] = page.laid(ink, 0.035) if is_around else paper
    how["edgecolor"] = page.laid(ink, 0.15 if is_around or box.kind == "steps" else 0.4)
    how |= {"linestyle": (0, (3, 2))} if box.kind == "given" else {}
    how |= {"edgecolor": page.theme.chosen, "linewidth": 1.8} if is_lit else {}
    page.box(*(length / PX_PER_PT for length in (box.x, box.y, box.wide, box.high)), **how)
    colour = page.theme.chosen if is_lit else page.theme.quiet if is_around else ink
    for line in text_places(box):
        _text(page, line, colour if line.is_title else page.theme.quiet)


def _text(page: Canvas, line: PlacedText, ink: str) -> None:
    text, math = _set(line.text, "mathbf" if line.is_title else "mathrm")
    size = (TITLE_PX if line.is_title else DETAIL_PX) / PX_PER_PT
    side = {"start": "left", "middle": "center", "end": "right"}[line.anchor]
    x, y = line.x / PX_PER_PT, line.y / PX_PER_PT
    page.text(x, y, text, size=size, ink=ink, bold=line.is_title, ha=side, math=math)


def _set(label: str, font: str) -> tuple[str, bool]:
    """A text with something higher or lower in it as mathtext; others as they are."""
    parts = markup_runs(label)
    marks = {0: rf"\{font}{{%s}}", -1: r"_{\mathrm{%s}}", 1: r"^{\mathrm{%s}}"}
    tex = "$" + "".join(marks[shift] % upright(text) for text, shift in parts) + "$"
    is_math = any(shift for _, shift in parts) and can_be_set(tex)
    return (tex, True) if is_math else (plain_label(label), False)
