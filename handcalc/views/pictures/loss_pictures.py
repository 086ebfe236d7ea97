"""Losses: after one learning step of any length, and over the steps of a training."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, kind, short
from handcalc.gradients import loss_of
from handcalc.notation import numbers
from handcalc.notation.names import BACKWARD
from handcalc.notation.validation import read_list, read_number
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, SMALL, WIDTH, Page, signed_number
from handcalc.views.captions import wrap_markup
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import beside, chart, round_ticks

if TYPE_CHECKING:
    from handcalc.gradients import Training

CURVE, CURVE_POINTS = (WIDTH - 54, 210.0), 81  # the chart's size in points; points of the curve
MAX_RATES = 6  # rates with a number
HISTORY = (WIDTH - 96, 190.0)  # points of the chart
MAX_ALL_WRITTEN = 9  # losses that are all written
MAX_DOTTED = 60  # steps, up to which each has its dot
MIN_LOG_RATIO = 1000.0  # times as large as the smallest: from here on the axis goes up in powers of ten
POWER_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)  # of ten, from one line to the next
AXIS_PARTS = 12  # of so many parts of the axis, at least one between two numbers
MAX_NAMED = 4  # of the givens that learned


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
    page.sheet.write(-34, -44, f"{loss} after one step of {mathtext_name(forward[of])}", ha="left", math=True)
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


def losses(training: Training, *, theme: str = "light") -> Picture:
    """Draw the loss before and after each step of a training, with its numbers.

    >>> hc.draw.losses(hc.train(hc.examples.backwards(), rate=0.001, steps=2))
    <Figure: L over 2 steps of 0.001: 4.00 at first, 3.62 after 1, 1.24 after 2.>

    Where losses differ by more than a thousandfold, the axis goes up in powers of ten. Raises HandcalcError
    for anything but a training.
    """
    values = getattr(training, "losses", None)
    if not isinstance(values, list) or not values:
        raise HandcalcError(f"losses draws a training, such as hc.train(…) returns; got {kind(training)}.")
    page, last, told = Page(theme), len(values) - 1, _told(values)
    in_powers = min(values) > 0 and max(values) > MIN_LOG_RATIO * min(values)
    ticks = _powers(values) if in_powers else round_ticks(min(0.0, *values), max(values))
    up = {t: f"$10^{{{round(log10(t))}}}$" if in_powers else f"{t:g}".replace("-", "−") for t in ticks}
    across = {k: f"{k:g}" for k in round_ticks(0, max(1, last)) if k == int(k) and k <= last}
    panel = chart(page, (0, 0), HISTORY, across, up, name="steps", powers="y" * in_powers)
    panel.set_xlim(0, max(1, last))
    panel.plot(values, color=page.theme.chosen, linewidth=1.8)
    dotted = range(last + 1) if last < MAX_DOTTED else told
    panel.plot(dotted, [values[k] for k in dotted], "o", color=page.theme.chosen, markersize=3.8)
    panel.plot(told, [values[k] for k in told], "o", color=page.theme.chosen, markersize=6)
    for k in told:
        beside(panel, (k, values[k]), _shown(values[k]), away=(0.6, -1.0) if k else (1.0, -0.5))
    of = ", ".join(mathtext_name(training.calculation[name]) for name in training.of[:MAX_NAMED])
    of += f" and {len(training.of) - MAX_NAMED} more" * (len(training.of) > MAX_NAMED)
    words = f"Steps of {training.rate:g} times the slope of {of}"
    note = [line[0].text for line in wrap_markup(escape(training.note), WIDTH) if line]
    y, left = -20 - 15 * len(note), dict[str, Any](ha="left", size=SMALL)
    page.sheet.write(-52, y - 16, f"{training.loss} after each step", **left | {"size": HEAD}, bold=True)
    page.sheet.write(-52, y, words, **left, ink=page.theme.quiet, math=True)
    for k, line in enumerate(note):
        page.sheet.write(-52, y + 15 * (k + 1), line, **left, ink=page.theme.chosen)
    steps = f"{last} step{'s' * (last != 1)} of {training.rate:g}"
    said = ", ".join(
        f"{_shown(values[k])} after {k}" if k else f"{_shown(values[0])} at first" for k in sorted({0, *told})
    )
    alt = " ".join(filter(None, [f"{training.loss} over {steps}: {said}.", training.note]))
    return page.finished(f"{training.loss} over {last} steps", alt)


def _shown(loss: float) -> str:
    return numbers.typeset_number(numbers.show_of((1, 1), loss))


def _told(values: Sequence[float]) -> list[int]:
    """The steps whose losses are written: all of few, else the first, the last, and those that halve it."""
    last = len(values) - 1
    if len(values) <= MAX_ALL_WRITTEN:
        return list(range(len(values)))
    found = [0, 1]
    for k in range(2, last):
        if values[k] <= values[found[-1]] / 2 and last <= (k - found[-1]) * AXIS_PARTS:
            found.append(k)
    return [k for k in found if k < 2 or last <= (last - k) * AXIS_PARTS] + [last]


def _powers(values: Sequence[float]) -> list[float]:
    low, high = log10(min(values)), log10(max(values))
    step = next(step for step in POWER_STEPS if (high - low) / step <= 6)
    return [10.0**power for power in range(step * floor(low / step), ceil(high) + 1, step)]
