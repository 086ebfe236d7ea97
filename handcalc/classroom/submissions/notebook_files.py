"""Notebooks as files: their cells, whatever wrote them, and nothing of them run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.code_matching import Codes
from handcalc.classroom.submissions.notebook_code import FoundAnswers, NotebookCode
from handcalc.classroom.submissions.shown_givens import read_written
from handcalc.classroom.submissions.submission import ALL_OTHERS, Submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError, cut
from handcalc.practice.exercise.answers import Unread

VALUES = re.compile(r'[,\[{]|"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)  # texts are passed over
SURE_LETTERS = 1_000_000  # letters: a smaller file cannot hold too many values
MAX_OUTPUT_LETTERS = 200  # letters of a hint's output


class NotebookCell(NamedTuple):
    """One cell: its type, its source, and the beginning of its output."""

    kind: str
    source: str
    shown: str


def load_json(text: str) -> Any:
    """JSON. Raises HandcalcError, the end of a sentence, for anything else, and for far too much."""
    if len(text) > SURE_LETTERS:
        values = (found for found in VALUES.finditer(text) if found[0][0] != '"')
        if next(islice(values, input_limits.MAX_JSON_VALUES, None), None):
            raise HandcalcError(f"holds more than {input_limits.MAX_JSON_VALUES:,} values; clear its outputs")
    try:
        return json.loads(text)
    except RecursionError:
        raise HandcalcError("has too many brackets inside each other; it is not a notebook") from None
    except ValueError:
        raise HandcalcError("is not a complete notebook; save it and hand it in again") from None


def read_notebook(notebook: dict[str, Any], source: str, codes: Codes) -> list[Submission]:
    """Each sheet of a notebook. Raises HandcalcError, the end of a sentence, for one without any."""
    cells = list(_cells(notebook))
    script = NotebookCode(codes, own := codes.read(_own_code(notebook)))
    if own:
        script.sheets[own] = FoundAnswers()
    letters = 0
    for cell in cells:
        if cell.kind != "code":
            continue
        letters += len(cell.source)
        if len(cell.source) > input_limits.MAX_CELL_LETTERS or letters > input_limits.MAX_CODE_LETTERS:
            raise HandcalcError(
                f"has too much code, {letters:,} characters or more; delete what is not an answer"
            )
        script.take(cell.source, cell.shown)
    texts = [cell.source for cell in cells if cell.kind != "code"]
    found = collect_sheets(script, source, codes, texts)
    if len(found) == 1:
        found = [replace(found[0], givens=script.givens or read_written(texts))]
    return [*_told(found, source, own, codes.named(source))]


def read_script(text: str, source: str, codes: Codes) -> list[Submission]:
    """A notebook that was saved as a script. Raises HandcalcError, the end of a sentence."""
    cells = re.split(r"^(?=# (?:%%|In\[))", text, flags=re.MULTILINE)  # as in VS Code and nbconvert
    return read_notebook({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}, source, codes)


def collect_sheets(script: NotebookCode, source: str, codes: Codes, texts: list[str]) -> list[Submission]:
    """The sheets found in code; where the code does not say which one, a text or the file's name may."""
    ours = {code: sheet for code, sheet in script.sheets.items() if codes.read(code)}
    others = [code for code in script.sheets if code and code not in ours]
    if not ours and not others:
        ours = {_code_in(texts, source, codes): FoundAnswers()}
    before = script.sheets.get("", FoundAnswers())
    first = next(iter(ours), "")
    if not first or (others and not any(sheet.answers for sheet in ours.values())):
        told = f"{cut(others[0])} in {short_path(source)} is not the code of a sheet in this class."
        return [Submission(source, first or others[0], trouble=told)]
    for step, answer in ours[first].answers.items():  # answers before the exercise is made belong to it
        before.take(step, answer)
    before.hints |= ours[first].hints
    before.is_computed |= ours[first].is_computed
    ours[first] = before
    found = [_sheet(source, code, sheet) for code, sheet in ours.items() if sheet.has_any]
    on_page = f"{short_path(source)} was filled in on its page: hand in the file practice-….jsonl beside it."
    return found or [Submission(source, first, trouble=on_page if script.is_practised else "")]


def _told(found: list[Submission], source: str, own: str, named: str) -> Iterator[Submission]:
    """The sheets, with a sentence for each that the notebook was not made for, or is not called after.

    They count for the code with which they are checked, and wait for the teacher, who knows their owner.
    """
    for sheet in found:
        about = ""
        if own not in ("", sheet.code):
            about = f"{short_path(source)} was made for {own}, but its code makes {sheet.code}."
        elif named not in ("", sheet.code):
            about = f"{short_path(source)} is called {named}, but its code makes {sheet.code}."
        yield replace(sheet, foreign=about) if about and not sheet.trouble else sheet
    if own and not any(sheet.code == own for sheet in found):
        told = f"{short_path(source)} was made for {own}, but its code makes {found[0].code}: see that sheet."
        yield Submission(source, own, trouble=told)


def _code_in(texts: list[str], source: str, codes: Codes) -> str:
    """The first code of the class in the cells that are text, or else the one in the file's name."""
    found = next((code for text in texts for code in codes.inside(text)), "") or codes.named(source)
    if not found:
        raise HandcalcError(codes.missing)
    return found


def _sheet(source: str, code: str, sheet: FoundAnswers) -> Submission:
    values = {step: answer.value for step, answer in sheet.answers.items()}
    unread = {step: f"{cut(step)} {one.reason}." for step, one in values.items() if isinstance(one, Unread)}
    answers = {step: value for step, value in values.items() if step not in unread}
    if sheet.is_computed:
        unread[ALL_OTHERS] = "The other answers are computed by code here; write their numbers in."
    return Submission(source, code, answers, hints=sheet.hints, unread=unread)


def _own_code(notebook: dict[str, Any]) -> str:
    """The code that `handcalc class new` writes into a notebook's metadata."""
    ours = _dict(_dict(notebook.get("metadata")).get("handcalc"))
    return _text(ours.get("code"))


def _cells(notebook: dict[str, Any]) -> Iterator[NotebookCell]:
    """The cells of a notebook of version 4, or of the worksheets that version 3 has."""
    sheets = map(_dict, [*_list(notebook.get("worksheets")), notebook])
    found = [cell for sheet in sheets for cell in _list(sheet.get("cells"))]
    if len(found) > input_limits.MAX_CELLS:
        raise HandcalcError(
            f"has {len(found):,} cells; up to {input_limits.MAX_CELLS:,} are read: "
            "delete what is not an answer"
        )
    for cell in map(_dict, found):
        source = _text(cell.get("source", cell.get("input")))
        yield NotebookCell(str(cell.get("cell_type")), source, _shown(cell))


def _shown(cell: dict[str, Any]) -> str:
    """The beginning of the first text in a cell's output."""
    for output in map(_dict, _list(cell.get("outputs"))[:1]):
        texts = (_dict(output.get("data")).get("text/plain"), output.get("text"))
        return next((text[:MAX_OUTPUT_LETTERS] for text in map(_text, texts) if text), "")
    return ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A text, or the lines of one, as nbformat has them."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
