"""Practising on the page: fill the blanks, read at once what is right, go on with fresh numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from handcalc import lazy
from handcalc.errors import HandcalcError
from handcalc.numbers import Values
from handcalc.practice import codes
from handcalc.practice.attempt_log import AttemptLog
from handcalc.practice.exercise import Exercise
from handcalc.practice.feedback import Feedback
from handcalc.practice.marking import CORRECT
from handcalc.practice.parse_number import parse_number

UNREAD = "unread"


class Practice:
    """One topic, problem after problem; `widget` is what the page shows, `path` the file that keeps it."""

    def __init__(self, first: str, folder: str | Path, *, goes_on: bool) -> None:
        asked = codes.read(first)
        self.wish = asked.wish
        self.path = Path(folder) / f"practice-{asked.topic}-{asked.level}.jsonl"
        self.attempt_log = AttemptLog(self.path)
        self.finished = self._finished()
        self.widget = lazy.view("practising").Practising(self.hear, self.outcomes)
        self.open(self._last(first) if goes_on else first)

    def _finished(self) -> set[str]:
        done = [line["code"] for line in self.attempt_log.lines() if line.get("finished") and "code" in line]
        return {code for code in done if isinstance(code, str)}

    def _last(self, first: str) -> str:
        """The problem that was worked on last, among those that ask in the same way."""
        return next(filter(self._is_alike, reversed(self.attempt_log.problems())), first)

    def _is_alike(self, code: str) -> bool:
        """Whether a problem asks in the same way as this one."""
        try:
            return codes.read(code).wish == self.wish
        except HandcalcError:  # of another version, or not ours
            return False

    def open(self, code: str) -> None:
        """Show a problem, with what was typed in it before."""
        self.exercise = Exercise(code)
        if not self.exercise.blank:
            raise HandcalcError("There is nothing to fill in: no step is blank.")
        self.code = self.exercise.code  # as it is spelt, for the file
        self.texts = self.attempt_log.texts(self.code)
        self.hinted: set[str] = set()
        with self.widget.hold_sync():
            self.widget.hint = ""
            self.widget.spec = self.exercise.calculation.to_spec()
            self.widget.blank = list(self.exercise.blank)
            self.widget.places = self.exercise.places
            self.widget.file = str(self.path.resolve())
            self.widget.back = self.before is not None
            self.mark()
            self.widget.code = self.code  # last: the page opens a problem when its code changes

    def hear(self, message: dict[str, Any]) -> None:
        """What the page says: a number that was typed, or a wish."""
        if "typed" in message:
            self.write(*message["typed"])
        elif message.get("ask") == "next":
            self.next()
        elif message.get("ask") == "back" and self.before:
            self.open(self.before)
        elif message.get("ask") == "hint":
            self.hint(str(message.get("step")))

    def write(self, step: str, row: int, column: int, text: str) -> None:
        """Keep what was typed, and mark it."""
        if step not in self.exercise.blank or not self._is_there(step, row, column):
            return
        self.attempt_log.add(code=self.code, step=step, row=row, column=column, text=text)
        self.texts = self.attempt_log.texts(self.code)  # another tab may have written, too
        feedback = self.mark()
        if feedback.is_complete and self.code not in self.finished:
            self.finished.add(self.code)
            self.attempt_log.add(code=self.code, finished=True)
            self.mark()

    def _is_there(self, step: str, row: int, column: int) -> bool:
        rows, columns = self.exercise.calculation[step].shape
        return 0 <= row < rows and 0 <= column < columns

    def next(self) -> None:
        """Go on to the next numbers."""
        code = codes.following(self.code)
        for opened in (self.code, code):
            self.attempt_log.add(code=opened)
        self.open(code)

    @property
    def before(self) -> str | None:
        """The code of the problem that was opened before this one, if there is one."""
        opened = list(dict.fromkeys(self.attempt_log.problems()))
        place = opened.index(self.code) if self.code in opened else len(opened)
        return next((code for code in reversed(opened[:place]) if self._is_alike(code)), None)

    def hint(self, step: str) -> None:
        """What to do, then one number worked, and no more; the formula stands on the sheet."""
        if step in self.exercise.blank:
            self.widget.hint = self.exercise.hint(step, 3 if step in self.hinted else 1)
            self.hinted.add(step)

    def mark(self) -> Feedback:
        """Mark what stands there, and tell the page."""
        answers, unread = self.answers()
        feedback = self.exercise.check(**answers)
        states = {step: cells.tolist() for step, cells in feedback.cells.items()}
        for step, row, column, _ in unread:
            states[step][row][column] = UNREAD
        asked = sum(cells.size for cells in feedback.cells.values())
        right, done = feedback.count(CORRECT), len(self.finished)
        said = {step: feedback.told_of(step) for step in self.exercise.blank}
        for step, *_, trouble in unread:
            said[step].insert(0, trouble)
        if feedback.is_complete:
            said[self.exercise.blank[0]] = feedback.told()
            self.widget.hint = ""
        with self.widget.hold_sync():
            self.widget.texts, self.widget.states = self.texts, states
            self.widget.said = {step: lines for step, lines in said.items() if lines}
            self.widget.finished = feedback.is_complete
            self.widget.score = f"{right} of {asked} right · {done} finished"
        return feedback

    def answers(self) -> tuple[dict[str, Values], list[tuple[str, int, int, str]]]:
        """What was typed as numbers, and where what cannot be read."""
        found: dict[str, Values] = {}
        unread: list[tuple[str, int, int, str]] = []
        for step in self.exercise.blank:
            found[step] = np.full(self.exercise.calculation[step].shape, np.nan)
            for place, text in self.texts.get(step, {}).items():
                row, column = map(int, place.split(","))
                if not self._is_there(step, row, column):
                    continue
                found[step][row, column], trouble = parse_number(text)
                if trouble:
                    unread.append((step, row, column, trouble))
        return found, unread

    def outcomes(self) -> dict[str, str]:
        """What readers without a kernel see."""
        said = f"Practice: {self.exercise.calculation.title}, {self.code}. Run this cell to fill it in."
        return {"text/plain": said, "text/html": f"<p>{escape(said)}</p>"}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)

    def __repr__(self) -> str:
        return self.outcomes()["text/plain"]


def practise(
    topic: str,
    level: int = 1,
    *,
    seed: int | None = None,
    blank: Iterable[str] | None = None,
    places: int = 2,
    convention: str = "columns",
    folder: str | Path = ".",
) -> Practice:
    """Fill in problems of a topic on the page: every number is marked as it comes, and nothing is lost.

    What is typed is kept in `folder`, in a file practice-TOPIC-LEVEL.jsonl; the next time it goes on where it
    ended, unless a `seed` asks for certain numbers. `topic` may also be the code of a sheet, which says the
    rest. Topics and levels are those of `hc.problem`; `blank`, `places` and `convention` are those of
    `hc.Exercise`; and so are the errors.
    """
    if codes.is_code(topic):
        return Practice(topic, folder, goes_on=False)
    first = 1 if seed is None else seed
    code = codes.code(topic, first, level, blank=blank, places=places, convention=convention)
    return Practice(code, folder, goes_on=seed is None)
