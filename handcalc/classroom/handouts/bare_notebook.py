"""Notebooks to fill in that give nothing away: numbers, formulas, reasons, blanks; nothing that computes.

There is no code of a sheet in them, no check and no hint; where they are handed in they are marked.
"""

from __future__ import annotations

from typing import Any

from handcalc.classroom.handouts.exercise_notebook import (
    INFINITY,
    Words,
    block,
    finished,
    is_known,
    recorded,
    whose_it_is,
)
from handcalc.classroom.handouts.nbgrader import hidden
from handcalc.classroom.handouts.notebook_cells import code_cell, markdown, one_line
from handcalc.notation.numbers import show
from handcalc.notation.sentences import Called
from handcalc.practice.exercise.exercise import Exercise
from handcalc.record.matrix import Matrix
from handcalc.views.sections import sections

TO_FILL = """Work out each number by hand and write it in place of its `____`. Then save the notebook and hand
it in: nothing here tells you what is right, and there is nothing to run.
Round to {places} decimal places; `1,73`, `1/3`, `√3`, `e^2` and `2*3+1` work too.{infinity}
Leave the `|` between numbers and the quotation marks around them as they are."""


class Bare(Words):
    """Cells of blanks without their checks, and of numbers in place of what would show them."""

    def asked(self, name: str, short_name: str) -> list[dict[str, Any]]:
        """The blanks alone."""
        return [code_cell(self.blanks(name, short_name))]

    def shown(self, name: str, short_name: str) -> list[dict[str, Any]]:
        """The numbers of a step that is given, as they stand on a sheet."""
        return [markdown(_numbers(short_name, self.exercise.calculation[name], self.exercise.places))]

    def points(self, step: str, answers: str) -> str:
        """What nbgrader takes out of the notebooks that students get, and puts back to grade them."""
        code = self.exercise.code
        return hidden(f'"{code}"' if is_known(code) else recorded(self.exercise), step, answers)

    @property
    def how(self) -> str:
        """What a learner has to know before the first blank."""
        infinity = INFINITY if self.has_infinity else ""
        return TO_FILL.format(places=self.exercise.places, infinity=infinity)


def bare_notebook(
    exercise: Exercise, *, student: str | None = None, nbgrader: bool = False
) -> dict[str, Any]:
    """An unexecuted notebook with blanks, and nothing from which a computer would know what belongs there.

    With a `student`, or "", it says whose it is, and has the ticket of the sheet. With `nbgrader` each step
    is followed by a locked cell with its points, whose code nbgrader takes out before it hands them out.
    """
    words, calculation = Bare(exercise, nbgrader=nbgrader), exercise.calculation
    title = one_line(calculation.title)
    cells = [markdown(f"# {title}\n\n{whose_it_is(student, exercise.code)}{words.how}")]
    givens = [_numbers(name, given, exercise.places) for name, given in calculation.givens.items()]
    cells.append(markdown("\n\n".join(["## Given", *givens])))
    cells += [] if words.is_plain else [code_cell("answers = {}")]
    found = sections(calculation)
    for section in found:
        cells += block(section, words, is_alone=len(found) == 1)
    return finished(cells, exercise.code, student)


def _numbers(name: str, matrix: Matrix, places: int) -> str:
    """`**X** (columns: it, sat)` and the matrix, rounded as on paper."""
    labels = {"rows": matrix.rows, "columns": matrix.columns}
    words = "; ".join(f"{kind}: {', '.join(map(one_line, of))}" for kind, of in labels.items() if of)
    rows = [" & ".join(show(number, places) for number in row) for row in matrix.values.tolist()]
    inside = " \\\\\n".join(rows)
    head = Called(one_line(name)).html + (f" ({words})" if words else "")
    return f"{head}\n\n$$\\begin{{bmatrix}}\n{inside}\n\\end{{bmatrix}}$$"
