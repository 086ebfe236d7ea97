"""The numbers of a class, drawn once: to draw a problem costs fifty times as much as to read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from handcalc.classroom.folder import tickets
from handcalc.foundation.atomic_files import make_folder, short_path, write_whole
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.exercise import Exercise
from handcalc.record.calculation import Calculation

DAMAGE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OverflowError)
Facts = dict[str, Any]
Found = TypeVar("Found")


def store_exercise(exercise: Exercise) -> str:
    """The stored form of an exercise: the calculation's spec, how it is asked for, and its code."""
    facts = {"spec": exercise.calculation.to_spec(), "blank": exercise.blank, "places": exercise.places}
    return _json({"code": exercise.code} | facts)


def hide_code(text: str, ticket: str) -> str:
    """The stored form of a sheet with a ticket: the code it was drawn from stands here and nowhere else."""
    facts = json.loads(text)
    return _json(facts | {"code": ticket, "drawn_from": facts["code"]})


def _json(facts: Facts) -> str:
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def restore_exercise(text: str, code: str = "", *, solutions: bool = False) -> Exercise:
    """The stored exercise, a new object each time: it remembers the answers handed in."""
    return _exercise(json.loads(text), code, solutions=solutions)


def _exercise(facts: Facts, code: str, *, solutions: bool) -> Exercise:
    numbers = Calculation.from_spec(facts["spec"])
    made = Exercise(numbers, facts["blank"], facts["places"], solutions=solutions)
    return made.under(code) if code else made


class SheetOutline(NamedTuple):
    """The outline of a sheet: its title, and the shape of each step that is blank."""

    title: str
    blank: dict[str, tuple[int, int]]


def _outline(facts: Facts) -> SheetOutline:
    """The outline of a stored sheet, without its numbers: a tenth of the time that an exercise takes."""
    shapes = {one["name"]: tuple(one["shape"]) for one in facts["spec"]["matrices"]}
    return SheetOutline(facts["spec"]["title"], {step: shapes[step] for step in facts["blank"]})


class StoredNumbers:
    """A folder with a file for each code.

    Where one is missing, damaged, or that of another sheet, the numbers are drawn again from the code; with a
    ticket they cannot be, so that a HandcalcError is raised then, as it is for anything that is no code.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, code: str, text: str = "") -> None:
        """Store the data of a code, drawn now where it was not before; an existing file stays."""
        path = self._path(code)
        if not path.exists():
            make_folder(self.folder)
            write_whole(path, text or store_exercise(Exercise(code)))

    def exercise(self, code: str, *, solutions: bool = False) -> Exercise:
        """The exercise of a code, a new object each time: it remembers the answers handed in."""
        return self._of(
            code, lambda facts: _exercise(facts, tickets.spell_code_or_ticket(code), solutions=solutions)
        )

    def outline(self, code: str) -> SheetOutline:
        """The outline of the sheet with this code."""
        return self._of(code, _outline)

    def text(self, code: str) -> str:
        """The stored text of a code, to be sent elsewhere."""
        return self._of(code, _json)

    def drawn_from(self, code: str) -> str:
        """The code from which these numbers were drawn; without a ticket, the sheet's own."""
        if not tickets.is_ticket(code):
            return code
        return self._of(code, lambda facts: str(facts["drawn_from"]))

    def _of(self, code: str, read: Callable[[Facts], Found]) -> Found:
        """The contents of a file. Raises HandcalcError if it is unusable and cannot be drawn again."""
        path = self._path(code)
        try:
            facts: Facts = json.loads(path.read_text("utf-8"))
            if facts.get("code", path.stem) == path.stem:
                return read(facts)
            raise ValueError("It is that of another sheet.")
        except (OSError, *DAMAGE_ERRORS):
            if tickets.is_ticket(code):
                raise HandcalcError(
                    f"{short_path(path)} is missing or cannot be read; restore the original file."
                ) from None
        return read(json.loads(store_exercise(Exercise(tickets.spell_code_or_ticket(code)))))

    def _path(self, code: str) -> Path:
        return self.folder / f"{tickets.spell_code_or_ticket(code)}.json"
