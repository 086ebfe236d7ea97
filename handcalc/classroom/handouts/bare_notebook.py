"""Notebooks to fill in that give nothing away: numbers, formulas, reasons, blanks; nothing that computes.

There is no code of a sheet in them, no check and no hint; where they are handed in they are marked.
"""

from __future__ import annotations

from typing import Any

from handcalc.classroom.handouts.exercise_notebook import (
    INFINITY_HINT,
    AnswerNames,
    assemble_notebook,
    is_known_code,
    make_block_cells,
    owner_line,
    record_as_python,
)
from handcalc.classroom.handouts.notebook_cells import code_cell, hide_tests, join_lines, markdown_cell
from handcalc.notation.numbers import show
from handcalc.notation.sentences import Called
from handcalc.practice.exercise.exercise import Exercise
from handcalc.record.matrix import Matrix
from handcalc.views.sections import sections

BARE_INSTRUCTIONS = """\
Work out each number by hand and write it in place of its `____`. Then save the notebook and hand
it in: nothing here tells you what is right, and there is nothing to run.
Round to {places} decimal places; `1,73`, `1/3`, `√3`, `e^2` and `2*3+1` work too.{infinity}
Leave the `|` between numbers and the quotation marks around them as they are."""


class BareAnswerNames(AnswerNames):
    """Cells of blanks without checks, and of numbers in place of the code that would show them."""

    def asked(self, name: str, short_name: str) -> list[dict[str, Any]]:
        """The blanks alone."""
        return [code_cell(self.blanks(name, short_name))]

    def shown(self, name: str, short_name: str) -> list[dict[str, Any]]:
        """The numbers of a step that is given, as they stand on a sheet."""
        return [markdown_cell(_numbers(short_name, self.exercise.calculation[name], self.exercise.places))]

    def points(self, step: str, answers: str) -> str:
        """The hidden tests that nbgrader takes out of students' notebooks, and puts back to grade them."""
        code = self.exercise.code
        return hide_tests(
            f'"{code}"' if is_known_code(code) else record_as_python(self.exercise), step, answers
        )

    @property
    def how(self) -> str:
        """The instructions before the first blank."""
        infinity = INFINITY_HINT if self.has_infinity else ""
        return BARE_INSTRUCTIONS.format(places=self.exercise.places, infinity=infinity)


def make_bare_notebook(
    exercise: Exercise, *, student: str | None = None, nbgrader: bool = False
) -> dict[str, Any]:
    """An unexecuted notebook with blanks, and nothing from which a computer could tell the answers.

    With a `student`, or "", it names its owner, and has the ticket of the sheet. With `nbgrader` each step
    is followed by a locked cell with its points, whose code nbgrader takes out before it hands them out.
    """
    words, calculation = BareAnswerNames(exercise, nbgrader=nbgrader), exercise.calculation
    title = join_lines(calculation.title)
    cells = [markdown_cell(f"# {title}\n\n{owner_line(student, exercise.code)}{words.how}")]
    givens = [_numbers(name, given, exercise.places) for name, given in calculation.givens.items()]
    cells.append(markdown_cell("\n\n".join(["## Given", *givens])))
    cells += [] if words.is_plain else [code_cell("answers = {}")]
    found = sections(calculation)
    for section in found:
        cells += make_block_cells(section, words, is_alone=len(found) == 1)
    return assemble_notebook(cells, exercise.code, student)


def _numbers(name: str, matrix: Matrix, places: int) -> str:
    """`**X** (columns: it, sat)` and the matrix, rounded as on paper."""
    labels = {"rows": matrix.rows, "columns": matrix.columns}
    words = "; ".join(f"{kind}: {', '.join(map(join_lines, of))}" for kind, of in labels.items() if of)
    rows = [" & ".join(show(number, places) for number in row) for row in matrix.values.tolist()]
    inside = " \\\\\n".join(rows)
    head = Called(join_lines(name)).html + (f" ({words})" if words else "")
    return f"{head}\n\n$$\\begin{{bmatrix}}\n{inside}\n\\end{{bmatrix}}$$"
