"""The teacher's side of a room: what is to be seen, and what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handcalc.classroom.live.listeners import Message
from handcalc.classroom.live.people import IN, LEFT, Learner
from handcalc.errors import HandcalcError, short

if TYPE_CHECKING:
    from handcalc.classroom.live.room import Room

BEGINNING: Message = {"paused": False, "until": None, "closed": False, "shown": None}


class Desk:
    """The teacher's desk; `state` has what is decided, and is stored."""

    def __init__(self, room: Room, state: Message) -> None:
        self.room, self.people, self.listeners = room, room.people, room.listeners
        self.state = {**BEGINNING, **state}

    def see(self, since: int = 0) -> Message:
        """The class; of the rows those that have changed since a number, all of them since 0."""
        room = self.room
        return {
            "title": room.folder.settings.title,
            "seq": room.rows.seq,
            **self.state,
            "shown": self._shown(),
            "rows": room.rows.since(since, room.clock()),
            "waiting": [
                {
                    "learner": one.id,
                    "nick": one.nick,
                    "code": one.code,
                    "taken": one.code in self.people.holders,
                }
                for one in self.people.waiting
            ],
            "trouble": room.trouble,
        }

    async def do(self, what: str, **about: Any) -> None:
        """Decide something.

        pause, resume · until (step; None for all) · show (code, step, row, column), hide · closed (whoever
        comes has to wait), open · approve, refuse, forget (learner) · release (code): whoever comes next goes
        on with this sheet. Raises HandcalcError for anything else.
        """
        match what, about:
            case (("pause" | "resume"), _):
                await self._decide(paused=what == "pause")
                self.listeners.tell_learners({"paused": self.state["paused"]})
            case (("closed" | "open"), _):
                await self._decide(closed=what == "closed")
            case "until", {"step": str() | None as step}:
                await self._decide(until=step)
                self.listeners.tell_learners({"until": step})
                self.room.mark_all()
            case "show", {"code": str(code), "step": str(step), "row": int(row), "column": int(column)}:
                await self._decide(shown={"code": code, "step": step, "row": row, "column": column})
            case "hide", _:
                await self._decide(shown=None)
            case (("approve" | "refuse" | "forget"), {"learner": number}):
                await getattr(self, what)(self.people.learner(number))
            case "release", {"code": str(code)}:
                await self.release(code)
            case _:
                raise HandcalcError(f"There is nothing called {short(what)} to do with {short(about)}.")
        self.room.changed()

    async def approve(self, newcomer: Learner) -> None:
        """Let somebody in who waits; where the sheet has somebody already, they go on in their place."""
        who = await self.people.approve(newcomer)
        if who is not newcomer:
            self.listeners.send_away(who.id, {"state": LEFT})
            self.listeners.move(newcomer.id, who.id)
        self.listeners.tell(who.id, {"state": IN})
        self.room.begin(who)

    async def refuse(self, newcomer: Learner) -> None:
        """Do not let somebody in who waits."""
        if newcomer in self.people.waiting:
            await self.people.leave(newcomer)
            self.listeners.send_away(newcomer.id, {"state": LEFT})

    async def release(self, code: str) -> None:
        """Whoever comes next with a code goes on with its sheet. Raises HandcalcError where nobody has it."""
        holder = self.people.holder(code)
        if holder is None:
            raise HandcalcError(f"Nobody has joined with {short(code)}.")
        await self.people.leave(holder)
        self.listeners.send_away(holder.id, {"state": LEFT})
        self.room.changed(*self.people.sheets(code))

    async def forget(self, learner: Learner) -> None:
        """Delete somebody, and all that they did."""
        self.room.drop(learner)
        self.listeners.send_away(learner.id, {"state": LEFT})
        await self.people.forget(learner)
        self.room.changed(*self.people.sheets(learner.code))

    async def _decide(self, **what: Any) -> None:
        await self.room.store.decide(self.state | what)
        self.state |= what

    def _shown(self) -> Message | None:
        """The number on the projector, as it was typed."""
        shown: Message | None = self.state["shown"]
        work = self.room.rows.work(shown["code"]) if shown else None
        if shown is None or work is None:
            return shown
        texts = work.page()["texts"].get(shown["step"], {})
        return {**shown, "text": texts.get(f"{shown['row']},{shown['column']}", "")}
