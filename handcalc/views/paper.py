"""Sheets for a pencil: a calculation on pages of paper, with boxes to fill, and the teacher's key.

Each block has a page or more of its own, with the way to it in the page's head; the map stands on the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby, islice
from typing import IO, NamedTuple

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages

from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.progress import with_progress
from handcalc.notation.validation import read_places
from handcalc.views.drawing import DPI, FigureStyle, draw_all
from handcalc.views.grouping import Placed, grouped
from handcalc.views.map import map_figure
from handcalc.views.matrix_sizes import Ruler
from handcalc.views.pagination import Size, flowed
from handcalc.views.palette import COPIER
from handcalc.views.paper_parts import (
    EDGE,
    FOOT_HEIGHT,
    HEAD_HEIGHT,
    PaperBlock,
    PaperSheet,
    map_within,
    paper_blocks,
    write_foot,
    write_head,
    write_reasons,
)
from handcalc.views.pdf_page import Leaf
from handcalc.views.pdf_page import halves as halves_of
from handcalc.views.picture import INCH, REPEATABLE, UNDATED, Picture, describe_figure
from handcalc.views.visible_window import MAX_WHOLE, Room

__all__ = ["EDGE", "PAPERS", "PaperSheet", "pages", "pages_of_many", "paper_called", "write_pdf_pages"]

PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # points
PAPER_SCALES = (1.5, 1.35, 1.2, 1.1, 1.0, 0.9, 0.8)
WINDOW_LIMITS = (
    (MAX_WHOLE, 6),
    (6, 6),
)  # of large matrices; where that has no room, of others, too (visible_window.py)
MAX_AIR = 14.0  # above the sheet, where there is room for it
MAP_GAP = 18.0  # between the map and the first block


class PaperPlan(NamedTuple):
    """How a block is laid out on paper."""

    part: PaperBlock | None  # on a page with the map alone there is none
    pages: list[list[Placed]]
    scale: float
    size: Size  # of the paper, portrait or landscape
    copies: int
    roof: float = 0.0  # how high the map is that stands above it on the first page
    is_first: bool = True  # of the sheet

    @property
    def cost(self) -> tuple[float, ...]:
        """Few pages are best, then few operands to write twice, then large type, then portrait paper."""
        return len(self.pages), self.copies, -self.scale, self.size[0] > self.size[1]


def pages(
    sheet: PaperSheet, *, paper: str = "a4", keys: Sequence[bool] = (False,)
) -> Iterator[list[Picture]]:
    """Page after page of a sheet; for each of `keys` once, with the blanks filled in where it is true.

    Raises HandcalcError for an unknown paper size, and for what does not fit on the paper.
    """
    first, *others = _plans_of(sheet, paper_called(paper))
    plans = [first, *(plan._replace(is_first=False) for plan in others)]
    leaves = [(plan, number) for plan in plans for number in range(len(plan.pages))]
    for place, (plan, number) in with_progress(enumerate(leaves, start=1), "Drawing pages", len(leaves)):
        count = f"Page {place} of {len(leaves)}" if len(leaves) > 1 else ""
        yield [_page(sheet, plan, number, count, key=key) for key in keys]


def pages_of_many(
    sheets: Sequence[PaperSheet],
    *,
    paper: str = "a4",
    keys: Sequence[bool] = (False,),
    kinds: Sequence[str] = (),
    piles: Sequence[int] = (),
) -> Iterator[list[Picture]]:
    """The pages of one sheet after the other.

    Where each has its kind, two share a page: those that follow one another in a pile, where all of their
    kind have room so; a pile for one person need not be cut.
    """
    plans = _halved(sheets, kinds, paper_called(paper)) if kinds else [None] * len(sheets)
    ready = with_progress(list(zip(sheets, plans, piles or [0] * len(sheets), strict=True)), "Drawing sheets")
    for (is_half, _), together in groupby(ready, lambda one: (one[1] is not None, one[2])):
        for pair in _by_two(together) if is_half else ():
            yield [_pair(pair, paper_called(paper), key=key) for key in keys]
        for sheet, _, _ in together:  # none where they were halves
            yield from pages(sheet, paper=paper, keys=keys)


def write_pdf_pages(pages: Iterable[Sequence[Picture]], files: Sequence[tuple[IO[bytes], str]]) -> int:
    """Write PDF files, the same bytes every time: of each entry of `pages` one page into each file.

    `files` are open files with their titles. Returns how many pages each has.
    """
    count = 0
    with rc_context(REPEATABLE), ExitStack() as stack:
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


def _plans_of(sheet: PaperSheet, paper: Size) -> list[PaperPlan]:
    """A plan for each block; the map stands above the first one, or alone where both are too high."""
    parts = paper_blocks(sheet)
    sizes = [paper, paper[::-1]]
    plans = [_plan(part, sheet, sizes) for part in with_progress(parts, "Laying out blocks")]
    if len(parts) == 1:
        return plans
    together = _best(_plans(parts[0], sheet, sizes, WINDOW_LIMITS[0], has_map=True))
    if together:
        return [together, *plans[1:]]
    return [PaperPlan(None, [[]], 1.0, paper, 0, _map_height(sheet, paper)), *plans]


def _plan(part: PaperBlock, sheet: PaperSheet, sizes: Sequence[Size]) -> PaperPlan:
    found = (_best(_plans(part, sheet, sizes, room)) for room in WINDOW_LIMITS)
    best = next(filter(None, found), None)
    if best is None:
        title = part.section.way[-1]
        raise HandcalcError(f"{title} is too large for this paper: each step must fit on one page.")
    return best


def _best(plans: Iterable[PaperPlan]) -> PaperPlan | None:
    return min(plans, key=lambda plan: plan.cost, default=None)


def _plans(
    part: PaperBlock, sheet: PaperSheet, sizes: Sequence[Size], windows: Room, *, has_map: bool = False
) -> Iterator[PaperPlan]:
    """The ways to set a block on paper of these sizes; the search ends when no further one can be better."""
    ruler = Ruler(read_places(sheet.places), part.empty, limits=windows)
    for scale in PAPER_SCALES:
        measure = partial(grouped, ruler=ruler.scaled(scale))
        for size in sizes:
            roof = _map_height(sheet, size) + MAP_GAP if has_map else 0.0
            flow = flowed(part.section.tracks, _room(size, scale, roof), measure)
            if flow is None or (has_map and len(flow.pages) > 1):
                continue
            yield PaperPlan(part, flow.pages, scale, size, flow.copies, roof)
            if len(flow.pages) == 1 and not flow.copies:
                return


def _room(size: Size, scale: float, roof: float = 0.0) -> Size:
    return (size[0] - 2 * EDGE) / scale, (size[1] - 2 * EDGE - HEAD_HEIGHT - FOOT_HEIGHT - roof) / scale


def _map_height(sheet: PaperSheet, size: Size) -> float:
    drawn, scale = map_within(sheet, *_room(size, 1.0))
    return drawn.high * scale


def _halved(sheets: Sequence[PaperSheet], kinds: Sequence[str], paper: Size) -> list[PaperPlan | None]:
    """A plan for half a page for each sheet, but for none of a kind of which one has no room there."""
    large: set[str] = set()
    found: list[PaperPlan | None] = []
    for sheet, kind in zip(with_progress(sheets, "Laying out sheets"), kinds, strict=True):
        plan = None if kind in large else _half(sheet, paper)
        large |= set() if plan else {kind}
        found.append(plan)
    return [None if kind in large else plan for plan, kind in zip(found, kinds, strict=True)]


def _half(sheet: PaperSheet, paper: Size) -> PaperPlan | None:
    """How a sheet is laid out on half a page, if it has room there."""
    part, *others = paper_blocks(sheet)
    half = [(paper[0], paper[1] / 2)]
    plan = None if others else _best(_plans(part, sheet, half, WINDOW_LIMITS[0]))
    is_large = plan is None or len(plan.pages) > 1 or plan.copies or plan.scale < 1
    return None if is_large else plan


def _by_two(
    ready: Iterable[tuple[PaperSheet, PaperPlan | None, int]],
) -> Iterator[list[tuple[PaperSheet, PaperPlan]]]:
    waiting = ((sheet, plan) for sheet, plan, _ in ready if plan)
    while pair := list(islice(waiting, 2)):
        yield pair


def _pair(pair: Sequence[tuple[PaperSheet, PaperPlan]], paper: Size, *, key: bool) -> Picture:
    """One page with two sheets, the first one above."""
    titles = dict.fromkeys(sheet.calculation.title for sheet, _ in pair)
    title = ", ".join(titles) + (", key" if key else "")
    matrices = [p.box.matrix for _, plan in pair for p in plan.pages[0]]
    page = _empty_page(title, describe_figure(f"Sheets {title}", matrices), paper)
    for leaf, (sheet, plan) in zip(halves_of(page, paper), pair, strict=False):
        _draw(leaf, sheet, plan, 0, "", key=key)
    return page


def _page(sheet: PaperSheet, plan: PaperPlan, number: int, count: str, *, key: bool) -> Picture:
    title = sheet.calculation.title + (", key" if key else "")
    matrices = list(dict.fromkeys(p.box.matrix for p in plan.pages[number]))
    alt = (
        describe_figure(f"Sheet {title}", matrices) if plan.part else f"Sheet {title}: the map of its blocks."
    )
    page = _empty_page(title, alt, plan.size)
    _draw(Leaf(page, plan.size), sheet, plan, number, count, key=key)
    return page


def _empty_page(title: str, alt: str, size: Size) -> Picture:
    figsize = size[0] / INCH, size[1] / INCH
    return Picture(title, alt, figsize=figsize, dpi=DPI, facecolor=COPIER.paper)


def _draw(leaf: Leaf, sheet: PaperSheet, plan: PaperPlan, number: int, count: str, *, key: bool) -> None:
    """A page of a sheet onto its leaf: the map, the matrices, what is above and below."""
    roof = 0.0 if number else plan.roof
    if roof:
        drawn, shrunk = map_within(sheet, *_room(plan.size, 1.0))
        map_figure.draw_map(drawn, theme=COPIER, within=leaf.region(EDGE, EDGE + HEAD_HEIGHT + 8, shrunk))
    if plan.part is None:
        write_reasons(leaf, sheet, plan.size[1] - EDGE - HEAD_HEIGHT - roof)
    else:
        x, y = (length / plan.scale for length in leaf.corner)
        left, top = EDGE / plan.scale, (EDGE + HEAD_HEIGHT + roof + _air(plan, number, roof)) / plan.scale
        placed = [Placed(p.box, x + p.x + left, p.y + top) for p in plan.pages[number]]
        look = FigureStyle(COPIER, plan.scale, answered=key, origins=plan.part.section.origins)
        draw_all(leaf.page, placed, y + plan.size[1] / plan.scale, look)
    write_head(leaf, sheet, plan.part, key=key, is_first=plan.is_first and number == 0)
    write_foot(leaf, sheet, plan.part, count, key=key)


def _air(plan: PaperPlan, number: int, roof: float) -> float:
    """Spare height goes between the head and the sheet, up to what looks good."""
    below = max(p.y + p.box.size[1] for p in plan.pages[number])
    _, room = _room(plan.size, plan.scale, roof)
    return min(MAX_AIR, max(0.0, room - below) * plan.scale)
