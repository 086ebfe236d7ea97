"""The room: who is in, with which sheet, how each stands, what the teacher has decided. No web here."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from handcalc.classroom.folder import ClassFolder
from handcalc.classroom.live.grid import Seat
from handcalc.classroom.live.looking import explained, looked_at
from handcalc.classroom.standing import Standing, standing
from handcalc.errors import HandcalcError, short
from handcalc.practice import codes, typed
from handcalc.practice.exercise import Exercise
from handcalc.practice.states import CORRECT
from handcalc.sentences import html
from handcalc.views.withheld import withheld

IN, WAITING = "in", "waiting"
Answer = tuple[int, str, int, int, str]  # the page's own number of it, step, row, column (from 0), text
Message = dict[str, Any]


@dataclass
class Learner:
    """Somebody who has joined."""

    id: int
    nick: str
    code: str
    state: str
    token_hash: str
    answers: dict[int, tuple[str, typed.Typed]] = field(default_factory=dict)  # by n: code, what was typed
    hints: dict[tuple[str, str], int] = field(default_factory=dict)  # of (code, step)
    last: float = field(default_factory=time.time)  # when something was heard, in seconds since 1970


class PausedError(HandcalcError):
    """The class rests: nothing is taken until it goes on."""


class Room:
    """A class that is being taught. `listen` hears what has changed: of one learner, or of all (None)."""

    def __init__(self, folder: ClassFolder) -> None:
        self.folder = folder
        self.learners: dict[int, Learner] = {}
        self.is_paused = False
        self.until: str | None = None  # the last step that is open
        self.shown: dict[str, Any] | None = None  # the number on the projector
        self._seats: dict[str, Seat] = {}
        self.listeners: list[Callable[[int | None, Message], None]] = []

    def join(self, code: str, nick: str) -> tuple[str, Learner]:
        """Let somebody in with the code of a sheet; who comes with a code that is taken has to wait.

        Returns the token that is their ticket from now on. Raises HandcalcError for a code not of this class.
        """
        known = codes.written(codes.read(code))
        if known not in self.folder.register.by_code:
            raise HandcalcError(f"{known} is not the code of a sheet of this class; please check it.")
        token = secrets.token_hex(16)
        is_taken = any(one.code == known and one.state == IN for one in self.learners.values())
        new = Learner(len(self.learners) + 1, nick, known, WAITING if is_taken else IN, _hash(token))
        self.learners[new.id] = new
        self._seats.clear()
        self._tell(None, {"grid": True})
        return token, new

    def learner(self, token: str) -> Learner | None:
        """Whose token this is."""
        wanted = _hash(token)
        return next((one for one in self.learners.values() if one.token_hash == wanted), None)

    def sheets(self, learner: Learner) -> list[str]:
        """The codes of all the sheets of a learner."""
        number = self.folder.register.by_code[learner.code].number
        return [entry.code for entry in self.folder.register.students[number]]

    def sheet(self, learner: Learner, code: str = "") -> dict[str, Any]:
        """What the page needs to show a sheet, marks included."""
        code = code or learner.code
        if learner.state != IN:
            return {"code": code, "state": learner.state}
        if code not in self.sheets(learner):
            raise HandcalcError(f"{code} is not one of your sheets.")
        exercise = self._exercise(code)
        return {
            "state": learner.state,
            "title": exercise.calculation.title,
            "spec": withheld(exercise.calculation, exercise.blank),
            "blank": list(exercise.blank),
            "places": exercise.places,
            "paused": self.is_paused,
            "until": self.until,
            "sheets": [self._how_far(learner, one) for one in self.sheets(learner)],
            **self.marks(learner, code),
        }

    async def answer(self, learner: Learner, code: str, answers: Iterable[Answer]) -> list[int]:
        """Keep what was typed; returns the numbers of what is stored. PausedError while the class rests."""
        if self.is_paused:
            raise PausedError("Your teacher has paused the class. What you typed is kept.")
        if code not in self.sheets(learner):
            raise HandcalcError(f"{code} is not one of your sheets.")
        kept = []
        for n, *cell in answers:
            learner.answers.setdefault(n, (code, typed.Typed(*cell)))  # type: ignore[arg-type]
            kept.append(n)
        learner.last = time.time()
        self._seats.pop(code, None)
        self._tell(learner.id, {"marks": self.marks(learner, code)})
        self._tell(None, {"grid": True})
        return kept

    def hint(self, learner: Learner, code: str, step: str) -> str:
        """The next hint to a step."""
        self._seats.pop(code, None)
        level = learner.hints[code, step] = learner.hints.get((code, step), 0) + 1
        return self._exercise(code).hint(step, level).html

    def marks(self, learner: Learner, code: str) -> dict[str, Any]:
        """The marks as the page shows them."""
        exercise, history = self._exercise(code), self._typed(learner, code)
        typed.remember(exercise, history)
        marked = typed.mark(exercise, typed.texts_of(history))
        asked = sum(cells.size for cells in marked.feedback.cells.values())
        seen = [n for n, (own, _) in learner.answers.items() if own == code]
        return {
            "code": code,
            "upto": len(seen),  # marks that know less are older
            "n": max(seen, default=0),  # the page's own number of the last answer that these marks know
            "texts": typed.fitting(exercise, typed.texts_of(history)),
            "states": marked.states,
            "messages": {step: [html(line) for line in lines] for step, lines in marked.messages.items()},
            "notice": "",
            "score": f"{marked.feedback.count(CORRECT)} of {asked} right",
            "hint": "",
            "finished": marked.feedback.is_complete,
        }

    def _how_far(self, learner: Learner, code: str) -> dict[str, Any]:
        marks = self.marks(learner, code)
        title = self._exercise(code).calculation.title
        return {"code": code, "title": title} | {name: marks[name] for name in ("finished", "score")}

    def seats(self) -> list[Seat]:
        """All sheets, in the order of the register; a seat is the same object while nothing changes."""
        return [self._seats.get(entry.code) or self._seat(entry.code) for entry in self.folder.register]

    @property
    def waiting(self) -> list[Learner]:
        """Who waits for the teacher's word."""
        return [one for one in self.learners.values() if one.state == WAITING]

    async def look(self, code: str, step: str) -> dict[str, Any]:
        """One step of one sheet, as the teacher looks at it. Raises HandcalcError where there is none."""
        learner, exercise = self._holder(code), self._asked(code, step)
        return looked_at(exercise, self._typed(learner, code) if learner else [], step)

    async def explain(self, code: str, step: str, row: int, column: int) -> dict[str, Any]:
        """The arithmetic of one number of a sheet. Raises HandcalcError where there is none."""
        exercise = self._asked(code, step)
        rows, columns = exercise.calculation[step].shape
        if not (0 <= row < rows and 0 <= column < columns):
            raise HandcalcError(
                f"{step} has {rows} rows and {columns} columns, no number in {row}, {column}."
            )
        return explained(exercise, step, row, column)

    def do(self, what: str, **about: Any) -> None:
        """What the teacher decides: pause, resume, until (step), show (code, step, row, column), approve …"""
        match what:
            case "pause" | "resume":
                self.is_paused = what == "pause"
                self._tell_all({"paused": self.is_paused})
            case "until":
                self.until = about.get("step")
                self._tell_all({"until": self.until})
            case "show":
                self.shown = about
            case "hide":
                self.shown = None
            case "approve":
                self.learners[about["learner"]].state = IN
                self._seats.clear()
                self._tell(about["learner"], {"state": IN})
            case "refuse":
                self._tell(about["learner"], {"state": "refused"})
                del self.learners[about["learner"]]
            case _:
                raise HandcalcError(f"There is nothing called {what} to do.")
        self._tell(None, {"grid": True})

    def listen(self, callback: Callable[[int | None, Message], None]) -> Callable[[], None]:
        """Call `callback(learner's id or None for the teacher, message)` from now on; returns how to stop."""
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def _seat(self, code: str) -> Seat:
        entry, learner = self.folder.register.by_code[code], self._holder(code)
        found = self._standing(learner, code)
        seat = (
            Seat(entry, learner.id, learner.nick, found, learner.last)
            if learner
            else Seat(entry, standing=found)
        )
        self._seats[code] = seat
        return seat

    def _holder(self, code: str) -> Learner | None:
        """Who works on a sheet; all sheets of one student are theirs."""
        number = self.folder.register.by_code[code].number
        mine = {entry.code for entry in self.folder.register.students[number]}
        return next((one for one in self.learners.values() if one.code in mine and one.state == IN), None)

    def _asked(self, code: str, step: str) -> Exercise:
        exercise = self._exercise(code)
        if step not in exercise.blank:
            raise HandcalcError(f"{short(step)} is not asked for on {short(code)}.")
        return exercise

    def _standing(self, learner: Learner | None, code: str) -> Standing:
        exercise, history = self._exercise(code), self._typed(learner, code) if learner else []
        typed.remember(exercise, history)
        hints = {step: n for (own, step), n in learner.hints.items() if own == code} if learner else {}
        return standing(code, exercise, typed.mark(exercise, typed.texts_of(history)).feedback, hints)

    def _exercise(self, code: str) -> Exercise:
        return self.folder.numbers.exercise(code, solutions=self.folder.settings.solutions)

    def _typed(self, learner: Learner, code: str) -> list[typed.Typed]:
        return [cell for n, (own, cell) in sorted(learner.answers.items()) if own == code]

    def _tell(self, learner: int | None, message: Message) -> None:
        for callback in list(self.listeners):
            callback(learner, message)

    def _tell_all(self, message: Message) -> None:
        for learner in self.learners:
            self._tell(learner, message)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
