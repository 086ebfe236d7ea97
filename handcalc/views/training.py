"""A training as text, as a widget and as a page: the falling loss, and the sheet after each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handcalc.numbers import show

if TYPE_CHECKING:
    from handcalc.backward import Training

FEW = 6  # losses that are all written


def text(training: Training) -> str:
    """One line: what learned, how, and the losses, the middle ones left out where there are many."""
    found = [show(loss) for loss in training.losses]
    told = found if len(found) <= FEW else [*found[:3], "…", found[-1]]
    done = len(found) - 1
    steps = f"{done} step{'s' * (done != 1)} of {training.rate:g}"
    names = training.of if len(training.of) <= FEW else [*training.of[:FEW], f"{len(training.of) - FEW} more"]
    line = f"Training of {', '.join(names)}, {steps}: {training.loss} = {' → '.join(told)}"
    return "\n".join(filter(None, [line, training.note]))


def html(training: Training) -> str:
    """What a notebook shows of it where no widget can be."""
    return str(training.figure()._repr_html_())
