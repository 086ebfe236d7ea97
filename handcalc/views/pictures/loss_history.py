"""The loss before and after each learning step, as a falling line."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.notation import numbers
from handcalc.views.canvas import HEAD, SMALL, WIDTH
from handcalc.views.captions import wrapped
from handcalc.views.lettering import mathtext_name
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import beside, chart, round_ticks
from handcalc.views.pictures.page import Page

if TYPE_CHECKING:
    from handcalc.gradients import Training

HISTORY = (WIDTH - 96, 190.0)  # points of the chart
MAX_ALL_WRITTEN = 9  # losses that are all written
MAX_DOTTED = 60  # steps, up to which each has its dot
MIN_LOG_RATIO = 1000.0  # times as large as the smallest: from here on the axis goes up in powers of ten
POWER_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)  # of ten, from one line to the next
AXIS_PARTS = 12  # of so many parts of the axis, at least one between two numbers
MAX_NAMED = 4  # of the givens that learned


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
    note = [line[0].text for line in wrapped(training.note, WIDTH) if line]
    y = 20 + 15 * len(note)
    head = {"xycoords": "axes fraction", "ha": "left"}
    panel.write(0, 1, f"{training.loss} after each step", shift=(-52, y + 16), bold=True, size=HEAD, **head)
    panel.write(0, 1, words, shift=(-52, y), size=SMALL, ink=page.theme.quiet, math=True, **head)
    for k, line in enumerate(note):
        panel.write(0, 1, line, shift=(-52, y - 15 * (k + 1)), size=SMALL, ink=page.theme.chosen, **head)
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
