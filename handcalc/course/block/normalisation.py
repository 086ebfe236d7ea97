"""A token on its way through a layer norm, as bars: raw, centred, divided by its spread, then γ and β."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, labels, signed_number, tuple_of
from handcalc.views.picture import Picture

HIGH = 96.0  # of the bars, from the lowest to the highest
BETWEEN = 22.0  # two panels
MAX_FEATURES = 8  # features
HEAD = 46.0


def normalisation(N: Matrix, column: int = 0, *, theme: str = "light") -> Picture:
    """Draw one token before, within and after a layer norm, N = γ · (x − mean) / spread + β.

    N (d_model, n) is the end of a layer norm, up to 8 features; the record has what it was made from.
    `column` is the token, counted from 0. Raises HandcalcError if N is no layer norm.
    """
    raw, centred, scaled = _stages(N)
    token = read_whole(column, "The column")
    if not 0 <= token < N.shape[1]:
        raise HandcalcError(f"{N.display_name} has {N.shape[1]} columns, counted from 0; {token} is not one.")
    bars = [m.values[:, token] for m in (raw, centred, scaled, N)]
    mean, spread = float(bars[0].mean()), float(bars[1].std())
    heads = ["as it is", f"− mean {signed_number(mean)}", f"÷ spread {signed_number(spread)}", "· γ + β"]
    word = labels(N.columns, N.shape[1], "x")[token]
    title = f"{word} on its way through a layer norm"
    canvas = Canvas(WIDE, HEAD + HIGH + 44 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    across = (WIDE - 2 * MARGIN - 3 * BETWEEN) / 4
    names = labels(N.rows, len(bars[0]), "f")
    low, high = min(0.0, *(b.min() for b in bars)), max(0.0, *(b.max() for b in bars))
    for k, (head, values) in enumerate(zip(heads, bars, strict=True)):
        x = MARGIN + k * (across + BETWEEN)
        canvas.text(x, HEAD - 6, head, bold=True)
        _panel(canvas, (x, HEAD + 14, across), values, names, (float(low), float(high)))
    told = "; ".join(f"{head}: {tuple_of(values)}" for head, values in zip(heads, bars, strict=True))
    return canvas.finished(title, f"{title}, four times as bars. {told}.")


def _panel(
    canvas: Canvas,
    place: tuple[float, float, float],
    values: Values,
    names: list[str],
    reach: tuple[float, float],
) -> None:
    x, top, across = place
    low, high = reach
    scale = HIGH / ((high - low) or 1)
    zero, wide = top + high * scale, across / len(values)
    canvas.line([(x, zero), (x + across, zero)], canvas.theme.quiet, 0.8, stroke=False)
    for k, (value, name) in enumerate(zip(values.tolist(), names, strict=True)):
        long, middle = abs(value) * scale, x + (k + 0.5) * wide
        up = value >= 0
        box = (x + k * wide + 0.16 * wide, zero - long if up else zero, 0.68 * wide, long)
        largest = max(-low, high)
        edge = canvas.tinted(math.copysign(largest, value), largest)  # as strong for small bars
        canvas.box(*box, facecolor=canvas.tinted(value, largest), edgecolor=edge)
        canvas.middle(middle, zero - long - 6 if up else zero + long + 7, signed_number(value, 1), size=SMALL)
        canvas.middle(middle, top + HIGH + 22, name, size=SMALL, ink=canvas.theme.quiet)


def _stages(N: Any) -> tuple[Matrix, Matrix, Matrix]:
    """What is normed, less its mean, and divided by its spread: each made from the one before."""
    chain: list[Matrix] = [N] if isinstance(N, Matrix) else []
    while chain and len(chain) < 5:
        before = [m for m in chain[-1].inputs if m.shape == N.shape and not (m.is_given and len(chain) < 4)]
        if len(before) != 1:
            break
        chain += before
    if len(chain) < 5 or len(N.values) > MAX_FEATURES or not _is_norm(*chain[:1:-1]):
        name = N.display_name if isinstance(N, Matrix) else short(N)
        raise HandcalcError(
            f"normalisation draws the end of a layer norm of up to {MAX_FEATURES} features; "
            f"{name} is not one."
        )
    return chain[4], chain[3], chain[2]


def _is_norm(raw: Matrix, centred: Matrix, scaled: Matrix) -> bool:
    """Whether the second is the first less its means, and the third has the spread 1, or nearly."""
    less = raw.values - raw.values.mean(axis=0)
    return np.allclose(centred.values, less) and np.allclose(scaled.values.std(axis=0), 1, atol=0.1)
