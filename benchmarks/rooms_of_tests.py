"""Puts the rooms of the tests on the path: their calculations, loops, classes, PostgreSQL and browser."""

import sys
import tomllib
from pathlib import Path

HOUSE = Path(__file__).parents[1]
SETTINGS = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))
ROOMS = SETTINGS["tool"]["pytest"]["ini_options"]["pythonpath"]

sys.path += [str(HOUSE / room) for room in ROOMS]
