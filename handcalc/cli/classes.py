"""`handcalc class`: make a class, add to it, teach it live, mark what it hands in, report.

Each command fetches its room when it runs: `handcalc worksheet` must not wait for a web server.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from handcalc.cli.terminal import Parser, whole
from handcalc.errors import HandcalcError


def add_to(commands: Any) -> None:
    """Add `class` and its own commands to the parser's."""
    of_a_class = commands.add_parser("class", help="teach a class: new, serve, mark, report")
    inner = of_a_class.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    make = _command(inner, "new", new, "make the folder of a class: numbers of one's own for everyone")
    make.add_argument("--students", metavar="CSV", help="a table with a column called name")
    make.add_argument("--count", type=whole, help="instead of names: how many students there are")
    make.add_argument(
        "--topic", action="append", metavar="TOPIC[:LEVEL]", help="what to practise; may be repeated"
    )
    make.add_argument("--seed", type=whole, default=1, help="each seed gives different numbers (default 1)")
    live = _command(inner, "serve", serve, "teach live: a page for phones, and the teacher's page")
    live.add_argument("--port", type=whole, default=8737, help="where it listens (default 8737)")


def _command(inner: Any, name: str, run: Any, about: str) -> argparse.ArgumentParser:
    """A command on the folder of a class."""
    command: argparse.ArgumentParser = inner.add_parser(name, help=about)
    command.add_argument("path", metavar="CLASS", help="the folder of the class")
    command.set_defaults(run=run)
    return command


def new(options: argparse.Namespace) -> list[str]:
    """Make a class."""
    from handcalc.classroom import folder

    if options.count is None:
        raise HandcalcError("Say who is in the class: --students names.csv, or --count 30.")
    topics = [("self_attention", 1)]
    settings = folder.Settings(Path(options.path).name, options.seed, topics)
    made = folder.new(options.path, [""] * options.count, settings)
    return [f"{made.path}: a class of {options.count}"]


def serve(options: argparse.Namespace) -> list[str]:
    """Teach a class until Ctrl-C."""
    from handcalc.classroom.live import serving

    return serving.run(options.path, options.port)
