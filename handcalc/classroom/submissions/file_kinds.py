"""What a file is, by what stands in it: its name may say anything."""

from __future__ import annotations

import re

from handcalc.classroom.folder.csv_tables import decode_text
from handcalc.classroom.submissions import answer_tables, input_limits, notebook_files, practice_logs
from handcalc.classroom.submissions.code_matching import Codes, Names
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.line_log import parse_lines

WANTED_FILES = "hand in the notebook (.ipynb), the practice log (.jsonl) or a table (.csv)"
FOREIGN_STARTS = {  # how files begin that are handed in by mistake
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "a document",
    b"Rar!": "a .rar",
    b"7z\xbc\xaf": "a .7z",
    b"\x1f\x8b": "a .gz",
}
HTML_START = re.compile(r"\s*<(?:!doctype|html)", re.IGNORECASE)
FIRST_LINES = 50  # in which a log has a whole one


def read_submitted_file(data: bytes, source: str, codes: Codes, names: Names) -> list[Submission]:
    """Every sheet in a file. Raises HandcalcError, the end of a sentence, for what is none of ours."""
    for start, what in FOREIGN_STARTS.items():
        if data.startswith(start):
            raise HandcalcError(f"is {what}; {WANTED_FILES}")
    text = decode_text(data)
    if HTML_START.match(text):
        raise HandcalcError(f"is a web page; {WANTED_FILES}")
    if source.lower().endswith(".py"):
        return notebook_files.read_script(text, source, codes)
    if text.lstrip()[:1] in ("{", "["):
        return _json(text, source, codes)
    return answer_tables.read_answer_table(text, source, codes, names)


def _json(text: str, source: str, codes: Codes) -> list[Submission]:
    if _is_log(text.split("\n", FIRST_LINES)[:FIRST_LINES]):
        return practice_logs.read_practice_log(text, source, codes)
    try:
        found = notebook_files.load_json(text)
    except HandcalcError:
        if _is_log(text.split("\n", input_limits.MAX_LINES)[: input_limits.MAX_LINES]):
            return practice_logs.read_practice_log(text, source, codes)
        raise
    if not isinstance(found, dict) or not {"cells", "worksheets"} & found.keys():
        raise HandcalcError(f"is not a notebook; {WANTED_FILES}")
    return notebook_files.read_notebook(found, source, codes)


def _is_log(lines: list[str]) -> bool:
    """Whether one of the lines is about a sheet."""
    found = (line for line in parse_lines(line.encode("utf-8", "replace") for line in lines))
    return any("code" in line and "cells" not in line for line in found)
