"""Recognising: which known mistakes lead to just the numbers that a learner wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from handcalc.matrix import Matrix
from handcalc.numbers import LARGE, Values, counted, largest
from handcalc.practice import slips
from handcalc.practice.mistakes import Twin, twins, twins_of_skipped
from handcalc.practice.own import Flags, Own

At = tuple[int, int]
MOST_SLIPS = 3  # more wrong cells than that are no slips, but match some by chance
MOST_SWAPPED = 6
NOISE = 1e-12  # relative: computers differ so much on the same power
EXACT = 1e-9  # so near, relative to the largest, are numbers that were never rounded


@dataclass(frozen=True)
class Mistake:
    """A mistake that was recognised; `cell` is (row, column) from 0 where it is a slip in one cell."""

    step: str
    name: str
    sentence: str
    cell: At | None = None

    def __str__(self) -> str:
        return f"{self.step}{'' if self.cell is None else _place(self.cell)}: {self.sentence} ({self.name})"


def near(answer: Values, values: Values, tolerance: float) -> Flags:
    """Where two matrices say the same; an infinity only to itself.

    From 10^10 on numbers are written with an exponent: there the tolerance is that of the digits before it.
    """
    with np.errstate(all="ignore"):
        size = np.abs(values)
        exponent = np.where((size >= LARGE) & np.isfinite(size), np.floor(np.log10(size)), 0.0)
        allowed = tolerance * 10.0**exponent + NOISE * np.where(np.isfinite(size), size, 0.0)
        return np.asarray((answer == values) | (np.abs(answer - values) <= allowed))


def recognised(matrix: Matrix, answer: Values, wrong: Flags, own: Own, tolerance: float) -> list[Mistake]:
    """The mistakes that lead to just these numbers; all of them, where several do.

    A mistake in all of the step comes first, then one in a blank step before it, then slips in cells.
    """
    if not wrong.any():
        return []
    cells = [(int(i), int(j)) for i, j in np.argwhere(wrong)]
    whole = _of_all(matrix, answer, twins(matrix, own), tolerance)
    if whole and len(cells) > 1:
        return whole + (_swaps(matrix, answer, cells, own, tolerance) if len(cells) == 2 else [])
    single = _slips(matrix, answer, cells, own, tolerance)
    in_cells = {mistake.name for mistake in single}
    found = [mistake for mistake in whole if mistake.name not in in_cells] + single
    return (
        found
        or _of_all(matrix, answer, twins_of_skipped(matrix, own), tolerance)
        or _wrong_lines(matrix, answer, cells, own, tolerance)
    )


def _of_all(matrix: Matrix, answer: Values, known: Iterable[Twin], tolerance: float) -> list[Mistake]:
    """Mistakes that explain every number; those that do so to the last digit before the rest."""
    attempted = ~np.isnan(answer)
    found: list[tuple[float, Twin]] = []
    for twin in known:
        if (near(answer, twin.values, tolerance) | ~attempted).all():
            off = np.where(answer == twin.values, 0.0, np.abs(answer - twin.values))
            found.append((float(off[attempted].max()), twin))
    exact = EXACT * max(1.0, largest(answer))
    if any(off <= exact for off, _ in found):
        found = [(off, twin) for off, twin in found if off <= exact]
    mistakes: dict[str, Mistake] = {}
    for _, twin in found:
        mistakes.setdefault(twin.mistake, Mistake(matrix.name or "", twin.mistake, twin.sentence))
    return list(mistakes.values())


def _swaps(matrix: Matrix, answer: Values, cells: list[At], own: Own, tolerance: float) -> list[Mistake]:
    right = own.compute(matrix)
    if right is None or len(cells) > MOST_SWAPPED:
        return []
    return [
        Mistake(
            matrix.name or "",
            "entries-swapped",
            f"The numbers at {_place(one)} and {_place(two)} have changed places.",
            one,
        )
        for one, two in slips.swapped(answer, right, cells, tolerance)
    ]


def _slips(matrix: Matrix, answer: Values, cells: list[At], own: Own, tolerance: float) -> list[Mistake]:
    swaps = _swaps(matrix, answer, cells, own, tolerance)
    if swaps or len(cells) > MOST_SLIPS:
        return swaps
    return [found for cell in cells for found in _in_cell(matrix, answer, cell, slips.slips, own, tolerance)]


def _wrong_lines(
    matrix: Matrix, answer: Values, cells: list[At], own: Own, tolerance: float
) -> list[Mistake]:
    if len(cells) > MOST_SLIPS:
        return []
    known = slips.wrong_lines
    return [found for cell in cells for found in _in_cell(matrix, answer, cell, known, own, tolerance)]


def _in_cell(
    matrix: Matrix, answer: Values, cell: At, known: Any, own: Own, tolerance: float
) -> Iterator[Mistake]:
    named: set[str] = set()
    for name, sentence, value in known(matrix, *cell, own):
        if abs(answer[cell] - value) <= tolerance and name not in named:
            named.add(name)
            yield Mistake(matrix.name or "", name, sentence, cell)


def _place(cell: At) -> str:
    return f"[{counted(cell[0])},{counted(cell[1])}]"
