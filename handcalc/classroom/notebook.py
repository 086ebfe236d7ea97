"""Notebooks to fill: for each step its formula, its reason, blanks in the right shape, and a check.

They are written unexecuted, as plain JSON, the same bytes every time.
"""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

from handcalc.errors import HandcalcError
from handcalc.files import write_whole
from handcalc.matrix import Matrix
from handcalc.practice.exercise import Exercise

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
TO_FILL = """Write a number in place of each `____`, run the cell and the check below it (Shift+Enter).
The check says ✓ right, → follows from your own earlier numbers, ✗ look again, or · not attempted.
Round to {places} decimal places. For a hint take the `#` away; run the cell again for the next one.
Where Python answers with an error of its own, look for a missing bracket or comma, or 2,5 in place of 2.5."""
TO_READ = """Everything is filled in. Run each cell (Shift+Enter), cover the matrix, work one number out
by hand, and compare."""
WIDE = 88


class Words:
    """How the cells of one notebook call answers: by variables, or in a dictionary if names have dots."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.is_plain = all(name.isidentifier() for name in exercise.blank)

    def blanks(self, step: Matrix) -> str:
        """`Q = [ … ]` with a blank for each number, a line for each row."""
        target = step.name if self.is_plain else f'answers["{step.name}"]'
        row = f"    [{', '.join(['____'] * step.shape[1])}],\n"
        return f"{target} = [\n{row * step.shape[0]}]"

    def check(self, names: list[str]) -> str:
        """`exercise.check(Q=Q, K=K)`"""
        if not self.is_plain:
            return "exercise.check(**answers)"
        handed = [f"{name}={name}" for name in names]
        line = f"exercise.check({', '.join(handed)})"
        if len(line) <= WIDE:
            return line
        return "exercise.check(\n" + "".join(f"    {word},\n" for word in handed) + ")"


def notebook(exercise: Exercise, *, source: str = "", title: str = "", foot: str = "") -> dict[str, Any]:
    """An unexecuted notebook (nbformat 4.5) in which the steps that are blank are to be filled.

    `source` is the Python expression that makes the exercise's calculation; it can be left out where the
    exercise was made of a code. `foot` is Markdown for the end, a link to the next notebook perhaps.
    Raises HandcalcError where neither says what the numbers are.
    """
    if not source and not exercise.code:
        raise HandcalcError("An exercise without a code needs a source, such as source='my_calculation()'.")
    title = title or exercise.calculation.title
    words, steps = Words(exercise), exercise.calculation.steps
    how = TO_FILL.format(places=exercise.places) if exercise.blank else TO_READ
    cells = [_text(f"# {title}\n\n{how}"), _code(_start(exercise, source, words))]
    cells += [_text("## Given"), _code(_givens(exercise))]
    for number, (name, step) in enumerate(steps.items(), start=1):
        size = f"{name} has {_size(*step.shape)}."
        cells.append(_text(f"## {number}. ${step.latex}$\n\n{step.why} {size}"))
        cells += _asked(step, words) if name in exercise.blank else [_code(_shown(name))]
    if exercise.blank:
        cells += [_text("## All of it"), _code(words.check(list(exercise.blank)))]
    cells += [_text(foot)] if foot else []
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    return {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}


def written(notebook: dict[str, Any]) -> str:
    """A notebook as the text of its file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def save_notebook(
    exercise: Exercise, path: str | PathLike[str], *, source: str = "", overwrite: bool = False
) -> None:
    """Write a notebook to fill; see `notebook`.

    Raises HandcalcError where the file exists already, which may be a learner's work, unless `overwrite`;
    and where it cannot be written.
    """
    write_whole(path, written(notebook(exercise, source=source)), overwrite=overwrite)


def _start(exercise: Exercise, source: str, words: Words) -> str:
    made_of = _made_of(exercise, source) if source else f'"{exercise.code}"'
    imports = "import handcalc as hc\n" + ("from handcalc import ____\n" if exercise.blank else "")
    answers = "" if words.is_plain else "\nanswers = {}"
    return f"{imports}\nexercise = hc.Exercise({made_of}){answers}"


def _made_of(exercise: Exercise, source: str) -> str:
    """The arguments that make the same exercise of a calculation."""
    options = [source]
    if exercise.blank != tuple(exercise.calculation.steps):
        options.append(
            f"blank=[{', '.join(json.dumps(name, ensure_ascii=False) for name in exercise.blank)}]"
        )
    if exercise.places != 2:
        options.append(f"places={exercise.places}")
    if exercise.calculation.convention != "columns":
        options.append(f'convention="{exercise.calculation.convention}"')
    return ", ".join(options)


def _givens(exercise: Exercise) -> str:
    convention = exercise.calculation.convention
    wish = "" if convention == "columns" else f', convention="{convention}"'
    return f'given = exercise.calculation.givens\nhc.Calculation(*given.values(), title="Given"{wish})'


def _asked(step: Matrix, words: Words) -> list[dict[str, Any]]:
    name = step.name or ""
    check = words.check([*_rests_on(step, words.exercise), name])
    return [_code(words.blanks(step)), _code(check), _code(f'# print(exercise.hint("{name}"))')]


def _shown(name: str) -> str:
    return f'print(exercise.hint("{name}", 3))\nexercise.calculation["{name}"]'


def _rests_on(step: Matrix, exercise: Exercise) -> list[str]:
    """The blank steps that lead to a step: they are handed in with it, so that a slip is counted once."""
    found: set[str | None] = set()
    waiting = list(step.inputs)
    while waiting:
        matrix = waiting.pop()
        found.add(matrix.name)
        waiting += matrix.inputs
    return [name for name in exercise.blank if name in found]


def _size(rows: int, columns: int) -> str:
    numbers = f"{columns} number{'s' * (columns > 1)}"
    return numbers if rows == 1 else f"{rows} rows of {numbers}"


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(source)}


def _code(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(source),
    }


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)
