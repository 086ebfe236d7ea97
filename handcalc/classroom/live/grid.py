"""What the teacher sees: a row for each sheet, what is misunderstood, who needs help; and what changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from handcalc.classroom.folder import ClassFolder
from handcalc.classroom.insight import Sheet, Subject
from handcalc.classroom.insight.misconceptions import misconceptions, of_the_class
from handcalc.classroom.live import needs
from handcalc.classroom.register import Entry
from handcalc.classroom.standing import STATES, Standing
from handcalc.sentences import Called, html

Json = dict[str, Any]


@dataclass(frozen=True)
class Seat:
    """One sheet of the class, and whoever works on it: how it stands, and when they were last heard of.

    `learner` is their number, 0 where nobody has joined with it; `last` is in seconds since 1970.
    """

    entry: Entry
    learner: int = 0
    nick: str = ""
    standing: Standing | None = None
    last: float = 0.0


class Newcomer(Protocol):
    """Somebody who waits to be let in."""

    id: int
    nick: str
    code: str


class Taught(Protocol):
    """What a grid reads of a room."""

    folder: ClassFolder

    @property
    def is_paused(self) -> bool:
        """Whether nobody may go on."""

    @property
    def is_closed(self) -> bool:
        """Whether newcomers have to wait."""

    @property
    def is_over(self) -> bool:
        """Whether the teacher has ended the class."""

    @property
    def trouble(self) -> str:
        """One sentence where something is the matter."""

    @property
    def until(self) -> str | None:
        """The last step that is open, where not all are."""

    @property
    def shown(self) -> Json | None:
        """What the projector shows."""

    def seats(self) -> Sequence[Seat]:
        """All sheets, in the order of the register; a seat is the same object while nothing changes."""

    @property
    def waiting(self) -> Iterable[Newcomer]:
        """Who waits for the teacher's word."""


class Grid:
    """A class as JSON, again and again: what has not changed since is not worked out again."""

    def __init__(self, room: Taught, clock: Callable[[], float] = time.time) -> None:
        self.room, self.clock = room, clock
        self.kinds: list[Json] = []  # of sheets: topic, level, steps
        self.subjects: dict[str, Subject] = {}
        self._places: dict[tuple[str, int], int] = {}
        self._rows: dict[str, tuple[Seat, Json]] = {}
        self._wrong = needs.Since()
        self._said: tuple[list[Standing | None], list[Json]] = [], []

    def now(self) -> Json:
        """All that there is to see."""
        room, seats, at = self.room, self.room.seats(), self.clock()
        rows = [self._row(seat) for seat in seats]
        sheets = [Sheet(seat.entry, seat.standing, at - seat.last if seat.last else 0.0) for seat in seats]
        return {
            "at": at,
            "title": room.folder.settings.title,
            "paused": room.is_paused,
            "until": room.until,
            "shown": room.shown,
            "closed": room.is_closed,
            "over": room.is_over,
            "trouble": room.trouble,
            "kinds": self.kinds,
            "names": {str(seat.entry.number): seat.entry.who for seat in seats},
            "rows": rows,
            "waiting": [{"learner": one.id, "nick": one.nick, "code": one.code} for one in room.waiting],
            "mistakes": self._mistakes(sheets),
            "needs": [asdict(one) for one in needs.needs(seats, sheets, self._wrong, at)],
        }

    def _row(self, seat: Seat) -> Json:
        before = self._rows.get(seat.entry.code)
        if before and before[0] is seat:
            return before[1]
        row = self._new_row(seat)
        self._rows[seat.entry.code] = seat, row
        return row

    def _new_row(self, seat: Seat) -> Json:
        found = seat.standing
        return {
            "code": seat.entry.code,
            "number": seat.entry.number,
            "kind": self._kind(seat.entry),
            "learner": seat.learner,
            "nick": seat.nick,
            "last": seat.last,
            "steps": {step: [counts[state] for state in STATES] for step, counts in found.steps.items()}
            if found
            else {},
            "seen": [[one.step, one.name] for one in found.mistakes] if found else [],
            "hints": dict(found.hints) if found else {},
        }

    def _kind(self, entry: Entry) -> int:
        """The place of what a sheet is about among `kinds`."""
        key = entry.topic, entry.level
        if key not in self._places:
            exercise = self.room.folder.numbers.exercise(entry.code)
            self.subjects.setdefault(entry.topic, Subject.of(entry.topic, exercise.calculation))
            self._places[key] = len(self.kinds)
            blocks = {path: block.title for path, block in exercise.calculation.blocks.items()}
            self.kinds = [
                *self.kinds,
                {
                    "topic": entry.topic,
                    "level": entry.level,
                    "title": exercise.calculation.title,
                    "steps": [_step(name, exercise.calculation[name].values.size) for name in exercise.blank],
                    "blocks": blocks,
                },
            ]
        return self._places[key]

    def _mistakes(self, sheets: Sequence[Sheet]) -> list[Json]:
        """The mistakes of the class, worked out again where a sheet stands otherwise."""
        standings = [sheet.standing for sheet in sheets]
        before, said = self._said
        if len(before) == len(standings) and all(a is b for a, b in zip(before, standings, strict=True)):
            return said
        found = of_the_class(misconceptions(sheets, self.subjects))
        self._said = standings, [{**asdict(one), "called": one.called} for one in found]
        return self._said[1]


def _step(name: str, size: int) -> Json:
    path, _, short = name.rpartition(".")
    return {
        "name": name,
        "html": html(Called(short)),
        "long": html(Called(name)),
        "block": path,
        "size": size,
    }


def changes(before: Json, after: Json) -> Json:
    """What is other than before, and the time; of the rows only those that are."""
    found = {key: value for key, value in after.items() if key != "rows" and before.get(key) != value}
    if "rows" not in after:
        return found
    known = {row["code"]: row for row in before["rows"]}
    rows = [
        row for row in after["rows"] if known.get(row["code"]) is not row and known.get(row["code"]) != row
    ]
    return {**found, "rows": rows} if rows else found
