"""Sheets for a pencil: a calculation on pages of paper, with boxes to fill, and the teacher's key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import IO, NamedTuple

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.lines import Line2D

from handcalc import numbers
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short
from handcalc.operations import Constant
from handcalc.reading import read_places
from handcalc.views import captions
from handcalc.views.blanks import blanks
from handcalc.views.captions import NAME, QUIET
from handcalc.views.drawing import DPI, INCH, Look, draw_all, write_at
from handcalc.views.grouping import Placed, grouped
from handcalc.views.layout import tracks, where_tokens_are
from handcalc.views.measure import Ruler
from handcalc.views.pagination import Size, flowed
from handcalc.views.palette import COPIER
from handcalc.views.picture import SAVING, UNDATED, Picture, described
from handcalc.views.window import MOST, Room

PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # points
SCALES = (1.5, 1.35, 1.2, 1.1, 1.0, 0.9, 0.8)
WINDOWS = ((MOST, 6), (6, 6))  # of large matrices; where that has no room, of others, too (window.py)
EDGE = 40.0  # a printer's margin, 14 mm
TITLE, HEAD, FOOT = 15.0, 61.0, 20.0  # size of the title; heights of what is above and below
AIR = 14.0  # above the sheet, where there is room for it
NAME_LINE, DATE_LINE = 190.0, 80.0


class Sheet(NamedTuple):
    """What one learner gets: a calculation, the names of its blank steps, and how it is written."""

    calculation: Calculation
    blank: Collection[str]
    places: int = 2
    code: str = ""
    caution: str = ""  # what whoever marks it must know


class Plan(NamedTuple):
    """How a sheet is laid out on paper."""

    pages: list[list[Placed]]
    scale: float
    size: Size  # of the paper, portrait or landscape
    copies: int

    @property
    def cost(self) -> tuple[float, ...]:
        """Few pages are best, then few operands to write twice, then large type, then portrait paper."""
        return len(self.pages), self.copies, -self.scale, self.size[0] > self.size[1]


def pages(sheet: Sheet, *, paper: str = "a4", keys: Sequence[bool] = (False,)) -> Iterator[list[Picture]]:
    """Page after page of a sheet; for each of `keys` once, with the blanks filled in where it is true.

    Raises HandcalcError for an unknown paper size, and for what does not fit on the paper.
    """
    plan = _plan(sheet, paper_called(paper))
    for number in range(len(plan.pages)):
        yield [_page(sheet, plan, number, key=key) for key in keys]


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


def _plan(sheet: Sheet, paper: Size) -> Plan:
    found = (min(_plans(sheet, paper, room), key=lambda plan: plan.cost, default=None) for room in WINDOWS)
    best = next(filter(None, found), None)
    if best is None:
        raise HandcalcError(
            f"{sheet.calculation.title} is too large for this paper: each step must fit on one page."
        )
    return best


def _plans(sheet: Sheet, paper: Size, windows: Room) -> Iterator[Plan]:
    """The ways to set a sheet; the search ends when no further one can be better."""
    chosen = tracks(sheet.calculation)
    ruler = Ruler(read_places(sheet.places), blanks(sheet.calculation, sheet.blank), limits=windows)
    for scale in SCALES:
        measure = partial(grouped, ruler=ruler.scaled(scale))
        for size in (paper, paper[::-1]):
            flow = flowed(chosen, _room(size, scale), measure)
            if flow is None:
                continue
            plan = Plan(flow.pages, scale, size, flow.copies)
            yield plan
            if len(plan.pages) == 1 and not plan.copies:
                return


def _room(size: Size, scale: float) -> Size:
    return (size[0] - 2 * EDGE) / scale, (size[1] - 2 * EDGE - HEAD - FOOT) / scale


def _page(sheet: Sheet, plan: Plan, number: int, *, key: bool) -> Picture:
    title = sheet.calculation.title + (", key" if key else "")
    left, top = EDGE / plan.scale, (EDGE + HEAD + _air(plan, number)) / plan.scale
    placed = [Placed(p.box, p.x + left, p.y + top) for p in plan.pages[number]]
    page = Picture(
        title,
        described(f"Sheet {title}", list(dict.fromkeys(p.box.matrix for p in placed))),
        figsize=(plan.size[0] / INCH, plan.size[1] / INCH),
        dpi=DPI,
        facecolor=COPIER.paper,
    )
    look = Look(COPIER, plan.scale, answered=key)
    draw_all(page, placed, (plan.size[0] / plan.scale, plan.size[1] / plan.scale), look)
    _head(page, sheet, plan.size, key=key)
    _foot(page, sheet, plan, number, key=key)
    return page


def _air(plan: Plan, number: int) -> float:
    """Spare height goes between the head and the sheet, up to what looks good."""
    below = max(p.y + p.box.size[1] for p in plan.pages[number])
    _, room = _room(plan.size, plan.scale)
    return min(AIR, max(0.0, room - below) * plan.scale)


def _head(page: Picture, sheet: Sheet, size: Size, *, key: bool) -> None:
    """Title and code in one line, the name in the next, then what to keep in mind."""
    look = Look(COPIER)
    bold, quiet = look.font(TITLE, bold=True), look.font(QUIET)
    ink = {"color": COPIER.ink}
    top, right = size[1] - EDGE - TITLE, size[0] - EDGE
    write_at(page, EDGE, top, sheet.calculation.title, bold, look, **ink)
    if sheet.code:
        write_at(page, right, top, sheet.code, look.font(NAME, bold=True), look, ha="right", **ink)
    y = top - 22
    if key:
        write_at(page, EDGE, y, "KEY", look.font(TITLE, bold=True), look, color=COPIER.chosen)
    elif sheet.blank:
        end = _line(page, EDGE, y, "Name", NAME_LINE, look)
        _line(page, end + 14, y, "Date", DATE_LINE, look)
    write_at(page, EDGE, y - 17, _note(sheet, key=key), quiet, look, color=COPIER.quiet)


def _line(page: Picture, x: float, y: float, word: str, length: float, look: Look) -> float:
    """A word and a line to write on; returns where it ends."""
    write_at(page, x, y, word, look.font(NAME), look, color=COPIER.ink)
    start = x + captions.width(word, NAME) + 5
    wide, high = page.get_size_inches() * INCH
    ends = [start / wide, (start + length) / wide]
    page.add_artist(Line2D(ends, [(y - 1.5) / high] * 2, color=COPIER.ink, linewidth=0.6))
    return start + length


def _note(sheet: Sheet, *, key: bool) -> str:
    """Where tokens are, what sizes there are, and how to round."""
    rounds = "calculated exactly, then rounded" if key or not sheet.blank else "round what you write down"
    rounding = f"{rounds} to {sheet.places} decimal places"
    sizes = [f"{symbol} = {value}" for symbol, value in _sizes(sheet.calculation).items()]
    note = ", ".join(filter(None, (where_tokens_are(sheet.calculation), *sizes, rounding)))
    return f"{note[0].upper()}{note[1:]}."


def _sizes(calculation: Calculation) -> dict[str, str]:
    """The numbers that formulas call by a name, such as d_k."""
    fixed = [m.operation for m in calculation.record if isinstance(m.operation, Constant)]
    return {number.symbol: numbers.show(number.value) for number in fixed if number.symbol}


def _foot(page: Picture, sheet: Sheet, plan: Plan, number: int, *, key: bool) -> None:
    """What else there is to know, and which page this is."""
    look = Look(COPIER)
    how = {"color": COPIER.quiet}
    write_at(page, EDGE, EDGE + 3, sheet.caution if key else _copying(sheet), look.font(QUIET), look, **how)
    if len(plan.pages) > 1:
        text, right = f"Page {number + 1} of {len(plan.pages)}", plan.size[0] - EDGE
        write_at(page, right, EDGE + 3, text, look.font(QUIET), look, ha="right", **how)


def _copying(sheet: Sheet) -> str:
    """What to do in boxes that are there for copying only, if there are any."""
    empty = blanks(sheet.calculation, sheet.blank)
    is_copied = any(
        block.is_copy and block.matrix in empty
        for track in tracks(sheet.calculation)
        for row in track.rows
        for block in row.blocks()
    )
    return (
        "Boxes without a number repeat a matrix: copy what you have calculated (ᵀ: rows become columns)."
        if is_copied
        else ""
    )
