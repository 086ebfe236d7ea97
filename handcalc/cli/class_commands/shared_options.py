"""What the commands of a class have in common."""

from __future__ import annotations

import argparse
from typing import Any


def add_database(parser: argparse.ArgumentParser) -> None:
    """The option for what is kept elsewhere."""
    parser.add_argument(
        "--database", default="", metavar="URL", help="where live answers are (default: class.db in CLASS)"
    )


def add_class_command(inner: Any, name: str, run: Any, about: str) -> argparse.ArgumentParser:
    """A command on the folder of a class."""
    made: argparse.ArgumentParser = inner.add_parser(name, help=about)
    made.add_argument("path", metavar="CLASS", help="the folder of the class")
    made.set_defaults(run=run)
    return made
