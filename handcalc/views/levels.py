"""The sheets of a calculation: the steps that belong to no block, then each block's own steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handcalc.calculation import Calculation
from handcalc.equations import equation
from handcalc.matrix import Matrix
from handcalc.views.layout import to_spec as laid_out


def levels(calculation: Calculation) -> Iterator[tuple[str, Calculation]]:
    """Path and sheet of each: on a sheet names are short, and what inner blocks found is given."""
    for path in ("", *calculation.blocks):
        yield path, calculation.level(path)


def to_spec(calculation: Calculation) -> list[dict[str, Any]]:
    """Each sheet as JSON values; numbers stand for the matrices in the whole calculation's list."""
    place = {m: i for i, m in enumerate(calculation.record)}
    return [_written(calculation, path, sheet, place) for path, sheet in levels(calculation)]


def _written(
    calculation: Calculation, path: str, sheet: Calculation, place: dict[Matrix, int]
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
        "typeset": dict(_typeset(origins, places)),
        "layout": laid_out(sheet, places),
    }


def _typeset(
    origins: dict[Matrix, Matrix], places: dict[Matrix, int]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and formulas, by place, where this sheet writes them otherwise than the calculation does."""
    for matrix, origin in origins.items():
        if origin is not matrix and (written := equation(matrix)) != equation(origin):
            yield str(places[matrix]), written
