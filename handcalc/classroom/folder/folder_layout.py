"""The names of what is in the folder of a class: what we write there is nothing that was handed in."""

from __future__ import annotations

import re

REGISTER, SETTINGS, NUMBERS, NOTEBOOKS = "register.csv", "class.json", "numbers", "notebooks"
MARKS_TABLE, MARKS = "marks.csv", "marks.json"
PAGE, TABLE = "report.html", "report.csv"
DATABASE, SERVING, CHANGING = "class.db", "serving.lock", ".handcalc.lock"
LIVE = (DATABASE, f"{DATABASE}-wal")  # what was written last may be in the second alone
NEXT = "next"  # the folder of a class of its own
SYSTEMS = ("canvas", "moodle", "excel")  # for which points are written
PAPER = ("sheets", "keys", "links")  # of latecomers sheets-2 and so on

_NAMES = {REGISTER, SETTINGS, NUMBERS, NOTEBOOKS, MARKS_TABLE, MARKS, PAGE, TABLE, SERVING, CHANGING, NEXT}
_NAMES |= {
    *LIVE,
    f"{DATABASE}.lock",
    f"{DATABASE}-shm",
    f"{DATABASE}-journal",
    *(f"{system}.csv" for system in SYSTEMS),
}
_PAPER = re.compile(rf"({'|'.join(PAPER)})(-[0-9]+)?\.(pdf|html)")


def names_of(number: int) -> tuple[str, str, str]:
    """The files of sheets, keys and links that are handed out for the first, second, … time."""
    end = f"-{number}" if number > 1 else ""
    sheets, keys, cards = PAPER
    return f"{sheets}{end}.pdf", f"{keys}{end}.pdf", f"{cards}{end}.html"


def is_ours(name: str) -> bool:
    """Whether what has this name in the folder of a class was written by us, as was the key to one sheet."""
    return name in _NAMES or name.endswith("-key.pdf") or _PAPER.fullmatch(name) is not None
