"""Students × steps: the most telling state of each, its counts, and how hints were used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handcalc.classroom.insight.class_sheets import ClassSheet, StepPlace
from handcalc.classroom.insight.sheet_progress import FOLLOWING, PROGRESS_STATES, RIGHT, Counts
from handcalc.practice.exercise.steps_by_block import blocks_around
from handcalc.record.calculation import Calculation


@dataclass(frozen=True)
class GridRow:
    """One sheet: for each step its state and its counts, or None where the sheet does not ask for it.

    `is_unread` where something came in, of which nothing could be read.
    """

    number: int
    states: list[str | None]
    counts: list[Counts | None]
    is_unread: bool = False


@dataclass(frozen=True)
class ProgressGrid:
    """The sheets of one topic. `steps` are the columns; `totals` has for each how many sheets are in a state.

    `blocks` has for each column the titles of the blocks that its step stands in, or nothing.
    """

    topic: str
    steps: list[str]
    blocks: list[str]
    rows: list[GridRow]
    totals: list[Counts]


def make_grids(sheets: Sequence[ClassSheet], records: Mapping[str, Calculation]) -> list[ProgressGrid]:
    """A grid for each topic, in the order of the register."""
    topics = dict.fromkeys(sheet.entry.topic for sheet in sheets)
    return [
        make_grid(topic, records[topic], [sheet for sheet in sheets if sheet.entry.topic == topic])
        for topic in topics
    ]


def make_grid(topic: str, record: Calculation, sheets: Sequence[ClassSheet]) -> ProgressGrid:
    """The sheets of one topic that somebody has begun or handed in, with empty rows for the others."""
    asked = {step for sheet in sheets for step in sheet.steps}
    steps = [step for step in record.steps if step in asked] or list(record.steps)
    rows = [_row(sheet, steps) for sheet in sheets]
    blocks = [" › ".join(record.blocks[path].title for path in blocks_around(step)) for step in steps]
    totals: list[Counts] = [
        {state: sum(row.states[place] == state for row in rows) for state in PROGRESS_STATES}
        for place in range(len(steps))
    ]
    return ProgressGrid(topic, steps, blocks, rows, totals)


def _row(sheet: ClassSheet, steps: Sequence[str]) -> GridRow:
    standing = sheet.standing
    states = [standing.sign(step) if standing and step in standing.steps else None for step in steps]
    counts = [sheet.steps.get(step) for step in steps]
    return GridRow(sheet.entry.number, states, counts, sheet.is_unread)


@dataclass(frozen=True)
class HintUse:
    """The hints to one step: how many, who asked for them, and which of these students have it right now.

    What follows from an earlier number counts as right here: the hint was about this step.
    """

    topic: str
    step: str
    count: int
    students: list[int]
    right_now: list[int]


def count_hints(sheets: Sequence[ClassSheet]) -> list[HintUse]:
    """The steps for which hints were asked, those of most students first."""
    asked: dict[StepPlace, list[tuple[ClassSheet, int]]] = {}
    for sheet in sheets:
        for step, count in sheet.standing.hints.items() if sheet.standing else ():
            if count and step in sheet.steps:
                asked.setdefault(sheet.place(step), []).append((sheet, count))
    found = [
        HintUse(
            *place,
            sum(count for _, count in some),
            [sheet.entry.number for sheet, _ in some],
            [sheet.entry.number for sheet, _ in some if _is_right(sheet, place.step)],
        )
        for place, some in asked.items()
    ]
    return sorted(found, key=lambda one: -len(one.students))


def _is_right(sheet: ClassSheet, step: str) -> bool:
    counts = sheet.steps[step]
    return counts[RIGHT] + counts[FOLLOWING] == sum(counts.values())
