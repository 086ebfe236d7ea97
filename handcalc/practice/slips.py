"""Slips in one cell: a product left out, a sign lost, two entries swapped, a row taken for a column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import Values, counted
from handcalc.operations import MatMul, Sums
from handcalc.practice.own import Own


def slips(step: Matrix, row: int, column: int, own: Own) -> Iterator[tuple[str, str, float]]:
    """What one cell comes to with one slip: (name, sentence, value)."""
    values = own.compute(step)
    if values is None:
        return
    right = float(values[row, column])
    for sentence, term in _terms(step, row, column, own):
        if term != 0:
            yield "product-left-out", f"{sentence} is missing in the sum.", right - term
            yield "sign-lost", f"{sentence} went in with the wrong sign.", right - 2 * term
    if right != 0:
        yield "sign-lost", "The sign is wrong.", -right
    yield from _other_lines(step, row, column, own)


def _terms(step: Matrix, row: int, column: int, own: Own) -> Iterator[tuple[str, float]]:
    """What is added up in a cell, term by term, in words and as a number."""
    if isinstance(step.operation, MatMul):
        a, b = (own.read(m) for m in step.inputs)
        for k in range(a.shape[1]):
            yield f"The product number {counted(k)}", float(a[row, k] * b[k, column])
    if isinstance(step.operation, Sums):
        line = own.read(step.inputs[0])
        terms = line[:, column] if step.operation.axis == 0 else line[row]
        for k, term in enumerate(terms):
            yield f"Number {counted(k)}", float(term)


def _other_lines(step: Matrix, row: int, column: int, own: Own) -> Iterator[tuple[str, str, float]]:
    if not isinstance(step.operation, MatMul):
        return
    a, b = (own.read(m) for m in step.inputs)
    if b.shape[0] == b.shape[1]:
        sentence = f"Row {counted(column)} of {step.inputs[1].said} was used, not its column."
        yield "row-for-column", sentence, float(a[row] @ b[column])
    if a.shape[0] == a.shape[1]:
        sentence = f"Column {counted(row)} of {step.inputs[0].said} was used, not its row."
        yield "row-for-column", sentence, float(a[:, row] @ b[:, column])
    for other in range(a.shape[0]):
        if other != row:
            sentence = f"Row {counted(other)} was used; row {counted(row)} is meant."
            yield "row-for-column", sentence, float(a[other] @ b[:, column])
    for other in range(b.shape[1]):
        if other != column:
            sentence = f"Column {counted(other)} was used; column {counted(column)} is meant."
            yield "row-for-column", sentence, float(a[row] @ b[:, other])


def swapped(
    answer: Values, right: Values, wrong: np.ndarray[Any, np.dtype[np.bool_]], tolerance: float
) -> Iterator[tuple[int, int]]:
    """Wrong cells, counted in reading order, that hold one another's number."""
    places = [tuple(map(int, at)) for at in np.argwhere(wrong)]
    for k, one in enumerate(places):
        for two in places[k + 1 :]:
            if abs(answer[one] - right[two]) <= tolerance and abs(answer[two] - right[one]) <= tolerance:
                yield places.index(one), places.index(two)
