"""A calculation as JSON values: what the browser evaluates, and what a file keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handcalc.errors import HandcalcError
from handcalc.matrix import Matrix, as_matrix
from handcalc.operations import KINDS, plain

FORMAT, VERSION = "handcalc", 1


def check(spec: Mapping[str, Any]) -> None:
    """Raise HandcalcError for a spec that is of another format or version."""
    if not isinstance(spec, Mapping):
        raise HandcalcError(f"from_spec reads what to_spec wrote, not a thing of type {type(spec).__name__}.")
    if spec.get("format") != FORMAT or spec.get("version") != VERSION:
        raise HandcalcError(
            f"This is format {spec.get('format')!r}, version {spec.get('version')!r}; "
            f"only {FORMAT!r}, version {VERSION}, can be read."
        )


def write_matrix(matrix: Matrix, place: dict[int, int]) -> dict[str, Any]:
    """One matrix as JSON values; `place` tells where in the list each input stands."""
    written: dict[str, Any] = {
        "name": matrix.name,
        "meaning": matrix.meaning,
        "shape": list(matrix.shape),
        "rows": plain(matrix.rows_),
        "columns": plain(matrix.columns_),
        "formula": matrix.formula,
        "never_negative": matrix.never_negative,
    }
    if matrix.operation is None:
        return written | {"values": matrix.values.tolist()}
    operation = {"name": matrix.operation.name} | matrix.operation.parameters()
    return written | {"operation": operation, "inputs": [place[id(m)] for m in matrix.inputs]}


def read_matrix(entry: Mapping[str, Any], record: list[Matrix]) -> Matrix:
    """One matrix computed again from its JSON values; `record` holds those before it."""
    if "operation" not in entry:
        new = as_matrix(entry["values"], entry["name"])
    else:
        said = entry["operation"]
        kind = KINDS.get(said["name"])
        if kind is None:
            raise HandcalcError(f"There is no operation {said['name']!r}.")
        operation = kind(**{field: said[field] for field in kind.fields})
        new = Matrix.computed(operation, *(record[i] for i in entry["inputs"]))
        new.name = entry["name"]
    new.meaning = entry["meaning"]
    new.rows_, new.columns_ = (
        tuple(labels) if isinstance(labels, list) else labels for labels in (entry["rows"], entry["columns"])
    )
    return new
