"""`handcalc class new`, `add` and `links`: the folder of a class, and what is handed out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from handcalc.cli.classes.command import command
from handcalc.cli.terminal import whole
from handcalc.errors import HandcalcError


def add_to(inner: Any) -> None:
    """Add these commands to those of a class."""
    make = command(inner, "new", new, "make the folder of a class: numbers of one's own for everyone")
    make.add_argument("--students", metavar="CSV", help="a table with a column called name")
    make.add_argument("--count", type=whole, help="instead of names: how many students there are")
    make.add_argument(
        "--topic", action="append", metavar="TOPIC[:LEVEL]", help="what to practise; may be repeated"
    )
    make.add_argument("--seed", type=whole, default=1, help="each seed gives different numbers (default 1)")


def new(options: argparse.Namespace) -> list[str]:
    """Make a class."""
    from handcalc.classroom import folder

    if options.count is None:
        raise HandcalcError("Say who is in the class: --students names.csv, or --count 30.")
    topics = [("self_attention", 1)]
    settings = folder.Settings(Path(options.path).name, options.seed, topics)
    made = folder.new(options.path, [""] * options.count, settings)
    return [f"{made.path}: a class of {options.count}"]
