"""What the commands of a class have in common."""

from __future__ import annotations

import argparse
from typing import Any


def command(inner: Any, name: str, run: Any, about: str) -> argparse.ArgumentParser:
    """A command on the folder of a class."""
    made: argparse.ArgumentParser = inner.add_parser(name, help=about)
    made.add_argument("path", metavar="CLASS", help="the folder of the class")
    made.set_defaults(run=run)
    return made
