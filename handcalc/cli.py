"""The `handcalc` command: worksheets, keys and notebooks from a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from handcalc.errors import HandcalcError
from handcalc.practice.codes import code
from handcalc.practice.exercise import Exercise
from handcalc.practice.problems import problem
from handcalc.practice.topics import TOPICS

MANY = 6  # sheets from which on it pays to start a second process
ROWS: dict[str, Any] = {
    "dest": "convention",
    "action": "store_const",
    "const": "rows",
    "default": "columns",
    "help": "tokens as rows, as in the paper and in PyTorch",
}


class Parser(argparse.ArgumentParser):
    """Bad input is one plain sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and how help is to be had."""
        self.exit(2, f"{message[:1].upper()}{message[1:].rstrip('.')}. ({self.prog} --help says more.)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it was done, 2 for bad input."""
    wanted = _parser().parse_args(arguments)
    try:
        lines = wanted.run(wanted)
    except HandcalcError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def topics(_: argparse.Namespace) -> list[str]:
    """One line for every topic: its name and the steps that it asks for."""
    names = {name: name.replace("_", "-") for name in TOPICS}
    wide = max(map(len, names.values()))
    return [f"{said:{wide}}  {', '.join(problem(name).steps)}" for name, said in names.items()]


def worksheet(wanted: argparse.Namespace) -> list[str]:
    """Write one sheet (with --key its key beside it), or a class's sheets and keys into a folder."""
    from handcalc.classroom import worksheet as room  # here: it draws, and drawing takes long to load

    wishes = room.Wishes(wanted.blank and tuple(wanted.blank), wanted.places, wanted.convention)
    if wanted.count is not None:
        folder = Path(wanted.output or f"{wanted.topic}-sheets")
        codes = room.save_class(
            wanted.topic,
            wanted.count,
            folder,
            seed=wanted.seed,
            level=wanted.level,
            wishes=wishes,
            paper=wanted.paper,
            processes=2 if wanted.count >= MANY else 1,
        )
        told = f"{len(codes)} sheets, {codes[0]} to {codes[-1]}" if len(codes) > 1 else f"1 sheet, {codes[0]}"
        return [f"{folder / room.SHEETS}: {told}", f"{folder / room.KEYS}: their keys, in the same order"]
    sheet = room.drawn(wanted.topic, wanted.seed, wanted.level, wishes)
    path = Path(wanted.output or f"{sheet.code}.pdf")
    beside = path.with_name(f"{path.stem}-key{path.suffix}") if wanted.key else None
    pages = room.save([sheet], path, key=beside, paper=wanted.paper)
    return [_written(pages, path, sheet.code), *([_written(pages, beside, "its key")] if beside else [])]


def key(wanted: argparse.Namespace) -> list[str]:
    """Write the key to the sheet that bears a code."""
    from handcalc.classroom import worksheet as room

    wishes = room.Wishes(wanted.blank and tuple(wanted.blank), wanted.places, wanted.convention)
    sheet = room.loaded(wanted.code, wishes)
    path = Path(wanted.output or f"{sheet.code}-key.pdf")
    return [_written(room.save([sheet], None, key=path, paper=wanted.paper), path, f"key to {sheet.code}")]


def notebook(wanted: argparse.Namespace) -> list[str]:
    """Write a notebook to fill."""
    from handcalc.classroom.notebook import save_notebook

    numbers = problem(wanted.topic, wanted.seed, wanted.level)
    sign = code(wanted.topic, wanted.seed, wanted.level)
    path = Path(wanted.output or f"{sign}.ipynb")
    exercise = Exercise(numbers, wanted.blank, wanted.places, wanted.convention)
    save_notebook(exercise, f'hc.load("{sign}")', path)
    return [f"{path}: {sign}"]


def _written(pages: int, path: Path, what: str) -> str:
    return f"{path}: {what}, {pages} page{'s' if pages > 1 else ''}"


def _parser() -> Parser:
    parser = Parser(prog="handcalc", description="Attention, calculated by hand.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    make = commands.add_parser("worksheet", help="write a sheet for a pencil as PDF, or one for everyone")
    make.add_argument("--key", action="store_true", help="write the key, too, as NAME-key.pdf")
    make.add_argument("--count", type=int, help="so many different sheets, and their keys, into a folder")
    make.set_defaults(run=worksheet)

    answer = commands.add_parser("key", help="write the key to the sheet that bears a code")
    answer.add_argument("code", help="as it stands on the sheet")
    answer.set_defaults(run=key)

    fill = commands.add_parser("notebook", help="write a notebook to fill")
    fill.set_defaults(run=notebook)

    for command in (make, fill):
        command.add_argument("topic", help="what to practise; `handcalc topics` lists them")
        command.add_argument("--seed", type=int, default=1, help="other numbers for every seed (1)")
        command.add_argument("--level", type=int, default=1, help="1 is small, 3 large (1)")
    for command in (make, answer):
        command.add_argument("--paper", default="a4", metavar="{a4,letter}", help="the paper's size (a4)")
    for command in (make, answer, fill):
        command.add_argument("--rows", **ROWS)
        command.add_argument("--blank", nargs="+", metavar="STEP", help="the steps that are asked for (all)")
        command.add_argument("--places", type=int, default=2, help="decimal places (2)")
        command.add_argument("-o", "--output", metavar="PATH", help="the file, or with --count the folder")

    known = commands.add_parser("topics", help="list what can be practised")
    known.set_defaults(run=topics)
    return parser


if __name__ == "__main__":
    sys.exit(main())
