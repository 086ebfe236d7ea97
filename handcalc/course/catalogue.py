"""The lessons of the course, in their order, as each folder's lesson.toml describes them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent


PRACTICE_MINUTES = 10


class Practised(NamedTuple):
    """Practice that a lesson offers, as `hc.practise` takes it."""

    topic: str
    level: int = 1
    blank: tuple[str, ...] | None = None

    @property
    def options(self) -> str:
        """The options after the topic on a command line: `--level 2 --blank head_2 --minutes 10`."""
        level = f"--level {self.level} " if self.level > 1 else ""
        blank = f"--blank {','.join(self.blank)} " if self.blank else ""
        return f"{level}{blank}--minutes {PRACTICE_MINUTES}"


class Lesson(NamedTuple):
    """One lesson: its notebook, without ending; the lessons that it needs; about how long it takes."""

    name: str  # of its folder
    notebook: str
    title: str
    needs: tuple[str, ...]
    minutes: int
    place: tuple[int, int]  # row and column on the map
    about: str  # the subject, in a few words
    practice: Practised | None = None  # the practice at its end, ten minutes long
    closing: tuple[str, ...] = ()  # the guesses for a class at the end
    opening: str = ""  # the question that opens the lesson in class
    goals: str = ""  # the rest of a sentence that begins "Afterwards the class"
    templates: tuple[Mapping[str, Any], ...] = ()  # the notebooks and sheets to fill in that it offers
    templates_in: str = ""  # their folder, if it is not the lesson's name

    @property
    def number(self) -> str:
        """Its number in the row of notebooks, `07`."""
        return self.notebook[:2]

    def module(self, kind: str) -> ModuleType | None:
        """Its examples, figures or topics; None where it has no such module."""
        if not (FOLDER / self.name / f"{kind}.py").is_file():
            return None
        return import_module(f"handcalc.course.{self.name}.{kind}")


@cache
def lessons() -> Mapping[str, Lesson]:
    """All lessons by name, in the order of the notebooks."""
    found = [_read_lesson(path) for path in FOLDER.glob("*/lesson.toml")]
    return {lesson.name: lesson for lesson in sorted(found, key=lambda lesson: lesson.notebook)}


def _read_lesson(path: Path) -> Lesson:
    entry = tomllib.loads(path.read_text("utf-8"))
    notebook = f"{entry.pop('number'):02}_{entry.pop('notebook')}"
    lists: dict[str, Any] = {
        field: tuple(entry.pop(field, ())) for field in ("needs", "place", "templates", "closing")
    }
    if practice := entry.pop("practice", None):
        blank = tuple(practice.pop("blank", ())) or None
        lists["practice"] = Practised(**practice, blank=blank)
    return Lesson(path.parent.name, notebook, **entry, **lists)
