"""A calculation as a page may have it that must not work out what is blank."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from handcalc.notation import packed_numbers
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.spec import Spec

TOLD = ("operation", "badge", "inputs")


def withheld(calculation: Calculation, blank: Collection[str]) -> Spec:
    """The spec without the operations of its steps: a blank has no numbers, any other has its own.

    Formulas stay, as text. What a sheet draws without a name of its own, such as Kᵀ of K, is still worked
    out: of blanks that gives no numbers.
    """
    spec = calculation.to_spec()
    drawn = _drawn(spec, calculation)
    entries = zip(spec["matrices"], calculation.record, strict=True)
    spec["matrices"] = [_entry(written, matrix, blank, drawn) for written, matrix in entries]
    return spec


def _entry(
    written: dict[str, Any], matrix: Matrix, blank: Collection[str], drawn: set[Matrix]
) -> dict[str, Any]:
    if matrix.is_given or matrix in drawn:
        return written
    entry = {key: value for key, value in written.items() if key not in TOLD} | {"by_hand": True}
    is_shown = matrix.name is not None and matrix.name not in blank
    return entry | {"values": packed_numbers.pack_numbers(matrix.values)} if is_shown else entry


def _drawn(spec: Spec, calculation: Calculation) -> set[Matrix]:
    """Unnamed and idle matrices of the sheets, and those that they are worked out from, up to a step."""
    record = calculation.record
    waiting = [record[place] for place in _placed(spec) if _is_seen_through(record[place])]
    found: set[Matrix] = set()
    while waiting:
        matrix = waiting.pop()
        if matrix not in found and _is_seen_through(matrix):
            found.add(matrix)
            waiting += matrix.inputs
    return found


def _is_seen_through(matrix: Matrix) -> bool:
    return not matrix.is_given and (matrix.name is None or matrix.is_idle)


def _placed(spec: Spec) -> Iterator[int]:
    """Which matrices stand on a sheet."""
    for layout in (spec["layout"], *(block["layout"] for block in spec["blocks"])):
        for row in (row for track in layout for row in track):
            yield from (block[0] for block in (row["left"], row["main"], *row["right"]) if block)
