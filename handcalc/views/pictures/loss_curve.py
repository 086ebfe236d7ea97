"""The loss after one learning step, for steps of any length: down into a valley, and up its other side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.gradients import loss_of
from handcalc.notation.names import BACKWARD
from handcalc.notation.validation import read_list, read_number
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import WIDTH, signed_number
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import beside, chart, round_ticks
from handcalc.views.pictures.page import Page

CURVE, CURVE_POINTS = (WIDTH - 54, 210.0), 81  # the chart's size in points; points of the curve
MAX_RATES = 6  # rates with a number


def loss_curve(
    slopes: Calculation,
    of: str = "W_Q",
    rates: Sequence[float] = (0.0001, 0.001, 0.01),
    *,
    theme: str = "light",
) -> Picture:
    """Draw the loss after one step of each length, W − rate · dW, and what the slope alone would promise.

    >>> hc.draw.loss_curve(hc.gradients(hc.examples.backwards(), "L"))
    <Figure: The loss after one step of W_Q, by its length. Before the step 4.00; rate ...>

    `slopes` is what `hc.gradients` made of a loss, `of` the given that takes the step. Every loss is
    calculated again with the new weights. The dotted line goes on as steeply as the slope is at the start:
    L − rate · Σ dW². Raises HandcalcError for another calculation or name, and for rates that are not two to
    six rising numbers above 0.
    """
    rates = _rates(rates)
    if not isinstance(slopes, Calculation):
        raise HandcalcError(f"loss_curve draws slopes, as hc.gradients makes them, not {short(slopes)}.")
    slope = slopes.of(of).values
    if of not in slopes.givens:
        raise HandcalcError(f"{short(of)} is a step; only givens can learn.")
    forward, loss = slopes.without(BACKWARD), loss_of(slopes)

    def after(rate: float) -> float:
        weights = forward[of].values - rate * slope
        return float(forward.with_givens(**{of: weights})[loss].values[0, 0])

    lengths = np.geomspace(rates[0], rates[-1], CURVE_POINTS)
    before, found, curve = after(0), [*map(after, rates)], [*map(after, lengths.tolist())]
    promise = before - lengths * (slope**2).sum()
    ticks = round_ticks(0, max(before, *found, *curve) or 1.0)
    page = Page(theme)
    title = page.panel()
    title.write(-34, -44, f"{loss} after one step of {mathtext_name(forward[of])}", ha="left", math=True)
    up = {tick: signed_number(tick) for tick in ticks}
    name = "length of the step: the learning rate"
    panel = chart(page, (0, 0), CURVE, {r: f"{r:g}" for r in rates}, up, name=name, powers="x", indent=0.03)
    level = f"before the step: {signed_number(before)}"
    panel.axhline(before, color=page.theme.quiet, linewidth=1.2, linestyle=(0, (4, 3)), label=level)
    panel.plot(lengths, curve, color=page.theme.chosen, linewidth=1.8, label="after it")
    is_above, dots = promise >= 0, (0, (1, 1.4))
    (line,) = panel.plot(lengths[is_above], promise[is_above], color=page.theme.left, linewidth=1.8)
    line.set(linestyle=dots, label="what its slope alone promises")
    panel.plot(rates, found, "o", color=page.theme.chosen, markersize=6, zorder=2.6)
    for place in zip(rates, found, strict=True):
        beside(panel, place, signed_number(place[1]), ink=page.theme.chosen, away=(0.3, 1.0))
    panel.key()
    told = "; ".join(f"rate {r:g}: {signed_number(value)}" for r, value in zip(rates, found, strict=True))
    said = f"The loss after one step of {of}, by its length"
    return page.finished(said, f"{said}. Before the step {signed_number(before)}; {told}.")


def _rates(rates: Any) -> list[float]:
    wanted = f"The rates are two to {MAX_RATES} rising numbers above 0, such as (0.0001, 0.001, 0.01)."
    found = [read_number(rate, "A rate", 0) for rate in read_list(rates, wanted)]
    if not 2 <= len(found) <= MAX_RATES or any(after <= before for before, after in pairwise(found)):
        raise HandcalcError(f"{wanted} Got {short(rates)}.")
    return found
