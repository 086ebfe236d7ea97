"""Places as clocks: every pair of features of a positional encoding as a hand that turns."""

from __future__ import annotations

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.views.canvas import TEXT, WIDTH, Page, labels, widest
from handcalc.views.picture import Picture
from handcalc.views.pictures.positional_encoding import checked_encoding

FACE = 19.0  # points, the largest radius of a clock


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
    names = [_in_common(*pair) for pair in zip(rows[::2], rows[1::2], strict=True)]
    slot = (WIDTH - widest(names) - 14) / len(places)
    face = min(FACE, slot / 2 - 3)
    page, band = Page(theme), 2 * face + 12
    panel = page.panel(0, 0, (slot, band), len(places), len(names))
    panel.name_columns(places, size=TEXT, ink=page.theme.quiet)
    panel.name_rows(names, ink=page.theme.ink)
    for (k, p), sine in np.ndenumerate(PE.values[::2]):
        x, y, cosine, edge = p + 0.5, k + 0.5, PE.values[2 * k + 1, p], panel.faint(0.3)
        panel.plot(x, y, "o", color=edge, fillstyle="none", markersize=2 * face, markeredgewidth=0.8)
        panel.plot([x, x], [y - face / band, y - (face - 4) / band], color=edge, linewidth=0.8)
        tip = x + 0.86 * face * sine / slot, y - 0.86 * face * cosine / band
        panel.arrow_through([(x, y), tip], page.theme.right, 1.4)
        panel.dot(x, y, page.theme.right, 3)
    angles = np.degrees(np.arctan2(PE.values[::2], PE.values[1::2])) % 360
    turned = (
        f"{name} stands at "
        + ", ".join(f"{angle:.0f}° at {place}" for angle, place in zip(row, places, strict=True))
        for name, row in zip(names, angles, strict=True)
    )
    title = "Places as hands of clocks"
    return page.finished(title, f"{title}: {'; '.join(turned)}.")


def _in_common(one: str, other: str) -> str:
    """The ending after a comma that two names share: `sin, fast` and `cos, fast` give `fast`."""
    ends = {name.rpartition(", ")[2] for name in (one, other)}
    return ends.pop() if len(ends) == 1 else f"{one}, {other}"
