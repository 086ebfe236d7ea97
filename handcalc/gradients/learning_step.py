"""A learning step, W − rate · dW, and the loss after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.gradients.gradient_names import Mirror
from handcalc.gradients.gradient_record import loss_of, slope_of
from handcalc.notation.names import BACKWARD
from handcalc.notation.validation import read_number
from handcalc.record import blocks
from handcalc.record.blocks import Block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rewriting import run_again

LEARNING, AFTER = "learning", "after"
LEARNING_WHY = "Slopes point uphill, so every weight takes a small step the other way: gradient descent."
AFTER_WHY = "The same calculation with the new weights: is the loss smaller now?"
RATE_WHY = (
    "The learning rate: how long the step is. Too long, and it ends across the valley, higher than before."
)
NEW_WHY = "Where the slope is positive, the weight gets smaller; where it is negative, larger."


def learning_step(
    calculation: Calculation, rate: float = 0.001, of: Sequence[str] | None = None
) -> Calculation:
    """A calculation of slopes with one step down them, learning.W_Q_after = W_Q − rate · dW_Q, and so on.

    `learning.rate` is a given of it, and `after.L` the loss after the step. `of` names the givens that learn:
    every weight, without it. Raises HandcalcError for what is no given, and for a rate below 0.
    """
    loss = loss_of(calculation)
    if f"{LEARNING}.rate" in calculation:
        raise HandcalcError("This calculation already has a learning step; hc.train takes many.")
    wanted = learning_givens(calculation, of)
    mirror = Mirror(calculation, Block(LEARNING, None, "A learning step", LEARNING_WHY), "a learning step")
    with blocks.open_block(mirror.block("")):
        by = Matrix([[read_rate(rate)]], "rate").replace(
            meaning="learning rate", why=RATE_WHY, never_negative=True
        )
    new = {}
    for name in wanted:
        with blocks.open_block(mirror.of(calculation[name])):
            stepped = calculation[name] - by * slope_of(calculation, name)
            new[calculation[name]] = stepped.named(
                f"{name.rpartition('.')[2]}_after", "after the step", why=NEW_WHY
            )
    again = _again(calculation, new, loss)
    return calculation.with_more(
        [by, *new.values(), *again],
        title=calculation.title.replace("and backwards", "backwards and a step on"),
    )


def read_rate(rate: Any) -> float:
    """A learning rate, checked; HandcalcError in one plain sentence."""
    return read_number(rate, "The learning rate", least=0)


def learning_givens(calculation: Calculation, of: Sequence[str] | None) -> list[str]:
    """The givens that learn: those that are named, or every weight (a given in whose name there is a W).

    Raises HandcalcError for a name that no given has, and where there is nothing that could learn.
    """
    names = list(calculation.givens)
    wanted = [of] if isinstance(of, str) else of
    if wanted is None:
        wanted = [name for name in names if name.rpartition(".")[2].startswith("W")]
        if not wanted:
            raise HandcalcError(
                f"No name of a given begins with W, so say what learns: of={[names[0]] if names else []!r}; "
                f"there are {listed(names) or 'none'}."
            )
    elif not isinstance(wanted, list | tuple) or not wanted:
        raise HandcalcError(f"of is {short(of)}; it must be a list of givens, which are {listed(names)}.")
    for name in wanted:
        if name not in names:
            raise HandcalcError(f"{short(name)} is not one of the givens, which are {listed(names)}.")
    return list(dict.fromkeys(wanted))


def _again(calculation: Calculation, new: dict[Matrix, Matrix], loss: str) -> list[Matrix]:
    """The steps from the new weights to the loss, calculated again under names such as after.Q."""
    mirror = Mirror(calculation, Block(AFTER, None, "After the step", AFTER_WHY), "after the step")
    copies: dict[Matrix, Matrix] = {**new}
    for old in calculation.without(BACKWARD).record:
        inputs = tuple([copies.get(m, m) for m in old.inputs])
        if inputs != old.inputs:
            copies[old] = run_again(old, inputs)
            if old.name:
                copies[old] = copies[old].replace(name=f"{AFTER}.{old.name}", block=mirror.of(old))
    needed = {copies[calculation[loss]]} if calculation[loss] in copies else set()
    for copy in reversed(list(copies.values())):
        if copy in needed:
            needed.update(copy.inputs)
    return [copy for old, copy in copies.items() if copy in needed and old not in new and copy.name]
