"""The sheets of a calculation: the steps that belong to no block, then each block's own steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handcalc.calculation import Calculation
from handcalc.equations import equation
from handcalc.matrix import Matrix
from handcalc.views.layout import to_spec as laid_out

Readers = dict[Matrix, list[Matrix]]


def levels(calculation: Calculation) -> Iterator[tuple[str, Calculation]]:
    """Path and sheet of each: on a sheet names are short, and what inner blocks found is given."""
    for path in ("", *calculation.blocks):
        yield path, calculation.level(path)


def to_spec(calculation: Calculation) -> list[dict[str, Any]]:
    """Each sheet as JSON values; numbers stand for the matrices in the whole calculation's list."""
    place = {m: i for i, m in enumerate(calculation.record)}
    readers = _readers(calculation)
    return [_written(calculation, path, sheet, place, readers) for path, sheet in levels(calculation)]


def _written(
    calculation: Calculation, path: str, sheet: Calculation, place: dict[Matrix, int], readers: Readers
) -> dict[str, Any]:
    origins = {m: m if sheet is calculation else sheet.origin(m) for m in sheet.record}
    places = {m: place[origin] for m, origin in origins.items()}
    own = [m for m in sheet.record if (m.name and m.name not in sheet.inputs) or sheet is calculation]
    return {
        "path": path,
        "title": sheet.title,
        "why": sheet.why,
        "numbered": calculation.numbered(path),
        "matrices": [places[m] for m in own if m.name],
        "inputs": [places[m] for m in sheet.inputs.values()] if path else [],
        "outputs": [places[m] for m in sheet.outputs.values()],
        "typeset": dict(_typeset(origins, places))
        | dict(_outside(path, [origins[m] for m in own], place, readers)),
        "layout": laid_out(sheet, places),
    }


def _typeset(
    origins: dict[Matrix, Matrix], places: dict[Matrix, int]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and formulas, by place, where this sheet writes them otherwise than the calculation does."""
    for matrix, origin in origins.items():
        if origin is not matrix and (written := equation(matrix)) != equation(origin):
            yield str(places[matrix]), written


def _outside(
    path: str, own: list[Matrix], place: dict[Matrix, int], readers: Readers
) -> Iterator[tuple[str, dict[str, str]]]:
    """What reads this sheet's steps elsewhere, as it is called from here: `mean` of the block inside."""
    taken = {(m.name or "").rpartition(".")[2] for m in own}
    found = {reader for m in own for reader in readers.get(m, ())} - {*own}
    for reader in sorted(found, key=place.__getitem__) if path else ():
        written = equation(reader, path)
        if written != equation(reader) and "".join(written["called"]) not in taken:
            yield str(place[reader]), written


def _readers(calculation: Calculation) -> Readers:
    found: Readers = {}
    for reader in calculation.values():
        for read in reader.reads():
            found.setdefault(read, []).append(reader)
    return found
