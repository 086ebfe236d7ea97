"""The variance of a few sums whose mean is 0, as a sheet of its own."""

from collections.abc import Sequence

import handcalc as hc


def variance(sums: Sequence[float]) -> hc.Matrix:
    """The mean of their squares."""
    column = hc.Matrix([[number] for number in sums], "sums")
    return hc.column_means(column * column).named("Var", "variance")
