"""What is above and below a sheet on paper: title, code, name, the way to the block, what to keep in mind."""

from __future__ import annotations

from math import inf
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from handcalc import numbers
from handcalc.calculation import Calculation
from handcalc.operations import Constant
from handcalc.sentences import Called
from handcalc.views import captions
from handcalc.views.captions import LINE, NAME, QUIET
from handcalc.views.drawing import Look, write_at
from handcalc.views.frame import INCH
from handcalc.views.layout import where_tokens_are
from handcalc.views.map.plan import marked
from handcalc.views.pagination import Size
from handcalc.views.palette import COPIER
from handcalc.views.paper_parts import Part, Sheet, map_within
from handcalc.views.picture import PIXELS, Picture

EDGE = 40.0  # a printer's margin, 14 mm
TITLE, HEAD, FOOT = 15.0, 61.0, 20.0  # size of the title; heights of what is above and below
NAME_LINE, DATE_LINE = 190.0, 80.0
SMALL_MAP = (110.0, 42.0)  # width and height
MOST_TITLES = 4  # of blocks that are there for the same
LEAST = 2.2  # points: the block that is lit can be seen


def write_head(page: Picture, sheet: Sheet, part: Part | None, size: Size, *, key: bool) -> None:
    """Title and code in one line, the name in the next, then what to keep in mind."""
    look = Look(COPIER)
    ink = {"color": COPIER.ink}
    top, right = size[1] - EDGE - TITLE, size[0] - EDGE
    code = look.font(NAME, bold=True)
    room = right - EDGE - (captions.width(sheet.code, NAME, bold=True) + 12 if sheet.code else 0)
    _title(page, sheet, part, top, room)
    if sheet.code:
        write_at(page, right, top, sheet.code, code, look, ha="right", **ink)
    if part and not part.is_whole:
        _small_map(page, sheet, part.section.path, (right, size[1] - top + 8))
    y = top - 22
    if key:
        write_at(page, EDGE, y, "KEY", look.font(TITLE, bold=True), look, color=COPIER.chosen)
    elif sheet.blank:
        end = _line(page, EDGE, y, "Name", NAME_LINE, look)
        _line(page, end + 14, y, "Date", DATE_LINE, look)
    calculation = part.section.sheet if part else sheet.calculation
    (note,) = captions.typeset(_note(sheet, calculation, key=key), inf)
    for piece in note:
        place = EDGE + piece.x, y - 17 + piece.rise
        write_at(page, *place, piece.text, look.font(piece.size), look, color=COPIER.quiet)


def _title(page: Picture, sheet: Sheet, part: Part | None, y: float, room: float) -> None:
    """The way to the block, quiet, then its title; of a long way the end."""
    look = Look(COPIER)
    *around, title = part.section.way if part else (sheet.calculation.title,)
    room -= captions.width(title, TITLE, bold=True)
    way = "".join(f"{name} › " for name in around)
    while around and captions.width(way, NAME) > room:
        around.pop(0)
        way = "".join(f"{name} › " for name in ["…", *around])
    if way:
        write_at(page, EDGE, y, way, look.font(NAME), look, color=COPIER.quiet)
    x = EDGE + captions.width(way, NAME)
    write_at(page, x, y, title, look.font(TITLE, bold=True), look, color=COPIER.ink)


def _small_map(page: Picture, sheet: Sheet, path: str, corner: tuple[float, float]) -> None:
    """The map without words, the block of this page dark; `corner` is its upper right one, from above."""
    drawn, scale = map_within(sheet, *SMALL_MAP, lit=path)
    wide, high = page.get_size_inches() * INCH
    unit = scale / PIXELS
    left, top = corner[0] - drawn.wide * unit, corner[1]
    current = marked(drawn, path) or {box.key for box in drawn.boxes if box.path == path}
    for box in sorted(drawn.boxes, key=lambda box: box.key in current):
        if box.kind == "given":
            continue
        is_lit = box.key in current
        across, down = (max(length * unit, LEAST * is_lit) for length in (box.wide, box.high))
        place = ((left + box.x * unit) / wide, 1 - (top + box.y * unit + down) / high)
        inside = COPIER.ink if is_lit and box.kind != "frame" else "none"
        how: dict[str, Any] = {
            "facecolor": inside,
            "edgecolor": COPIER.ink,
            "linewidth": 1.0 if is_lit else 0.3,
        }
        page.add_artist(Rectangle(place, across / wide, down / high, **how))


def write_reasons(page: Picture, sheet: Sheet, y: float) -> None:
    """What each block is there for, below the map, as far as there is room; `y` is where the map ends."""
    look = Look(COPIER)
    alike: dict[str, dict[str, None]] = {}  # why -> the titles of the blocks that are there for it
    for block in sheet.calculation.blocks.values():
        alike.setdefault(block.why, {})[block.title] = None
    told = {why: _together(list(titles)) for why, titles in alike.items()}
    y -= 34
    for why, title in told.items():
        lines = captions.wrapped(why, page.get_figwidth() * INCH - 2 * EDGE)
        if not why or y - LINE * len(lines) < EDGE + FOOT:
            continue
        write_at(page, EDGE, y, title, look.font(NAME, bold=True), look, color=COPIER.ink)
        for line in lines:
            y -= LINE
            for piece in line:
                write_at(page, EDGE + piece.x, y, piece.text, look.font(QUIET), look, color=COPIER.quiet)
        y -= 1.7 * LINE


def _together(titles: list[str]) -> str:
    """Titles in a row; of many the first two and the last."""
    return ", ".join(titles if len(titles) <= MOST_TITLES else [*titles[:2], "…", titles[-1]])


def _line(page: Picture, x: float, y: float, word: str, length: float, look: Look) -> float:
    """A word and a line to write on; returns where it ends."""
    write_at(page, x, y, word, look.font(NAME), look, color=COPIER.ink)
    start = x + captions.width(word, NAME) + 5
    wide, high = page.get_size_inches() * INCH
    ends = [start / wide, (start + length) / wide]
    page.add_artist(Line2D(ends, [(y - 1.5) / high] * 2, color=COPIER.ink, linewidth=0.6))
    return start + length


def _note(sheet: Sheet, calculation: Calculation, *, key: bool) -> str:
    """Where tokens are, what sizes there are, and how to round; typeset."""
    rounds = "calculated exactly, then rounded" if key or not sheet.blank else "round what you write down"
    rounding = f"{rounds} to {sheet.places} decimal places"
    sizes = [f"{Called(symbol).html} = {value}" for symbol, value in _sizes(calculation).items()]
    first = where_tokens_are(sheet.calculation)
    note = ", ".join([first, *sizes, rounding] if first else [rounding, *sizes])
    return f"{note[0].upper()}{note[1:]}."


def _sizes(calculation: Calculation) -> dict[str, str]:
    """The numbers that formulas call by a name, such as d_k."""
    fixed = [m.operation for m in calculation.record if isinstance(m.operation, Constant)]
    return {number.symbol: numbers.show(number.value) for number in fixed if number.symbol}


def write_foot(page: Picture, sheet: Sheet, part: Part | None, size: Size, count: str, *, key: bool) -> None:
    """What else there is to know, and which page this is."""
    look = Look(COPIER)
    how = {"color": COPIER.quiet}
    text = sheet.caution if key else _copying(part)
    write_at(page, EDGE, EDGE + 3, text, look.font(QUIET), look, **how)
    if count:
        write_at(page, size[0] - EDGE, EDGE + 3, count, look.font(QUIET), look, ha="right", **how)


def _copying(part: Part | None) -> str:
    """What to do in boxes that are there for copying only, if there are any."""
    if part is None or not part.asks_for_copies:
        return ""
    if part.is_whole:
        return (
            "Boxes without a number repeat a matrix: copy what you have calculated (ᵀ: rows become columns)."
        )
    return "Boxes without a number repeat a matrix, from another page perhaps: copy what you have calculated."
