"""`handcalc class`: make a class, add to it, teach it live, mark what it hands in, report.

Each command fetches its room when it runs: `handcalc worksheet` must not wait for a web server.
"""

from __future__ import annotations

from typing import Any

from handcalc.cli.class_commands import class_key, class_mark, class_new, class_report, class_serve
from handcalc.cli.terminal import Parser


def add_class_commands(commands: Any) -> None:
    """Add `class` and its own commands to the parser's."""
    of_a_class = commands.add_parser(
        "class", help="teach a class: new, add, links, keys, serve, mark, report, export"
    )
    inner = of_a_class.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for theme in (class_new, class_key, class_mark, class_serve, class_report):
        theme.add_to(inner)
