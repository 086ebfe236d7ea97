"""Which matrices of a sheet are left blank, and how much room a pencil needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

PENCIL_WIDTH, PENCIL_HEIGHT = 33.0, 24.5  # points: a pencil's box is 11 mm by 8 mm, and there are gaps between boxes


@dataclass(frozen=True)
class Blanks:
    """Matrices that are drawn as empty boxes, and the least size of a box before the sheet shrinks."""

    matrices: frozenset[Matrix] = frozenset()
    width: float = 0.0
    height: float = 0.0
    order: Mapping[Matrix, int] = field(default_factory=dict)  # the number of each step, from 1

    def __contains__(self, matrix: Matrix) -> bool:
        return matrix in self.matrices

    def scaled(self, scale: float) -> Blanks:
        """Boxes that keep their size on a sheet that shrinks this far, and grow with one that grows."""
        least = min(scale, 1.0)
        return replace(self, width=PENCIL_WIDTH / least, height=PENCIL_HEIGHT / least)


NO_BLANKS = Blanks()


def blanks(calculation: Calculation, names: Collection[str]) -> Blanks:
    """The blanks of a sheet on which these steps are asked for.

    What a sheet draws of a blank without a name of its own, such as Kᵀ of K, is blank too.
    """
    found: set[Matrix] = set()
    for matrix in calculation.record:
        if matrix.name in names or (not matrix.name and any(m in found for m in matrix.inputs)):
            found.add(matrix)
    order = {step: number for number, step in enumerate(calculation.steps.values(), start=1)}
    return Blanks(frozenset(found), PENCIL_WIDTH, PENCIL_HEIGHT, order)
