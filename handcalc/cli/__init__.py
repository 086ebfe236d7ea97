"""The `handcalc` command: worksheets, keys and notebooks from a terminal, and a class."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TextIO

from handcalc import __version__
from handcalc.cli.arguments import Parser, add_commands, shorten_line
from handcalc.cli.class_making import MAKING_COMMANDS
from handcalc.cli.class_teaching import TEACHING_COMMANDS
from handcalc.cli.lessons import LESSON_COMMANDS
from handcalc.cli.template_sheets import TEMPLATES_COMMAND
from handcalc.cli.worksheets import WORKSHEET_COMMANDS
from handcalc.foundation import atomic_files
from handcalc.foundation.errors import HandcalcError

STOPPED_EXIT_CODE = 130  # the exit code after Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it was done, 2 for bad input, 130 if it was stopped."""
    try:
        options = make_parser().parse_args(arguments)
        print_lines(sys.stdout, options.run(options))
    except HandcalcError as error:
        print_lines(sys.stderr, [shorten_line(str(error))])
        return 2
    except KeyboardInterrupt:
        print_lines(sys.stderr, ["Stopped; every file that is there is whole."])
        return STOPPED_EXIT_CODE
    return 0


def make_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="handcalc", description="Attention, calculated by hand.")
    parser.add_argument("--version", action="version", version=f"handcalc {__version__}")
    commands = add_commands(parser, (*LESSON_COMMANDS, *WORKSHEET_COMMANDS, TEMPLATES_COMMAND))
    about = "teach a class: new, add, links, keys, serve, mark, report, export"
    add_commands(commands.add_parser("class", help=about), (*MAKING_COMMANDS, *TEACHING_COMMANDS))
    return parser


def print_lines(stream: TextIO | None, lines: Iterable[str]) -> None:
    """Write lines; it is no error if nobody reads them: `handcalc topics | head -1`."""
    if stream is None:
        return
    try:
        if isinstance(stream, TextIOWrapper):  # a notebook's stream takes every letter
            stream.reconfigure(errors="backslashreplace")
        for line in lines:  # the lines of a long command come one by one
            stream.write(f"{line}\n")
            stream.flush()
    except BrokenPipeError:  # keep Python from trying again when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise atomic_files.refusal("The output", error) from None
