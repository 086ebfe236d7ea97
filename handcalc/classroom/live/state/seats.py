"""The sheets of a class and the learners who work on them, as the teacher's pages read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight.sheet_progress import BLANK, MISSED, RIGHT, Standing
from handcalc.classroom.live.state.listeners import Listeners
from handcalc.classroom.live.state.people import IN, People
from handcalc.classroom.live.state.sheet_state import SheetState, SheetStates, blank_standing

PRESENT_SECONDS = 60.0  # for which a student whose page is gone, or cannot stay connected, is present


class WrongStep(NamedTuple):
    """A step with wrong numbers: how many, how often it was corrected, how many hints it had."""

    missed: int
    again: int
    hints: int


@dataclass(frozen=True)
class Seat:
    """One sheet of the class and the learner who works on it: its progress, and when they were last seen.

    `learner` is their number, 0 where nobody has joined with it; `last` is in seconds since 1970. With
    `has_left` the code was released: the next learner who joins with it goes on.
    """

    entry: RegisterEntry
    learner: int = 0
    nick: str = ""
    standing: Standing | None = None
    last: float = 0.0
    has_left: bool = False
    wrote: float = 0.0  # when something was last typed
    is_connected: bool = False  # whether a page of theirs is open

    @property
    def is_seated(self) -> bool:
        """Whether a learner works on it, and has not been sent away."""
        return bool(self.learner) and not self.has_left

    @cached_property
    def wrong(self) -> dict[str, WrongStep]:
        """The steps with wrong numbers."""
        found = self.standing
        return {
            step: WrongStep(counts[MISSED], found.again.get(step, 0), found.hints.get(step, 0))
            for step, counts in (found.steps.items() if found else ())
            if found and counts[MISSED]
        }

    @cached_property
    def hints(self) -> int:
        """The number of hints given."""
        return sum(self.standing.hints.values()) if self.standing else 0

    @cached_property
    def blank(self) -> int:
        """The number of cells still blank."""
        return self.standing.count(BLANK) if self.standing else 0

    @cached_property
    def size(self) -> int:
        """The number of cells asked for."""
        return sum(sum(counts.values()) for counts in self.standing.steps.values()) if self.standing else 0

    @cached_property
    def is_right(self) -> bool:
        """Whether every number is right."""
        return self.standing is not None and self.standing.count(RIGHT) == self.size > 0


class Seats:
    """A seat for each sheet; it is the same object while nothing changes."""

    def __init__(self, people: People, sheet_states: SheetStates, listeners: Listeners) -> None:
        self.people, self.sheet_states, self.listeners = people, sheet_states, listeners
        self._seats: dict[str, Seat] = {}

    def all(self) -> list[Seat]:
        """All of them, in the order of the register."""
        return [self._seats.get(entry.code) or self._new(entry) for entry in self.people.folder.register]

    def work(self, code: str) -> SheetState | None:
        """The work of the learner with this sheet, typed and marked; None where nobody has it."""
        holder = self.people.holder(code)
        return self.sheet_states.get((holder.id, code)) if holder else None

    def touch(self, *codes: str) -> None:
        """Note that these sheets have changed."""
        for code in codes:
            self._seats.pop(code, None)

    def _new(self, entry: RegisterEntry) -> Seat:
        holder, work = self.people.holder(entry.code), self.work(entry.code)
        found = work.standing() if work else blank_standing(entry.code, self.sheet_states.outline(entry.code))
        seat = Seat(entry, standing=found)
        if holder:
            at, wrote = (work.at, work.wrote) if work else (0.0, 0.0)
            is_connected = self.listeners.has(holder.id)
            seat = Seat(entry, holder.id, holder.nick, found, at, holder.state != IN, wrote, is_connected)
        self._seats[entry.code] = seat
        return seat


def count_present(seats: Iterable[Seat], at: float) -> int:
    """The number of students with a page open now or until just now, without those who were released."""
    return len({seat.entry.number for seat in seats if _is_here(seat, at)})


def _is_here(seat: Seat, at: float) -> bool:
    return seat.is_seated and (seat.is_connected or at - seat.last < PRESENT_SECONDS)
