"""What somebody handed in: answers by step, or texts blank by blank; nothing in it was ever run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from handcalc.classroom.standing import Standing, standing
from handcalc.practice import typed
from handcalc.practice.exercise import Exercise


@dataclass(frozen=True)
class HandedIn:
    """One sheet out of one file, or from one phone.

    `code` is that of the sheet, or nothing where it could not be found. `answers` has what a notebook's cell
    says of each step, a text or lists of numbers with NaN for blanks; `typed` has what was typed into blanks,
    in order. `hints` counts the hints of each step. `unread` has a sentence about each name, or line
    of a table, that could not be read. `trouble` is one sentence where nothing could be read.
    """

    source: str
    code: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    typed: tuple[typed.Typed, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    trouble: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)


def marked(handed_in: HandedIn, exercise: Exercise) -> Standing:
    """How a sheet stands, marked on its own numbers as `hc.practise` and `Exercise.check` mark it."""
    if handed_in.answers:
        return standing(handed_in.code, exercise, exercise.check(**handed_in.answers), handed_in.hints)
    typed.remember(exercise, handed_in.typed)
    found = typed.mark(exercise, typed.texts_of(handed_in.typed))
    return standing(handed_in.code, exercise, found.feedback, handed_in.hints, typed_again(handed_in.typed))


def typed_again(history: Iterable[typed.Typed]) -> dict[str, int]:
    """How often a number of each step was typed once more, as another text."""
    last: dict[tuple[str, int, int], str] = {}
    again: dict[str, int] = {}
    for step, row, column, text in history:
        if text.strip() and last.setdefault((step, row, column), text) != text:
            last[step, row, column] = text
            again[step] = again.get(step, 0) + 1
    return again
