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
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, Point, signed_number, text_width
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.label_room import LabelRoom

CURVE_HIGH, CURVE_LEFT, CURVE_RIGHT = 210.0, 34.0, 14.0
CURVE_TOP, CURVE_FOOT = 52.0, 42.0
RATE_INDENT = 14.0  # from the axis to the first rate
CURVE_POINTS = 81  # of the curve
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
    found = _Losses(slopes, of, _rates(rates))
    canvas = Canvas(WIDTH, CURVE_TOP + CURVE_HIGH + CURVE_FOOT + MARGIN, theme)
    diagram = _Diagram(canvas, found)
    diagram.axes()
    diagram.lines()
    told = "; ".join(
        f"rate {rate:g}: {signed_number(loss)}" for rate, loss in zip(found.rates, found.at, strict=True)
    )
    title = f"The loss after one step of {of}, by its length"
    return canvas.finished(title, f"{title}. Before the step {signed_number(found.before)}; {told}.")


class _Losses:
    """The loss after one step at each rate."""

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


class _Diagram:
    """Rates across, ten times from mark to mark; losses up, from 0 on."""

    def __init__(self, canvas: Canvas, losses: _Losses) -> None:
        self.canvas, self.losses = canvas, losses
        self.left, self.right, self.foot = (
            MARGIN + CURVE_LEFT,
            WIDTH - MARGIN - CURVE_RIGHT,
            CURVE_TOP + CURVE_HIGH,
        )
        self.room = LabelRoom((self.left + 2, CURVE_TOP - 14, WIDTH - MARGIN, self.foot - 2))

    def place(self, rate: float, loss: float) -> Point:
        """The place of a loss on the canvas."""
        low, high = log10(self.losses.rates[0]), log10(self.losses.rates[-1])
        across = (log10(rate) - low) / (high - low)
        begin = self.left + RATE_INDENT
        return begin + (
            self.right - RATE_INDENT - begin
        ) * across, self.foot - CURVE_HIGH * loss / self.losses.highest

    def axes(self) -> None:
        """Grid lines with their losses, and the rates below."""
        canvas, quiet = self.canvas, self.canvas.theme.quiet
        head = f"{self.losses.loss} after one step of {mathtext_name(self.losses.forward[self.losses.of])}"
        canvas.text(MARGIN, MARGIN + TEXT, head, math=True)
        faint = canvas.laid(canvas.theme.ink, 0.1)
        for tick in _ticks(self.losses.highest):
            y = self.place(self.losses.rates[0], tick)[1]
            canvas.line([(self.left, y), (self.right, y)], faint, 0.8, stroke=False, zorder=0.7)
            canvas.middle(self.left - 6, y, signed_number(tick), size=SMALL, ink=quiet, ha="right")
        for rate in self.losses.rates:
            canvas.middle(self.place(rate, 0)[0], self.foot + 13, f"{rate:g}", size=SMALL, ink=quiet)
        middle = (self.left + self.right) / 2
        canvas.middle(middle, self.foot + 29, "length of the step: the learning rate", size=SMALL, ink=quiet)

    def lines(self) -> None:
        """The loss before, the one that the slope promises, the real one, and its number at each rate."""
        canvas, losses = self.canvas, self.losses
        y = self.place(losses.rates[0], losses.before)[1]
        level = [(self.left, y), (self.right, y)]
        canvas.line(level, canvas.theme.quiet, 1.2, linestyle=(0, (4, 3)))
        curve = [self.place(*point) for point in losses.curve]
        canvas.line(curve, canvas.theme.chosen, 1.8)
        promise = [self.place(r, losses.promised(r)) for r, _ in losses.curve if losses.promised(r) >= 0]
        for line in (level, curve, promise):
            self.room.keep_off(line)
        if len(promise) > 1:
            canvas.line(promise, canvas.theme.left, 1.8, linestyle=(0, (1, 1.4)))
        points = [self.place(*point) for point in zip(losses.rates, losses.at, strict=True)]
        for point in points:
            canvas.dot(point, canvas.theme.chosen)
            self.room.keep_clear(point, 3.0)
        for point, loss in zip(points, losses.at, strict=True):
            self.room.label(canvas, point, signed_number(loss), canvas.theme.chosen, away=(0.3, 1.0))
        self._key(f"before the step: {signed_number(losses.before)}")

    def _key(self, before: str) -> None:
        """Draw the key to the lines, in one row over the diagram."""
        theme, x, y = self.canvas.theme, self.left, MARGIN + 2 * TEXT + 10
        kinds = (
            ("after it", theme.chosen, "-"),
            (before, theme.quiet, (0, (4, 3))),
            ("what its slope alone promises", theme.left, (0, (1, 1.4))),
        )
        for words, ink, style in kinds:
            self.canvas.line([(x, y), (x + 18, y)], ink, 1.8, linestyle=style)
            self.canvas.middle(x + 23, y, words, size=SMALL, ink=ink, ha="left")
            x += 23 + text_width(words, SMALL) + 18


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
