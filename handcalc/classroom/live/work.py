"""One sheet as somebody works on it: all that was typed, the hints, and the newest marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from handcalc.classroom.live import marks
from handcalc.classroom.live.store import Answer
from handcalc.classroom.standing import BLANK, STATES, Standing
from handcalc.classroom.stored import Outline
from handcalc.errors import HandcalcError, short
from handcalc.practice.line_log import cleaned
from handcalc.practice.parse_number import LONGEST
from handcalc.practice.states import NOT_ATTEMPTED, WRONG
from handcalc.practice.typed import Typed, texts_of

LARGEST = 2**53 - 1  # that a page can count to
STUCK = 3  # wrong numbers in one place
SILENT = 240  # seconds


@dataclass
class Work:
    """The sheet of a learner. `marked` is what `marks.mark` said of the first `upto` answers."""

    learner: int
    code: str
    outline: Outline
    answers: dict[int, Typed] = field(default_factory=dict)  # by the page's own number
    hints: dict[str, int] = field(default_factory=dict)
    hint: str = ""  # the latest, as the page shows it
    marked: marks.Json | None = None
    upto: int = 0
    at: float = 0.0  # of the last sign of life

    @property
    def typed(self) -> tuple[Typed, ...]:
        """All that was typed, in the order in which it was."""
        return tuple(self.answers[n] for n in sorted(self.answers))

    @property
    def last(self) -> int:
        """The number of the last answer, 0 before the first."""
        return max(self.answers, default=0)

    @property
    def is_finished(self) -> bool:
        """Whether all of it is right."""
        return bool(self.marked and self.marked["finished"])

    def has_blank(self, step: object, row: object, column: object) -> bool:
        """Whether there is a field for this number."""
        if not (isinstance(step, str) and type(row) is int and type(column) is int):
            return False
        rows, columns = self.outline.blank.get(step, (0, 0))
        return 0 <= row < rows and 0 <= column < columns

    def read(self, answer: Sequence[Any], at: float) -> Answer:
        """One answer as the page sends it. Raises HandcalcError where it cannot be one."""
        is_whole = isinstance(answer, list | tuple) and len(answer) == 5
        n, step, row, column, text = answer if is_whole else (0, "", 0, 0, "")
        if not (type(n) is int and 0 < n <= LARGEST and isinstance(text, str)):
            raise HandcalcError(f"{short(answer)} is no answer: it needs n, step, row, column and text.")
        if not self.has_blank(step, row, column):
            raise HandcalcError(
                f"{short(step)} has no field at {short(row)}, {short(column)} on {self.code}."
            )
        return Answer(self.learner, self.code, n, step, row, column, cleaned(text, LONGEST), at)

    def closed_after(self, until: str | None) -> tuple[str, ...]:
        """The steps that are not open while the class goes up to a step; where it is not asked for, none."""
        steps = list(self.outline.blank)
        return tuple(steps[steps.index(until) + 1 :]) if until in steps else ()

    def take(self, upto: int, found: marks.Json) -> None:
        """Newer marks; until mistakes are looked for again, those that were seen stay with what is wrong."""
        if not found["named"] and self.marked:
            steps = found["standing"]["steps"]
            seen = [one for one in self.marked["standing"]["mistakes"] if steps[one["step"]]["wrong"]]
            found["standing"]["mistakes"] = seen
        self.marked, self.upto = found, upto

    def page(self) -> marks.Json:
        """The marks as the page shows them; what was typed since has none yet."""
        texts = texts_of(self.typed)
        states = self.marked["states"] if self.marked else self.untouched()
        states = {step: [list(row) for row in cells] for step, cells in states.items()}
        for step, row, column, _ in self.typed[self.upto :]:
            states[step][row][column] = NOT_ATTEMPTED
        marked = self.marked or {"messages": {}, "score": self.none_right(), "finished": False}
        kept = {name: marked[name] for name in ("messages", "score", "finished")}
        return {"code": self.code, "texts": texts, "states": states, **kept}

    def untouched(self) -> dict[str, list[list[str]]]:
        """No number has a mark."""
        shapes = self.outline.blank.items()
        return {step: [[NOT_ATTEMPTED] * columns for _ in range(rows)] for step, (rows, columns) in shapes}

    def none_right(self) -> str:
        """The score before the first mark."""
        return f"0 of {sum(rows * columns for rows, columns in self.outline.blank.values())} right"

    def standing(self) -> marks.Json:
        """How it stands, as Standing writes it."""
        return self.marked["standing"] if self.marked else blank_standing(self.code, self.outline)

    def needs_help(self, now: float) -> str:
        """Why somebody should look after this learner, in a sentence, or nothing."""
        if self.is_finished:
            return ""
        for step, tries in self._tries():
            if tries >= STUCK:
                return f"{tries} wrong numbers in one place of {step}"
        asked = [step for step, count in self.hints.items() if count > 1 and self._is_wrong(step)]
        if asked:
            return f"wrong after two hints in {asked[0]}"
        quiet = int((now - self.at) // 60)
        return f"nothing typed for {quiet} minutes" if self.at and now - self.at >= SILENT else ""

    def _tries(self) -> Iterable[tuple[str, int]]:
        """For each number that is wrong now, how many were tried in its place."""
        if not self.marked:
            return
        tried: dict[tuple[str, int, int], set[str]] = {}
        for step, row, column, text in self.typed:
            if text.strip():
                tried.setdefault((step, row, column), set()).add(text)
        states = self.marked["states"]
        for (step, row, column), texts in tried.items():
            if states[step][row][column] == WRONG:
                yield step, len(texts)

    def _is_wrong(self, step: str) -> bool:
        return self.marked is not None and any(WRONG in row for row in self.marked["states"][step])


def blank_standing(code: str, outline: Outline) -> marks.Json:
    """How a sheet stands that nobody has begun."""
    nothing = dict.fromkeys(STATES, 0)
    shapes = outline.blank.items()
    return Standing(
        code, {step: {**nothing, BLANK: rows * columns} for step, (rows, columns) in shapes}
    ).to_json()
