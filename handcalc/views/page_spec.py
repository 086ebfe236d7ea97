"""The places of matrices on a page, as JSON values beside the record's, and what is withheld there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from handcalc.notation import packed_numbers
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.record.spec import Spec
from handcalc.views.drawing_order import strips
from handcalc.views.sections import Section, levels
from handcalc.views.sheet_layout import PlacedMatrix, SheetRow, tracks

CALCULATING_FIELDS = ("operation", "badge", "inputs")


def layout_spec(
    calculation: Calculation, place: Mapping[Matrix, int] | None = None
) -> list[list[dict[str, Any]]]:
    """The layout as JSON values: strips of rows, each with its place; a block is [place, is_copy]."""
    place = place or {m: i for i, m in enumerate(calculation.record)}

    def entry(block: PlacedMatrix | None) -> list[Any] | None:
        return [place[block.matrix], block.is_copy] if block else None

    def written(row: SheetRow) -> dict[str, Any]:
        blocks = {"left": entry(row.left), "main": entry(row.main), "right": [entry(b) for b in row.right]}
        return blocks | {"band": row.band, "column": row.column} | ({"isLow": True} if row.is_low else {})

    return [[written(row) for row in strip.rows] for strip in strips(tracks(calculation, idle=True))]


def sheet_specs(calculation: Calculation) -> list[dict[str, Any]]:
    """Each sheet as JSON values, with matrices as their places in the whole calculation's list."""
    names = LevelNames(calculation)
    return [_written(section, names) for section in levels(calculation)]


def _written(section: Section, names: LevelNames) -> dict[str, Any]:
    path, sheet, origins = section.path, section.sheet, section.origins
    places = {m: names.place[origin] for m, origin in origins.items()}
    own = [m for m in sheet.record if (m.name and m.name not in sheet.inputs) or section.is_whole]
    return {
        "path": path,
        "title": sheet.title,
        "why": sheet.why,
        "numbered": section.whole.numbered(path),
        "matrices": [places[m] for m in own if m.name],
        "inputs": [places[m] for m in sheet.inputs.values()] if path else [],
        "outputs": [places[m] for m in sheet.outputs.values()],
        "typeset": names.on_sheet(path, origins, [origins[m] for m in own]),
        "layout": layout_spec(sheet, places),
    }


class LevelNames:
    """Names and formulas, by place, where a sheet writes them otherwise than the whole calculation does."""

    def __init__(self, calculation: Calculation) -> None:
        self.place = {m: i for i, m in enumerate(calculation.record)}
        self.whole = {m: typeset_equation(m) for m in calculation.record}
        self.readers: dict[Matrix, list[Matrix]] = {}
        for reader in calculation.values():
            for read in reader.reads():
                self.readers.setdefault(read, []).append(reader)

    def on_sheet(
        self, path: str, origins: Mapping[Matrix, Matrix], own: Sequence[Matrix]
    ) -> dict[str, dict[str, Any]]:
        """Names and formulas on the sheet of a block, and those of readers of its own steps elsewhere."""
        written = {origin: typeset_equation(m) for m, origin in origins.items() if m is not origin}
        if path:
            written |= self._outside(path, own)
        return {str(self.place[m]): now for m, now in written.items() if now != self.whole[m]}

    def _outside(self, path: str, own: Sequence[Matrix]) -> dict[Matrix, dict[str, Any]]:
        """Readers of a block's steps elsewhere, named as from the block: `mean` of the block inside."""
        taken = {(m.name or "").rpartition(".")[2] for m in own}
        found = {reader for m in own for reader in self.readers.get(m, ())} - {*own}
        written = {m: typeset_equation(m, path) for m in sorted(found, key=self.place.__getitem__)}
        return {m: now for m, now in written.items() if "".join(now["called"]) not in taken}


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
    entry = {key: value for key, value in written.items() if key not in CALCULATING_FIELDS} | {
        "by_hand": True
    }
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
    """The places of the matrices that are on a sheet."""
    for layout in (spec["layout"], *(block["layout"] for block in spec["blocks"])):
        for row in (row for track in layout for row in track):
            yield from (block[0] for block in (row["left"], row["main"], *row["right"]) if block)
