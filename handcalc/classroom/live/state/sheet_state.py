"""The state of each learner's sheet: typed texts, hints, the newest marks; also after a restart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from handcalc.classroom.folder.stored_numbers import SheetOutline
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.insight.sheet_progress import BLANK, PROGRESS_STATES, Standing
from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.store.answer_store import Answer, StoredClass, StoredMark
from handcalc.foundation.errors import HandcalcError, short
from handcalc.practice.exercise.line_log import clean_text
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH
from handcalc.practice.exercise.raw_answers import TypedText, latest_texts
from handcalc.practice.marking.states import NOT_ATTEMPTED

MILLISECONDS = 1000  # in a second: the unit of pages
MAX_COUNTER = 2**53 - 1  # the largest count of a page's script


@dataclass
class SheetState:
    """The sheet of a learner. `marked` is what `mark_sheet` said of the first `upto` answers that came.

    Of two texts in one blank, the one typed later counts: a page that was cut off, or one tab of several, may
    send an older text later. Pages give the time by the server's clock, each browser with a clock of its own
    that never goes back; a text that seems to come from the future was typed when it came.
    """

    learner: int
    code: str
    outline: SheetOutline
    answers: dict[int, TypedText] = field(default_factory=dict)  # by the page's own number, as they came
    when: dict[int, float] = field(default_factory=dict)  # the time each was typed
    hints: dict[str, int] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)  # the latest hint to each step, as the page shows it
    marked: live_marks.Json | None = None
    upto: int = 0
    at: float = 0.0  # of the last sign of life
    wrote: float = 0.0  # when something was typed last

    @property
    def typed(self) -> tuple[TypedText, ...]:
        """All texts typed, in the order of typing; those of one moment in the order of arrival."""
        return tuple(self.answers[n] for n in sorted(self.answers, key=lambda n: self.when.get(n, 0.0)))

    def keep(self, rows: Iterable[Any]) -> None:
        """Take in more typed texts, as they are stored."""
        for one in rows:
            self.answers[one.n] = TypedText(one.step, one.row, one.column, one.text)
            self.when[one.n] = one.at

    @property
    def filled(self) -> set[tuple[str, int, int]]:
        """The cells in which something was typed."""
        return {one[:3] for one in self.answers.values() if one.text.strip()}

    @property
    def last(self) -> int:
        """The number of the last answer, 0 before the first."""
        return max(self.answers, default=0)

    @property
    def is_finished(self) -> bool:
        """Whether all of it is right."""
        return bool(self.marked and self.marked["finished"])

    @property
    def help(self) -> live_marks.Json:
        """The hints, and the steps without a further one."""
        spent = [step for step in self.told if self.hints.get(step, 0) >= live_marks.MAX_HINTS]
        return {"hints": dict(self.told), "spent": spent}

    def has_blank(self, step: object, row: object, column: object) -> bool:
        """Whether there is a field for this number."""
        if not (isinstance(step, str) and type(row) is int and type(column) is int):
            return False
        rows, columns = self.outline.blank.get(step, (0, 0))
        return 0 <= row < rows and 0 <= column < columns

    def read(self, answer: Sequence[Any], at: float) -> Answer:
        """One answer as the page sends it, which came at this time; HandcalcError where it cannot be one."""
        is_whole = isinstance(answer, list | tuple) and len(answer) in (5, 6)
        n, step, row, column, text, *typed_at = answer if is_whole else (0, "", 0, 0, "")
        if not (type(n) is int and 0 < n <= MAX_COUNTER and isinstance(text, str)):
            raise HandcalcError(f"{short(answer)} is not an answer: it needs n, step, row, column and text.")
        if not self.has_blank(step, row, column):
            raise HandcalcError(
                f"{short(step)} has no field at {short(row)}, {short(column)} on {self.code}."
            )
        typed = min([at, *(one / MILLISECONDS for one in typed_at)])
        return Answer(
            self.learner, self.code, n, step, row, column, clean_text(text, MAX_TYPED_LENGTH), typed
        )

    def closed_after(self, until: str | None) -> tuple[str, ...]:
        """The steps that are not open while the class goes up to a step; where it is not asked for, none."""
        steps = list(self.outline.blank)
        return tuple(steps[steps.index(until) + 1 :]) if until in steps else ()

    def take_marks(self, upto: int, found: live_marks.Json) -> None:
        """Take in newer marks; until mistakes are looked for again, known ones stay with wrong numbers."""
        if not found["named"] and self.marked:
            steps = found["standing"]["steps"]
            seen = [one for one in self.marked["standing"]["mistakes"] if steps[one["step"]]["wrong"]]
            found["standing"]["mistakes"] = seen
        self.marked, self.upto = found, upto

    def restore(self, upto: int, written: str) -> None:
        """The marks that were stored, where they are such as `mark_sheet` makes now."""
        with suppress(ValueError, KeyError, TypeError):
            found = json.loads(written)
            Standing.from_json(found["standing"])
            if found["states"].keys() == self.outline.blank.keys() and found.keys() >= live_marks.MARK_KEYS:
                self.take_marks(upto, found)

    def is_marked(self, until: str | None) -> bool:
        """Whether the marks are those of all texts in the open steps, mistakes included."""
        if not self.marked or self.upto != len(self.answers):
            return False
        return bool(self.marked["named"]) and self.marked["closed"] == [*self.closed_after(until)]

    def page(self) -> live_marks.Json:
        """The marks as the page shows them; texts typed since have none yet.

        `n` is the page's own number of the last answer; `seen` grows with every answer and every mark, so
        that a page can tell which of two messages is newer.
        """
        texts = latest_texts(self.typed)
        states = self.marked["states"] if self.marked else self.untouched()
        states = {step: [list(row) for row in cells] for step, cells in states.items()}
        for step, row, column, _ in [*self.answers.values()][self.upto :]:
            states[step][row][column] = NOT_ATTEMPTED
        messages = self.marked["messages"] if self.marked else {}
        seen = 2 * (len(self.answers) + self.upto) + bool(self.marked and self.marked["named"])
        known = {"n": self.last, "seen": seen, "texts": texts}
        return {**self.progress(), **known, "states": states, "messages": messages}

    def progress(self) -> live_marks.Json:
        """The entry of this sheet in a list of sheets."""
        score = self.marked["score"] if self.marked else self.none_right()
        about = {"code": self.code, "title": self.outline.title}
        return {**about, "finished": self.is_finished, "score": score}

    def untouched(self) -> dict[str, list[list[str]]]:
        """The states of a sheet without any mark."""
        shapes = self.outline.blank.items()
        return {step: [[NOT_ATTEMPTED] * columns for _ in range(rows)] for step, (rows, columns) in shapes}

    def none_right(self) -> str:
        """The score before the first mark."""
        return f"0 of {sum(rows * columns for rows, columns in self.outline.blank.values())} right"

    def standing(self) -> Standing:
        """The standing of the sheet."""
        if self.marked:
            return replace(Standing.from_json(self.marked["standing"]), hints=dict(self.hints))
        return blank_standing(self.code, self.outline)

    def stored_mark(self) -> StoredMark:
        """The marks as they are stored."""
        assert self.marked
        seen = [(one["step"], one["name"]) for one in self.marked["standing"]["mistakes"]]
        return StoredMark(self.learner, self.code, self.upto, self.marked, seen)


def blank_standing(code: str, outline: SheetOutline) -> Standing:
    """The standing of a sheet that nobody has begun."""
    nothing, shapes = dict.fromkeys(PROGRESS_STATES, 0), outline.blank.items()
    return Standing(code, {step: {**nothing, BLANK: rows * columns} for step, (rows, columns) in shapes})


class SheetStates(dict[tuple[int, str], SheetState]):
    """The work of each learner on each code."""

    def __init__(self, folder: ClassFolder) -> None:
        super().__init__()
        self.folder = folder
        self._outlines: dict[str, SheetOutline] = {}
        self._came = 0.0

    def arrival(self, now: float) -> float:
        """The arrival time of an answer: later than all before it, also where the clock was put back."""
        self._came = max(now, self._came + 1e-6)
        return self._came

    def outline(self, code: str) -> SheetOutline:
        """The outline of a sheet; read once. Raises HandcalcError for a code that is not of this class."""
        if code not in self._outlines:
            self._outlines[code] = self.folder.numbers.outline(code)
        return self._outlines[code]

    def open(self, learner: int, code: str) -> SheetState:
        """The state of a learner's sheet, a new one perhaps."""
        if (learner, code) not in self:
            self[learner, code] = SheetState(learner, code, self.outline(code))
        return self[learner, code]

    def of(self, learner: int) -> list[tuple[int, str]]:
        """The keys of all that a learner has done."""
        return [key for key in self if key[0] == learner]

    def page(self, work: SheetState) -> live_marks.Json:
        """A sheet as the page shows it, and the `last` number of all sheets: pages count on from it."""
        return {**work.page(), "last": max(self[key].last for key in self.of(work.learner))}

    def restore(self, kept: StoredClass) -> None:
        """Restore all that was stored; sheets no longer in the register are passed over, and stay stored."""
        self._came = kept.heard
        known = self.folder.register.by_code
        joined = {one.id: one.at for one in kept.learners}
        for one in (row for row in kept.seats if row.code in known and row.learner in joined):
            self.open(one.learner, one.code).at = joined[one.learner]
        for one in (row for row in kept.answers if row.code in known):
            work = self.open(one.learner, one.code)
            work.keep([one])
            work.at = work.wrote = max(work.at, one.at)
        for one in (row for row in kept.hints if row.code in known):
            work = self.open(one.learner, one.code)
            work.hints[one.step] = max(one.level, work.hints.get(one.step, 0))
        for one in (row for row in kept.marks if row.code in known):
            self.open(one.learner, one.code).restore(one.upto, one.json)
