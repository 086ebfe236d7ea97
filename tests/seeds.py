"""How many draws a test looks at: a few in `make test`, the rest in `make test-all`."""

import pytest


def seeds(few: int, many: int = 1000) -> pytest.MarkDecorator:
    """Runs a test on the seeds from 0 to `few`, and as a sweep on those from there to `many`."""
    rest = pytest.param(range(few, many), marks=pytest.mark.sweep, id=f"{few} to {many}")
    return pytest.mark.parametrize("seeds", [pytest.param(range(few), id=f"0 to {few}"), rest])
