"""Places as clocks: every pair of features of a positional encoding as a hand that turns."""

from __future__ import annotations

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, TEXT, WIDTH, Canvas, labels
from handcalc.views.picture import Picture
from handcalc.views.pictures.positional_encoding import checked_encoding, slots

FACE = 19.0  # the largest radius of a clock


def clocks(PE: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw every pair of rows of PE, a sine and its cosine, as a hand that turns from place to place.

    PE (d_model, n), d_model even. At 0 a hand points straight up, as at noon; the sine says how far
    its tip is to the right, the cosine how far up. Raises HandcalcError for an odd number of rows.
    """
    PE = checked_encoding(PE, "clocks")
    if PE.shape[0] % 2:
        raise HandcalcError(
            f"{PE.display_name} is {shape_text(PE.shape)}; a clock needs a sine and a cosine, two rows."
        )
    rows, places = labels(PE.rows, PE.shape[0], "f"), labels(PE.columns, PE.shape[1], "p")
    pairs = [f"{one}; {other}" for one, other in zip(rows[::2], rows[1::2], strict=True)]
    names = [_in_common(one, other) for one, other in zip(rows[::2], rows[1::2], strict=True)]
    left, slot = slots(names, len(places))
    face = min(FACE, slot / 2 - 3)
    band = 2 * face + 12
    canvas = Canvas(WIDTH, 2 * MARGIN + 16 + band * len(pairs), theme)
    for p, place in enumerate(places):
        x = left + slot * (p + 0.5)
        canvas.text(x, MARGIN + TEXT, place, ha="center", ink=canvas.theme.quiet)
        for k in range(len(pairs)):
            _clock(
                canvas, PE.values[2 * k : 2 * k + 2, p].tolist(), (x, MARGIN + 16 + band * (k + 0.5)), face
            )
    for k, name in enumerate(names):
        canvas.middle(left - 8, MARGIN + 16 + band * (k + 0.5), name, ha="right")
    return canvas.finished(
        "Places as hands of clocks", f"Places as hands of clocks: {_turned(PE, names, places)}."
    )


def _clock(canvas: Canvas, hand: list[float], centre: tuple[float, float], face: float) -> None:
    sine, cosine = hand
    x, y = centre
    edge = canvas.laid(canvas.theme.ink, 0.3)
    canvas.ring(centre, face, edge)
    canvas.line([(x, y - face), (x, y - face + 4)], edge, 0.8, stroke=False)
    canvas.arrow([centre, (x + 0.86 * face * sine, y - 0.86 * face * cosine)], canvas.theme.right, 1.6)
    canvas.dot(centre, canvas.theme.right, 1.6)


def _in_common(one: str, other: str) -> str:
    """The ending after a comma that two names share: `sin, fast` and `cos, fast` give `fast`."""
    ends = {name.rpartition(", ")[2] for name in (one, other)}
    return ends.pop() if len(ends) == 1 else f"{one}, {other}"


def _turned(PE: Matrix, names: list[str], places: list[str]) -> str:
    """The angle that each hand has turned to the right at each place, in degrees."""
    angles = np.degrees(np.arctan2(PE.values[::2], PE.values[1::2])) % 360
    found = (
        f"{name} stands at "
        + ", ".join(f"{angle:.0f}° at {place}" for angle, place in zip(row, places, strict=True))
        for name, row in zip(names, angles, strict=True)
    )
    return "; ".join(found)
