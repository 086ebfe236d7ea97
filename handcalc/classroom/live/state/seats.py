"""The sheets of a class with whoever works on them, as the teacher's pages read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from handcalc.classroom.folder.register import RegisterEntry
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.live.state.listeners import Listeners
from handcalc.classroom.live.state.people import IN, People
from handcalc.classroom.live.state.sheet_state import SheetState, SheetStates, blank_standing

PRESENT_SECONDS = 60.0  # seconds in which somebody is here whose page has just gone, or cannot stay connected


@dataclass(frozen=True)
class Seat:
    """One sheet of the class, and whoever works on it: how it stands, and when they were last heard of.

    `learner` is their number, 0 where nobody has joined with it; `last` is in seconds since 1970. Of
    whoever `has_left` the code was released: whoever comes next with it goes on.
    """

    entry: RegisterEntry
    learner: int = 0
    nick: str = ""
    standing: Standing | None = None
    last: float = 0.0
    has_left: bool = False
    wrote: float = 0.0  # when they typed something last
    is_connected: bool = False  # whether a page of theirs is open


class Seats:
    """A seat for each sheet; it is the same object while nothing changes."""

    def __init__(self, people: People, sheet_states: SheetStates, listeners: Listeners) -> None:
        self.people, self.sheet_states, self.listeners = people, sheet_states, listeners
        self._seats: dict[str, Seat] = {}

    def all(self) -> list[Seat]:
        """All of them, in the order of the register."""
        return [self._seats.get(entry.code) or self._new(entry) for entry in self.people.folder.register]

    def work(self, code: str) -> SheetState | None:
        """What whoever has a sheet has done on it."""
        holder = self.people.holder(code)
        return self.sheet_states.get((holder.id, code)) if holder else None

    def touch(self, *codes: str) -> None:
        """Something is other than it was with these sheets."""
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
    """How many students have a page open, or had one until just now; whose code was released has not."""
    return len({seat.entry.number for seat in seats if _is_here(seat, at)})


def _is_here(seat: Seat, at: float) -> bool:
    return (
        bool(seat.learner) and not seat.has_left and (seat.is_connected or at - seat.last < PRESENT_SECONDS)
    )
