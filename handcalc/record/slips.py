"""Slips of a published sheet: what it does, what it should do, and the numbers that result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from handcalc.record.calculation import Calculation

Right = tuple[int, int, float]  # row and column, from 0, and the number that should stand there


class Slip(NamedTuple):
    """One slip: the cells of the sheet, its formula, what it should be, and the right numbers by step."""

    cells: str
    sheet: str
    should_be: str
    right: Mapping[str, Sequence[Right]]

    @classmethod
    def of(cls, told: Mapping[str, Any], right: Calculation) -> Slip:
        """A slip as it is written down: `marks` has the steps, with their cells or None for all of them."""
        found = {name: _numbers(right, name, cells) for name, cells in told["marks"].items()}
        return cls(told["cells"], told["sheet"], told["should_be"], found)

    def turned(self) -> Slip:
        """The same slip where tokens are rows."""
        return self._replace(
            right={name: [(j, i, v) for i, j, v in all_] for name, all_ in self.right.items()}
        )

    def __repr__(self) -> str:
        return f"{self.cells}: {self.sheet}; it should be {self.should_be}"


def _numbers(right: Calculation, name: str, cells: Sequence[Sequence[int]] | None) -> list[Right]:
    values = right[name].values
    places = np.ndindex(*values.shape) if cells is None else cells
    return [(int(i), int(j), float(values[i, j])) for i, j in places]


class Slips(tuple[Slip, ...]):
    """All slips of a sheet, in its order; they show themselves one a line."""

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "no slips"


def marked(calculation: Calculation, slips: Iterable[Slip]) -> Calculation:
    """Give a calculation, which was made for this alone, its slips; the same calculation."""
    vars(calculation)["_slips"] = Slips(slips)
    return calculation


def slips_spec(slips: Iterable[Slip]) -> list[dict[str, Any]]:
    """Slips as JSON values."""
    return [
        {**slip._asdict(), "right": {name: [list(one) for one in all_] for name, all_ in slip.right.items()}}
        for slip in slips
    ]


def read_slips(written: Iterable[Mapping[str, Any]]) -> Slips:
    """Slips from JSON values."""
    return Slips(map(_read, written))


def _read(one: Mapping[str, Any]) -> Slip:
    right = {
        str(name): [(int(i), int(j), float(value)) for i, j, value in cells]
        for name, cells in one["right"].items()
    }
    return Slip(str(one["cells"]), str(one["sheet"]), str(one["should_be"]), right)
