"""Sheets for a pencil: a calculation on pages of paper, with boxes to fill, and the teacher's key.

Each block has a page or more of its own, with the way to it in the page's head; the map stands on the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import IO, NamedTuple

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages

from handcalc.errors import HandcalcError, short
from handcalc.reading import read_places
from handcalc.views.canvas import Region
from handcalc.views.drawing import DPI, Look, draw_all
from handcalc.views.frame import INCH
from handcalc.views.grouping import Placed, grouped
from handcalc.views.map import figure as map_figure
from handcalc.views.measure import Ruler
from handcalc.views.pagination import Size, flowed
from handcalc.views.palette import COPIER
from handcalc.views.paper_head import EDGE, FOOT, HEAD, write_foot, write_head, write_reasons
from handcalc.views.paper_parts import Part, Sheet, map_within, parts_of
from handcalc.views.picture import PIXELS, SAVING, UNDATED, Picture, described
from handcalc.views.window import MOST, Room

__all__ = ["EDGE", "PAPERS", "Sheet", "pages", "paper_called", "write"]

PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # points
SCALES = (1.5, 1.35, 1.2, 1.1, 1.0, 0.9, 0.8)
WINDOWS = ((MOST, 6), (6, 6))  # of large matrices; where that has no room, of others, too (window.py)
AIR = 14.0  # above the sheet, where there is room for it
MAP_GAP = 18.0  # between the map and the first block


class Plan(NamedTuple):
    """How a block is laid out on paper."""

    part: Part | None  # on a page with the map alone there is none
    pages: list[list[Placed]]
    scale: float
    size: Size  # of the paper, portrait or landscape
    copies: int
    roof: float = 0.0  # how high the map is that stands above it on the first page

    @property
    def cost(self) -> tuple[float, ...]:
        """Few pages are best, then few operands to write twice, then large type, then portrait paper."""
        return len(self.pages), self.copies, -self.scale, self.size[0] > self.size[1]


def pages(sheet: Sheet, *, paper: str = "a4", keys: Sequence[bool] = (False,)) -> Iterator[list[Picture]]:
    """Page after page of a sheet; for each of `keys` once, with the blanks filled in where it is true.

    Raises HandcalcError for an unknown paper size, and for what does not fit on the paper.
    """
    leaves = [
        (plan, number) for plan in _plans_of(sheet, paper_called(paper)) for number in range(len(plan.pages))
    ]
    for place, (plan, number) in enumerate(leaves, start=1):
        count = f"Page {place} of {len(leaves)}" if len(leaves) > 1 else ""
        yield [_page(sheet, plan, number, count, key=key) for key in keys]


def write(pages: Iterable[Sequence[Picture]], files: Sequence[tuple[IO[bytes], str]]) -> int:
    """Write PDF files, the same bytes every time: of each entry of `pages` one page into each file.

    `files` are open files with their titles. Returns how many pages each has.
    """
    count = 0
    with rc_context(SAVING), ExitStack() as stack:
        documents = [
            stack.enter_context(PdfPages(file, metadata=UNDATED["pdf"] | {"Title": title}))
            for file, title in files
        ]
        for pictures in pages:
            for document, picture in zip(documents, pictures, strict=True):
                document.savefig(picture)
            count += 1
    return count


def paper_called(name: str) -> Size:
    """Width and height of paper in points, or one plain sentence."""
    if not isinstance(name, str) or name.lower() not in PAPERS:
        raise HandcalcError(f"paper is {short(name)}; it must be {' or '.join(map(repr, PAPERS))}.")
    return PAPERS[name.lower()]


def _plans_of(sheet: Sheet, paper: Size) -> list[Plan]:
    """A plan for each block; the map stands above the first one, or alone where both are too high."""
    parts = parts_of(sheet)
    plans = [_plan(part, sheet, paper) for part in parts]
    if len(parts) == 1:
        return plans
    together = _best(_plans(parts[0], sheet, paper, WINDOWS[0], has_map=True))
    if together:
        return [together, *plans[1:]]
    return [Plan(None, [[]], 1.0, paper, 0, _map_height(sheet, paper)), *plans]


def _plan(part: Part, sheet: Sheet, paper: Size) -> Plan:
    found = (_best(_plans(part, sheet, paper, room)) for room in WINDOWS)
    best = next(filter(None, found), None)
    if best is None:
        title = part.section.way[-1]
        raise HandcalcError(f"{title} is too large for this paper: each step must fit on one page.")
    return best


def _best(plans: Iterable[Plan]) -> Plan | None:
    return min(plans, key=lambda plan: plan.cost, default=None)


def _plans(part: Part, sheet: Sheet, paper: Size, windows: Room, *, has_map: bool = False) -> Iterator[Plan]:
    """The ways to set a block; the search ends when no further one can be better."""
    ruler = Ruler(read_places(sheet.places), part.empty, limits=windows)
    for scale in SCALES:
        measure = partial(grouped, ruler=ruler.scaled(scale))
        for size in (paper, paper[::-1]):
            roof = _map_height(sheet, size) + MAP_GAP if has_map else 0.0
            flow = flowed(part.section.tracks, _room(size, scale, roof), measure)
            if flow is None or (has_map and len(flow.pages) > 1):
                continue
            yield Plan(part, flow.pages, scale, size, flow.copies, roof)
            if len(flow.pages) == 1 and not flow.copies:
                return


def _room(size: Size, scale: float, roof: float = 0.0) -> Size:
    return (size[0] - 2 * EDGE) / scale, (size[1] - 2 * EDGE - HEAD - FOOT - roof) / scale


def _map_height(sheet: Sheet, size: Size) -> float:
    drawn, scale = map_within(sheet, *_room(size, 1.0))
    return drawn.high * scale / PIXELS


def _page(sheet: Sheet, plan: Plan, number: int, count: str, *, key: bool) -> Picture:
    title = sheet.calculation.title + (", key" if key else "")
    matrices = list(dict.fromkeys(p.box.matrix for p in plan.pages[number]))
    page = Picture(
        title,
        described(f"Sheet {title}", matrices) if plan.part else f"Sheet {title}: the map of its blocks.",
        figsize=(plan.size[0] / INCH, plan.size[1] / INCH),
        dpi=DPI,
        facecolor=COPIER.paper,
    )
    roof = 0.0 if number else plan.roof
    if roof:
        drawn, shrunk = map_within(sheet, *_room(plan.size, 1.0))
        map_figure.draw(drawn, theme=COPIER, within=Region(page, EDGE, EDGE + HEAD + 8, shrunk))
    if plan.part is None:
        write_reasons(page, sheet, plan.size[1] - EDGE - HEAD - roof)
    else:
        left, top = EDGE / plan.scale, (EDGE + HEAD + roof + _air(plan, number, roof)) / plan.scale
        placed = [Placed(p.box, p.x + left, p.y + top) for p in plan.pages[number]]
        look = Look(COPIER, plan.scale, answered=key, origins=plan.part.section.origins)
        draw_all(page, placed, plan.size[1] / plan.scale, look)
    write_head(page, sheet, plan.part, plan.size, key=key)
    write_foot(page, sheet, plan.part, plan.size, count, key=key)
    return page


def _air(plan: Plan, number: int, roof: float) -> float:
    """Spare height goes between the head and the sheet, up to what looks good."""
    below = max(p.y + p.box.size[1] for p in plan.pages[number])
    _, room = _room(plan.size, plan.scale, roof)
    return min(AIR, max(0.0, room - below) * plan.scale)
