"""The `handcalc` command: worksheets, keys and notebooks from a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from handcalc.errors import HandcalcError
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise
from handcalc.practice.options import Options
from handcalc.practice.topics import TOPICS

PDF = ".pdf"
MANY = 6  # sheets from which on it pays to start a second process
ROWS: dict[str, Any] = {
    "dest": "convention",
    "action": "store_const",
    "const": "rows",
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
    names = {name: name.replace("_", "-") for name in (*TOPICS, *codes.EXAMPLES)}
    wide = max(map(len, names.values()))
    return [f"{said:{wide}}  {', '.join(codes.coded(name).numbers.steps)}" for name, said in names.items()]


def worksheet(wanted: argparse.Namespace) -> list[str]:
    """Write one sheet (with --key its key beside it), or a class's sheets and keys into a folder."""
    from handcalc.classroom import worksheet as room  # here: it draws, and drawing takes long to load

    exercise = _exercise(wanted)
    if wanted.count is not None:
        folder = Path(wanted.output or f"{wanted.topic}-sheets")
        if folder.suffix == PDF:
            raise HandcalcError(f"With --count -o names a folder, not a file such as {folder}.")
        signs = room.save_class(
            wanted.topic,
            wanted.count,
            folder,
            seed=_or(wanted.seed, 1),
            level=_or(wanted.level, 1),
            options=Options(exercise.blank, exercise.places, exercise.calculation.convention),
            paper=wanted.paper,
            processes=2 if wanted.count >= MANY else 1,
        )
        told = f"{len(signs)} sheets, {signs[0]} to {signs[-1]}" if len(signs) > 1 else f"1 sheet, {signs[0]}"
        return [f"{folder / room.SHEETS}: {told}", f"{folder / room.KEYS}: their keys, in the same order"]
    path = _path(wanted.output, exercise.code, PDF)
    beside = path.with_name(f"{path.stem}-key{PDF}") if wanted.key else None
    pages = room.save([exercise], path, key=beside, paper=wanted.paper)
    return [_written(pages, path, exercise.code), *([_written(pages, beside, "its key")] if beside else [])]


def key(wanted: argparse.Namespace) -> list[str]:
    """Write the key to the sheet that bears a code."""
    from handcalc.classroom import worksheet as room

    exercise = Exercise(wanted.code)
    path = _path(wanted.output, f"{exercise.code}-key", PDF)
    pages = room.save([exercise], None, key=path, paper=wanted.paper)
    return [_written(pages, path, f"key to {exercise.code}")]


def notebook(wanted: argparse.Namespace) -> list[str]:
    """Write a notebook to fill."""
    from handcalc.classroom.notebook import save_notebook

    exercise = _exercise(wanted)
    path = _path(wanted.output, exercise.code, ".ipynb")
    save_notebook(exercise, path)
    return [f"{path}: {exercise.code}"]


def _path(wanted: str | None, name: str, suffix: str) -> Path:
    """Where a file goes: as it was asked for, or by its own name, in a folder perhaps."""
    path = Path(wanted or ".")
    if path.is_dir():
        return path / f"{name}{suffix}"
    if path.suffix.lower() not in ("", suffix):
        meant = path.with_suffix(suffix).name
        raise HandcalcError(f"{path} would be no {suffix} file; name it {meant}.")
    return path.with_suffix(suffix)


def _exercise(wanted: argparse.Namespace) -> Exercise:
    """What was asked for by a topic, or by the code of a sheet, which says its numbers itself."""
    sign = wanted.topic
    if not codes.is_code(sign):
        sign = codes.code(sign, _or(wanted.seed, 1), _or(wanted.level, 1))
    elif (wanted.seed, wanted.level, getattr(wanted, "count", None)) != (None, None, None):
        raise HandcalcError(f"{sign} stands for one sheet; leave out --seed, --level and --count.")
    blank = None if wanted.blank is None else wanted.blank.replace(",", " ").split()
    return Exercise(sign, blank, wanted.places, wanted.convention)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _written(pages: int, path: Path, what: str) -> str:
    return f"{path}: {what}, {pages} page{'s' if pages > 1 else ''}"


def _parser() -> Parser:
    parser = Parser(prog="handcalc", description="Attention, calculated by hand.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    make = commands.add_parser("worksheet", help="write a sheet for a pencil as PDF, or one for everyone")
    make.add_argument("--key", action="store_true", help="write the key, too, as NAME-key.pdf")
    make.add_argument("--count", type=_whole, help="so many different sheets, and their keys, into a folder")
    make.set_defaults(run=worksheet)

    answer = commands.add_parser("key", help="write the key to the sheet that bears a code")
    answer.add_argument("code", help="as it stands on the sheet")
    answer.set_defaults(run=key)

    fill = commands.add_parser("notebook", help="write a notebook to fill")
    fill.set_defaults(run=notebook)

    for command in (make, fill):
        command.add_argument(
            "topic", help="what to practise, as `handcalc topics` lists it, or the code of a sheet"
        )
        command.add_argument("--seed", type=_whole, help="other numbers for every seed (1)")
        command.add_argument("--level", type=_whole, help="1 is small, 3 large (1)")
        command.add_argument("--rows", **ROWS)
        command.add_argument("--blank", metavar="STEPS", help="the steps that are asked for, as in Q,S (all)")
        command.add_argument("--places", type=_whole, help="decimal places (2)")
    for command in (make, answer):
        command.add_argument("--paper", default="a4", metavar="{a4,letter}", help="the paper's size (a4)")
    for command in (make, answer, fill):
        where = "the file; with --count the folder" if command is make else "the file, or its folder"
        command.add_argument("-o", "--output", metavar="PATH", help=where)

    known = commands.add_parser("topics", help="list what can be practised")
    known.set_defaults(run=topics)
    return parser


if __name__ == "__main__":
    sys.exit(main())
