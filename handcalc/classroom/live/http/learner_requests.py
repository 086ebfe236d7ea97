"""Requests of a learner's page: a ticket for a code, a sheet, answers to store, a hint."""

from __future__ import annotations

from handcalc.classroom.live.http import messages
from handcalc.classroom.live.http.request_handler import ClassRequestHandler
from handcalc.classroom.live.state.live_class import LiveClass
from handcalc.classroom.live.state.people import Learner
from handcalc.classroom.live.state.refusals import StrangerError, TooManyError, UnstoredError
from handcalc.classroom.live.state.sheet_state import MILLISECONDS
from handcalc.foundation.errors import HandcalcError

MAX_CODE_LETTERS, MAX_NICK_LETTERS = 60, 1000  # letters that are read


class JoinHandler(ClassRequestHandler):
    """Give a ticket for a code."""

    async def post(self) -> None:
        body = self.body
        code = messages.read_string(body, "code", longest=MAX_CODE_LETTERS)
        nick = messages.read_string(body, "nick", "", MAX_NICK_LETTERS)
        browser = messages.read_string(body, "browser", "", MAX_CODE_LETTERS)
        known = self.room.people.known(code)
        self._count(known)
        try:
            is_in_doubt = self.limits.doubts(self.address) or self.live.watch.must_wait(browser)
            former = self.live.watch.former(known, browser)
            token, learner = await self.room.join(code, nick, is_in_doubt=is_in_doubt, former=former)
        except (UnstoredError, TooManyError):
            raise
        except HandcalcError as error:
            raise StrangerError(str(error)) from None
        self.live.watch.note_joined(learner, browser, self.address)
        self.keep_connection(learner)
        why = self.room.people.why_waiting(learner)
        self.finish({"token": token, "state": learner.state, "sentence": why})

    def _count(self, known: str) -> None:
        """Raise TooManyError for guessing or flooding; the guesses of others keep no right code out."""
        if known:
            self.limits.same_code.take((known, self.address))
            self.limits.joins.take()
        else:
            self.limits.wrong_codes.take(self.address)
            self.limits.all_wrong_codes.take()


class SheetHandler(ClassRequestHandler):
    """Serve a sheet of the learner."""

    async def get(self) -> None:
        learner = await self.find_learner()
        code = self.get_query_argument("code", "")
        found = await self.room.sheet(learner, _own(self.room, learner, code) if code else "")
        now = self.room.sheet_states.arrival(self.room.clock())  # pages time their texts by this clock
        self.finish_json({**found, "run": self.live.run, "now": round(now * MILLISECONDS)})


class AnswersHandler(ClassRequestHandler):
    """Store typed answers; they are acknowledged once they are stored."""

    async def post(self) -> None:
        learner, body = await self.find_learner(), self.body
        code = _own(self.room, learner, messages.read_string(body, "code"))
        answers = messages.read_answers(body)
        self.limits.answers.take(learner.id, max(1, len(answers)))
        self.finish({"acknowledged": await self.room.store_answers(learner, code, answers)})


class HintHandler(ClassRequestHandler):
    """Give the next hint."""

    async def post(self) -> None:
        learner, body = await self.find_learner(), self.body
        code = _own(self.room, learner, messages.read_string(body, "code"))
        step = messages.read_string(body, "step")
        self.limits.hints.take(learner.id)
        self.finish(await self.room.hint(learner, code, step))


def _own(room: LiveClass, learner: Learner, code: str) -> str:
    """One of a learner's sheets. Raises StrangerError for any other."""
    if code not in room.sheets(learner):
        raise StrangerError("This is not one of your sheets.")
    return code
