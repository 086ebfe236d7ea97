"""`handcalc class key` and `keys`: what belongs into the blanks, for the teacher alone."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.class_commands.shared_options import command
from handcalc.foundation.atomic_files import read_path


def add_to(inner: Any) -> None:
    """Add these commands to those of a class."""
    one = command(inner, "key", key, "write the key to one sheet of the class")
    one.add_argument("code", help="as it is printed on the sheet")
    every = command(inner, "keys", keys, "write the keys to all sheets")
    for made in (one, every):
        made.add_argument("-o", "--output", metavar="FILE", help="the file (default in CLASS)")


def key(options: argparse.Namespace) -> list[str]:
    """Write the key to a sheet."""
    from handcalc.classroom.handouts import class_folder, class_handouts

    made = class_folder.ClassFolder(options.path)
    entry = made.register.entry(options.code)
    path = read_path(options.output or made.path / f"{entry.code}-key.pdf")
    class_handouts.write_keys(path, [entry], made.numbers.text, made.settings.paper)
    return [f"{path}: key to {entry.code}, {made.register.labels[entry.number]}; for you alone"]


def keys(options: argparse.Namespace) -> list[str]:
    """Write the keys to all sheets."""
    from handcalc.classroom.handouts import class_folder, class_handouts

    made = class_folder.ClassFolder(options.path)
    path = read_path(options.output or made.path / class_folder.KEYS_FILE)
    class_handouts.write_keys(path, made.register, made.numbers.text, made.settings.paper)
    return [f"{path}: the keys to all sheets, student by student; for you alone"]
