"""The sheets of a calculation: the steps that belong to no block, then each block's own steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.sections import Section, levels
from handcalc.views.sheet_layout import layout_spec as laid_out


def sheet_specs(calculation: Calculation) -> list[dict[str, Any]]:
    """Each sheet as JSON values; numbers stand for the matrices in the whole calculation's list."""
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
        "layout": laid_out(sheet, places),
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
        """Those of the matrices on the sheet of a block, and of what reads its own steps elsewhere."""
        written = {origin: typeset_equation(m) for m, origin in origins.items() if m is not origin}
        if path:
            written |= self._outside(path, own)
        return {str(self.place[m]): now for m, now in written.items() if now != self.whole[m]}

    def _outside(self, path: str, own: Sequence[Matrix]) -> dict[Matrix, dict[str, Any]]:
        """What reads a block's steps elsewhere, called from there: `mean` of the block inside."""
        taken = {(m.name or "").rpartition(".")[2] for m in own}
        found = {reader for m in own for reader in self.readers.get(m, ())} - {*own}
        written = {m: typeset_equation(m, path) for m in sorted(found, key=self.place.__getitem__)}
        return {m: now for m, now in written.items() if "".join(now["called"]) not in taken}
