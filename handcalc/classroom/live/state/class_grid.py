"""The teacher's grid: a row for each sheet, misconceptions, students who need help; and its changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight import ClassSheet
from handcalc.classroom.insight.misconceptions import Misconception, find_misconceptions
from handcalc.classroom.insight.shared_numbers import find_shared_numbers
from handcalc.classroom.insight.sheet_progress import PROGRESS_STATES, Standing
from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state import help_queue
from handcalc.classroom.live.state.live_class import LiveClass
from handcalc.classroom.live.state.seats import Seat, count_present
from handcalc.notation.sentences import Called, html_of
from handcalc.record.calculation import Calculation
from handcalc.record.equations import formula_sentence
from handcalc.record.matrix import Matrix

RANKING_REST_FACTOR = 20  # times as long as ranking mistakes takes, other work is done


class ClassGrid:
    """A class as JSON, again and again: unchanged parts are not worked out again."""

    def __init__(self, room: LiveClass, clock: Callable[[], float] = time.time) -> None:
        self.room, self.clock = room, clock
        self.kinds: list[Json] = []  # of sheets: topic, level, steps
        self.records: dict[str, Calculation] = {}
        self._places: dict[tuple[str, int], int] = {}
        self._rows: dict[str, tuple[Seat, Json]] = {}  # of each seat as it was
        self._say_again = 0.0  # when mistakes may be worked out again
        self._wrong = help_queue.WrongSince()
        self._said: tuple[list[Standing | None], Json] = [], {"mistakes": [], "alike": []}

    def whole(self) -> Json:
        """The whole grid."""
        seats, found = self.room.seats.all(), self.nameless()
        newcomers = self.room.people.waiting
        needs = help_queue.find_needs(seats, self._wrong, found["at"], found["rests"])
        return {
            **found,
            "names": {str(number): label for number, label in self.room.folder.register.labels.items()},
            "waiting": [{"learner": one.id, "nick": one.nick, "code": one.code} for one in newcomers],
            **self._seen(seats),
            "orphans": self.room.list_orphans(),
            "needs": [one._asdict() for one in needs],
            "doubts": self.room.doubts.listed(seats),
        }

    def nameless(self) -> Json:
        """The class without names, and without looking for mistakes and needs."""
        room, at, seats = self.room, self.clock(), self.room.seats.all()
        rows, decided = [self._row(seat) for seat in seats], room.controls.state
        return {
            "at": at,
            "here": count_present(seats, at),
            "students": len({seat.entry.number for seat in seats}),
            "title": room.folder.settings.title,
            "paused": decided["paused"],
            "rests": list(decided["rests"]),
            "until": decided["until"],
            "of": decided["of"],
            "shown": decided["shown"],
            "closed": decided["closed"],
            "over": decided["over"],
            "trouble": room.trouble,
            "kinds": self.kinds,
            "rows": rows,
        }

    def _row(self, seat: Seat) -> Json:
        before, row = self._rows.get(seat.entry.code, (None, {}))
        if before is not seat:
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
            "wrote": seat.wrote,
            "connected": seat.is_connected,
            "left": seat.has_left,
            "steps": {
                step: [counts[state] for state in PROGRESS_STATES] for step, counts in found.steps.items()
            }
            if found
            else {},
            "seen": [[one.step, one.name] for one in found.mistakes] if found else [],
            "hints": dict(found.hints) if found else {},
        }

    def _kind(self, entry: RegisterEntry) -> int:
        """The place of a sheet's topic and level among `kinds`."""
        key = entry.topic, entry.level
        if key not in self._places:
            exercise = self.room.folder.numbers.exercise(entry.code)
            self.records.setdefault(entry.topic, exercise.calculation)
            self._places[key] = len(self.kinds)
            blocks = {path: block.title for path, block in exercise.calculation.blocks.items()}
            self.kinds = [
                *self.kinds,
                {
                    "topic": entry.topic,
                    "level": entry.level,
                    "title": exercise.calculation.title,
                    "steps": [_step(exercise.calculation[name]) for name in exercise.blank],
                    "blocks": blocks,
                },
            ]
        return self._places[key]

    def _seen(self, seats: Sequence[Seat]) -> Json:
        """Mistakes, and what no mistake explains, ranked again where a sheet stands otherwise.

        Of a large class a little later.
        """
        standings = [seat.standing for seat in seats]
        before, said = self._said
        if len(before) == len(standings) and all(a is b for a, b in zip(before, standings, strict=True)):
            return said
        begun = time.monotonic()
        if begun < self._say_again:
            return said
        sheets = [ClassSheet(seat.entry, seat.standing) for seat in seats]
        found = find_misconceptions(sheets, self.records, slips_too=True)
        typeset = {one.sentence: one.html for found in standings if found for one in found.mistakes}
        mistakes = [_mistake(one, typeset.get(one.sentence)) for one in found]
        alike = [asdict(one) for one in find_shared_numbers(sheets)]
        self._said = standings, {"mistakes": mistakes, "alike": alike}
        self._say_again = begun + RANKING_REST_FACTOR * (time.monotonic() - begun)
        return self._said[1]


def _mistake(one: Misconception, typeset: str | None) -> Json:
    return {**asdict(one), "called": one.called, "sentence": typeset or html_of(one.sentence)}


def _step(matrix: Matrix) -> Json:
    name = matrix.name or ""
    path, _, short = name.rpartition(".")
    return {
        "name": name,
        "html": html_of(Called(short)),
        "long": html_of(Called(name)),
        "block": path,
        "size": matrix.values.size,
        "formula": html_of(formula_sentence(matrix)),
        "why": html_of(matrix.why) if matrix.why else "",
    }


def find_changes(before: Json, after: Json) -> Json:
    """The entries that differ from before, the time with them; of the rows only those that differ."""
    found = {key: value for key, value in after.items() if key != "rows" and before.get(key) != value}
    if "rows" not in after:
        return found
    known = {row["code"]: row for row in before["rows"]}
    rows = [
        row for row in after["rows"] if known.get(row["code"]) is not row and known.get(row["code"]) != row
    ]
    return {**found, "rows": rows} if rows else found
