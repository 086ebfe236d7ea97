"""What the tests share: the outside oracles (PyTorch, a browser), and Hypothesis without surprises."""

import importlib
import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest
from hypothesis import settings

# The same examples on every machine, and no deadline: a slow machine is no bug.
settings.register_profile("handcalc", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("handcalc")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing(oracle: str, why: str) -> NoReturn:
    """Skip where an oracle is missing; fail where HANDCALC_REQUIRE (comma-separated) names it."""
    required = [name.strip() for name in os.environ.get("HANDCALC_REQUIRE", "").split(",")]
    if oracle in required:
        pytest.fail(f"HANDCALC_REQUIRE names {oracle!r}, but {why}", pytrace=False)
    pytest.skip(why)


@pytest.fixture(scope="session")
def torch() -> ModuleType:
    """PyTorch, the independent oracle; one thread, since all matrices here are small."""
    try:
        module = importlib.import_module("torch")
    except ImportError as error:
        missing("torch", f"PyTorch cannot be imported: {error}")
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's program: $HANDCALC_CHROMIUM, or the first that PATH knows."""
    named = os.environ.get("HANDCALC_CHROMIUM")
    if named and Path(named).is_file():
        return named
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or missing("browser", f"none of {', '.join(BROWSERS)} is on PATH, nor $HANDCALC_CHROMIUM")
