"""Seats that are taken in number: by one browser, under one nickname, from one address; the teacher decides.

Nothing of this is stored: no address and no browser is known any more when the server has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from handcalc.classroom.live.state.people import IN, Learner, People
from handcalc.classroom.live.state.teacher_controls import TeacherControls
from handcalc.foundation.errors import HandcalcError, short

BROWSER, NICK, ADDRESS = "browser", "nick", "address"  # the first one that explains it is told
MAX_SEATS = 2  # seats of one browser, or under one nickname
MAX_SEATS_AT_ONCE, AT_ONCE_SECONDS = 5, 10.0  # seats from one address, and seconds
EMPTY_SEATS, ALL_IS_WELL = "empty", "well"


class SeatTaker(NamedTuple):
    """Who takes seats: one of the three, and which."""

    kind: str
    whose: str


class SeatWatch:
    """Who has taken which seats since the server began, and what the teacher has said of it."""

    def __init__(self, people: People, clock: Callable[[], float] = time.monotonic) -> None:
        self.people, self.clock = people, clock
        self._taken: dict[SeatTaker, dict[int, float]] = {}  # learners, and when
        self._browsers: dict[int, str] = {}  # of learners, those who wait among them
        self._alarms: dict[SeatTaker, int] = {}  # with the numbers by which the teacher's page calls them
        self._emptied: set[str] = set()  # browsers whose seats the teacher has emptied
        self._well: set[SeatTaker] = set()
        self._count = 0

    def must_wait(self, browser: str) -> bool:
        """Whether a learner who joins with this browser must wait for the teacher."""
        return SeatTaker(BROWSER, browser) in self._alarms or browser in self._emptied

    def note_joined(self, learner: Learner, browser: str, address: str) -> None:
        """A learner has joined; one who waits has no seat, nor has one without browser or nickname."""
        self._browsers[learner.id] = browser
        if learner.state != IN:
            return
        for kind, whose in ((BROWSER, browser), (NICK, learner.nick.casefold()), (ADDRESS, address)):
            if whose:
                taker = SeatTaker(kind, whose)
                self._taken.setdefault(taker, {})[learner.id] = self.clock()
                self._look(taker)

    def list_alarms(self) -> list[dict[str, Any]]:
        """The alarms as the teacher's page shows them: what it is, and the codes of the seats."""
        found = []
        for taker, number in self._alarms.items():
            seats = self._seats(taker)
            nick = seats[0].nick if seats and taker.kind == NICK else ""
            about = {"alarm": number, "kind": taker.kind, "nick": nick, "codes": [one.code for one in seats]}
            found += [about] if seats else []
        return found

    async def decide(self, what: str, number: object, controls: TeacherControls) -> None:
        """Empty the seats of an alarm, or say that all is well. Raises HandcalcError where there is none."""
        taker = next((one for one, known in self._alarms.items() if known == number), None)
        if taker is None:
            raise HandcalcError(f"There is no alarm {short(number)}; it has been settled already.")
        seats = self._seats(taker)
        del self._alarms[taker]
        if what == ALL_IS_WELL:
            self._well.add(taker)
            await self._let_in(controls, lambda one: taker == (BROWSER, self._browsers.get(one.id)))
            return
        self._emptied |= {taker.whose} if taker.kind == BROWSER else set()
        for one in seats:
            if self.people.holder(one.code) is one:  # nobody has been faster
                await controls.vacate(one.code)
        freed = [one.code for one in seats]
        await self._let_in(controls, lambda one: self._is_only(one, freed))

    async def _let_in(self, controls: TeacherControls, is_one: Callable[[Learner], bool]) -> None:
        for one in [one for one in self.people.waiting if is_one(one)]:
            await controls.let_in(one)

    def _is_only(self, newcomer: Learner, freed: Iterable[str]) -> bool:
        """Whether nobody but its last holder waits for a seat that is free again."""
        others = [one for one in self.people.waiting if one.code == newcomer.code]
        honest = [one for one in others if not self.must_wait(self._browsers.get(one.id, ""))]
        return newcomer.code in freed and honest == [newcomer]

    def _look(self, taker: SeatTaker) -> None:
        """Whether there is something to tell of somebody."""
        if taker.kind == ADDRESS and taker not in self._alarms:
            since = self.clock() - AT_ONCE_SECONDS
            self._taken[taker] = {who: at for who, at in self._taken[taker].items() if at >= since}
        most = MAX_SEATS_AT_ONCE if taker.kind == ADDRESS else MAX_SEATS
        if taker not in self._well | self._alarms.keys() and len(self._seats(taker)) > most:
            self._count += 1
            self._alarms[taker] = self._count

    def _seats(self, taker: SeatTaker) -> list[Learner]:
        """Who still sits where somebody has taken seats, without those that another alarm tells of."""
        order = (BROWSER, NICK, ADDRESS)
        stronger = [one for one in self._alarms if order.index(one.kind) < order.index(taker.kind)]
        told = {who for one in stronger for who in self._taken[one]}
        found = [self.people.by_id.get(who) for who in self._taken[taker] if who not in told]
        return [one for one in found if one and one.state == IN]
