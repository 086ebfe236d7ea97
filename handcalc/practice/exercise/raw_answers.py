"""Raw answers, as typed into the blanks of an exercise: read as numbers, marked, and told step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from handcalc.notation.numbers import Values
from handcalc.notation.sentences import html_of
from handcalc.operations import Mask
from handcalc.practice.exercise.answers import UnreadNumber
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.exercise.parse_number import parse_number
from handcalc.practice.marking.states import CORRECT, NOT_ATTEMPTED
from handcalc.practice.replay.error_carried_forward import Flags
from handcalc.record.matrix import Matrix

Texts = Mapping[str, Mapping[str, str]]  # {step: {"row,column": text}}, counted from 0


class TypedText(NamedTuple):
    """A text in one blank, counted from 0."""

    step: str
    row: int
    column: int
    text: str


class MarkedSheet(NamedTuple):
    """The marks of what is typed: `states` as the page shows them, `messages` about each step."""

    feedback: Feedback
    copies: Mapping[str, Flags] = {}

    @property
    def states(self) -> dict[str, list[list[str]]]:
        """A state for every blank, as the page shows it.

        A copy that a mask leaves has none until all is right: it would tell where nothing is to be hidden.
        """
        cells = dict(self.feedback.marks)
        if not self.feedback.is_complete:
            for step, copied in self.copies.items():
                cells[step] = np.where(copied, NOT_ATTEMPTED, cells[step])
        return {step: found.tolist() for step, found in cells.items()}

    @property
    def messages(self) -> dict[str, list[str]]:
        """The sentences to read about each step."""
        feedback = self.feedback
        messages: dict[str, list[str]] = {step: [*feedback.messages_about(step)] for step in feedback.cells}
        for unread in feedback.unread:
            messages[unread.step].insert(0, unread.sentence)
        if feedback.is_complete:
            messages[next(iter(feedback.cells))] = [*feedback.messages()]
        return {step: lines for step, lines in messages.items() if lines}

    @property
    def typeset(self) -> dict[str, list[str]]:
        """The sentences to read about each step, as HTML."""
        return {step: [html_of(line) for line in lines] for step, lines in self.messages.items()}

    @property
    def score(self) -> str:
        """`2 of 7 right`"""
        asked = sum(cells.size for cells in self.feedback.cells.values())
        return f"{self.feedback.count(CORRECT)} of {asked} right"


def has_field(exercise: Exercise, step: str, row: int, column: int) -> bool:
    """Whether there is a field for this number."""
    if step not in exercise.blank:
        return False
    rows, columns = exercise.calculation[step].shape
    return 0 <= row < rows and 0 <= column < columns


def remember_texts(exercise: Exercise, typed: Iterable[tuple[str, int, int, str]]) -> None:
    """Take texts as typed before, one by one: later steps may rest on a number that has been corrected."""
    answers = exercise.nothing()
    for step, row, column, text in typed:
        if has_field(exercise, step, row, column):
            answers[step] = answers[step].copy()
            answers[step][row, column], _ = parse_number(text)
            exercise.remember(**answers)


def latest_texts(typed: Iterable[tuple[str, int, int, str]]) -> dict[str, dict[str, str]]:
    """The last text of each blank."""
    texts: dict[str, dict[str, str]] = {}
    for step, row, column, text in typed:
        texts.setdefault(step, {})[f"{row},{column}"] = text
    return texts


def texts_with_fields(exercise: Exercise, texts: Texts) -> dict[str, dict[str, str]]:
    """The texts that have a field; a file may hold anything."""
    found = {
        step: {
            place: text
            for place, text in cells.items()
            if has_field(exercise, step, *map(int, place.split(",")))
        }
        for step, cells in texts.items()
    }
    return {step: cells for step, cells in found.items() if cells}


def read_texts(exercise: Exercise, texts: Texts) -> tuple[dict[str, Values], list[UnreadNumber]]:
    """The numbers in the blanks (NaN where there is none), and the reason for each that cannot be read."""
    answers = exercise.nothing()
    unread: list[UnreadNumber] = []
    for step, cells in texts_with_fields(exercise, texts).items():
        for place, text in cells.items():
            row, column = map(int, place.split(","))
            answers[step][row, column], trouble = parse_number(text)
            if trouble:
                unread.append(UnreadNumber(step, row, column, trouble))
    return answers, unread


def mark_texts(exercise: Exercise, texts: Texts, *, names: bool = True, copied: bool = False) -> MarkedSheet:
    """Mark the texts in the blanks; without `names` no mistake is looked for, which is quicker.

    With `copied`, where a mask has begun to hide numbers those that it leaves are given: a copy is no work.
    """
    answers, unread = read_texts(exercise, texts)
    copies = _fill_copies(exercise, answers, texts) if copied else {}
    return MarkedSheet(exercise.mark(answers, unread, names=names), copies)


def count_hidden(exercise: Exercise) -> dict[str, int]:
    """The blank steps that hide numbers and copy the others, and how many each hides."""
    return {
        name: int(hidden.sum())
        for name in exercise.blank
        if (hidden := _hidden(exercise.calculation[name])) is not None
    }


def _hidden(step: Matrix) -> Flags | None:
    """The numbers that a mask hides; none in any other step."""
    return np.isinf(step.values) if isinstance(step.operation, Mask) else None


def _fill_copies(exercise: Exercise, answers: dict[str, Values], texts: Texts) -> dict[str, Flags]:
    """Fill in the numbers that a mask leaves, where it has begun to hide; returns which they are."""
    copies = {}
    for name in count_hidden(exercise):
        step = exercise.calculation[name]
        if any(text.strip() for text in texts.get(name, {}).values()):
            source = step.inputs[0]
            before = answers.get(source.name or "", source.values)
            copies[name] = np.isnan(answers[name]) & ~np.isinf(step.values)
            answers[name] = np.where(copies[name], before, answers[name])
    return copies
