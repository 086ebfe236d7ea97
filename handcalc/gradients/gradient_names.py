"""Names of slopes: backward.head_1.dQ for head_1.Q, with the titles of the blocks they belong to."""

from __future__ import annotations

from itertools import count

from handcalc.gradients import gradient_reasons
from handcalc.notation.names import BACKWARD
from handcalc.record import blocks
from handcalc.record.blocks import Block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

BACKWARD_TITLE = "Backwards"
BACKWARD_WHY = (
    "The backward pass, from the loss to the givens: how fast does the loss change as this number grows?"
)


def slope_name(name: str) -> str:
    """`backward.head_1.dQ` for head_1.Q."""
    *path, last = name.split(".")
    return ".".join([BACKWARD, *path, f"d{last}"])


class Mirror:
    """A copy of a calculation's blocks inside one block, with `about` after each title."""

    def __init__(self, calculation: Calculation, root: Block, about: str) -> None:
        self.calculation, self.about = calculation, about
        self.made: dict[str, Block] = {"": root}

    def block(self, path: str) -> Block:
        """The block that mirrors the one at this path."""
        if path not in self.made:
            around, _, last = path.rpartition(".")
            title = self.calculation.way(path)[-1] if path in self.calculation.blocks else ""
            self.made[path] = Block(last, self.block(around), f"{title}, {self.about}" if title else "")
        return self.made[path]

    def of(self, matrix: Matrix) -> Block:
        """The block that mirrors a matrix's own."""
        return self.block((matrix.name or "").rpartition(".")[0])


class Namer:
    """Puts slopes into blocks that mirror those of a calculation."""

    def __init__(self, calculation: Calculation, loss: Matrix) -> None:
        self.mirror = Mirror(calculation, Block(BACKWARD, None, BACKWARD_TITLE, BACKWARD_WHY), "backwards")
        self.taken = {slope_name(name) for name in calculation}
        self.loss = _last(loss)

    def __call__(self, slope: Matrix, of: Matrix, why: str) -> Matrix:
        """A slope under its name, with the labels of the matrix that it belongs to."""
        last = _last(of)
        about = f"slopes of {self.loss}" if last != self.loss else "its slope for itself"
        return self._named(slope, f"d{last}", _path(of), about, why, of)

    def mean(self, mean: Matrix, shares: Matrix) -> Matrix:
        """The mean of the slopes of shares, weighted by them."""
        about = f"mean of d{_last(shares)}, weighted by {_last(shares)}"
        name = self._free(_path(shares), f"d{_last(shares)}_mean")
        return self._named(mean, name, _path(shares), about, gradient_reasons.WHY_MEAN)

    def inner(self, slope: Matrix, of: Matrix, step: Matrix, why: str) -> Matrix:
        """The slope of a part of a step, which has no name itself: dN_inner of γ·(…) + β."""
        path = _path(step)
        name = self._free(path, f"d{_last(step)}_inner")
        return self._named(slope, name, path, f"slopes of {self.loss} for a part of {_last(step)}", why, of)

    def partly(self, slope: Matrix, of: Matrix, path: str) -> Matrix:
        """The part of a matrix's slope that comes back through one block."""
        self.taken.add(slope_name(_joined(path, _last(of))))
        about = f"what comes back to {_last(of)} through this block"
        return self._named(slope, f"d{_last(of)}", path, about, gradient_reasons.WHY_IN_BLOCK, of)

    def is_free(self, of: Matrix, path: str) -> bool:
        """Whether the name of the matrix's slope is still free in this block."""
        return slope_name(_joined(path, _last(of))) not in self.taken

    def _free(self, path: str, name: str) -> str:
        """This name, or with a number after it, where a slope in this block is or will be called so."""
        tried = (name if k == 1 else f"{name}_{k}" for k in count(1))
        free = next(each for each in tried if _joined(BACKWARD, path, each) not in self.taken)
        self.taken.add(_joined(BACKWARD, path, free))
        return free

    def _named(
        self, slope: Matrix, name: str, path: str, about: str, why: str, like: Matrix | None = None
    ) -> Matrix:
        with blocks.open_block(self.mirror.block(path)):
            named: Matrix = slope.named(name, about, why=why or None)
        if like is None:
            return named
        return named.replace(rows=like.description.rows, columns=like.description.columns)


def _last(matrix: Matrix) -> str:
    return (matrix.name or "").rpartition(".")[2]


def _path(matrix: Matrix) -> str:
    return (matrix.name or "").rpartition(".")[0]


def _joined(*parts: str) -> str:
    return ".".join(filter(None, parts))
