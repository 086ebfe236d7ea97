"""What the lessons ask: one file of questions a lesson, in `questions/`, read when it is needed.

    [who_bites]
    question = "Which word of both sentences gets most of the attention of “bites”?"
    options = ["dog", "bites", "man"]   # to choose from; without them a number or a few words are asked for
    answer = 1                          # which option, counted from 1; else the number or the words
    because = "One to three sentences that say why."

A question whose answer is a number may say to how many `places` (2). tests/ work out every answer again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from handcalc.errors import HandcalcError, listed, short

FOLDER = Path(__file__).parent / "questions"


class Question(NamedTuple):
    """One question of a lesson; `name` is `lesson.question`."""

    name: str
    question: str
    answer: int | float | str
    because: str
    options: tuple[str, ...] = ()
    places: int = 2

    @property
    def answer_text(self) -> str:
        """The answer as it is told: the option itself, a number, or a few words."""
        return self.options[int(self.answer) - 1] if self.options else str(self.answer).replace("-", "−")


def question(name: str) -> Question:
    """A question by its name, such as "positions.who_bites".

    Raises HandcalcError for a lesson or a question that there is not.
    """
    lesson, dot, which = name.partition(".") if isinstance(name, str) else ("", "", "")
    if not dot:
        raise HandcalcError(f'A question is named as in "positions.who_bites", not {short(name)}.')
    known = questions(checked(lesson, lessons(), "lesson"))
    return known[checked(which, known, f"question of lesson {short(lesson)}")]


def lessons() -> Mapping[str, Path]:
    """The lessons that have questions, with the file of each."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


@lru_cache
def questions(lesson: str) -> Mapping[str, Question]:
    """The questions of a lesson, in the order in which they are asked."""
    with (FOLDER / f"{lesson}.toml").open("rb") as file:
        found = tomllib.load(file)
    return {name: _read(f"{lesson}.{name}", entry) for name, entry in found.items()}


def _read(name: str, entry: dict[str, Any]) -> Question:
    return Question(name, **entry | {"options": tuple(entry.get("options", ()))})


def checked(name: str, known: Mapping[str, Any], kind: str) -> str:
    """The name, if it is known; else one sentence on what there is."""
    if name not in known:
        alike = get_close_matches(name, known, 1)
        hint = f"did you mean {short(alike[0])}?" if alike else f"there are {listed(known, 1000)}."
        raise HandcalcError(f"There is no {kind} called {short(name)}; {hint}")
    return name
