"""The loss before and after each learning step, as a falling line."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from handcalc.foundation.errors import HandcalcError, kind
from handcalc.notation import numbers
from handcalc.views import lettering
from handcalc.views.canvas import HEAD, MARGIN, SMALL, WIDTH, Canvas
from handcalc.views.captions import wrapped
from handcalc.views.picture import Picture
from handcalc.views.pictures.chart import Axis, Chart

if TYPE_CHECKING:
    from handcalc.gradients import Training

# of the diagram; room for its numbers, and for the last one
HISTORY_HIGH, HISTORY_LEFT, HISTORY_RIGHT = 190.0, 52.0, 44.0
MAX_ALL_WRITTEN = 9  # losses that are all written
MAX_DOTTED = 60  # steps, up to which each has its dot
MIN_LOG_RATIO = 1000.0  # times as large as the smallest: from here on the axis goes up in powers of ten
POWER_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)  # of ten, from one line to the next
AXIS_PARTS = 12  # of so many parts of the axis, at least one between two numbers
MAX_NAMED = 4  # of what learned
NOTE_STEP = 15.0


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
    note = wrapped(training.note, WIDTH - 2 * MARGIN)
    top = MARGIN + 40 + NOTE_STEP * len([line for line in note if line])
    canvas = Canvas(WIDTH, top + HISTORY_HIGH + 36 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + HEAD, f"{training.loss} after each step", bold=True, size=HEAD)
    of = ", ".join(lettering.mathtext_name(training.calculation[name]) for name in training.of[:MAX_NAMED])
    of += f" and {len(training.of) - MAX_NAMED} more" * (len(training.of) > MAX_NAMED)
    words = f"Steps of {training.rate:g} times the slope of {of}"
    canvas.text(MARGIN, MARGIN + HEAD + 16, words, size=SMALL, ink=canvas.theme.quiet, math=True)
    for k, line in enumerate(note):
        for piece in line:
            canvas.text(
                MARGIN + piece.x,
                MARGIN + HEAD + 32 + NOTE_STEP * k,
                piece.text,
                size=piece.size,
                ink=canvas.theme.chosen,
            )
    _draw(canvas, top, values)
    title = f"{training.loss} over {len(values) - 1} steps"
    return canvas.finished(title, _said(training, values))


def _said(training: Training, values: Sequence[float]) -> str:
    """What the picture says to those who do not see it."""
    places = sorted({0, *_told(values)})
    told = ", ".join(
        f"{_shown(values[k])} after {k}" if k else f"{_shown(values[0])} at first" for k in places
    )
    steps = f"{len(values) - 1} step{'s' * (len(values) != 2)} of {training.rate:g}"
    return " ".join(filter(None, [f"{training.loss} over {steps}: {told}.", training.note]))


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


def _draw(canvas: Canvas, top: float, values: Sequence[float]) -> None:
    """The line of losses over steps, a dot for each step and the numbers that matter."""
    last, in_powers = len(values) - 1, min(values) > 0 and max(values) > MIN_LOG_RATIO * min(values)
    ticks = _powers(values) if in_powers else _round_ticks(min(0.0, *values), max(values))
    texts = [f"$10^{{{round(log10(t))}}}$" if in_powers else f"{t:g}".replace("-", "−") for t in ticks]
    losses = Axis(ticks[0], max(ticks[-1], *values), dict(zip(ticks, texts, strict=True)), in_powers)
    steps = Axis(0, max(1, last), {k: f"{k:g}" for k in _round_ticks(0, last) if k == int(k) and k <= last})
    size = (WIDTH - 2 * MARGIN - HISTORY_LEFT - HISTORY_RIGHT, HISTORY_HIGH)
    chart = Chart(canvas, (MARGIN + HISTORY_LEFT, top), size, (steps, losses), beside=HISTORY_RIGHT)
    chart.grid("steps")
    points = chart.line([*enumerate(values)], canvas.theme.chosen)
    told = _told(values)
    for k, point in enumerate(points):
        if k in told or len(points) <= MAX_DOTTED:
            chart.dot(point, canvas.theme.chosen, 3.0 if k in told else 1.9)
    for k in told:
        away = (1.0, -0.5) if k == 0 else (0.6, -1.0)
        chart.room.label(canvas, points[k], _shown(values[k]), canvas.theme.ink, away=away)


def _powers(values: Sequence[float]) -> list[float]:
    low, high = log10(min(values)), log10(max(values))
    step = next(step for step in POWER_STEPS if (high - low) / step <= 6)
    return [10.0**power for power in range(step * floor(low / step), ceil(high) + 1, step)]


def _round_ticks(low: float, high: float) -> list[float]:
    """Three to six round numbers from the one below to the one above."""
    if high <= low:
        return [low, low + 1]
    size = 10 ** floor(log10(high - low))
    step = next(size * f for f in (0.1, 0.2, 0.5, 1, 2, 5) if (high - low) / (size * f) <= 5)
    return [step * k for k in range(floor(low / step), ceil(high / step) + 1)]
