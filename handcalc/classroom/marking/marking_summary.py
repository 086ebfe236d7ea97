"""What `handcalc class mark` says in the terminal: how much came, and what needs a look."""

from __future__ import annotations

from pathlib import Path

from handcalc.classroom.folder.folder_layout import MARKS_TABLE
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, RIGHT, SIGNS, Standing
from handcalc.classroom.marking.class_marks import Marks
from handcalc.foundation.errors import many

MOST = 10  # sentences


def lines(marks: Marks, folder: Path) -> list[str]:
    """A few lines; all of it is in the table."""
    standings = [one for result in marks.counting().values() if (one := result.standing)]
    sheets = len(marks.register)
    troubles = [told.trouble for told in marks.told() if told.trouble]
    return [
        f"{folder / MARKS_TABLE}: {len(standings):,} of {many(sheets, 'sheet')} marked",
        f"  {_counted(standings)}",
        *_some(troubles),
    ]


def _counted(standings: list[Standing]) -> str:
    """All numbers of the class by state."""
    counts = {
        state: sum(one.count(state) for one in standings) for state in (RIGHT, FOLLOWING, MISSED, BLANK)
    }
    counts[MISSED] += sum(one.count(CLOSE) for one in standings)
    return ", ".join(f"{SIGNS[state]} {count:,} {state}" for state, count in counts.items())


def _some(sentences: list[str]) -> list[str]:
    more = len(sentences) - MOST
    rest = [f"  … and {more} more in the column trouble"] if more > 0 else []
    return [f"  {sentence}" for sentence in sentences[:MOST]] + rest
