"""Cells of a notebook, as nbformat has them, and cells for a course with nbgrader: locked, with points.

Answers stand in cells without metadata, which students may edit. After each comes a locked cell whose last
value is the points: nbgrader takes such a number for partial credit.
https://nbgrader.readthedocs.io/en/stable/user_guide/creating_and_grading_assignments.html
"""

from __future__ import annotations

import re
from typing import Any

NBGRADER_SCHEMA = 3
HIDDEN_BEGIN, HIDDEN_END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
GRADED_REMARK = "# A point for each number that is right, or follows from your own earlier ones."


def markdown_cell(source: str) -> dict[str, Any]:
    """A Markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(source)}


def code_cell(source: str) -> dict[str, Any]:
    """A code cell that has not been run yet."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(source),
    }


def join_lines(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def size_in_words(rows: int, columns: int) -> str:
    """`2 rows of 3 numbers`"""
    numbers = f"{columns} number{'s' * (columns > 1)}"
    return numbers if rows == 1 else f"{rows} rows of {numbers}"


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def lock_cell(cell: dict[str, Any], name: str) -> dict[str, Any]:
    """The cell, locked: nobody is to change it, and nbgrader puts it back where somebody has."""
    return _with(cell, name, grade=False)


def grade_cell(cell: dict[str, Any], name: str, points: int) -> dict[str, Any]:
    """The cell, graded: it says how many of so many points there are; it is locked, too."""
    return _with(cell, name, grade=True, points=points)


def count_points(step: str, answers: str) -> str:
    """The code of a graded cell; `answers` is where the notebook keeps them."""
    return f"{GRADED_REMARK}\nexercise.points({step}, {answers})"


def hide_tests(content: str, step: str, answers: str) -> str:
    """The same code, and all that it needs, hidden from students: nbgrader takes hidden tests out.

    `content` is the Python of what the exercise is made of.

    https://nbgrader.readthedocs.io/en/stable/user_guide/creating_and_grading_assignments.html
    """
    made = f"hc.Exercise({content}, solutions=False)"
    counted = f"import handcalc as hc\n\n{made}.points({step}, {answers})"
    return f"{GRADED_REMARK}\n{HIDDEN_BEGIN}\n{counted}\n{HIDDEN_END}"


def _with(cell: dict[str, Any], name: str, **more: Any) -> dict[str, Any]:
    plain = re.sub(r"[^a-zA-Z0-9_]+", "-", name)
    about = {
        "schema_version": NBGRADER_SCHEMA,
        "grade_id": plain,
        "locked": True,
        "solution": False,
        "task": False,
    }
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": about | more}}
