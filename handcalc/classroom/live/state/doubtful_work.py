"""Doubtful work, told to the teacher alone: another sheet's numbers, or one number everywhere.

Copies are looked for when nothing waits to be marked.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from handcalc.classroom.insight.copied_work import CopiedWork, HandedIn
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.live.state.seats import Seat
from handcalc.foundation.errors import HandcalcError, short

if TYPE_CHECKING:
    from handcalc.classroom.live.state.live_class import LiveClass


class DoubtfulWork:
    """The work that the teacher should look at before it counts, and the work already accepted."""

    def __init__(self, room: LiveClass) -> None:
        self.room = room
        self._seen: list[Standing] = []
        self._copied: dict[Hashable, CopiedWork] = {}

    async def look(self) -> None:
        """Look for copies, if anything has been marked since and nobody waits."""
        if not self.room.marker.is_idle:
            return
        seats = [seat for seat in self.room.seats.all() if seat.standing and seat.standing.is_begun]
        standings = [seat.standing for seat in seats if seat.standing]
        if standings == self._seen:
            return
        kinds: dict[Hashable, list[str]] = {}
        for entry in self.room.folder.register:
            kinds.setdefault((entry.topic, entry.level), []).append(entry.code)
        sheets = [
            HandedIn(seat.entry.code, seat.entry.code, (seat.entry.topic, seat.entry.level), standing)
            for seat, standing in zip(seats, standings, strict=True)
        ]
        numbers = str(self.room.folder.numbers.folder)
        found = await self.room.marker.ask(live_marks.find_copies, numbers, kinds, sheets)
        self._seen = standings
        if found != self._copied:
            self._copied = found
            self.room.changed()

    def listed(self, seats: list[Seat]) -> list[live_marks.Json]:
        """The work that waits for the teacher's word, and work that is like another sheet's and counts."""
        return [told for seat in seats for told in self._about(seat) if not self._is_accepted(seat)]

    def _about(self, seat: Seat) -> Iterator[live_marks.Json]:
        about = {"code": seat.entry.code, "number": seat.entry.number}
        if seat.standing and seat.standing.is_begun and seat.standing.no_work:
            yield about | {"why": "even", "steps": list(seat.standing.even), "waits": True}
        elif copied := self._copied.get(seat.entry.code):
            other = self.room.folder.register.by_code.get(copied.code)
            whose = {"of": other.number if other else 0, "shared": copied.shared, "odd": copied.odd}
            yield about | {"why": "copied", **whose, "waits": copied.is_sure}

    def _is_accepted(self, seat: Seat) -> bool:
        """Whether the teacher has let it count as it is: with another number in it, it waits again."""
        work = self.room.seats.work(seat.entry.code)
        return work is not None and self._accepted.get(seat.entry.code) == len(work.answers)

    @property
    def _accepted(self) -> dict[str, Any]:
        found: dict[str, Any] = self.room.controls.state["accepted"]
        return found

    def accept(self, code: str) -> dict[str, int]:
        """The accepted work, this sheet as it is included. Raises HandcalcError where nobody has it."""
        if not (work := self.room.seats.work(code)):
            raise HandcalcError(f"Nobody has joined with {short(code)}.")
        return {**self._accepted, code: len(work.answers)}
