"""Reading a learner's answers: numbers in the shape that was asked for, blanks where there are none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import count, islice
from typing import Any, NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation import validation
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.expression import Address
from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import Called, Sentence, said
from handcalc.operations import Concat
from handcalc.practice.exercise.parse_number import parse_number
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    is_product,
    is_sum,
    operation_of,
    reduction_of,
    without_transpose,
)
from handcalc.record.matrix import Matrix

MAX_SENTENCE_LENGTH = 200  # of a sentence about an answer
DECIMAL_POINT_RULE = "write decimals with a point: 1.73, not 1,73"
COMPUTED = "is computed by code here; write its numbers in"
NEVER_LISTS = (str, bytes, bytearray, memoryview, Mapping, Set)  # iterable, but not a list of numbers
Troubles = dict[int, str]  # the reason why a number cannot be read, by its place, line after line

AnswerLike = (  # answers to a step, or to the steps of a block by their names
    MatrixLike | str | Sequence[str | float] | Sequence[Sequence[str | float]] | Mapping[str, "AnswerLike"]
)


class Blank(float):
    """Not a number yet; it prints as `____`, works in lists and arrays, and adds up to nothing."""

    def __new__(cls) -> Blank:
        return super().__new__(cls, "nan")

    def __repr__(self) -> str:
        return "____"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "____"

    def __reduce__(self) -> str:
        return "____"  # the only blank, also in copies and files


____ = Blank()  # four underscores: IPython owns one to three


class Unread:
    """Stands for an answer, or for one number of it, that cannot be known; the reason ends a sentence."""

    def __init__(self, reason: str = COMPUTED) -> None:
        self.reason = reason


class UnreadNumber(NamedTuple):
    """A number that could not be read, counted from 0, and a sentence that says why."""

    step: str
    row: int
    column: int
    sentence: str

    @property
    def told(self) -> Sentence:
        """The sentence, with the place before it."""
        return said("{}: {}", Address(self.step, self.row, self.column), self.sentence)


def read_answer(answer: object, step: Matrix) -> tuple[Values, list[UnreadNumber]]:
    """The answer as numbers of the step's shape, NaN where nothing was attempted, or where one is unread.

    A single blank stands for all of them; a single row or column may be a flat list. Raises HandcalcError
    in one sentence for anything that has another shape.
    """
    troubles: Troubles = {}
    try:
        values = _fitted(_numbers(answer, step, troubles), step, is_blank=not troubles)
    except HandcalcError as error:
        raise HandcalcError(shorten_sentence(error.args[0], step)) from None
    except Exception:  # noqa: BLE001 - whatever somebody's own class raises
        raise HandcalcError(
            shorten_sentence(
                f"{step.display_name} cannot be read; "
                f"write a list of rows of numbers, {shape_text(step.shape)} here.",
                step,
            )
        ) from None
    columns = step.shape[1]
    return values, [
        UnreadNumber(step.name or "", *divmod(place, columns), shorten_sentence(told))
        for place, told in troubles.items()
    ]


def shorten_sentence(text: str, step: Matrix | None = None) -> str:
    """One line of one sentence, cut where it is long; the step's name at its start is a name."""
    line = "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))
    line = line if len(line) <= MAX_SENTENCE_LENGTH else line[: MAX_SENTENCE_LENGTH - 4].rstrip() + " …."
    if isinstance(text, Sentence) and line == text:
        return text
    name = (step and step.name) or ""
    is_named = bool(name) and line.startswith((f"{name} ", f"{name}["))
    return Sentence(Called(name), line.removeprefix(name)) if is_named else line


def _numbers(answer: Any, step: Matrix, troubles: Troubles) -> Values:
    """Numbers of any shape; masked ones are blank, and so are those that cannot be read."""
    if isinstance(answer, str) and ("\n" in answer or "|" in answer or step.values.size == 1):
        answer = _typed_rows(answer, step)
    if isinstance(answer, np.ma.MaskedArray) and answer.dtype.kind in "iuf":
        answer = np.ma.filled(answer.astype(float), np.nan)
    if isinstance(answer, Matrix):
        answer = answer.values
    if hasattr(answer, "__array__") and not isinstance(answer, np.ndarray) and not hasattr(answer, "detach"):
        answer = np.asarray(answer)  # a table, or a number of numpy's
    if isinstance(answer, np.ndarray) and answer.dtype.kind in "OU":
        answer = answer.tolist()  # fractions, perhaps
    if not isinstance(answer, (np.ndarray, *NEVER_LISTS)) and not hasattr(answer, "detach"):
        answer = _bounded(answer, step, troubles)
    if "bool" in str(getattr(answer, "dtype", "")):
        raise HandcalcError(f"{step.display_name} holds True and False, not numbers.")
    return validation.read_array(answer, step.display_name)


def _bounded(answer: Any, step: Matrix, troubles: Troubles) -> Any:
    """Rows and numbers as lists, no further than anybody would write: a stream may be endless."""
    most, places = step.values.size + 1, count()

    def legible(value: Any) -> Any:
        place = next(places)
        number, trouble = (value, "") if _is_row(value) else _number(value)
        if trouble:
            troubles[place] = trouble
        return number

    if not isinstance(answer, Iterable):
        return legible(answer) if step.values.size == 1 else answer
    lines = list(islice(answer, most))
    is_nested = any(map(_is_row, lines))
    lines = [[line] * step.shape[1] if is_nested and isinstance(line, Unread) else line for line in lines]
    rows = [
        [legible(value) for value in islice(line, most)] if _is_row(line) else legible(line) for line in lines
    ]
    _check_commas(rows, step)
    return rows


def _number(value: Any) -> tuple[float, str]:
    """A number, or NaN for a blank; or NaN and the reason why it cannot be read."""
    match value:
        case None:
            return math.nan, ""
        case Unread(reason=reason):
            return math.nan, f"This {reason.replace('its numbers', 'the number')}."
        case str():
            return parse_number(value)
    try:
        if not isinstance(value, bool | np.bool_):
            return float(validation.read_array([value], "It")[0]), ""
    except HandcalcError:
        pass
    return math.nan, f"{short(value)} is not a number."


def _check_commas(rows: list[Any], step: Matrix) -> None:
    """A row that is longer than the others: 1,73 in a list is two numbers."""
    widths = [len(row) for row in rows if isinstance(row, list)]
    if len(set(widths)) > 1 and max(widths) > step.shape[1]:
        place, width = rows.index(max(rows, key=_width)), max(widths)
        raise HandcalcError(
            said(
                "Row {} of {} has {} numbers, not {}; {}.",
                counted(place),
                step,
                width,
                step.shape[1],
                DECIMAL_POINT_RULE,
            )
        )


def _typed_rows(text: str, step: Matrix) -> list[list[str]]:
    """An answer typed as a table, one line per row and | between numbers: `1,73 | √3 | ____`."""
    lines = [line.split("|") for line in text.splitlines() if line.strip()]
    rows, columns = step.shape
    for place, line in enumerate(lines[:rows]):
        if len(line) == columns + 2 and not (line[0] + line[-1]).strip():
            line[:] = line[1:-1]  # | 1 | 2 |
        if len(line) != columns:
            words = "Row {} of {} has {} number{}, not {}; put | between the numbers of a row."
            raise HandcalcError(said(words, counted(place), step, len(line), "s" * (len(line) > 1), columns))
    if len(lines) != rows:
        words = "{} has {} row{}, but you wrote {}: put each row on its own line."
        raise HandcalcError(said(words, step, rows, "s" * (rows > 1), len(lines)))
    return lines


def _width(row: Any) -> int:
    return len(row) if isinstance(row, list) else 0


def _is_row(value: Any) -> bool:
    return (
        isinstance(value, Iterable) and not isinstance(value, NEVER_LISTS) and getattr(value, "ndim", 1) > 0
    )


def _fitted(array: Values, step: Matrix, *, is_blank: bool) -> Values:
    """The numbers in the step's shape."""
    if is_blank and array.size == 1 and np.isnan(array).all():
        return np.full(step.shape, np.nan)
    if array.ndim < 2 and 1 in step.shape and array.size == step.values.size:
        return array.reshape(step.shape)
    if array.shape != step.shape:
        raise HandcalcError(_misshapen(array, step))
    return array


def _misshapen(array: Values, step: Matrix) -> str:
    rows, columns = step.shape
    lines = f"{rows} {'row' if rows == 1 else 'rows'} of {columns}"
    written = (
        "one number"
        if array.size == 1
        else f"{array.size} in a row"
        if array.ndim < 2
        else shape_text(array.shape)
    )
    is_longer = array.size > step.values.size if array.ndim < 2 else array.shape[1] > columns
    to_do: str = "write one number for each blank" + f", and {DECIMAL_POINT_RULE}" * is_longer
    if array.shape == (columns, rows):
        to_do = "swap rows and columns"
        if along := reduction_of(step):
            to_do = said("write one number for each {} of {}", LINE_OF_AXIS[along.axis], step.inputs[0])
    elif (short_of := _short_of(array, step)) is not None:
        line = LINE_OF_AXIS[1 - short_of]
        to_do = said("it needs a {} for each {} of {}", line, line, without_transpose(step.inputs[short_of]))
    elif operation_of(step, Concat) and all(part.shape == array.shape for part in step.inputs):
        to_do = said("stack {} and {}, do not add them", step.inputs[0], step.inputs[-1])
    elif is_sum(step) and array.shape in ((2 * rows, columns), (rows, 2 * columns)):
        to_do = said("add {} and {} number by number, do not stack them", *step.inputs)
    return said("{} is {}, {}, but you wrote {}: {}.", step, shape_text(step.shape), lines, written, to_do)


def _short_of(array: Values, step: Matrix) -> int | None:
    """The axis along which a product is too short, 1 for columns, 0 for rows: another sentence's, perhaps."""
    for axis in (1, 0) if is_product(step) and array.ndim == 2 else ():
        if array.shape[1 - axis] == step.shape[1 - axis] and array.shape[axis] < step.shape[axis]:
            return axis
    return None
