"""Which browser looks at pages: the same one for tests, benchmarks and the pictures in docs/."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NONE = f"none of {', '.join(NAMES)} is on PATH, nor is $HANDCALC_CHROMIUM a file"


def program() -> str | None:
    """The browser's program: $HANDCALC_CHROMIUM, or the first that PATH knows."""
    named = os.environ.get("HANDCALC_CHROMIUM")
    if named and Path(named).is_file():
        return named
    return next(filter(None, map(shutil.which, NAMES)), None)
