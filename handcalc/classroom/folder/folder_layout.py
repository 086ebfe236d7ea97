"""Names in the folder of a class: the files that we write there are no submissions."""

from __future__ import annotations

import re

REGISTER_FILE, SETTINGS_FILE = "register.csv", "class.json"
NUMBERS_FOLDER, NOTEBOOKS_FOLDER = "numbers", "notebooks"
MARKS_TABLE, MARKS_FILE = "marks.csv", "marks.json"
REPORT_PAGE, REPORT_TABLE = "report.html", "report.csv"
DATABASE_FILE, SERVING_LOCK, CHANGING_LOCK = "class.db", "serving.lock", ".handcalc.lock"
DATABASE_FILES = (DATABASE_FILE, f"{DATABASE_FILE}-wal")  # the latest changes may be in the second alone
NEXT_FOLDER = "next"  # the folder of a class of its own
GRADEBOOKS = ("canvas", "moodle", "excel")  # the gradebooks for which points are written
PRINTED_STEMS = ("sheets", "keys", "links")  # for latecomers sheets-2 and so on

_NAMES = {
    REGISTER_FILE,
    SETTINGS_FILE,
    NUMBERS_FOLDER,
    NOTEBOOKS_FOLDER,
    MARKS_TABLE,
    MARKS_FILE,
    REPORT_PAGE,
    REPORT_TABLE,
    SERVING_LOCK,
    CHANGING_LOCK,
    NEXT_FOLDER,
}
_NAMES |= {
    *DATABASE_FILES,
    f"{DATABASE_FILE}.lock",
    f"{DATABASE_FILE}-shm",
    f"{DATABASE_FILE}-journal",
    *(f"{system}.csv" for system in GRADEBOOKS),
}
_PAPER = re.compile(rf"({'|'.join(PRINTED_STEMS)})(-[0-9]+)?\.(pdf|html)")


def printed_names(number: int) -> tuple[str, str, str]:
    """The files of sheets, keys and links that are printed for the first, second, … time."""
    end = f"-{number}" if number > 1 else ""
    sheets, keys, cards = PRINTED_STEMS
    return f"{sheets}{end}.pdf", f"{keys}{end}.pdf", f"{cards}{end}.pdf"


def is_ours(name: str) -> bool:
    """Whether a file of this name in the folder of a class is ours, as is the key to one sheet."""
    return name in _NAMES or name.endswith("-key.pdf") or _PAPER.fullmatch(name) is not None
