"""The share of a bell curve below a number, for many numbers at once; math.erfc takes one by one.

Φ(x) = erfc(-x / √2) / 2, by the fractions of W. J. Cody, "Rational Chebyshev Approximations for the Error
Function", Mathematics of Computation 23 (1969), with which digits are lost nowhere, not in the tails either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from handcalc.numbers import Values

NEAR, FAR = 0.46875, 4.0  # up to NEAR erf itself; from there erfc by one fraction, beyond FAR by another
CUT = 16.0
LOWEST = -40.0  # Φ is 0 in float64 long before
Fraction = tuple[Sequence[float], Sequence[float]]  # top and bottom, highest power first

MIDDLE: Fraction = (
    (
        1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2, 3.77485237685302021e2,
        3.20937758913846947e3,
    ),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)  # fmt: skip
SIDE: Fraction = (
    (
        2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1,
        2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
        1.23033935479799725e3,
    ),
    (
        1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
        3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
    ),
)  # fmt: skip
TAIL: Fraction = (
    (
        1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
        1.60837851487422766e-2, 6.58749161529837803e-4,
    ),
    (
        1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1, 6.05183413124413191e-2,
        2.33520497626869185e-3,
    ),
)  # fmt: skip


def share_below(values: Values) -> Values:
    """Φ: the share of the normal distribution below each number."""
    x = np.clip(values, LOWEST, -LOWEST).ravel() * math.sqrt(0.5)
    z = np.abs(x)
    found = np.exp(-z * z) * _fraction(SIDE, z)  # erfc, for most of them
    for is_there, better in ((z < NEAR, _near), (z > FAR, _far)):
        if is_there.any():
            found[is_there] = better(z[is_there])
    found *= 0.5
    np.subtract(1, found, out=found, where=x > 0)
    return np.asarray(found.reshape(values.shape))


def _near(z: Values) -> Values:
    """erfc(z) near 0: 1 - erf(z)."""
    return 1 - z * _fraction(MIDDLE, z * z)


def _far(z: Values) -> Values:
    """erfc(z) far out. z² is taken apart at sixteenths, so that e^(-z²) keeps its last digits."""
    inverse, cut = 1 / (z * z), np.floor(z * CUT) / CUT
    fallen = np.exp(-cut * cut) * np.exp(-(z - cut) * (z + cut))
    return fallen * (1 / math.sqrt(math.pi) - inverse * _fraction(TAIL, inverse)) / z


def _fraction(fraction: Fraction, x: Values) -> Values:
    top, bottom = (_polynomial(part, x) for part in fraction)
    return top / bottom


def _polynomial(coefficients: Sequence[float], x: Values) -> Values:
    """Horner's rule, in place."""
    highest, *others = coefficients
    found = highest * x + others[0]
    for coefficient in others[1:]:
        found *= x
        found += coefficient
    return found
