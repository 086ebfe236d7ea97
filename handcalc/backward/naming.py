"""What a slope is called: backward.head_1.dQ for head_1.Q, with the titles of the blocks that it is about."""

from __future__ import annotations

from handcalc import blocks
from handcalc.blocks import Block
from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.names import BACKWARD

TITLE = "Backwards"
WHY = "From the loss back to the givens: how much would it change if this number were a little larger?"


def slope_name(name: str) -> str:
    """`backward.head_1.dQ` for head_1.Q."""
    *path, last = name.split(".")
    return ".".join([BACKWARD, *path, f"d{last}"])


class Mirror:
    """Inside one block the blocks of a calculation once more; what they are about follows their titles."""

    def __init__(self, calculation: Calculation, root: Block, about: str) -> None:
        self.calculation, self.about = calculation, about
        self.made: dict[str, Block] = {"": root}

    def block(self, path: str) -> Block:
        """The block that stands for the one of this path."""
        if path not in self.made:
            around, _, last = path.rpartition(".")
            title = self.calculation.way(path)[-1] if path in self.calculation.blocks else ""
            self.made[path] = Block(last, self.block(around), f"{title}, {self.about}" if title else "")
        return self.made[path]

    def of(self, matrix: Matrix) -> Block:
        """The block that stands for a matrix's own."""
        return self.block((matrix.name or "").rpartition(".")[0])


class Namer:
    """Puts slopes into blocks that mirror those of a calculation."""

    def __init__(self, calculation: Calculation) -> None:
        self.mirror = Mirror(calculation, Block(BACKWARD, None, TITLE, WHY), "backwards")

    def __call__(self, slope: Matrix, of: Matrix, why: str) -> Matrix:
        """A slope under its name, with the labels of the matrix that it belongs to."""
        return self._named(slope, f"d{(of.name or '').rpartition('.')[2]}", of, "slopes", why).replace(
            rows_=of.rows_, columns_=of.columns_
        )

    def mean(self, mean: Matrix, shares: Matrix) -> Matrix:
        """The mean of the slopes of shares, weighted by them."""
        why = "The mean of the slopes, each counted by its share: what moving all shares alike would do."
        return self._named(
            mean, f"d{(shares.name or '').rpartition('.')[2]}_mean", shares, "weighted mean", why
        )

    def _named(self, slope: Matrix, name: str, of: Matrix, about: str, why: str) -> Matrix:
        with blocks.opened(self.mirror.of(of)):
            return slope.named(name, about, why=why or None)
