"""The numbers of a class, drawn once: to draw a problem costs fifty times as much as to read it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short
from handcalc.files import make_folder, write_whole
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise


def kept(exercise: Exercise) -> str:
    """What is kept of an exercise: the calculation's spec, and how it is asked for."""
    facts = {"spec": exercise.calculation.to_spec(), "blank": exercise.blank, "places": exercise.places}
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def exercise(text: str, code: str = "", *, solutions: bool = False) -> Exercise:
    """The exercise of what was stored, new each time: it remembers what was handed in."""
    facts = json.loads(text)
    numbers = Calculation.from_spec(facts["spec"])
    made = Exercise(numbers, facts["blank"], facts["places"], solutions=solutions)
    return made.under(code) if code else made


class Outline(NamedTuple):
    """What a sheet is about: its title, and the shape of each step that is blank."""

    title: str
    blank: dict[str, tuple[int, int]]


def outline(text: str) -> Outline:
    """What was stored, without any numbers: a tenth of the time that an exercise takes."""
    facts = json.loads(text)
    shapes = {one["name"]: tuple(one["shape"]) for one in facts["spec"]["matrices"]}
    return Outline(facts["spec"]["title"], {step: shapes[step] for step in facts["blank"]})


class StoredNumbers:
    """A folder with a file for each code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, code: str, text: str = "") -> None:
        """Store what is kept of a code, drawn now where it was not before; what is there already stays."""
        path = self._path(code)
        if not path.exists():
            make_folder(self.folder)
            write_whole(path, text or kept(Exercise(code)))

    def exercise(self, code: str, *, solutions: bool = False) -> Exercise:
        """The exercise of a code, new each time: it remembers what was handed in.

        A file that is damaged is drawn again from the code. Raises HandcalcError where the class has no such
        code.
        """
        text = self.text(code)
        try:
            return exercise(text, code, solutions=solutions)
        except (ValueError, KeyError, TypeError):
            return Exercise(code, solutions=solutions)

    def outline(self, code: str) -> Outline:
        """What the sheet of a code is about. Raises HandcalcError as `exercise` does."""
        text = self.text(code)
        try:
            return outline(text)
        except (ValueError, KeyError, TypeError):
            return outline(kept(Exercise(code)))

    def text(self, code: str) -> str:
        """What is stored of a code, to be sent elsewhere. Raises HandcalcError as `exercise` does."""
        try:
            return self._path(code).read_text("utf-8", "replace")
        except FileNotFoundError:
            raise HandcalcError(f"{short(code)} is not the code of a sheet in this class.") from None

    def _path(self, code: str) -> Path:
        return self.folder / f"{codes.written(codes.read(code))}.json"
