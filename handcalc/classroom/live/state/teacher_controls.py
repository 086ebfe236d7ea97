"""The teacher's controls: pause, pace, admission, the projector."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from handcalc.classroom.folder.folder_layout import REGISTER_FILE
from handcalc.classroom.folder.register import read_register
from handcalc.classroom.folder.students import name_student
from handcalc.classroom.handouts.class_folder import add_students
from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.live.state import pauses
from handcalc.classroom.live.state.listeners import Message
from handcalc.classroom.live.state.people import IN, LEFT, Learner
from handcalc.classroom.live.state.sheet_state import SheetState
from handcalc.classroom.store.database import DatabaseError
from handcalc.foundation.errors import HandcalcError, short

if TYPE_CHECKING:
    from handcalc.classroom.live.state.live_class import LiveClass

FIRST_DECISIONS: Message = {
    "paused": False,
    "until": None,
    "closed": False,
    "shown": None,
    "over": False,
    "rests": [],
    "of": None,
    "accepted": {},
}
REFUSED = "refused"
MAX_SHOWN_LETTERS = 2000  # letters for the projector to show


class TeacherControls:
    """The decisions that the teacher can make; `state` has those that hold, and is stored."""

    def __init__(self, room: LiveClass, state: Message) -> None:
        self.room, self.people, self.listeners = room, room.people, room.listeners
        self.state = {**FIRST_DECISIONS, **state}
        self._adding = asyncio.Lock()  # two at once would draw the same numbers
        self.was_over = bool(self.state["over"])
        if self.was_over:  # serving an ended class means teaching it again
            self.state |= {"over": False, "paused": False}

    def begin(self, heard: float) -> None:
        """Begin again after a break of the server; somebody was last heard of at this time, 0 for nobody."""
        before, now = self.state["rests"], self.room.clock()
        self.state["rests"] = pauses.pause_over_break(before, heard, now, is_paused=self.state["paused"])

    async def decide(self, what: str, /, **about: Any) -> Message | None:
        """Carry out a decision; returns anything there is to tell.

        pause, end, resume · until (step; None for all; of one topic and level, where they
        are named) · show (what the projector shows), hide · closed
        (newcomers have to wait), open · approve, let_in (only to a sheet that nobody
        has), afresh (with an empty sheet), refuse, forget (learner) · release (code): the next learner
        goes on with this sheet, vacate (code): they begin afresh, give_back (learner): undo that,
        accept (code): what waits for the teacher's word counts as it is · add (name): a latecomer,
        whose codes are told.
        Raises HandcalcError for anything else.
        """
        match what, about:
            case (("pause" | "resume"), _):
                await self._rest(paused=what == "pause", over=False)
            case "end", _:
                await self._rest(paused=True, over=True, shown=None)
            case (("closed" | "open"), _):
                await self._store(closed=what == "closed")
            case "until", {"step": str() | None as step, **of}:
                await self._up_to(step, [of["topic"], of.get("level")] if "topic" in of else None)
            case "show", _ if len(repr(about)) < MAX_SHOWN_LETTERS:
                await self._store(shown=about)
            case "hide", _:
                await self._store(shown=None)
            case (("approve" | "let_in" | "afresh" | "refuse" | "forget" | "give_back"), {"learner": number}):
                await getattr(self, what)(self.people.learner(number))
            case (("release" | "vacate" | "accept"), {"code": str(code)}):
                await getattr(self, what)(code)
            case "add", {"name": str(name)}:
                return await self.add(name)
            case _:
                raise HandcalcError(f"There is nothing called {short(what)} to do with {short(about)}.")
        self.room.changed()
        return None

    async def add(self, name: str) -> Message:
        """Add a latecomer with numbers of their own; returns the codes. Raises HandcalcError for no name."""
        async with self._adding:
            added = await asyncio.to_thread(add_students, self.room.folder.path, [name_student(name)])
            self.room.folder.register = read_register(self.room.folder.path / REGISTER_FILE)
        self.room.changed()
        return {"codes": [one.code for one in added]}

    async def look(self, code: str, step: str) -> Message:
        """A sheet, or one of its steps, for the teacher to look at. Raises HandcalcError for none."""
        sheet, steps = self._asked(code, step), [step] if step else []
        return {"steps": await self.room.marker.ask(live_marks.view_sheet, sheet, *steps)}

    async def explain(self, code: str, step: str, row: int, column: int) -> Message:
        """The arithmetic of one number of a sheet. Raises HandcalcError where there is none."""
        sheet = self._asked(code, step, row, column)
        return dict(await self.room.marker.ask(live_marks.explain_sheet_number, sheet, step, row, column))

    async def approve(self, newcomer: Learner) -> None:
        """Let a waiting learner in; where the sheet has a learner already, they go on in that one's place."""
        if self.people.holder(newcomer.code) not in (None, newcomer) and self.room.has_typed(newcomer):
            await self.vacate(newcomer.code)  # each keeps their own work, and nothing is out of reach
        who = await self.people.approve(newcomer)
        if who is not newcomer:
            self.listeners.send_away(who.id, {"state": LEFT})
            self.listeners.move(newcomer.id, who.id)
        self.listeners.publish(who.id, {"state": IN})
        self.room.begin(who)

    async def let_in(self, newcomer: Learner) -> None:
        """Let a waiting learner in, but not to the work of another: then they go on waiting."""
        if self.people.holder(newcomer.code) in (None, newcomer):
            await self.approve(newcomer)

    async def afresh(self, newcomer: Learner) -> None:
        """Let a waiting learner in to a sheet that another one has taken: it is empty for them."""
        if newcomer in self.people.waiting and self.people.holder(newcomer.code) not in (None, newcomer):
            await self.vacate(newcomer.code)
        await self.let_in(newcomer)

    async def refuse(self, newcomer: Learner) -> None:
        """Refuse a waiting learner."""
        if newcomer in self.people.waiting:
            await self.people.leave(newcomer)
            self.listeners.send_away(newcomer.id, {"state": REFUSED})

    async def release(self, code: str) -> None:
        """Release a code: the next learner continues its sheet. Raises HandcalcError where nobody has it."""
        await self._send_away(code, self.people.leave)

    async def vacate(self, code: str) -> None:
        """Vacate a code: the next learner begins afresh. Raises HandcalcError where nobody has it."""
        await self._send_away(code, self.people.vacate)

    async def give_back(self, learner: Learner) -> None:
        """Give a learner's emptied seat back, with everything typed there. Raises HandcalcError."""
        if not any(one["learner"] == learner.id for one in self.room.list_orphans()):
            raise HandcalcError(f"The seat of {learner.nick or learner.code} has not been emptied.")
        if self.people.holder(learner.code) not in (None, learner):
            await self.vacate(learner.code)
        await self.people.give_back(learner)
        self.room.begin(learner)

    async def accept(self, code: str) -> None:
        """Accept waiting work: it counts as it is from now on. Raises HandcalcError where there is none."""
        await self._store(accepted=self.room.doubts.accept(code))

    async def _send_away(self, code: str, how: Callable[[Learner], Awaitable[None]]) -> None:
        holder = self.people.holder(code)
        if holder is None:
            raise HandcalcError(f"Nobody has joined with {short(code)}.")
        await how(holder)
        self.listeners.send_away(holder.id, {"state": LEFT})
        self.room.changed(*self.people.sheets(code))

    async def forget(self, learner: Learner) -> None:
        """Delete a learner, and all that they did. Raises DatabaseError where traces stay on the disk."""
        await self.people.forget(learner)
        self.room.drop(learner)
        self.listeners.send_away(learner.id, {"state": LEFT})
        self.room.changed(*self.people.sheets(learner.code))
        await self.room.store.clear_away()

    def _asked(self, code: str, step: str, row: int = 0, column: int = 0) -> live_marks.LiveSheet:
        """The sheet of a code as it stands. Raises HandcalcError where it does not ask for this number."""
        if code not in self.room.folder.register.by_code:
            raise HandcalcError(f"{short(code)} is not the code of a sheet in this class.")
        work = self.room.seats.work(code) or SheetState(0, code, self.room.sheet_states.outline(code))
        if step and not work.has_blank(step, row, column):
            raise HandcalcError(f"{short(step)} has no number at {short(row)}, {short(column)} on {code}.")
        return self.room.sheet_of(work)

    def until(self, code: str) -> str | None:
        """The last open step on a sheet, where not all are open: other topics go on to their ends."""
        step: str | None = self.state["until"] if self._is_of(self.state["of"], code) else None
        return step

    async def _up_to(self, step: str | None, of: list[Any] | None) -> None:
        sheets = [one.code for one in self.room.folder.register if self._is_of(of, one.code)]
        if step is not None and not any(
            step in self.room.sheet_states.outline(code).blank for code in sheets
        ):
            raise HandcalcError(f"No sheet of this class asks for {short(step)}.")
        await self._store(until=step, of=of if step is not None else None)
        self.listeners.publish_to_learners({"until": step})
        self.room.mark_outdated()

    def _is_of(self, of: list[Any] | None, code: str) -> bool:
        entry = self.room.folder.register.by_code.get(code)
        return of is None or entry is None or [entry.topic, entry.level] == of

    async def keep(self) -> None:
        """Store how the class began; where it cannot be, the next decision stores it."""
        with suppress(DatabaseError):
            await self.room.store.decide(self.state)

    async def _rest(self, *, paused: bool, **what: Any) -> None:
        """Begin or end a rest of the class."""
        change = pauses.begin_pause if paused else pauses.end_pause
        found = change(self.state["rests"], self.room.clock())
        await self._store(paused=paused, rests=found, **what)
        self.listeners.publish_to_learners({"paused": paused, "over": self.state["over"]})

    async def _store(self, **what: Any) -> None:
        await self.room.store.decide(self.state | what)
        self.state |= what
