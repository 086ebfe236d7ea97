"""What of a calculation is printed: its blocks, each with what a pencil is to write."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.map.map_plan import TWO_COLUMNS, Map, plan
from handcalc.views.matrix_sizes import Blanks, blanks
from handcalc.views.pdf_page import Modules
from handcalc.views.picture import PX_PER_PT
from handcalc.views.sections import Section, sections


class PaperSheet(NamedTuple):
    """What one learner gets: a calculation, the names of its blank steps, and how it is written."""

    calculation: Calculation
    blank: Collection[str]
    places: int = 2
    code: str = ""
    caution: str = ""  # what whoever marks it must know
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


def map_within(sheet: PaperSheet, wide: float, high: float, *, lit: str = "") -> tuple[Map, float]:
    """The map of the whole calculation, and how far it shrinks to fit in so many points."""
    drawn = plan(sheet.calculation, lit=lit, width=max(TWO_COLUMNS, wide * PX_PER_PT))
    return drawn, min(1.0, wide * PX_PER_PT / drawn.wide, high * PX_PER_PT / drawn.high)
