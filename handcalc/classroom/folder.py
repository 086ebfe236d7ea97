"""A class is a folder: who has which numbers, what to hand out, what came back, and its marks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from os import PathLike

from handcalc.classroom.notebook import save_notebook
from handcalc.classroom.register import Entry, Register, read_register
from handcalc.classroom.stored import StoredNumbers
from handcalc.errors import HandcalcError
from handcalc.files import make_folder, path_of, shown, write_whole
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise


@dataclass(frozen=True)
class Settings:
    """How the class was made; the same settings and names give the same folder."""

    title: str
    seed: int = 1
    topics: Sequence[tuple[str, int]] = (("self_attention", 1),)  # with their levels
    paper: str = "a4"
    address: str = ""  # where its page will be, for links and QR codes
    solutions: bool = False  # whether learners may see right answers


class ClassFolder:
    """The folder of a class.

    register.csv who has which code · class.json its settings · numbers/ what was drawn ·
    notebooks/CODE.ipynb · sheets.pdf, keys.pdf · links.html · class.db live answers ·
    marks.csv, marks.json what `handcalc class mark` found · report.html, report.csv
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path_of(path)
        self.register = read_register(self.path / "register.csv")
        self.settings = Settings(**json.loads((self.path / "class.json").read_text("utf-8")))
        self.numbers = StoredNumbers(self.path / "numbers")


def new(path: str | PathLike[str], names: Sequence[str], settings: Settings) -> ClassFolder:
    """Make a class: draw the numbers, write the register and what is handed out."""
    folder = path_of(path)
    if (folder / "register.csv").exists():
        raise HandcalcError(f"{shown(folder)} is a class already; add to it with: handcalc class add.")
    make_folder(folder / "notebooks")
    entries = [
        Entry(name, codes.code(topic, settings.seed + number - 1, level), topic, level, number)
        for number, name in enumerate(names, start=1)
        for topic, level in settings.topics
    ]
    numbers = StoredNumbers(folder / "numbers")
    for entry in entries:
        numbers.add(entry.code)
        save_notebook(
            Exercise(entry.code, solutions=settings.solutions), folder / "notebooks" / f"{entry.code}.ipynb"
        )
    write_whole(folder / "class.json", json.dumps(asdict(settings), indent=1) + "\n")
    Register(entries).save(folder / "register.csv")
    return ClassFolder(folder)
