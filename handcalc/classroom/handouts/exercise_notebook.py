"""Notebooks to fill: for each step its formula, its reason, blanks in the right shape, and a check.

They are written unexecuted, as plain JSON, the same bytes every time.
"""

from __future__ import annotations

import builtins
import json
import keyword
import re
import unicodedata
from html import escape
from typing import Any

import numpy as np

from handcalc.classroom.folder.tickets import is_ticket
from handcalc.classroom.handouts.notebook_cells import (
    code_cell,
    count_points,
    grade_cell,
    join_lines,
    lock_cell,
    markdown_cell,
    size_in_words,
)
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.sentences import Called, said
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.marking.states import BY_NAME, CORRECT, FOLLOWS, WRONG
from handcalc.record.equations import sentence_of_sizes
from handcalc.record.matrix import Matrix
from handcalc.record.spec import write_spec
from handcalc.views.sections import Section, sections

KERNEL: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MARKS_IN_WORDS = ", ".join(
    f"{BY_NAME[mark].sign} {BY_NAME[mark].learner}" for mark in (CORRECT, FOLLOWS, WRONG)
)
FILL_INSTRUCTIONS = """Write a number in place of each `____`, then run the cell (Shift+Enter) to check it.
The check says {states}, or · not attempted.
Round to {places} decimal places; `1,73`, `1/3`, `√3`, `e^2` and `2*3+1` work too.{infinity}
For a hint, delete the `#` and run the cell; run it again for the next one.
Leave the `|` between numbers and the quotation marks around them as they are."""
INFINITY_HINT = " Write −∞ as `-inf`."
KEEP_CELLS = "Leave the cells that count your points as they are."
READ_INSTRUCTIONS = """\
Everything is filled in. Run each cell (Shift+Enter), cover the matrix, work out one number
by hand, and compare."""
MAX_CODE_WIDTH = 88
RESERVED_NAMES = {
    *["hc", "exercise", "answers", "given", "inf", "self", "In", "Out", "exit", "quit", "get_ipython"]
}


class AnswerNames:
    """The names of answers in the cells of one notebook: variables, or keys of a dictionary.

    A dictionary is needed as soon as one name cannot be a learner's variable: `head_1.Q`, `class`, `hc`.
    """

    def __init__(self, exercise: Exercise, *, nbgrader: bool = False) -> None:
        self.exercise, self.nbgrader = exercise, nbgrader
        self.is_plain = all(map(_is_free, exercise.blank))
        blank = [exercise.calculation[name] for name in exercise.blank]
        self.has_infinity = any(np.isinf(step.values).any() for step in blank)

    def to_fill(self, name: str, short_name: str) -> str:
        """The blanks of a step and the check of it, all in one cell."""
        check = self.check([*_rests_on(self.exercise.calculation[name], self.exercise), name])
        return f"{self.blanks(name, short_name)}\n{check}"

    def blanks(self, name: str, short_name: str) -> str:
        """`Q = ` a text with a blank for each number, a line for each row.

        It is text so that numbers are read as on a page: 1,73 and √3, too. In a block a
        step has its short name, and is kept under its whole one.
        """
        step, kept = self.exercise.calculation[name], f"answers[{_quoted(name)}]"
        is_short = short_name != name and _is_free(short_name)
        target = short_name if is_short else name if self.is_plain else kept
        row = " | ".join(["____"] * step.shape[1]) + "\n"
        keeping = f"\n{kept} = {short_name}" if is_short else ""
        return f'{target} = """\n{row * step.shape[0]}"""{keeping}'

    def check(self, names: list[str]) -> str:
        """`exercise.check(Q=Q, K=K)`"""
        if not self.is_plain:
            return "exercise.check(**answers)"
        handed = [f"{name}={name}" for name in names]
        line = f"exercise.check({', '.join(handed)})"
        if len(line) <= MAX_CODE_WIDTH:
            return line
        return "exercise.check(\n" + "".join(f"    {word},\n" for word in handed) + ")"

    def asked(self, name: str, short_name: str) -> list[dict[str, Any]]:
        """The cells of a step to fill in."""
        return [code_cell(self.to_fill(name, short_name)), code_cell(f"# exercise.hint({_quoted(name)})")]

    def shown(self, name: str, _short_name: str) -> list[dict[str, Any]]:
        """The cells of a step that is given."""
        called = _quoted(name)
        return [code_cell(f"exercise.hint({called}, 3)"), code_cell(f"exercise.calculation[{called}]")]

    def points(self, step: str, answers: str) -> str:
        """The code that counts the points of a step."""
        return count_points(step, answers)

    @property
    def how(self) -> str:
        """The instructions before the first cell."""
        infinity = INFINITY_HINT if self.has_infinity else ""
        places = self.exercise.places
        keep = f"\n{KEEP_CELLS}" if self.nbgrader else ""
        return (
            FILL_INSTRUCTIONS.format(places=places, infinity=infinity, states=MARKS_IN_WORDS) + keep
            if self.exercise.blank
            else READ_INSTRUCTIONS
        )

    @property
    def start(self) -> str:
        """The imports, and a dictionary for answers that are not variables."""
        return "import handcalc as hc\n" + "\nanswers = {}" * (not self.is_plain)


def make_notebook(
    exercise: Exercise | str,
    *,
    source: str = "",
    title: str = "",
    foot: str = "",
    student: str | None = None,
    nbgrader: bool = False,
) -> dict[str, Any]:
    """An unexecuted notebook (nbformat 4.5) in which the steps that are blank are to be filled.

    `exercise` may also be the code of one. `source` is the Python expression that makes the exercise's
    calculation. A code needs none; without either, and where the topic is one of your own, which learners do
    not have, the notebook carries the calculation. `foot` is Markdown for its end, perhaps with a link.
    With the name of a `student`, or "", the notebook says whose it is and which sheet: in its first cell and
    in its metadata, under "handcalc", so that one that is renamed is still known.
    With `nbgrader=True` each step is followed by a locked cell with its points, for a course with nbgrader.
    Raises HandcalcError for what should be text and is not.
    """
    exercise = exercise if isinstance(exercise, Exercise) else Exercise(exercise)
    for what, text in {"source": source, "title": title, "foot": foot}.items():
        if not isinstance(text, str):
            raise HandcalcError(f"The notebook's {what} must be text; got {short(text)}.")
    carried = [] if source or is_known_code(exercise.code) else [_record(exercise, nbgrader=nbgrader)]
    title = title or exercise.calculation.title
    words = AnswerNames(exercise, nbgrader=nbgrader)
    made = f"exercise = hc.Exercise({_made_of(exercise, 'record' if carried else source)})"
    whose = owner_line(student, exercise.code)
    start = code_cell(f"{words.start}\n{made}")
    start = lock_cell(start, "start") if nbgrader else start
    cells = [markdown_cell(f"# {join_lines(title)}\n\n{whose}{words.how}"), *carried, start]
    cells += [markdown_cell("## Given"), code_cell(_givens(exercise))]
    found = sections(exercise.calculation)
    if len(found) > 1:
        cells += [markdown_cell("## The map"), code_cell("exercise.calculation.figure(map=True)")]
    for section in found:
        cells += make_block_cells(section, words, is_alone=len(found) == 1)
    if exercise.blank:
        cells += [markdown_cell("## All together"), code_cell(words.check(list(exercise.blank)))]
    cells += [markdown_cell(foot)] if foot else []
    return assemble_notebook(cells, exercise.code, student)


def is_known_code(code: str) -> bool:
    """Whether a code determines the numbers wherever the notebook is opened."""
    return bool(code) and not (is_ticket(code) or codes.is_code_of_own_topic(code))


def _record(exercise: Exercise, *, nbgrader: bool) -> dict[str, Any]:
    """The cell of a calculation that no code stands for; JupyterLab opens it folded."""
    cell = code_cell(f"import handcalc as hc\n\nrecord = {record_as_python(exercise)}")
    cell["metadata"] |= {"jupyter": {"source_hidden": True}}
    return lock_cell(cell, "record") if nbgrader else cell


def record_as_python(exercise: Exercise) -> str:
    """The calculation of an exercise as Python that makes it again, with nothing but handcalc."""
    spec = json.loads(json.dumps(write_spec(exercise.calculation)))  # as a file has it: lists, no tuples
    return f"hc.Calculation.from_spec({spec!r})"


def make_block_cells(section: Section, words: AnswerNames, *, is_alone: bool) -> list[dict[str, Any]]:
    """The cells of a block's steps below the way to it; names are short there, and numbers go on."""
    numbers = {name: k for k, name in enumerate(words.exercise.calculation.steps, start=1)}
    way = " › ".join(map(join_lines, section.way))
    why = f"\n\n{section.sheet.why}" if section.sheet.why else ""
    cells = [] if is_alone else [markdown_cell(f"## {way}{why}")]
    level = "##" if is_alone else "###"
    for short_name, step in section.sheet.steps.items():
        name = section.origins[step].name or ""
        shape = f"{Called(join_lines(short_name)).html} has {size_in_words(*step.shape)}."
        fixed = said(" Here {}.", found).html if (found := sentence_of_sizes(step)) else ""
        cells.append(markdown_cell(f"{level} {numbers[name]}. ${step.latex}$\n\n{step.why} {shape}{fixed}"))
        is_blank = name in words.exercise.blank
        cells += words.asked(name, short_name) if is_blank else words.shown(name, short_name)
        if is_blank and words.nbgrader:
            points = code_cell(words.points(_quoted(name), "globals()" if words.is_plain else "answers"))
            cells.append(grade_cell(points, f"points-{numbers[name]}-{short_name}", step.values.size))
    return cells


def assemble_notebook(cells: list[dict[str, Any]], code: str, student: str | None) -> dict[str, Any]:
    """A notebook of these cells; with a student, or "", its metadata name the owner and the sheet."""
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    about = {} if student is None else {"handcalc": {"code": code, "name": student}}
    return {"cells": cells, "metadata": KERNEL | about, "nbformat": 4, "nbformat_minor": 5}


def dump_notebook(notebook: dict[str, Any]) -> str:
    """A notebook as the text of its file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _made_of(exercise: Exercise, source: str) -> str:
    """The arguments that make the same exercise; a code says everything but whether solutions are given."""
    options = [source or _quoted(exercise.code)]
    if source and exercise.blank != tuple(exercise.calculation.steps):
        options.append(f"blank=[{', '.join(map(_quoted, exercise.blank))}]")
    if source and exercise.places != 2:
        options.append(f"places={exercise.places}")
    if source and exercise.calculation.convention != "columns":
        options.append(f'convention="{exercise.calculation.convention}"')
    if not exercise.solutions:
        options.append("solutions=False")
    return ", ".join(options)


def _givens(exercise: Exercise) -> str:
    convention = exercise.calculation.convention
    options = "" if convention == "columns" else f', convention="{convention}"'
    return f'given = exercise.calculation.givens\nhc.Calculation(*given.values(), title="Given"{options})'


def _is_free(name: str) -> bool:
    """Whether a name can be a learner's variable: neither Python nor IPython nor the notebook uses it."""
    is_variable = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    is_taken = name in RESERVED_NAMES or hasattr(builtins, name)
    return is_variable and not is_taken and unicodedata.normalize("NFKC", name) == name  # as Python reads it


def _quoted(text: str) -> str:
    """A text as a Python literal."""
    return repr(text) if not text.isprintable() or set(text) & {'"', "\\"} else f'"{text}"'


def owner_line(student: str | None, code: str) -> str:
    """`Ada Lovelace, sheet SA1-4292`: markup in a name is shown, and does nothing."""
    if student is None:
        return ""
    name = re.sub(r"([\\`*_{}\[\]()!|~$:@/])", r"\\\1", escape(join_lines(student), quote=False))
    return f"**{name}**, sheet {code}\n\n" if name else f"Sheet {code}\n\n"


def _rests_on(step: Matrix, exercise: Exercise) -> list[str]:
    """The blank steps that lead to a step: they are handed in with it, so that a slip is counted once."""
    found: set[Matrix] = set()
    waiting = list(step.inputs)
    while waiting:
        matrix = waiting.pop()
        if matrix not in found:
            found.add(matrix)
            waiting += matrix.inputs
    return [name for name in exercise.blank if exercise.calculation[name] in found]
