"""The colour behind a number: one hue for plus, one for minus, one for what is never negative.

Hues lie over the page's own background, so that one value does for light and dark themes; the
strongest leaves black and white ink at 4.5:1 or better. `browser/sheet/colours.js` has the same figures.
"""

from __future__ import annotations

import math

from handcalc.record.matrix import Matrix

PLUS, MINUS, NEVER_NEGATIVE = (225, 125, 30), (50, 115, 220), (0, 140, 146)
FAINTEST, STRONGEST = 0.1, 0.66


def tint(value: float, largest: float, matrix: Matrix) -> str:
    """The CSS colour of a number among numbers of at most `largest` absolute value."""
    if value == 0 or not math.isfinite(value) or largest == 0:
        return "transparent"
    hue = MINUS if value < 0 else NEVER_NEGATIVE if matrix.never_negative else PLUS
    strength = FAINTEST + (STRONGEST - FAINTEST) * abs(value) / largest
    return f"rgba({','.join(map(str, hue))},{strength:.3f})"
