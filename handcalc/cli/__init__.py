"""The `handcalc` command: worksheets, keys and notebooks from a terminal, and a class."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from handcalc import __version__
from handcalc.cli import class_commands, template_sheets, worksheets
from handcalc.cli.terminal import Parser, print_lines, shorten_line
from handcalc.foundation.errors import HandcalcError

STOPPED = 130  # the exit code after Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it was done, 2 for bad input, 130 if it was stopped."""
    try:
        options = _parser().parse_args(arguments)
        print_lines(sys.stdout, options.run(options))
    except HandcalcError as error:
        print_lines(sys.stderr, [shorten_line(str(error))])
        return 2
    except KeyboardInterrupt:
        print_lines(sys.stderr, ["Stopped; every file that is there is whole."])
        return STOPPED
    return 0


def _parser() -> Parser:
    parser = Parser(prog="handcalc", description="Attention, calculated by hand.")
    parser.add_argument("--version", action="version", version=f"handcalc {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    worksheets.add_worksheet_commands(commands)
    template_sheets.add_template_command(commands)
    class_commands.add_class_commands(commands)
    return parser
