"""The givens that stand in a notebook: they say whose sheet it is, whatever code was written on it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from handcalc.notation.numbers import Values, half_up
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.parse_number import parse_number

GIVEN_HEADING = "## Given"
SHOWN_MATRIX = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", re.DOTALL)
Rows = tuple[tuple[float, ...], ...]
ShownGivens = tuple[Rows, ...]  # matrix by matrix


def read_carried(call: ast.Call) -> ShownGivens:
    """The givens of a calculation in a notebook, `from_spec({…})`; none where none can be read."""
    try:
        matrices = ast.literal_eval(call.args[0])["matrices"]
        return tuple(_rows(one["values"]) for one in matrices if one["name"] and "operation" not in one)
    except (IndexError, KeyError, TypeError, ValueError, RecursionError, MemoryError):
        return ()


def read_written(texts: Iterable[str]) -> ShownGivens:
    """The givens written out below their heading, as in a notebook without answers."""
    text = next((text for text in texts if text.startswith(GIVEN_HEADING)), "")
    return tuple(
        tuple(tuple(parse_number(cell).value for cell in row.split("&")) for row in inside.split("\\\\"))
        for inside in SHOWN_MATRIX.findall(text)
    )


def _rows(values: Any) -> Rows:
    """Rows of numbers. Raises TypeError or ValueError for anything else."""
    return tuple(tuple(float(number) for number in row) for row in values)


def round_shown(givens: ShownGivens, places: int) -> tuple[Rows, ...]:
    """The givens rounded: the same whether numbers are written with all their digits or as shown."""
    return tuple(tuple(tuple(half_up(np.array(row), places).tolist()) for row in one) for one in givens)


def list_shown(exercise: Exercise) -> tuple[Rows, ...]:
    """The givens of a sheet, to be compared with those in a file."""
    return round_shown(tuple(map(_of, exercise.calculation.givens.values())), exercise.places)


def _of(given: Any) -> Rows:
    values: Values = given.values
    return tuple(map(tuple, values.tolist()))
