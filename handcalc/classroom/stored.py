"""The numbers of a class, drawn once: to draw a problem costs fifty times as much as to read it."""

from __future__ import annotations

import json
from pathlib import Path

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short
from handcalc.files import make_folder, write_whole
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise


class StoredNumbers:
    """A folder with a file for each code: the calculation's spec, and how it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, code: str) -> None:
        """Draw the numbers of a code and store them; what is there already stays."""
        path = self._path(code)
        if path.exists():
            return
        make_folder(self.folder)
        exercise = Exercise(code)
        kept = {"spec": exercise.calculation.to_spec(), "blank": exercise.blank, "places": exercise.places}
        write_whole(path, json.dumps(kept, ensure_ascii=False, separators=(",", ":")))

    def exercise(self, code: str, *, solutions: bool = False) -> Exercise:
        """The exercise of a code, new each time: it remembers what was handed in.

        Raises HandcalcError where the class has no such code.
        """
        return exercise(self.text(code), solutions=solutions)

    def text(self, code: str) -> str:
        """What is stored of a code, to be sent elsewhere. Raises HandcalcError as `exercise` does."""
        try:
            return self._path(code).read_text("utf-8")
        except FileNotFoundError:
            raise HandcalcError(f"{short(code)} is not the code of a sheet of this class.") from None

    def _path(self, code: str) -> Path:
        return self.folder / f"{codes.written(codes.read(code))}.json"


def exercise(text: str, *, solutions: bool = False) -> Exercise:
    """The exercise of what was stored, new each time: it remembers what was handed in."""
    kept = json.loads(text)
    return Exercise(Calculation.from_spec(kept["spec"]), kept["blank"], kept["places"], solutions=solutions)
