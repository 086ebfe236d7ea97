"""Earlier attempts: their numbers and marks, those that later steps may rest on, and outdated marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import Called, list_things
from handcalc.practice.diagnosis.wrong_answer import WrongAnswer, is_close
from handcalc.practice.marking.states import CORRECT, FOLLOWS, NOT_ATTEMPTED, WRONG, States
from handcalc.practice.mistakes.mal_rule import Candidate
from handcalc.practice.mistakes.mistake_registry import EARLIER_ANSWER
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.practice.replay.patterns import comes_from
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

Cell = tuple[str, int, int]
MAX_REMEMBERED_SHEETS = 40  # sheets remembered; on the page each changed number makes one
Sheet = Mapping[str, Values]


class Earlier(NamedTuple):
    """Earlier contents of steps that have changed since, and the sheet on which they stood."""

    changed: Sheet
    sheet: Sheet


class Attempts:
    """The answers to one exercise, from check to check."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self._wrong: dict[Cell, set[float]] = {}

    @property
    def latest(self) -> Sheet:
        """The latest answer to each step."""
        return self.sheets[-1] if self.sheets else {}

    def keep(self, answers: Sheet) -> None:
        """Remember a sheet: in the place of the last one, if it only has more numbers."""
        latest = self.latest
        sheet = {**latest, **{name: _shared(latest.get(name), new) for name, new in answers.items()}}
        has_more = self.sheets and not any(_changed(latest, sheet))
        self.sheets = [*(self.sheets[:-1] if has_more else self.sheets), sheet][-MAX_REMEMBERED_SHEETS:]

    def unchanged(self, answers: Sheet) -> frozenset[str]:
        """The steps handed in just as they were last, if others are not."""
        same = {n for n, new in answers.items() if n in self.latest and _is_same(self.latest[n], new)}
        return frozenset(same if len(same) < len(answers) else ())

    def changed(self, answers: Sheet, tolerance: float) -> list[str]:
        """The steps in which a number has changed or is gone, not only written with more digits."""
        before = {name: old for name, old in self.latest.items() if name in answers}
        with np.errstate(invalid="ignore"):
            moved = {name: ~(np.abs(old - answers[name]) <= tolerance) for name, old in before.items()}
        return [name for name in _changed(before, answers) if moved[name][~np.isnan(before[name])].any()]

    def earlier(self, answers: Sheet) -> list[Earlier]:
        """The earlier contents of steps that have changed since, one by one and together; newest first."""
        found: list[Earlier] = []
        for sheet in reversed(self.sheets):
            changed = {name: sheet[name] for name in _changed(sheet, answers)}
            found += [Earlier({name: old}, sheet) for name, old in changed.items()]
            found += [Earlier(changed, sheet)] if len(changed) > 1 else []
        return found

    def tried(self, cell: Cell, number: float) -> None:
        """Remember a number that was wrong in this cell."""
        self._wrong.setdefault(cell, set()).add(number)

    def wrong_again(self, answers: Sheet, wrong: Sheet) -> frozenset[Cell]:
        """The cells that are wrong, and were wrong before with another number."""
        found = set()
        for step, flags in wrong.items():
            for row, column in np.argwhere(flags):
                cell = (step, int(row), int(column))
                tried = self._wrong.setdefault(cell, set())
                tried.add(float(answers[step][row, column]))
                if len(tried) > 1:
                    found.add(cell)
        return frozenset(found)


def _changed(sheet: Sheet, answers: Sheet) -> Iterator[str]:
    """The steps in which a number on a sheet has changed or is gone."""
    for name, old in sheet.items():
        new = answers[name]
        if old is not new and (~np.isnan(old) & (old != new)).any():
            yield name


def _shared(old: Values | None, new: Values) -> Values:
    """The old array where its numbers are the same, so that they are in memory once."""
    return old if old is not None and np.array_equal(old, new, equal_nan=True) else new


def _is_same(one: Values, other: Values) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


Found = TypeVar("Found")
MAX_REMEMBERED_STEPS = 400  # steps, of one calculation


class Memo(Generic[Found]):
    """Results kept by what they depend on; the one unused for longest goes first."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Found] = {}

    def of(self, key: Hashable, look: Callable[[], Found]) -> Found:
        """The result kept for this key, or else what `look` finds now."""
        found = self._found.pop(key) if key in self._found else look()
        self._found[key] = found
        if len(self._found) > MAX_REMEMBERED_STEPS:
            del self._found[next(iter(self._found))]
        return found


class History:
    """The answers up to a step, now and earlier: what explains the step depends on nothing else."""

    def __init__(self, answers: Mapping[str, Values], earlier: Sequence[Earlier]) -> None:
        self._answers, self._earlier = answers, earlier
        self._steps: list[str] = []
        self._contents: dict[int, int] = {}  # by id: sheets share unchanged arrays

    def advance(self, matrix: Matrix) -> None:
        """Go on to the next matrix of the record."""
        if matrix.name and matrix.name in self._answers:
            self._steps.append(matrix.name)

    def key(self) -> Hashable:
        """A key that is the same for the same numbers up to here, now and before."""
        now = tuple((step, self._content(self._answers[step])) for step in self._steps)
        return now, tuple(
            self._stood(one) for one in self._earlier if not one.changed.keys().isdisjoint(self._steps)
        )

    def _stood(self, one: Earlier) -> Hashable:
        return tuple(one.changed), tuple(
            self._content(one.sheet[step]) for step in self._steps if step in one.sheet
        )

    def _content(self, values: Values) -> int:
        if id(values) not in self._contents:
            self._contents[id(values)] = hash(values.tobytes())
        return self._contents[id(values)]


class EarlierAnswers:
    """The earlier answers to an exercise, as later steps may still rest on them."""

    def __init__(self, earlier: Sequence[Earlier], replay: LearnerReplay) -> None:
        self._earlier, self._replay = earlier, replay
        self._places: dict[str, list[int]] = {}  # the place of each step among them
        self._replays: dict[int, LearnerReplay] = {}
        for place, one in enumerate(earlier):
            for name in one.changed:
                self._places.setdefault(name, []).append(place)

    def before(self, matrix: Matrix) -> Iterator[tuple[Earlier, LearnerReplay]]:
        """The earlier answers on which a step may still rest, newest first, each with a replay on it."""
        read = self._replay.rests_on(matrix) if self._earlier else set()
        seen: set[tuple[tuple[str, bytes], ...]] = set()
        for place in sorted({place for name in read for place in self._places.get(name, ())}):
            one = self._earlier[place]
            changed = {name: old for name, old in one.changed.items() if name != matrix.name}
            content = tuple((name, old.tobytes()) for name, old in changed.items())
            if content not in seen:
                seen.add(content)
                yield one._replace(changed=changed), self._replayed(place, changed)

    def _replayed(self, place: int, changed: Mapping[str, Values]) -> LearnerReplay:
        if place not in self._replays:
            self._replays[place] = self._replay.replayed(changed)
        return self._replays[place]


def still_following(step: WrongAnswer, earlier: EarlierAnswers) -> tuple[list[Candidate], Flags, bool]:
    """The earlier answer that explains most wrong numbers of a step, these numbers, and whether it is sure.

    All of the step may follow from it; or all of some rows or columns, if it stood there already when the
    earlier answer did.
    """
    best, most, is_sure = [], np.zeros(step.answer.shape, dtype=bool), False
    for one, replay in earlier.before(step.matrix):
        values = replay.follow(step.matrix)
        explained, stood = _following(step, one, values)
        if explained.sum() > most.sum() or (stood.any() and not is_sure and explained.sum() == most.sum()):
            best = [_told(step, explained, one.changed, values)]
            most, is_sure = explained, bool(stood.any())
        if is_sure and (most == step.wrong).all():
            break
    return best, most, is_sure or int(most.sum()) > 1


def _following(step: WrongAnswer, one: Earlier, values: Values) -> tuple[Flags, Flags]:
    """The wrong numbers that follow from an earlier answer, and those that stood there when it did."""
    fits = is_close(step.answer, values, step.tolerance) | np.isnan(step.answer)
    stood = step.wrong & fits & _stood(step, one)
    if fits.all():
        return step.wrong, stood
    told = step.wrong & _whole_lines(fits & (_stood(step, one) | ~step.wrong))
    return told, told & stood


def _whole_lines(fits: Flags) -> Flags:
    """The rows of which all numbers fit, or the columns, whichever have more numbers in them."""
    lines = [np.broadcast_to(fits.all(axis=axis, keepdims=True), fits.shape) for axis in (1, 0)]
    return max(lines, key=lambda found: int(found.sum()))


def _stood(step: WrongAnswer, one: Earlier) -> Flags:
    """Where the same numbers stood on the sheet when the earlier answer did."""
    before = one.sheet.get(step.matrix.name or "")
    return np.zeros(step.answer.shape, dtype=bool) if before is None else before == step.answer


def _told(step: WrongAnswer, explained: Flags, changed: Mapping[str, Values], values: Values) -> Candidate:
    names = list_things(map(Called, changed))
    fits = is_close(step.answer, values, step.tolerance) | np.isnan(step.answer)
    place = "This" if fits.all() else _place(explained)
    sentence, question = EARLIER_ANSWER.says(place, names), EARLIER_ANSWER.asks(names)
    return Candidate(EARLIER_ANSWER, sentence, values, question, explained)


def _place(explained: Flags) -> str:
    """The rows or columns that contain all of it, whichever are fewer."""
    rows, columns = (np.flatnonzero(explained.any(axis=axis)) for axis in (1, 0))
    lines, word = (rows, "row") if len(rows) < len(columns) else (columns, "column")
    if len(lines) == 1:
        return f"What you have in {word} {counted(int(lines[0]))}"
    numbers = [str(counted(int(line))) for line in lines]
    return f"What you have in {word}s {', '.join(numbers[:-1])} and {numbers[-1]}"


class KeptMarks:
    """The last marks of each step that was handed in, and for outdated ones which answers have changed."""

    def __init__(self, calculation: Calculation) -> None:
        self._calculation = calculation
        self._marks: dict[str, States] = {}
        self.outdated: dict[str, tuple[str, ...]] = {}

    def before(self, now: Collection[str]) -> dict[str, States]:
        """The marks of steps that were handed in earlier and are not now."""
        return {step: marks for step, marks in self._marks.items() if step not in now}

    def keep(self, marks: Mapping[str, States], changed: Collection[str]) -> None:
        """Remember new marks; a step that rests on a changed answer and was not marked again is outdated."""
        self._marks |= marks
        for step in self._marks:
            matrix = self._calculation[step]
            news = [name for name in changed if comes_from(matrix, self._calculation[name])]
            if news:
                self.outdated[step] = tuple(dict.fromkeys([*self.outdated.get(step, ()), *news]))
        for step in marks:
            self.outdated.pop(step, None)


class StepMarks(NamedTuple):
    """Flags of a step's cells: blank, correct, following from one's own numbers or a claimed mistake."""

    blank: Flags
    correct: Flags
    own: Flags
    explained: Flags

    @property
    def wrong(self) -> Flags:
        return ~(self.blank | self.correct | self.own)

    def states(self) -> States:
        """The marks in words."""
        states = np.full(self.blank.shape, WRONG, dtype=object)
        states[self.own] = FOLLOWS
        states[self.correct] = CORRECT
        states[self.blank] = NOT_ATTEMPTED
        return states
