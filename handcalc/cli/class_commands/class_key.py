"""`handcalc class key` and `keys`: what belongs into the blanks, for the teacher alone."""

from __future__ import annotations

import argparse
from typing import Any

from handcalc.cli.class_commands.shared_options import add_class_command
from handcalc.foundation.atomic_files import read_path


def add_key_commands(inner: Any) -> None:
    """Add these commands to those of a class."""
    one = add_class_command(inner, "key", write_class_key, "write the key to one sheet of the class")
    one.add_argument("code", help="as it is printed on the sheet")
    every = add_class_command(inner, "keys", write_class_keys, "write the keys to all sheets")
    for made in (one, every):
        made.add_argument("-o", "--output", metavar="FILE", help="the file (default in CLASS)")


def write_class_key(options: argparse.Namespace) -> list[str]:
    """Write the key to a sheet."""
    from handcalc.classroom.handouts import class_folder, class_handouts

    made = class_folder.ClassFolder(options.path)
    entry = made.register.entry(options.code)
    path = read_path(options.output or made.path / f"{entry.code}-key.pdf")
    class_handouts.write_keys(path, [entry], made.numbers.text, made.settings.paper)
    return [f"{path}: key to {entry.code}, {made.register.labels[entry.number]}; for you alone"]


def write_class_keys(options: argparse.Namespace) -> list[str]:
    """Write the keys to all sheets."""
    from handcalc.classroom.handouts import class_folder, class_handouts

    made = class_folder.ClassFolder(options.path)
    path = read_path(options.output or made.path / class_folder.KEYS_FILE)
    class_handouts.write_keys(path, made.register, made.numbers.text, made.settings.paper)
    return [f"{path}: the keys to all sheets, student by student; for you alone"]
