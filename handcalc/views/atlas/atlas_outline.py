"""The outline of a large calculation, for a page before any block opens: its map, blocks and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc.notation.accepted_types import Convention
from handcalc.notation.markup import Prose
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.subgraph import block_path
from handcalc.views.map.map_html import map_html
from handcalc.views.sections import Section, levels

MAX_NUMBERS_AT_ONCE = 1_500_000  # numbers that are sent as one: a page of 8 MB or more


def count_numbers(calculation: Calculation) -> int:
    """The count of all numbers in a calculation."""
    return sum(m.values.size for m in calculation.record)


def opens_by_block(calculation: Calculation) -> bool:
    """Whether its blocks are opened one at a time; it must have some."""
    return count_numbers(calculation) > MAX_NUMBERS_AT_ONCE and len(calculation.blocks) > 1


def first_path(calculation: Calculation, at: str) -> str:
    """The block that is open first: that of `at`, or the first in which something is calculated."""
    inside = at.partition("[")[0]
    paths = calculating_blocks(calculation)
    if not at:
        return paths[0]
    wanted = inside if inside in calculation.blocks else inside.rpartition(".")[0]
    return wanted if wanted in paths else next((p for p in paths if p.startswith(f"{wanted}.")), paths[0])


def calculating_blocks(calculation: Calculation) -> list[str]:
    """The paths of the blocks in which something is calculated, in the order in which that begins."""
    begins: dict[str, int] = {}
    for k, matrix in enumerate(calculation.record):
        if matrix.name and not matrix.is_given:
            begins.setdefault(block_path(matrix), k)
    return sorted(begins, key=begins.__getitem__)


def drawn_blocks(calculation: Calculation) -> list[str]:
    """The paths of all blocks that have a sheet: after those that calculate, those of givens alone."""
    own = (path for path in calculation._parts.own if not path or path in calculation.blocks)
    return list(dict.fromkeys([*calculating_blocks(calculation), *own]))


def outline_spec(calculation: Calculation, conventions: Sequence[Convention] = ()) -> dict[str, Any]:
    """The outline as JSON values; `blocks` as in `Calculation.to_spec`, but without numbers and layout.

    The map is drawn in the calculation's own convention, or in these.
    """
    named = [m for m in calculation.record if m.name]
    place = {m: k for k, m in enumerate(named)}
    return {
        "title": calculation.title,
        "convention": calculation.convention,
        "count": count_numbers(calculation),
        "matrices": [_named(m) for m in named],
        "blocks": [_block(section, place) for section in levels(calculation)],
        "maps": {way: draw_outline(calculation, way) for way in conventions or [calculation.convention]},
    }


def draw_outline(calculation: Calculation, convention: Convention) -> str:
    """The map in a convention, as HTML."""
    return map_html(calculation.in_convention(convention), has_all=True)


def _named(matrix: Matrix) -> dict[str, Any]:
    return {
        "name": matrix.name,
        "meaning": matrix.meaning,
        "shape": list(matrix.shape),
        "given": matrix.is_given,
        "idle": matrix.is_idle,
        "typeset": Prose().name(matrix.name or ""),
    }


def _block(section: Section, place: dict[Matrix, int]) -> dict[str, Any]:
    path, sheet = section.path, section.sheet
    own = [m for m in sheet.record if m.name and m.name not in sheet.inputs] if path else sheet.record
    home = [section.origins[m] for m in own if m.name]
    return {
        "path": path,
        "title": sheet.title,
        "why": sheet.why,
        "matrices": [place[m] for m in home if (m.name or "").rpartition(".")[0] == path],
        "typeset": {str(place[section.origins[m]]): Prose().name(m.name) for m in own if m.name},
    }
