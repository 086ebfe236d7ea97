"""The script that writes the bundles, `.ci/bundle.py`, as a module."""

import importlib.util
from pathlib import Path

SPEC = importlib.util.spec_from_file_location("bundle", Path(__file__).parents[2] / ".ci" / "bundle.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)
