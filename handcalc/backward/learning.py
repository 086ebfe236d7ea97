"""A step of learning, W − rate · dW, and many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc import blocks
from handcalc.backward.slopes import gradients, slope_of
from handcalc.blocks import Block
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, listed, short
from handcalc.matrix import Matrix
from handcalc.reading import read_count, read_number

LEARNING = Block("learning", None, "A step of learning", "Every weight goes a small step down its slope.")


def learning_step(
    calculation: Calculation, rate: float = 0.001, of: Sequence[str] | None = None
) -> Calculation:
    """A calculation of slopes with one step down them: learning.W_Q = W_Q − rate · dW_Q, and so on.

    `rate` is a given of it. `of` names the givens that learn. Raises HandcalcError for one that is no given.
    """
    wanted = _learning(calculation, of)
    with blocks.opened(LEARNING):
        by = Matrix([[read_number(rate, "The learning rate")]], "rate")
        steps = [
            (calculation[name] - by * slope_of(calculation, name)).named(
                name.replace(".", "_"), f"{name} after the step"
            )
            for name in wanted
        ]
    return calculation.with_more([by, *steps], title=calculation.title)


class Training:
    """Some steps of learning: the sheets before, between and after them, and their losses."""

    def __init__(self, sheets: Sequence[Calculation], loss: str) -> None:
        self.sheets, self.loss = tuple(sheets), loss

    @property
    def losses(self) -> list[float]:
        """The loss of each sheet, that before the first step at the beginning."""
        return [float(sheet[self.loss].values[0, 0]) for sheet in self.sheets]


def train(
    calculation: Calculation,
    loss: str = "L",
    *,
    of: Sequence[str] | None = None,
    rate: float = 0.001,
    steps: int = 50,
) -> Training:
    """Learn: so many steps W − rate · dW of each given that is named in `of`; of all weights without it."""
    rate, steps = read_number(rate, "The learning rate"), read_count(steps, "The number of steps")
    slopes = gradients(calculation, loss)
    wanted, sheets = _learning(slopes, of), [calculation]
    for _ in range(steps):
        changed: dict[str, Any] = {
            name: slopes[name].values - rate * slope_of(slopes, name).values for name in wanted
        }
        slopes = slopes.with_givens(**changed)
        sheets.append(sheets[-1].with_givens(**changed))
    return Training(sheets, loss)


def _learning(calculation: Calculation, of: Sequence[str] | None) -> list[str]:
    """The givens that learn: those that are named, or every weight (a given in whose name there is a W)."""
    names = [name for name in calculation.givens if not name.startswith("learning.")]
    if of is None:
        return [name for name in names if name.rpartition(".")[2].startswith("W")]
    wanted = [of] if isinstance(of, str) else list(of)
    for name in wanted:
        if name not in names:
            raise HandcalcError(f"{short(name)} is not one of the givens, which are {listed(names)}.")
    return wanted
