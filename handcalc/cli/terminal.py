"""How the command reads its options and writes its lines, whatever was typed and wherever they go."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from io import TextIOWrapper
from typing import NoReturn, TextIO

from handcalc.foundation import atomic_files
from handcalc.foundation.errors import short

MAX_ERROR_LETTERS = 200  # letters of an error
FORCE_OPTION = "--force"


class Parser(argparse.ArgumentParser):
    """Bad input is one plain sentence and exit code 2; options may stand before many files, too."""

    _is_mixed = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def] # as argparse has it
        """As argparse does it, which takes `mark CLASS --again FILES` for a CLASS without FILES."""
        takes_many = any(one.nargs == "*" for one in self._get_positional_actions())
        if self._is_mixed or not takes_many:
            return super().parse_known_args(args, namespace)
        self._is_mixed = True  # for it comes back here
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixed = False

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and how to get help."""
        sentence = shorten_line(f"{message[:1].upper()}{message[1:].rstrip('.')}.", MAX_ERROR_LETTERS - 40)
        self.exit(2, f"{sentence} (See {self.prog} --help.)\n")


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
    """What was asked for, or else what is usual."""
    return default if value is None else value


def print_lines(stream: TextIO | None, lines: Iterable[str]) -> None:
    """Write lines, if anybody reads them: `handcalc topics | head -1` is not an error."""
    if stream is None:
        return
    try:
        if isinstance(stream, TextIOWrapper):  # a notebook's stream takes every letter as it is
            stream.reconfigure(errors="backslashreplace")
        stream.write("".join(f"{line}\n" for line in lines))
        stream.flush()
    except BrokenPipeError:  # and Python must not try again when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise atomic_files.refusal("The output", error) from None


def shorten_line(text: str, longest: int = MAX_ERROR_LETTERS) -> str:
    """What a terminal shows of a sentence, whatever was typed."""
    text = "".join(letter if letter.isprintable() else "�" for letter in text)
    return text if len(text) <= longest else text[: longest - 1] + "…"
