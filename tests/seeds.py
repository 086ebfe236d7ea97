"""How many draws a test looks at: a few in `make test`, the rest in `make test-all`."""

from collections.abc import Sequence

import pytest


def seeds(few: int, many: int = 1000, *, by: int = 0, marks: Sequence = ()) -> pytest.MarkDecorator:
    """Runs a test on the seeds from 0 to `few`, and as a sweep on those from there to `many`, `by` at a time.

    The first ones have these marks.
    """
    rest = [range(start, min(start + (by or many), many)) for start in range(few, many, by or many)]
    sweeps = [pytest.param(some, marks=pytest.mark.sweep, id=f"{some.start} to {some.stop}") for some in rest]
    return pytest.mark.parametrize(
        "seeds", [pytest.param(range(few), marks=marks, id=f"0 to {few}"), *sweeps]
    )
