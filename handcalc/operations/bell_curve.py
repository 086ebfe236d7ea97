"""The share of a bell curve below a number, for many numbers at once; math.erfc takes one by one.

Φ(x) = erfc(-x / √2) / 2. What is left of erfc(z) without its e^(-z²) is a smooth curve, and a polynomial in
t = 1 / (1 + z/2) follows it to the last digits. Its coefficients come from math.erfc, at Chebyshev's points.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from handcalc.notation.numbers import Values

LOWEST_X = -40.0  # Φ is 0 in float64 long before
LARGEST_Z = 26.0  # up to here erfc is a normal float64
LEAST_T = 1 / (1 + LARGEST_Z / 2)  # of t
MIDDLE_T, HALF_RANGE_OF_T = (1 + LEAST_T) / 2, (1 - LEAST_T) / 2
POLYNOMIAL_DEGREE, CHEBYSHEV_POINTS = 23, 100
CHUNK = 8_192  # numbers, as many as stay in the processor's cache


def share_below(values: Values) -> Values:
    """Φ: the share of the normal distribution below each number; no digits lost where it is tiny."""
    x = np.clip(values, LOWEST_X, -LOWEST_X).ravel() * math.sqrt(0.5)
    found = np.empty_like(x)
    for start in range(0, x.size, CHUNK):
        part = slice(start, start + CHUNK)
        found[part] = _below(x[part])
    return found.reshape(values.shape)


def _below(x: Values) -> Values:
    """erfc(-x) / 2: a tail, or 1 without the other tail."""
    z = np.abs(x)
    t = 1 / (1 + z / 2)
    z *= -z
    tail = np.exp(z) * t * _smooth(t) / 2
    return ~np.signbit(x) - np.copysign(tail, x)


def _smooth(t: Values) -> Values:
    """erfc(z) · e^(z²) / t, by Horner's rule."""
    highest, *others = _coefficients()
    u = t * (1 / HALF_RANGE_OF_T) - MIDDLE_T / HALF_RANGE_OF_T  # from -1 to 1
    found = highest * u
    for coefficient in others[:-1]:
        found += coefficient
        found *= u
    found += others[-1]
    return found


@cache
def _coefficients() -> list[float]:
    """The coefficients of the powers of u, the highest first."""
    points = np.cos(np.pi * (np.arange(CHEBYSHEV_POINTS) + 0.5) / CHEBYSHEV_POINTS)
    fitted = np.polynomial.chebyshev.chebfit(points, [_curve(u) for u in points.tolist()], POLYNOMIAL_DEGREE)
    found: list[float] = np.polynomial.chebyshev.cheb2poly(fitted)[::-1].tolist()
    return found


def _curve(u: float) -> float:
    t = MIDDLE_T + HALF_RANGE_OF_T * u
    z = 2 * (1 / t - 1)
    return math.erfc(z) * math.exp(z * z) / t
