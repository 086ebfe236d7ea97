"""Seats that are taken in number: by one browser, under one nickname, from one address; the teacher decides.

An honest class behind one address has its pages open together; a person who takes seat after seat has not.

Nothing of this is stored: no address or browser is known any more when the server has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from handcalc.classroom.live.state.people import IN, LEFT, Learner, People
from handcalc.classroom.live.state.teacher_controls import TeacherControls
from handcalc.foundation.errors import HandcalcError, short

BROWSER, NICK, ADDRESS = "browser", "nick", "address"  # in this order: the first that explains it is told
MAX_SEATS = 2  # seats of one browser, or under one nickname
MAX_SEATS_AT_ONCE, AT_ONCE_SECONDS = 5, 10.0  # seats from one address, and seconds
MAX_SEATS_ALONE = 5  # seats from one address whose pages have not been open together
EMPTY_SEATS, ALL_IS_WELL = "empty", "well"


class SeatTaker(NamedTuple):
    """A taker of seats: a browser, a nickname or an address, and which one."""

    kind: str
    whose: str


class SeatWatch:
    """The seats taken since the server began, who took them, and what the teacher has said of it."""

    def __init__(
        self, people: People, has_page: Callable[[int], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.people, self.has_page, self.clock = people, has_page, clock
        self._taken: dict[SeatTaker, dict[int, float]] = {}  # learners, and when they joined
        self._browsers: dict[int, str] = {}  # of learners, those who wait among them
        self._joined: dict[int, float] = {}  # when, in seconds since 1970
        self._addresses: dict[int, str] = {}  # of learners
        self._alone: set[int] = set()  # learners whose page has been open with no other from their address
        self._apart: set[SeatTaker] = set()  # addresses with many such learners
        self._alarms: dict[SeatTaker, int] = {}  # with their numbers on the teacher's page
        self._emptied: set[str] = set()  # browsers whose seats the teacher has emptied
        self._sent_away: dict[int, str] = {}  # learners whose seats were emptied, and their browsers
        self._well: set[SeatTaker] = set()
        self._count = 0

    def must_wait(self, browser: str) -> bool:
        """Whether a learner who joins with this browser must wait for the teacher."""
        return SeatTaker(BROWSER, browser) in self._alarms or browser in self._emptied

    def former(self, code: str, browser: str) -> Learner | None:
        """The learner who had this seat on this device until the teacher emptied it, and is still without."""
        found = [one for one, device in self._sent_away.items() if browser and device == browser]
        known = [self.people.by_id.get(one) for one in found]
        return next((one for one in known if one and one.code == code and one.state == LEFT), None)

    def gave_back(self, learner: Learner) -> None:
        """Note that a seat was given back; a device whose seats are all back need not wait any more."""
        browser = self._sent_away.pop(learner.id, "")
        if browser not in self._sent_away.values():
            self._emptied.discard(browser)

    def note_joined(self, learner: Learner, browser: str, address: str) -> None:
        """A learner has joined; one who waits has no seat, nor has one without browser or nickname."""
        self._browsers[learner.id], self._joined[learner.id] = browser, time.time()
        if learner.state != IN:
            return
        for kind, whose in ((BROWSER, browser), (NICK, learner.nick.casefold()), (ADDRESS, address)):
            if whose:
                taker = SeatTaker(kind, whose)
                self._taken.setdefault(taker, {})[learner.id] = self.clock()
                if kind == ADDRESS:
                    self._see_together(learner, address)
                self._look(taker)

    def list_alarms(self) -> list[dict[str, Any]]:
        """The alarms as the teacher's page shows them: the kind, and the codes of the seats."""
        found = []
        for taker, number in self._alarms.items():
            seats = self._seats(taker)
            nick = seats[0].nick if seats and taker.kind == NICK else ""
            about = {"alarm": number, "kind": taker.kind, "nick": nick, "codes": [one.code for one in seats]}
            about |= {"apart": taker in self._apart, "seats": self._how_joined(seats)}
            found += [about] if seats else []
        return found

    def _how_joined(self, seats: Iterable[Learner]) -> list[dict[str, Any]]:
        """The way each learner has joined: name, time, device, and whether a page is open."""
        devices: dict[str, int] = {}
        found = []
        for one in seats:
            browser = self._browsers.get(one.id) or str(one.id)
            device = devices.setdefault(browser, len(devices) + 1)
            about = {"learner": one.id, "code": one.code, "nick": one.nick, "device": device}
            found.append(about | {"at": self._joined.get(one.id, 0.0), "open": self.has_page(one.id)})
        return found

    async def decide(
        self, what: str, number: object, controls: TeacherControls, keep: Iterable[int] = ()
    ) -> None:
        """Empty the seats of an alarm but for those to keep, or say that all is well.

        Raises HandcalcError where there is no such alarm.
        """
        taker = next((one for one, known in self._alarms.items() if known == number), None)
        if taker is None:
            raise HandcalcError(f"There is no alarm {short(number)}; it has been settled already.")
        kept = {*keep}
        seats = [one for one in self._seats(taker) if one.id not in kept]
        del self._alarms[taker]
        if kept:  # the count of their seats starts again
            self._taken[taker] = {}
            self._alone -= kept
        if what == ALL_IS_WELL:
            self._well.add(taker)
            await self._let_in(controls, lambda one: taker == (BROWSER, self._browsers.get(one.id)))
            return
        self._emptied |= {taker.whose} if taker.kind == BROWSER else set()
        for one in seats:
            if self.people.holder(one.code) is one:  # nobody has been faster to take it
                await controls.vacate(one.code)
                self._sent_away[one.id] = self._browsers.get(one.id, "")
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

    def _see_together(self, learner: Learner, address: str) -> None:
        """Note a learner whose page is open together with another from their address as not alone."""
        here = [one for one, whose in self._addresses.items() if whose == address and self.has_page(one)]
        self._alone = (self._alone | {learner.id}) - ({*here, learner.id} if here else set())
        self._addresses[learner.id] = address

    def _look(self, taker: SeatTaker) -> None:
        """Raise an alarm where a taker has too many seats."""
        if taker.kind == ADDRESS and taker not in self._alarms:
            since = self.clock() - AT_ONCE_SECONDS
            self._taken[taker] = {who: at for who, at in self._taken[taker].items() if at >= since}
            alone = [one for one in self._alone if self._addresses[one] == taker.whose and self._is_in(one)]
            if len(alone) > MAX_SEATS_ALONE:
                self._apart.add(taker)
                self._taken[taker] = dict.fromkeys(sorted(alone), since) | self._taken[taker]
        most = MAX_SEATS_AT_ONCE if taker.kind == ADDRESS else MAX_SEATS
        if taker not in self._well | self._alarms.keys() and len(self._seats(taker)) > most:
            self._count += 1
            self._alarms[taker] = self._count

    def _seats(self, taker: SeatTaker) -> list[Learner]:
        """The learners still in the seats of a taker, without those that a stronger alarm tells of."""
        order = (BROWSER, NICK, ADDRESS)
        stronger = [one for one in self._alarms if order.index(one.kind) < order.index(taker.kind)]
        told = {who for one in stronger for who in self._taken[one]}
        return [self.people.by_id[who] for who in self._taken[taker] if who not in told and self._is_in(who)]

    def _is_in(self, who: int) -> bool:
        return who in self.people.by_id and self.people.by_id[who].state == IN
