"""The progress of a sheet: for each step, how many numbers are right, close, following, wrong and blank.

The same few facts serve the teacher's grid, the marks of a class and its report.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import listed
from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import html_of
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.feedback import MIN_CONSTANT_NUMBERS, Feedback, even_steps
from handcalc.practice.exercise.raw_answers import TypedText
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import CORRECT, FOLLOWS, WRONG
from handcalc.practice.mistakes.mal_rule import Mistake

RIGHT, CLOSE, FOLLOWING, MISSED, BLANK = PROGRESS_STATES = ("right", "close", "following", "wrong", "blank")
MAX_ODD_NUMBERS = 40  # of one sheet: with more, a person looks at the sheet
CLOSE_FACTOR = 10  # a wrong number is close if it is off by up to ten times what rounding allows
Counts = Mapping[str, int]  # by the states in PROGRESS_STATES


@dataclass(frozen=True)
class SeenMistake:
    """A mistake as it was seen in one step: its name, where, and the sentence about it.

    `slip` says that it can happen to anyone, such as one lost sign; `instead` that the mistakes before it in
    the step explain the same numbers: either those were made, or this one.
    """

    step: str
    name: str
    where: str
    sentence: str
    slip: bool = False
    html: str = ""  # the sentence with its names typeset
    instead: bool = False


class OddNumber(NamedTuple):
    """A wrong number that no mistake explains, the right one, and the number that stood there `before`."""

    step: str
    written: str
    right: str
    before: str = ""


@dataclass(frozen=True)
class Standing:
    """One sheet: the counts of each step, the mistakes seen, the sentences about what could not be read.

    `even` has the steps that one or two numbers fill, where the right ones differ more: what follows from
    those says little, and does not count. `hollow` are the steps that would follow from them.
    """

    code: str
    steps: Mapping[str, Counts]
    mistakes: tuple[SeenMistake, ...] = ()
    problems: tuple[str, ...] = ()
    even: tuple[str, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    again: Mapping[str, int] = field(default_factory=dict)  # how often a number was typed again
    hollow: tuple[str, ...] = ()
    written: str = ""  # all its numbers, as `write_numbers` has them
    key: str = ""  # the right ones, as `write_right_numbers` has them, for work handed in as a file
    odd: tuple[OddNumber, ...] = ()

    def count(self, state: str) -> int:
        """The count of the sheet's numbers in a state."""
        return sum(counts[state] for counts in self.steps.values())

    def sign(self, step: str) -> str:
        """The most telling state of a step: states that need a look come first."""
        counts = self.steps[step]
        return next((state for state in (MISSED, CLOSE, FOLLOWING, RIGHT) if counts[state]), BLANK)

    @property
    def is_begun(self) -> bool:
        """Whether there is any number on it."""
        return any(
            counts[state] for counts in self.steps.values() for state in PROGRESS_STATES if state != BLANK
        )

    @property
    def unread(self) -> str:
        """A sentence about the first thing that could not be read, and how many more there are."""
        first, *others = self.problems or ("",)
        return f"{first} ({len(others)} more could not be read.)" if others else first

    @property
    def has_empty_credit(self) -> bool:
        """Whether numbers follow, or would, from a step in which one or two numbers stand everywhere."""
        return bool(self.hollow) or (bool(self.even) and self.count(FOLLOWING) > 0)

    @property
    def no_work(self) -> str:
        """The reason why it may be nobody's work, the beginning of a sentence; empty where there is none."""
        if not self.is_begun and not self.problems:
            return "Nothing is filled in"
        written = [sum(self.steps[step].values()) - self.steps[step][BLANK] for step in self.even]
        if sum(written) < MIN_CONSTANT_NUMBERS:
            return ""
        rest = "; what follows was computed from numbers that were not worked out" if self.hollow else ""
        return f"The same one or two numbers fill {listed(self.even)}{rest}"

    def to_json(self) -> dict[str, Any]:
        """The standing as JSON, for `from_json` to read."""
        return asdict(self)

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Standing:
        """The standing that `to_json` wrote."""
        lists = {name: tuple(written.get(name, ())) for name in ("problems", "even", "hollow")}
        seen = tuple(SeenMistake(**one) for one in written["mistakes"])
        odd = tuple(OddNumber(*one) for one in written.get("odd", ()))
        return cls(**{**written, **lists, "mistakes": seen, "odd": odd})


def find_standing(
    code: str,
    exercise: Exercise,
    feedback: Feedback,
    hints: Counts | None = None,
    history: Iterable[TypedText] = (),
) -> Standing:
    """The standing of a checked sheet, in figures; `history` has all texts typed into it, in order."""
    typed = _list_texts(history)
    return Standing(
        code,
        {step: _counts(exercise, feedback, step) for step in feedback.cells},
        tuple(map(_see, feedback.mistakes)),
        (*map(str, feedback.problems.values()), *(str(one.told) for one in feedback.unread)),
        even_steps(feedback),
        dict(hints or {}),
        _count_retyped(typed),
        tuple(step for step in feedback.cells if step in feedback.hollow),
        write_numbers(feedback),
        odd=_find_odd(exercise, feedback, typed),
    )


def _see(one: Mistake) -> SeenMistake:
    told = str(one.where), str(one.sentence), one.is_slip, html_of(one.sentence)
    return SeenMistake(one.step, one.name, *told, one.instead)


def write_numbers(feedback: Feedback) -> str:
    """Every number of a sheet in one line: a dot for a blank, ! after an odd one, !! if it is wrong."""
    odd = {step: flags * (1 + (feedback.cells[step] == WRONG)) for step, flags in feedback.odd.items()}
    return " ".join(
        "." if math.isnan(number) else f"{number:.12g}" + "!" * int(signs)
        for step, answer in feedback.answers.items()
        for number, signs in zip(answer.flat, odd[step].flat, strict=True)
    )


def write_right_numbers(exercise: Exercise) -> str:
    """The right numbers, in such a line."""
    right = (exercise.calculation[step].values.flat for step in exercise.blank)
    return " ".join(f"{number:.8g}" for numbers in right for number in numbers)


def read_numbers(written: str) -> list[float]:
    """The numbers in such a line, NaN for a blank. Raises ValueError for anything else."""
    return [math.nan if one == "." else float(one.rstrip("!")) for one in written.split()]


def split_numbers(written: Values, exercise: Exercise) -> dict[str, Values]:
    """The numbers of such a line as the answers to a sheet."""
    shapes = {step: exercise.calculation[step].shape for step in exercise.blank}
    parts = np.split(written, np.cumsum([rows * columns for rows, columns in shapes.values()])[:-1])
    return {step: part.reshape(shape) for (step, shape), part in zip(shapes.items(), parts, strict=True)}


def _counts(exercise: Exercise, feedback: Feedback, step: str) -> dict[str, int]:
    cells, answer = feedback.cells[step], feedback.answers[step]
    with np.errstate(invalid="ignore"):
        off = np.abs(answer - exercise.calculation[step].values)
    close = (cells == WRONG) & (off <= CLOSE_FACTOR * half_unit(exercise.places))
    found = {
        RIGHT: cells == CORRECT,
        CLOSE: close,
        FOLLOWING: cells == FOLLOWS,
        MISSED: (cells == WRONG) & ~close,
    }
    counts = {state: int(flags.sum()) for state, flags in found.items()}
    return {**counts, BLANK: cells.size - sum(counts.values())}


Texts = dict[tuple[str, int, int], list[str]]  # the successive texts in each blank


def _list_texts(history: Iterable[TypedText]) -> Texts:
    found: Texts = {}
    for step, row, column, text in history:
        texts = found.setdefault((step, row, column), [])
        if text.strip() and texts[-1:] != [text]:
            texts.append(text)
    return found


def _count_retyped(typed: Texts) -> dict[str, int]:
    """The number of times that a number of each step was typed again, as another text."""
    again: dict[str, int] = {}
    for (step, _, _), texts in typed.items():
        if len(texts) > 1:
            again[step] = again.get(step, 0) + len(texts) - 1
    return again


def _find_odd(exercise: Exercise, feedback: Feedback, typed: Texts) -> tuple[OddNumber, ...]:
    """The wrong numbers that no claimed mistake leads to."""
    found = [
        (step, int(row), int(column))
        for step, cells in feedback.cells.items()
        for row, column in np.argwhere((cells == WRONG) & feedback.odd[step])
    ]

    def show(value: float) -> str:
        return numbers.typeset_number(numbers.show(float(value), exercise.places))

    return tuple(
        OddNumber(
            step,
            show(feedback.answers[step][row, column]),
            show(exercise.calculation[step].values[row, column]),
            ", ".join(typed.get((step, row, column), ())[:-1]),
        )
        for step, row, column in found[:MAX_ODD_NUMBERS]
    )
