"""The printed parts of a calculation: its blocks, the blanks for a pencil, and the page around them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from handcalc.record.calculation import Calculation
from handcalc.record.equations import sentence_of_sizes
from handcalc.record.matrix import Matrix
from handcalc.views import captions
from handcalc.views.captions import LINE_HEIGHT, NAME_SIZE, QUIET_SIZE
from handcalc.views.map.map_figure import Map, lay_out
from handcalc.views.matrix_sizes import Blanks, blanks
from handcalc.views.palette import COPIER
from handcalc.views.pdf_page import Leaf, Modules
from handcalc.views.sections import Section, sections
from handcalc.views.sheet_layout import where_tokens_are

EDGE = 40.0  # a printer's margin, 14 mm
# size of the title; heights of what is above and below
TITLE_SIZE, HEAD_HEIGHT, FOOT_HEIGHT = 15.0, 61.0, 20.0
FOOT_LINE = 10.0  # from one line below the sheet to the next
NAME_LINE, DATE_LINE = 190.0, 80.0
QR_SIDE, QR_QUIET_ZONE = 54.0, 9.0  # the side of a QR code, and the white at its left
MAX_TITLES = 4  # of blocks that are there for the same


class PaperSheet(NamedTuple):
    """What one learner gets: a calculation, the names of its blank steps, and how it is written."""

    calculation: Calculation
    blank: Collection[str]
    places: int = 2
    code: str = ""
    caution: str = ""  # what a marker must know
    name: str = ""  # whose it is
    qr: Modules = ()  # a code that leads to its page


@dataclass(frozen=True, eq=False)
class PaperBlock:
    """One block on paper."""

    section: Section
    empty: Blanks
    is_whole: bool  # whether there is nothing but this block

    @property
    def asks_for_copies(self) -> bool:
        """Whether there are boxes into which a number is only copied."""
        blocks = [b for track in self.section.tracks for row in track.rows for b in row.blocks()]
        outside = self.section.is_from_outside
        return any(b.matrix in self.empty and (b.is_copy or outside(b.matrix)) for b in blocks)


def paper_blocks(sheet: PaperSheet) -> list[PaperBlock]:
    """The blocks with something to fill in, and a worked one like them; all where nothing is blank."""
    found = sections(sheet.calculation)
    order = {step: number for number, step in enumerate(sheet.calculation.steps.values(), start=1)}
    asked = [section for section in found if _is_asked(section, sheet)]
    worked = {_kind(section): section for section in reversed(found) if not _is_asked(section, sheet)}
    likes = {_kind(section) for section in asked}
    printed = [s for s in found if s in asked or (_kind(s) in likes and worked.get(_kind(s)) is s)]
    return [
        PaperBlock(section, _empty(section, sheet, order), len(found) == 1) for section in printed or found
    ]


def _is_asked(section: Section, sheet: PaperSheet) -> bool:
    return not {section.origins[m].name for m in section.steps}.isdisjoint(sheet.blank)


def _kind(section: Section) -> tuple[str, ...]:
    """What equal blocks side by side have in common: where they are, and what their steps are called."""
    return (section.path.rpartition(".")[0], *section.sheet.steps)


def _empty(section: Section, sheet: PaperSheet, order: dict[Matrix, int]) -> Blanks:
    """What comes from another block and is blank there is blank here, too."""
    hidden = {m.name for m, origin in section.origins.items() if m.name and origin.name in sheet.blank}
    numbers = {m: order[section.origins[m]] for m in section.steps}
    return replace(blanks(section.sheet, [name for name in hidden if name]), order=numbers)


def map_within(sheet: PaperSheet, wide: float, high: float) -> tuple[Map, float]:
    """The map of the whole calculation, and how far it shrinks to fit in so many points."""
    drawn = lay_out(sheet.calculation, wide)
    return drawn, min(1.0, wide / drawn.wide, high / drawn.high)


def write_head(
    leaf: Leaf, sheet: PaperSheet, part: PaperBlock | None, *, key: bool, is_first: bool = True
) -> None:
    """Title and code in one line, the name in the next, then what to keep in mind.

    The QR code stands in the corner of the first page of a sheet.
    """
    top, right = leaf.size[1] - EDGE - TITLE_SIZE, leaf.size[0] - EDGE
    if sheet.qr and is_first and not key:
        leaf.code(right - QR_SIDE, leaf.size[1] - EDGE, QR_SIDE, sheet.qr)
        right -= QR_SIDE + QR_QUIET_ZONE
    room = right - EDGE - (captions.caption_width(sheet.code, NAME_SIZE, bold=True) + 12 if sheet.code else 0)
    _title(leaf, sheet, part, top, room)
    if sheet.code:
        leaf.write(right, top, sheet.code, NAME_SIZE, bold=True, ha="right")
    y = top - 22
    _whose(leaf, sheet, y, right, key=key)
    calculation = part.section.sheet if part else sheet.calculation
    (note,) = captions.wrap_markup(_note(sheet, calculation, key=key), inf)
    for piece in note:
        place = EDGE + piece.x, y - 17 + piece.rise
        leaf.write(*place, piece.text, piece.size, color=COPIER.quiet)


def _whose(leaf: Leaf, sheet: PaperSheet, y: float, right: float, *, key: bool) -> None:
    """The name, or a line for it; a line for the date; on a key that it is one."""
    x = EDGE
    if key:
        leaf.write(x, y, "KEY", TITLE_SIZE, bold=True, color=COPIER.chosen)
        x += captions.caption_width("KEY", TITLE_SIZE, bold=True) + 10
    is_dated = bool(sheet.blank) and not key
    if captions.can_be_written(sheet.name):
        date = 14 + captions.caption_width("Date", NAME_SIZE) + 5 + DATE_LINE if is_dated else 0
        name = _fitted(sheet.name, right - x - date)
        leaf.write(x, y, name, NAME_SIZE, bold=True)
        x += max(captions.caption_width(name, NAME_SIZE, bold=True), NAME_LINE)
    elif is_dated:
        x = _line(leaf, x, y, "Name", NAME_LINE)
    if is_dated:
        _line(leaf, x + 14, y, "Date", DATE_LINE)


def _fitted(text: str, room: float) -> str:
    """A text, or as much of its beginning as there is room for."""
    if captions.caption_width(text, NAME_SIZE, bold=True) <= room:
        return text
    while text and captions.caption_width(f"{text}…", NAME_SIZE, bold=True) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _title(leaf: Leaf, sheet: PaperSheet, part: PaperBlock | None, y: float, room: float) -> None:
    """The way to the block, quiet, then its title; of a long way the end."""
    *around, title = part.section.way if part else (sheet.calculation.title,)
    room -= captions.caption_width(title, TITLE_SIZE, bold=True)
    way = "".join(f"{name} › " for name in around)
    while around and captions.caption_width(way, NAME_SIZE) > room:
        around.pop(0)
        way = "".join(f"{name} › " for name in ["…", *around])
    if way:
        leaf.write(EDGE, y, way, NAME_SIZE, color=COPIER.quiet)
    x = EDGE + captions.caption_width(way, NAME_SIZE)
    leaf.write(x, y, title, TITLE_SIZE, bold=True)


def write_reasons(leaf: Leaf, sheet: PaperSheet, y: float) -> None:
    """What each block is there for, below the map, as far as there is room; `y` is where the map ends."""
    alike: dict[str, dict[str, None]] = {}  # why -> the titles of the blocks that are there for it
    for block in sheet.calculation.blocks.values():
        alike.setdefault(block.why, {})[block.title] = None
    told = {why: _together(list(titles)) for why, titles in alike.items()}
    y -= 34
    for why, title in told.items():
        lines = captions.wrapped(why, leaf.size[0] - 2 * EDGE)
        if not why or y - LINE_HEIGHT * len(lines) < EDGE + FOOT_HEIGHT:
            continue
        leaf.write(EDGE, y, title, NAME_SIZE, bold=True)
        for line in lines:
            y -= LINE_HEIGHT
            for piece in line:
                leaf.write(EDGE + piece.x, y, piece.text, QUIET_SIZE, color=COPIER.quiet)
        y -= 1.7 * LINE_HEIGHT


def _together(titles: list[str]) -> str:
    """Titles in a row; of many the first two and the last."""
    return ", ".join(titles if len(titles) <= MAX_TITLES else [*titles[:2], "…", titles[-1]])


def _line(leaf: Leaf, x: float, y: float, word: str, length: float) -> float:
    """A word and a line to write on; returns where it ends."""
    leaf.write(x, y, word, NAME_SIZE)
    start = x + captions.caption_width(word, NAME_SIZE) + 5
    leaf.line(start, start + length, y - 1.5)
    return start + length


def _note(sheet: PaperSheet, calculation: Calculation, *, key: bool) -> str:
    """Where tokens are, what sizes there are, and how to round; typeset."""
    rounds = "calculated exactly, then rounded" if key or not sheet.blank else "round what you write down"
    rounding = f"{rounds} to {sheet.places} decimal places"
    first, fixed = where_tokens_are(sheet.calculation), sentence_of_sizes(*calculation.record).html
    note = ", ".join(filter(None, [first, fixed, rounding] if first else [rounding, fixed]))
    return f"{note[0].upper()}{note[1:]}."


def write_foot(leaf: Leaf, sheet: PaperSheet, part: PaperBlock | None, count: str, *, key: bool) -> None:
    """What else there is to know, and which page this is."""
    right, y = leaf.size[0] - EDGE, EDGE + 3
    room = right - EDGE - (captions.caption_width(count, QUIET_SIZE) + 12 if count else 0)
    lines = captions.wrapped(sheet.caution if key else _copying(part), room)
    for up, line in enumerate(reversed(lines)):
        for piece in line:
            leaf.write(EDGE + piece.x, y + up * FOOT_LINE, piece.text, QUIET_SIZE, color=COPIER.quiet)
    if count:
        leaf.write(right, y, count, QUIET_SIZE, ha="right", color=COPIER.quiet)


def _copying(part: PaperBlock | None) -> str:
    """What to do in boxes that are there for copying only, if there are any."""
    if part is None or not part.asks_for_copies:
        return ""
    if part.is_whole:
        return (
            "Boxes without a number repeat a matrix: copy what you have calculated (ᵀ: rows become columns)."
        )
    return "Boxes without a number repeat a matrix, from another page perhaps: copy what you have calculated."
