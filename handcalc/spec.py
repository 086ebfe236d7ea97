"""A calculation as JSON values: what the browser evaluates, and what a file keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handcalc.equations import equation
from handcalc.errors import HandcalcError, short
from handcalc.labels import Labels
from handcalc.matrix import Matrix
from handcalc.operations import KINDS, Operation, plain

FORMAT, VERSION = "handcalc", 1


def read(spec: Mapping[str, Any]) -> tuple[list[Matrix], str, str]:
    """The record, the title and the convention that were written; HandcalcError for anything else."""
    if not isinstance(spec, Mapping):
        raise HandcalcError(f"from_spec reads what to_spec wrote, not a thing of type {type(spec).__name__}.")
    if spec.get("format") != FORMAT or spec.get("version") != VERSION:
        raise HandcalcError(
            f"This is format {spec.get('format')!r}, version {spec.get('version')!r}; "
            f"only {FORMAT!r}, version {VERSION}, can be read."
        )
    try:
        record: list[Matrix] = []
        for entry in spec["matrices"]:
            record.append(read_matrix(entry, record))
        return record, spec["title"], spec["convention"]
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        if isinstance(error, HandcalcError):
            raise
        raise HandcalcError("This calculation is damaged: a part that to_spec wrote is missing.") from None


def write_matrix(matrix: Matrix, place: Mapping[Matrix, int]) -> dict[str, Any]:
    """One matrix as JSON values; `place` tells where in the list each input stands."""
    written: dict[str, Any] = {
        "name": matrix.name,
        "meaning": matrix.meaning,
        "why": matrix.why,
        "shape": list(matrix.shape),
        "rows": plain(matrix.rows_),
        "columns": plain(matrix.columns_),
        "formula": matrix.formula,
        "typeset": equation(matrix),
        "never_negative": matrix.never_negative,
    }
    if matrix.operation is None:
        return written | {"values": matrix.values.tolist()}
    operation = {"name": matrix.operation.name} | matrix.operation.parameters()
    return written | {"operation": operation, "inputs": [place[m] for m in matrix.inputs]}


def read_matrix(entry: Mapping[str, Any], record: list[Matrix]) -> Matrix:
    """One matrix computed again from its JSON values; `record` holds those before it."""
    if "operation" not in entry:
        new = Matrix(entry["values"])
    else:
        new = Matrix.computed(read_operation(entry["operation"]), *(record[i] for i in entry["inputs"]))
    new = new.replace(name=entry["name"], meaning=entry["meaning"])
    why = entry.get("why")  # files of older days have none
    return new.replace(
        why_=None if why == new.why else why,  # what its operation says by itself is not its own
        rows_=_labels(entry["rows"]),
        columns_=_labels(entry["columns"]),
    )


def read_operation(written: Mapping[str, Any]) -> Operation:
    """An operation from its name and its parameters."""
    kind = KINDS.get(written["name"])
    if kind is None:
        raise HandcalcError(f"There is no operation {short(written['name'])}.")
    return kind(**{field: written[field] for field in kind.fields})


def _labels(labels: Any) -> Labels:
    return tuple(labels) if isinstance(labels, list) else labels
