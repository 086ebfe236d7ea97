"""A class that is taught: typed answers are stored and marked, and all pages are told. No web here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.live.marking.marker import Marker
from handcalc.classroom.live.state import refusals
from handcalc.classroom.live.state.doubtful_work import DoubtfulWork
from handcalc.classroom.live.state.listeners import TEACHER_NUMBER, Listeners, Message
from handcalc.classroom.live.state.people import IN, LEFT, Learner, People
from handcalc.classroom.live.state.seats import Seats
from handcalc.classroom.live.state.sheet_state import SheetState, SheetStates
from handcalc.classroom.live.state.teacher_controls import TeacherControls
from handcalc.classroom.store.answer_store import AnswerStore
from handcalc.classroom.store.database import DatabaseError, own_address
from handcalc.foundation.errors import HandcalcError, short

MAX_ANSWERS_ON_SHEET = 5000  # of one learner to one sheet; a long sheet has some hundred numbers
BEAT_SECONDS = 2.0


class LiveClass:
    """A class as it happens; all of it is there again after a restart.

    `listeners` are told of changes for a learner, or for the teacher. To be closed with `close`.
    """

    def __init__(
        self,
        folder: ClassFolder,
        store: AnswerStore,
        *,
        processes: int | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder, self.store, self.clock = folder, store, clock
        kept = store.load()
        self.people = People(folder, store, kept)
        self.sheet_states = SheetStates(folder)
        self.listeners = Listeners(self._came_or_went)
        self.seats = Seats(self.people, self.sheet_states, self.listeners)
        self.controls = TeacherControls(self, dict(kept.state))
        self.marker = Marker(self._take_marks, processes)
        self.doubts = DoubtfulWork(self)
        self._unkept: dict[tuple[int, str], SheetState] = {}  # sheets whose marks are not stored yet
        self._trouble = ""
        self.sheet_states.restore(kept)
        self.controls.begin(kept.heard)
        self.mark_outdated()
        self._beat = asyncio.get_running_loop().create_task(self._beating())

    @property
    def trouble(self) -> str:
        """One sentence for the teacher where something is the matter."""
        return self._trouble or self.marker.trouble

    async def close(self) -> None:
        """Store the marks that are not stored yet, and end."""
        self._beat.cancel()
        await asyncio.to_thread(self.marker.close)
        await self._keep_marks()
        await asyncio.to_thread(self.store.close)

    async def join(
        self,
        code: str,
        nick: str,
        token: str = "",
        *,
        is_in_doubt: bool = False,
        former: Learner | None = None,
    ) -> tuple[str, Learner]:
        """Let a learner in with the code of a sheet; a second learner with the same code has to wait.

        `former` is the learner they were before their seat was emptied: the teacher can make them so again.
        Returns the token that is their ticket from now on, a new one unless it is handed in. Raises
        HandcalcError for a code not of this class, UnstoredError where nothing can be stored.
        """
        is_closed = self.controls.state["closed"] or is_in_doubt  # then the teacher decides
        with self._storing():
            token, learner = (
                await self.people.wait_again(former, nick)
                if former
                else await self.people.join(code, nick, token, self.clock(), is_closed=is_closed)
            )
        self.begin(learner)
        return token, learner

    def begin(self, learner: Learner) -> None:
        """Begin with a learner who is in, or waits."""
        sheets = self.sheets(learner)
        if learner.state == IN:
            for code in sheets:
                self._work(learner, code).at = self.clock()
        self.changed(*sheets)

    def sheets(self, learner: Learner) -> list[str]:
        """The codes of all the sheets of a learner."""
        return self.people.sheets(learner.code)

    async def sheet(self, learner: Learner, code: str = "") -> Message:
        """The data the page needs to show a sheet, marks included; a learner who waits is told only that."""
        about = {
            "state": learner.state,
            "nick": learner.nick,
            "paused": self.controls.state["paused"],
            "over": self.controls.state["over"],
            "until": self.controls.until(code or learner.code),
        }
        if learner.state != IN:
            return about | {"sentence": self.people.why_waiting(learner)}
        work = self._work(learner, code or learner.code)
        opened = await self.marker.ask(live_marks.open_sheet, self.sheet_of(work))
        sheets = [self._work(learner, one).progress() for one in self.sheets(learner)]
        return {
            **about,
            **opened,
            "sheets": sheets,
            "notice": "",
            **work.help,
            **self.sheet_states.page(work),
        }

    async def store_answers(self, learner: Learner, code: str, answers: Sequence[Sequence[Any]]) -> list[int]:
        """Keep typed answers, each (n, step, row, column, text, at); returns the n of those stored.

        Raises PausedError while the class rests, UnstoredError where nothing can be stored, ReusedError for
        an n that came before with something else, HandcalcError for an answer that has no field.
        """
        self._check_open(learner)
        work = self._work(learner, code)
        new = [work.read(answer, self.sheet_states.arrival(self.clock())) for answer in answers]
        if len(work.answers) + len(new) > MAX_ANSWERS_ON_SHEET:
            raise HandcalcError(
                f"{code} has {len(work.answers)} answers, and a sheet can have {MAX_ANSWERS_ON_SHEET:,}; "
                "ask your teacher."
            )
        with self._storing():
            await self.store.append(new)
        self._tell_trouble("")
        work.at = work.wrote = self.clock()
        if fresh := [one for one in new if one.n not in work.answers]:
            work.keep(fresh)
            self._want_marks(work)
        return [one.n for one in new]

    async def hint(self, learner: Learner, code: str, step: str) -> Message:
        """The next hint to a step, or the last again. Raises as `store_answers`, and where it is closed."""
        self._check_open(learner)
        work = self._work(learner, code)
        if not work.has_blank(step, 0, 0) or step in work.closed_after(self.controls.until(code)):
            raise HandcalcError(f"{short(step)} is not open on this sheet.")
        level, work.at = work.hints.get(step, 0) + 1, self.clock()
        found = work.told[step] = await self.marker.ask(live_marks.give_hint, self.sheet_of(work), step)
        if level <= live_marks.MAX_HINTS:
            with self._storing():
                await self.store.hint(learner.id, code, step, level, work.at)
            work.hints[step] = max(level, work.hints.get(step, 0))
        self.changed(code)
        return {"hint": found, "step": step, **work.help}

    def has_typed(self, learner: Learner) -> bool:
        """Whether a learner has typed anything."""
        return any(self.sheet_states[key].answers for key in self.sheet_states.of(learner.id))

    def list_orphans(self) -> list[Message]:
        """The learners who have typed something and whose seat was emptied: it can be given back."""
        left = [one for one in self.people.by_id.values() if one.state == LEFT and self.has_typed(one)]
        return [
            {
                "learner": one.id,
                "nick": one.nick,
                "code": one.code,
                "numbers": sum(len(self.sheet_states[key].filled) for key in self.sheet_states.of(one.id)),
                "taken": self.people.holder(one.code) is not None,
            }
            for one in left
            if one.code in self.folder.register.by_code and self.people.holder(one.code) is not one
        ]

    def mark_outdated(self) -> None:
        """Mark every sheet again that is not marked as it stands now: other steps are open, perhaps."""
        for work in self.sheet_states.values():
            if work.answers and not work.is_marked(self.controls.until(work.code)):
                self._want_marks(work)

    def changed(self, *sheets: str) -> None:
        """Tell the teacher's page that there is something to fetch."""
        self.seats.touch(*sheets)
        self.listeners.publish(TEACHER_NUMBER, {"grid": True})

    def drop(self, learner: Learner) -> None:
        """Forget the work of a learner."""
        for key in self.sheet_states.of(learner.id):
            self.marker.drop(key)
            self._unkept.pop(key, None)
            del self.sheet_states[key]

    def _came_or_went(self, whom: int) -> None:
        if learner := self.people.by_id.get(whom):
            self.changed(*self.sheets(learner))

    def _check_open(self, learner: Learner) -> None:
        if learner.state != IN:
            raise HandcalcError(refusals.NOT_LET_IN)
        if self.controls.state["paused"]:
            is_over = self.controls.state["over"]
            raise refusals.PausedError(refusals.CLASS_OVER if is_over else refusals.CLASS_PAUSED)

    def _work(self, learner: Learner, code: str) -> SheetState:
        """The work of a learner on one of their sheets. Raises HandcalcError for any other."""
        if code not in self.sheets(learner):
            raise HandcalcError(f"{short(code)} is not one of your sheets.")
        return self.sheet_states.open(learner.id, code)

    def sheet_of(self, work: SheetState) -> live_marks.LiveSheet:
        """The sheet as a marking process needs it."""
        return live_marks.LiveSheet(
            str(self.folder.numbers.folder),
            work.code,
            work.typed,
            dict(work.hints),
            work.closed_after(self.controls.until(work.code)),
            self.folder.settings.solutions,
        )

    def _want_marks(self, work: SheetState) -> None:
        self.marker.want((work.learner, work.code), len(work.answers), self.sheet_of(work))

    def _take_marks(self, key: tuple[int, str], upto: int, found: live_marks.Json) -> None:
        """Take in newer marks of a sheet."""
        work = self.sheet_states.get(key)
        if work:  # the learner has not been forgotten meanwhile
            work.take_marks(upto, found)
            self._unkept[key] = work
            self.listeners.publish(work.learner, {"marks": self.sheet_states.page(work)})
            self.changed(work.code)

    async def _beating(self) -> None:
        """Store marks now and then, and mark again what was lost."""
        await self.controls.keep()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self._keep_marks()
            self.marker.mark_lost()
            with suppress(Exception):  # a process may have ended: the next beat looks for copies again
                await self.doubts.look()

    async def _keep_marks(self) -> None:
        unkept, self._unkept = self._unkept, {}
        try:
            await self.store.keep_marks([work.stored_mark() for work in unkept.values()])
            if unkept:
                self._tell_trouble("")
        except Exception as error:  # noqa: BLE001 - the teacher reads of it, and it is tried again
            still = {key: work for key, work in unkept.items() if self.sheet_states.get(key) is work}
            self._unkept = still | self._unkept
            told = (
                str(error)
                if isinstance(error, DatabaseError)
                else refusals.MARKS_UNSTORED.format(short(error))
            )
            self._tell_trouble(told)

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Report a failure to store: to the teacher in full, to learners without our files."""
        try:
            yield
        except DatabaseError as error:
            self._tell_trouble(str(error))
            raise refusals.UnstoredError(refusals.ANSWERS_UNSTORED) from error

    def _tell_trouble(self, sentence: str) -> None:
        if self._trouble != sentence:
            self._trouble = sentence
            self.changed()


def open_live_class(folder: ClassFolder, database: str = "", *, processes: int | None = None) -> LiveClass:
    """The room of a class; its answers are in class.db in its folder, unless another database is named.

    To be called where a loop runs. Raises DatabaseError where the database cannot be used.
    """
    store = AnswerStore(database or own_address(folder.path), folder.settings.title, is_serving=True)
    return LiveClass(folder, store, processes=processes)
