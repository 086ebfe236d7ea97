"""The loss after one learning step, for steps of any length: down into a valley, and up its other side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor, log10
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.gradients import loss_of
from handcalc.notation.names import BACKWARD
from handcalc.notation.validation import read_list, read_number
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import MARGIN, TEXT, WIDTH, Canvas, signed_number
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.chart import Axis, Chart

CURVE_HIGH, CURVE_LEFT, CURVE_RIGHT = 210.0, 34.0, 14.0
CURVE_TOP, CURVE_FOOT = 52.0, 42.0
RATE_INDENT = 14.0  # from the axis to the first rate
CURVE_POINTS = 81  # of the curve
MAX_RATES = 6  # rates with a number
LEVEL, PROMISE = (0, (4, 3)), (0, (1, 1.4))


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
    found = _Losses(slopes, of, _rates(rates))
    canvas = Canvas(WIDTH, CURVE_TOP + CURVE_HIGH + CURVE_FOOT + MARGIN, theme)
    _draw(canvas, found)
    told = "; ".join(
        f"rate {rate:g}: {signed_number(loss)}" for rate, loss in zip(found.rates, found.at, strict=True)
    )
    title = f"The loss after one step of {of}, by its length"
    return canvas.finished(title, f"{title}. Before the step {signed_number(found.before)}; {told}.")


class _Losses:
    """What one step of each rate leads to."""

    def __init__(self, slopes: Any, of: str, rates: list[float]) -> None:
        if not isinstance(slopes, Calculation):
            raise HandcalcError(f"loss_curve draws slopes, as hc.gradients makes them, not {short(slopes)}.")
        self.slope, self.rates = slopes.of(of).values, rates
        if of not in slopes.givens:
            raise HandcalcError(f"{short(of)} is a step; only givens can learn.")
        self.forward, self.of, self.loss = slopes.without(BACKWARD), of, loss_of(slopes)
        self.before = float(slopes[self.loss].values[0, 0])
        lengths = np.geomspace(rates[0], rates[-1], CURVE_POINTS).tolist()
        self.curve = [(rate, self._after(rate)) for rate in lengths]
        self.at = [self._after(rate) for rate in rates]
        self.highest = max(self.before, *self.at, *(loss for _, loss in self.curve)) or 1.0

    def promised(self, rate: float) -> float:
        """The loss along its tangent: as if the slope stayed the same."""
        return self.before - rate * float((self.slope**2).sum())

    def _after(self, rate: float) -> float:
        weights = self.forward[self.of].values - rate * self.slope
        return float(self.forward.with_givens(**{self.of: weights})[self.loss].values[0, 0])


def _draw(canvas: Canvas, losses: _Losses) -> None:
    """The loss before, the one that the slope promises, the real one, and its number at each rate."""
    theme = canvas.theme
    head = f"{losses.loss} after one step of {mathtext_name(losses.forward[losses.of])}"
    canvas.text(MARGIN, MARGIN + TEXT, head, math=True)
    rates = Axis(
        losses.rates[0], losses.rates[-1], {rate: f"{rate:g}" for rate in losses.rates}, in_powers=True
    )
    up = Axis(0, losses.highest, {tick: signed_number(tick) for tick in _ticks(losses.highest)})
    size = (WIDTH - 2 * MARGIN - CURVE_LEFT - CURVE_RIGHT, CURVE_HIGH)
    chart = Chart(
        canvas, (MARGIN + CURVE_LEFT, CURVE_TOP), size, (rates, up), indent=RATE_INDENT, beside=CURVE_RIGHT
    )
    chart.grid("length of the step: the learning rate")
    y = chart.place(losses.rates[0], losses.before)[1]
    level = [(chart.left, y), (chart.left + chart.wide, y)]
    canvas.line(level, theme.quiet, 1.2, linestyle=LEVEL)
    chart.room.keep_off(level)
    chart.line(losses.curve, theme.chosen)
    promise = [(rate, losses.promised(rate)) for rate, _ in losses.curve if losses.promised(rate) >= 0]
    chart.line(promise, theme.left, PROMISE)
    points = [chart.place(*point) for point in zip(losses.rates, losses.at, strict=True)]
    for point in points:
        chart.dot(point, theme.chosen, 3.0)
    for point, loss in zip(points, losses.at, strict=True):
        chart.room.label(canvas, point, signed_number(loss), theme.chosen, away=(0.3, 1.0))
    before = f"before the step: {signed_number(losses.before)}"
    kinds = ("after it", theme.chosen, "-"), (before, theme.quiet, LEVEL)
    chart.key(MARGIN + 2 * TEXT + 10, [*kinds, ("what its slope alone promises", theme.left, PROMISE)])


def _ticks(highest: float) -> list[float]:
    """0 and three to five more, at round numbers."""
    unit = 10.0 ** floor(log10(highest))
    step = next(s * unit for s in (0.2, 0.5, 1, 2) if highest / (s * unit) <= 5)
    return [k * step for k in range(int(highest / step) + 1)]


def _rates(rates: Any) -> list[float]:
    wanted = f"The rates are two to {MAX_RATES} rising numbers above 0, such as (0.0001, 0.001, 0.01)."
    found = [read_number(rate, "A rate", 0) for rate in read_list(rates, wanted)]
    if not 2 <= len(found) <= MAX_RATES or any(after <= before for before, after in pairwise(found)):
        raise HandcalcError(f"{wanted} Got {short(rates)}.")
    return found
