"""What still follows from an answer that has been changed since: all of a step, or a part that was left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from handcalc.notation.numbers import Values, counted
from handcalc.notation.sentences import Called, listed, said
from handcalc.practice.diagnosis.candidate import Diagnosis, Mistake, WrongStep, is_close
from handcalc.practice.marking.attempts import Earlier
from handcalc.practice.mistakes.mistake_registry import EARLIER_ANSWER
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.record.matrix import Matrix


class EarlierAnswers:
    """The earlier answers to an exercise, as later steps may still rest on them."""

    def __init__(self, earlier: Sequence[Earlier], replay: LearnerReplay) -> None:
        self._earlier, self._replay = earlier, replay
        self._places: dict[str, list[int]] = {}  # where each step stands among them
        self._replays: dict[int, LearnerReplay] = {}
        for place, one in enumerate(earlier):
            for name in one.changed:
                self._places.setdefault(name, []).append(place)

    def before(self, matrix: Matrix) -> Iterator[tuple[Earlier, LearnerReplay]]:
        """Those on which a step may still rest, newest first, each with what follows from it."""
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


def still_following(step: WrongStep, earlier: EarlierAnswers) -> tuple[list[Diagnosis], Flags, bool]:
    """What explains most wrong numbers of a step by an earlier answer, which these are, and whether surely.

    All of the step may follow from it; or all of some rows or columns, if it stood there already when the
    earlier answer did.
    """
    best, most, is_sure = [], np.zeros(step.answer.shape, dtype=bool), False
    for one, replay in earlier.before(step.matrix):
        values = replay.follow(step.matrix)
        explained, stood = _following(step, one, values)
        if explained.sum() > most.sum() or (stood.any() and not is_sure and explained.sum() == most.sum()):
            best = [_diagnosis(step, explained, one.changed, values)]
            most, is_sure = explained, bool(stood.any())
        if is_sure and (most == step.wrong).all():
            break
    return best, most, is_sure or int(most.sum()) > 1


def _following(step: WrongStep, one: Earlier, values: Values) -> tuple[Flags, Flags]:
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


def _stood(step: WrongStep, one: Earlier) -> Flags:
    """Where the same numbers stood on the sheet when the earlier answer did."""
    before = one.sheet.get(step.matrix.name or "")
    return np.zeros(step.answer.shape, dtype=bool) if before is None else before == step.answer


def _diagnosis(step: WrongStep, explained: Flags, changed: Mapping[str, Values], values: Values) -> Diagnosis:
    names = listed(map(Called, changed))
    fits = is_close(step.answer, values, step.tolerance) | np.isnan(step.answer)
    place = "This" if fits.all() else _place(explained)
    sentence = said("{} still follows from your earlier {}: work it out again.", place, names)
    question = said("Does this still follow from your earlier {}?", names)
    mistake = Mistake(step.matrix.name or "", EARLIER_ANSWER, sentence, question=question)
    return Diagnosis(mistake, values, at=explained)


def _place(explained: Flags) -> str:
    """The rows or columns in which all of it lies, whichever are fewer."""
    rows, columns = (np.flatnonzero(explained.any(axis=axis)) for axis in (1, 0))
    lines, word = (rows, "row") if len(rows) < len(columns) else (columns, "column")
    if len(lines) == 1:
        return f"What you have in {word} {counted(int(lines[0]))}"
    numbers = [str(counted(int(line))) for line in lines]
    return f"What you have in {word}s {', '.join(numbers[:-1])} and {numbers[-1]}"
