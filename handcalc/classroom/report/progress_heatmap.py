"""Students × steps as tables: sign, colour and count in each cell; many steps stand in several tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import groupby

from handcalc.classroom.insight.progress_grid import GridRow, ProgressGrid
from handcalc.classroom.insight.sheet_progress import BLANK, FOLLOWING, MISSED, PROGRESS_STATES, RIGHT, Counts
from handcalc.classroom.report.display_names import ABSENT, UNREADABLE, ShownClass
from handcalc.practice.exercise.steps_by_block import short_name
from handcalc.practice.marking.states import COUNTED, in_number

MAX_HEATMAP_COLUMNS = 20  # side by side: more do not fit on A4
MAX_HEATMAP_ROWS = 1000
TOO_MANY_SHEETS = (
    "There are too many sheets to give each a row: these are the totals, and report.csv has every sheet."
)
ROWS_ON_A_PAGE = 40  # rows
LONG_STEP_NAME = 8  # letters of a step's name that is turned on its side


def draw_progress(shown: ShownClass) -> str:
    """The tables of all topics."""
    return "".join(_of_topic(shown, grid) for grid in shown.told.grids)


def _of_topic(shown: ShownClass, grid: ProgressGrid) -> str:
    heading = f"<h3>{escape(shown.topic(grid.topic))}</h3>" if len(shown.told.grids) > 1 else ""
    many = f"<p>{TOO_MANY_SHEETS}</p>" if len(grid.rows) > MAX_HEATMAP_ROWS else ""
    return heading + many + "".join(_table(shown, grid, columns) for columns in split_columns(grid.blocks))


def split_columns(blocks: Sequence[str]) -> list[list[int]]:
    """The columns of each table: whole blocks beside one another while they fit, a large block in pieces."""
    found: list[list[int]] = [[]]
    for _, places in groupby(range(len(blocks)), key=lambda place: blocks[place]):
        block = list(places)
        if len(found[-1]) + len(block) > MAX_HEATMAP_COLUMNS and found[-1]:
            found.append([])
        while len(found[-1]) + len(block) > MAX_HEATMAP_COLUMNS:
            found[-1] += block[:MAX_HEATMAP_COLUMNS]
            block = block[MAX_HEATMAP_COLUMNS:]
            found.append([])
        found[-1] += block
    return [columns for columns in found if columns]


def _table(shown: ShownClass, grid: ProgressGrid, columns: Sequence[int]) -> str:
    blocks = [grid.blocks[place] for place in columns]
    ends = _counted(grid) if len(columns) == len(grid.steps) else []
    first, last = (grid.steps[place] for place in (columns[0], columns[-1]))
    topic = escape(f"{shown.topic(grid.topic)}, {first} to {last}")
    kind = "wide whole" if len(grid.rows) <= ROWS_ON_A_PAGE else "wide"
    caption = f"<caption>{topic}: students and steps</caption>"
    head = f'<tr><th scope="col">Student</th>{_headings(grid, columns)}{_ends(grid, ends)}</tr>'
    above = _blocks(blocks, len(ends)) if any(blocks) else ""
    each = grid.rows if len(grid.rows) <= MAX_HEATMAP_ROWS else []
    rows = "".join(_row(shown, row, columns, ends) for row in each)
    totals = "".join(_total(grid, state, columns, len(ends)) for state in PROGRESS_STATES)
    return (
        f'<div class="{kind}" tabindex="0" role="region" aria-label="{topic}">'
        f'<table class="heat">{caption}<thead>{above}{head}</thead>'
        f'<tbody>{rows}</tbody><tbody class="totals">{totals}</tbody></table></div>'
    )


def _counted(grid: ProgressGrid) -> list[str]:
    """The states that are counted for a whole sheet: right, and where anything follows, that."""
    counts = (one for row in grid.rows for one in row.counts if one)
    return [RIGHT, FOLLOWING] if any(one[FOLLOWING] for one in counts) else [RIGHT]


def _ends(grid: ProgressGrid, states: Sequence[str]) -> str:
    """The heads of the last columns; where all sheets have as many numbers, it says how many."""
    totals = {sum(sum(one.values()) for one in row.counts if one) for row in grid.rows if any(row.counts)}
    of = f" of {totals.pop()}" if len(totals) == 1 else ""
    words = {RIGHT: f"right{of}", FOLLOWING: "follow"}
    return "".join(f'<th scope="col" class="end">{words[state]}</th>' for state in states)


def _headings(grid: ProgressGrid, columns: Sequence[int]) -> str:
    names = [short_name(grid.steps[place]) for place in columns]
    kind = ' class="tall"' if max(map(len, names)) > LONG_STEP_NAME else ""
    return "".join(f'<th scope="col"{kind}><span>{name.html}</span></th>' for name in names)


def _blocks(blocks: Sequence[str], after: int) -> str:
    groups = [(title, len(list(some))) for title, some in groupby(blocks)]
    cells = "".join(
        f'<th scope="colgroup" colspan="{count}" title="{escape(title)}">{escape(title)}</th>'
        if title
        else f'<td colspan="{count}"></td>'
        for title, count in groups
    )
    return f"<tr><td></td>{cells}{'<td></td>' * after}</tr>"


def _row(shown: ShownClass, row: GridRow, columns: Sequence[int], ends: Sequence[str]) -> str:
    name = f'<th scope="row">{shown.who(row.number)}</th>'
    if not any(row.states):
        wide = len(columns) + len(ends)
        why = UNREADABLE if row.is_unread else ABSENT
        return f'<tr>{name}<td class="none" colspan="{wide}">{why}</td></tr>'
    cells = "".join(_cell(row.states[place], row.counts[place]) for place in columns)
    counts = [one for one in row.counts if one]
    whole = [sum(one[state] for one in counts) for state in ends]
    after = "".join(f'<td class="end">{count or ""}</td>' for count in whole)
    return f"<tr>{name}{cells}{after}</tr>"


def _cell(state: str | None, counts: Counts | None) -> str:
    """The sign of a step, its word for screen readers, and how many numbers are good, if not all."""
    if state is None or counts is None:
        return '<td class="none"></td>'
    total, good = sum(counts.values()), counts[RIGHT] + counts[FOLLOWING]
    some = f"<b>{good} of {total}</b>" if state != BLANK and good < total else ""
    shade = f" share-{math.ceil(4 * counts[MISSED] / total)}" if state == MISSED else ""
    told = ((counts[one], COUNTED[one].word) for one in PROGRESS_STATES if counts[one])
    words = ", ".join(f"{number} {in_number(word, number)}" for number, word in told)
    about = COUNTED[state]
    return f'<td class="{state}{shade}" title="{words}"><i>{about.word} </i>{about.sign}{some}</td>'


def _total(grid: ProgressGrid, state: str, columns: Sequence[int], after: int) -> str:
    counts = [grid.totals[place][state] for place in columns]
    if not any(total[state] for total in grid.totals):
        return ""
    cells = "".join(f'<td class="{state}">{count}</td>' if count else "<td></td>" for count in counts)
    head = f"{COUNTED[state].sign} {COUNTED[state].word}"
    return f'<tr><th scope="row">{head}</th>{cells}{"<td></td>" * after}</tr>'
