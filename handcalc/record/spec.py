"""A calculation as JSON values, for the browser to evaluate and for a file to keep (docs/spec.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from handcalc.foundation.errors import HandcalcError, kind, short
from handcalc.notation import labels, packed_numbers
from handcalc.notation.accepted_types import Convention
from handcalc.notation.identifiers import read_name, read_symbol, read_text
from handcalc.notation.numbers import counted
from handcalc.operations import KINDS, Operation, plain
from handcalc.operations.work_estimate import Plan
from handcalc.record.blocks import Block
from handcalc.record.equations import badge, meaning_of, typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.record.slips import read_slips, slips_spec
from handcalc.record.subgraph import BlockAbout

if TYPE_CHECKING:
    from handcalc.record.calculation import Calculation

SPEC_FORMAT, SPEC_VERSION = "handcalc", 3
MAX_NUMBERS_OF_MATRIX = 50_000_000  # numbers in one matrix: a small file can ask for more than a machine has


class Spec(TypedDict):
    """A calculation as JSON values (docs/spec.md)."""

    format: str
    version: int
    title: str
    why: str
    path: str
    inputs: list[int]
    outputs: list[int]
    convention: Convention
    has_tokens: bool
    matrices: list[dict[str, Any]]
    layout: list[Any]
    blocks: list[dict[str, Any]]
    slips: NotRequired[list[dict[str, Any]]]  # of a sheet as it was published
    what_ifs: NotRequired[dict[str, Any]]  # of a page alone


def write_spec(calculation: Calculation) -> Spec:
    """A calculation as JSON values: all that `read_spec` needs. The views place things on its sheets."""
    place = {m: i for i, m in enumerate(calculation.record)}
    sheets = (("", BlockAbout(calculation.title, calculation.why)), *calculation.told_of_blocks())
    written: Spec = {
        "format": SPEC_FORMAT,
        "version": SPEC_VERSION,
        "title": calculation.title,
        "why": calculation.why,
        "path": calculation.path,
        "inputs": [place[m] for m in calculation.inputs.values()] if calculation.path else [],
        "outputs": [place[m] for m in calculation.outputs.values()] if calculation.path else [],
        "convention": calculation.convention,
        "has_tokens": calculation.has_tokens,
        "matrices": [write_matrix(m, place) for m in calculation.record],
        "layout": [],
        "blocks": [
            {"path": path, "title": about.title, "why": about.why, "numbered": about.numbered}
            for path, about in sheets
        ],
    }
    if calculation.slips:
        written["slips"] = slips_spec(calculation.slips)
    return written


def write_matrix(matrix: Matrix, place: Mapping[Matrix, int]) -> dict[str, Any]:
    """One matrix as JSON values; `place` is where each input is in the list."""
    written: dict[str, Any] = {
        "name": matrix.name,
        "meaning": matrix.meaning,
        "why": matrix.why,
        "stage": matrix.stage,
        "shape": list(matrix.shape),
        "rows": plain(matrix.description.rows),
        "columns": plain(matrix.description.columns),
        "formula": matrix.formula,
        "typeset": typeset_equation(matrix) | _told(matrix),
        "never_negative": matrix.never_negative,
    }
    if matrix.operation is None:
        return written | {"values": packed_numbers.pack_numbers(matrix.values)}
    operation = {"name": matrix.operation.name} | matrix.operation.parameters()
    inputs = [place[m] for m in matrix.inputs]
    return written | {"operation": operation, "badge": badge(matrix), "inputs": inputs}


def _told(matrix: Matrix) -> dict[str, str]:
    """The matrix's meaning as HTML, if it contains names to be typeset; else nothing."""
    meaning = meaning_of(matrix)
    return {"meaning": meaning} if "<" in meaning else {}


def read_spec(spec: Mapping[str, Any]) -> tuple[list[Matrix], dict[str, Any]]:
    """The record and the other fields: title, convention, ...; HandcalcError for anything else."""
    if not isinstance(spec, Mapping):
        raise HandcalcError(f"from_spec reads what to_spec wrote; got {kind(spec)}.")
    place = "its format or version"
    try:
        _check_version(spec["format"], spec["version"])
        place = "its list of matrices"
        entries, plan, record = _list(spec["matrices"]), Plan(), list[Matrix]()
        origins: list[Matrix | Operation] = []
        for entry in entries:
            place = f"matrix {counted(len(origins))}"
            origins.append(_planned(entry, plan))
        plan.check()
        for entry, origin in zip(entries, origins, strict=True):
            place = f"matrix {counted(len(record))}"
            record.append(_read_matrix(entry, origin, record))
        place = "its list of blocks"
        record = in_blocks(record, spec["blocks"])
        place = "its title or convention"
        about = {
            "path": read_name(spec["path"] or None) or "",
            "why": _text(spec["why"]) or "",
            "title": read_text(spec["title"], "The title") or "",
            "convention": spec["convention"],
        }
        slips = {"_slips": read_slips(spec["slips"])} if "slips" in spec else {}
        return record, about | _read_ports(record, spec) | slips
    except HandcalcError:
        raise
    except Exception:  # noqa: BLE001 - any error means a damaged file
        raise HandcalcError(f"This calculation is damaged: {place} is not as to_spec writes it.") from None


def _planned(entry: Mapping[str, Any], plan: Plan) -> Matrix | Operation:
    """A given, or the operation that makes a matrix; the written shape must be the one that follows."""
    rows, columns = shape = tuple(entry["shape"])
    if not 0 < rows * columns <= MAX_NUMBERS_OF_MATRIX:
        raise HandcalcError(f"A matrix of this calculation is too large: {short(rows)} by {short(columns)}.")
    if "operation" in entry:
        operation = read_operation(entry["operation"])
        if plan.step(operation, [_place(i, plan.shapes) for i in entry["inputs"]]) != shape:
            raise ValueError(shape)
        return operation
    new = Matrix(
        packed_numbers.unpack_numbers(entry["values"], shape)
    )  # shares that a block was given stay shares
    if plan.given(new.shape) != shape:
        raise ValueError(shape)
    return new.replace(never_negative=entry.get("never_negative") is True and bool((new.values >= 0).all()))


def _read_matrix(entry: Mapping[str, Any], origin: Matrix | Operation, record: Sequence[Matrix]) -> Matrix:
    """One matrix computed again from its planned origin; `record` holds those before it."""
    new = origin
    if isinstance(new, Operation):
        new = Matrix.computed(new, *[record[i] for i in entry["inputs"]])
    rows, columns = shape = tuple(entry["shape"])
    if new.shape != shape:
        raise ValueError(shape)
    new = new.replace(name=read_name(entry["name"]), meaning=_text(entry["meaning"]))
    why = _text(entry["why"])
    return new.replace(
        why=None if why == new.why else why,  # its operation's reason, not its own
        stage=_text(entry["stage"]),
        rows=labels.read_labels(entry["rows"], rows, "row", new.name),
        columns=labels.read_labels(entry["columns"], columns, "column", new.name),
    )


def _read_ports(record: Sequence[Matrix], spec: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the inputs and outputs of a block that was saved alone."""
    if not spec["path"]:
        return {}
    ports = {field: _list(spec[field]) for field in ("inputs", "outputs")}
    return {f"_{field}": [record[_place(i, record)].name or "" for i in ports[field]] for field in ports}


def in_blocks(record: Sequence[Matrix], blocks: Any) -> list[Matrix]:
    """The record again, each matrix in the block that its name says."""
    found: dict[str, Block] = {}
    for entry in _list(blocks):
        path = read_name(entry["path"] or None)
        if path:
            around, _, name = path.rpartition(".")
            about = read_text(entry["title"], "The title of a block"), _text(entry["why"])
            numbered = read_name(entry["numbered"])
            found[path] = Block(
                numbered or name,
                found.get(around),
                *(text or "" for text in about),
                is_numbered=numbered is not None,
            )
    copies: dict[Matrix, Matrix] = {}
    for matrix in record:
        block = found.get((matrix.name or "").rpartition(".")[0])
        inputs = tuple([copies[m] for m in matrix.inputs])
        copies[matrix] = matrix.replace(block=block, inputs=inputs)
    return list(copies.values())


def read_operation(written: Mapping[str, Any]) -> Operation:
    """An operation from its name and its parameters."""
    name = written["name"]
    if name not in KINDS:
        raise HandcalcError(f"There is no operation {short(name)}.")
    left_out = KINDS[name].optional - written.keys()
    parameters = {field: written[field] for field in KINDS[name].fields if field not in left_out}
    if parameters.get("axis", 0) not in (0, 1) or not isfinite(parameters.get("value", 0)):
        raise ValueError(parameters)
    read_symbol(parameters.get("symbol"))
    return KINDS[name](**parameters)


def _check_version(name: Any, version: Any) -> None:
    if name != SPEC_FORMAT or type(version) is not int or version != SPEC_VERSION:
        raise HandcalcError(
            f"This is format {short(name)}, version {short(version)}; "
            f"handcalc reads format {short(SPEC_FORMAT)}, version {SPEC_VERSION}."
        )


def _place(place: Any, record: Sequence[Any]) -> int:
    if type(place) is not int or not 0 <= place < len(record):
        raise IndexError(place)
    return place


def _list(matrices: Any) -> Sequence[Any]:
    if not isinstance(matrices, list | tuple):
        raise TypeError(matrices)
    return matrices


def _text(text: Any) -> str | None:
    return read_text(text, "The text of a matrix")
