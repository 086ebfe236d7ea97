"""Commands as rows of a table, the options that several have, and how argparse reads them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, NoReturn

from handcalc.foundation.errors import short

MAX_ERROR_LETTERS = 200
Option = tuple[tuple[str, ...], dict[str, Any]]


class Command(NamedTuple):
    """A command: its name, what it does, one line about it, and its options in the order of --help."""

    name: str
    run: Callable[[argparse.Namespace], Iterable[str]]
    about: str
    options: tuple[Option, ...] = ()


class Parser(argparse.ArgumentParser):
    """Bad input is one plain sentence and exit code 2; options may stand before many files, too."""

    _is_mixed = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def] # as argparse has it
        """Parse as argparse does, but with the FILES of `mark CLASS --again FILES`, which argparse misses."""
        takes_many = any(one.nargs == "*" for one in self._get_positional_actions())
        if self._is_mixed or not takes_many:
            return super().parse_known_args(args, namespace)
        self._is_mixed = True  # parse_known_intermixed_args calls this method again
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixed = False

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and how to get help."""
        sentence = shorten_line(f"{message[:1].upper()}{message[1:].rstrip('.')}.", MAX_ERROR_LETTERS - 40)
        self.exit(2, f"{sentence} (See {self.prog} --help.)\n")


def add_commands(parser: argparse.ArgumentParser, commands: Iterable[Command]) -> Any:
    """Add commands to a parser; returns where more of them can be added."""
    found = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for command in commands:
        made = found.add_parser(command.name, help=command.about)
        for names, about in command.options:
            made.add_argument(*names, **about)
        made.set_defaults(run=command.run)
    return found


def option(name: str, about: str, *more_names: str, **how: Any) -> Option:
    """An option, or an argument, with the parameters of argparse's `add_argument`."""
    return (name, *more_names), {"help": about, **how}


def flag(name: str, about: str) -> Option:
    """An option without a value."""
    return option(name, about, action="store_true")


def whole_number(name: str, about: str, default: int | None = None) -> Option:
    """An option whose value is a whole number."""
    return option(name, about, type=read_whole_number, default=default)


def named(name: str, what: str, about: str) -> Option:
    """An option whose value is a name; empty where it is left out."""
    return option(name, about, metavar=what, default="")


def several(name: str, what: str, about: str, **how: Any) -> Option:
    """An option that may be repeated."""
    return option(name, f"{about}; may be repeated", action="append", metavar=what, **how)


def output(what: str, about: str) -> Option:
    """The option for the place of the result."""
    return option("-o", about, "--output", metavar=what)


def blank(about: str) -> Option:
    """The option that names steps."""
    return option("--blank", about, type=read_steps, metavar="STEPS")


def read_whole_number(text: str) -> int:
    """A whole number, as argparse reads one."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{short(text)} is not a whole number") from None


def read_steps(text: str) -> list[str]:
    """The steps in `Q,S` or `Q, S`."""
    names = text.replace(",", " ").split()
    if not names:
        raise argparse.ArgumentTypeError(f"{short(text)} does not name a step")
    return names


def choose_value(value: int | None, default: int) -> int:
    """The given value, or the default where none was given."""
    return default if value is None else value


def shorten_line(text: str, longest: int = MAX_ERROR_LETTERS) -> str:
    """A text safe to show in a terminal: unprintable letters replaced, no longer than `longest`."""
    text = "".join(letter if letter.isprintable() else "�" for letter in text)
    return text if len(text) <= longest else text[: longest - 1] + "…"


FORCE_OPTION = "--force"
SEED = whole_number("--seed", "each seed gives different numbers (default 1)")
LEVEL = whole_number("--level", "from 1, small, to 3, large (default 1)")
CONVENTION: dict[str, Any] = {"dest": "convention", "action": "store_const", "const": "rows"}
ROWS = option("--rows", "tokens as rows, as in the paper and in PyTorch", **CONVENTION)
DECIMAL_PLACES = whole_number("--places", "decimal places (default 2)", 2)
MINUTES = whole_number("--minutes", "leave blank only what fits into so many minutes: 10 (default all)")
PAPER = option("--paper", "paper size (default a4)", default="a4", metavar="{a4,letter}")
FORCE = flag(FORCE_OPTION, "replace what is there")
OWN_FILE = several("--file", "FILE", "a Python file with topics of your own (hc.topic)")
