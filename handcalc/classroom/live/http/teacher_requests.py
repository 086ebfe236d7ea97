"""The teacher's and the projector's requests."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path

from tornado import iostream

from handcalc.classroom.folder.folder_layout import (
    MARKS_FILE,
    MARKS_TABLE,
    REPORT_PAGE,
    REPORT_TABLE,
    printed_names,
)
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.http import messages
from handcalc.classroom.live.http.connections import ConnectionRank
from handcalc.classroom.live.http.request_handler import ClassRequestHandler
from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state.class_grid import find_changes
from handcalc.classroom.live.state.projector import project_class
from handcalc.classroom.live.state.seat_watch import ALL_IS_WELL, EMPTY_SEATS
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.parse_number import parse_number

EVENT_SECONDS = 0.5  # between two events at least
QUIET_EVENT_SECONDS = 2.5  # after which an unchanged state is sent, too: the page is up to date
REMADE_FILES = (MARKS_TABLE, REPORT_PAGE, REPORT_TABLE)
PRINTED_FILES = printed_names(1)
TEACHER_FILES = (*REMADE_FILES, *PRINTED_FILES)


class TeacherHandler(ClassRequestHandler):
    """The base of requests that nobody but the teacher may make."""

    async def prepare(self) -> None:
        await self.check_teacher()

    def grid(self) -> Json:
        """The grid, as the teacher sees it."""
        found = {
            **self.live.grid.whole(),
            "projector": self.live.projector,
            "alarms": self.live.watch.list_alarms(),
        }
        return {**found, "unreachable": self.live.unreachable}


class EventStream(ClassRequestHandler):
    """Server-sent events: the whole state first, then changes, twice a second at most."""

    is_over = False
    rank = ConnectionRank.TEACHER  # requests without a token do not get this far

    async def send(self) -> None:
        """Send events until the page is closed, or the class is over."""
        self.live.add_listener(self)
        try:
            await self._send()
        finally:
            self.live.remove_listener(self)

    def end(self) -> None:
        """Send no more."""
        self.is_over = True

    def on_connection_close(self) -> None:
        self.end()

    async def _send(self) -> None:
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("X-Accel-Buffering", "no")  # a proxy passes each event on at once
        before: Json = {}
        quiet = 0.0
        while not self.is_over:
            now = await self.seen()
            new = find_changes(before, now) if before else {"whole": True, **now}
            if not before or quiet >= QUIET_EVENT_SECONDS or new.keys() - {"at"}:
                self.write(f"data: {json.dumps(new)}\n\n")
                try:
                    await self.flush()
                except iostream.StreamClosedError:
                    return
                before, quiet = now, 0.0
            await asyncio.sleep(EVENT_SECONDS)
            quiet += EVENT_SECONDS

    async def seen(self) -> Json:
        """The state that the page should show now."""
        raise NotImplementedError


class ClassHandler(TeacherHandler):
    """Send the grid, as the teacher sees it."""

    def get(self) -> None:
        self.finish_json(self.grid())


class ClassEvents(TeacherHandler, EventStream):
    """Send the grid as it changes."""

    async def get(self) -> None:
        await self.send()

    async def seen(self) -> Json:
        return self.grid()


class LookHandler(TeacherHandler):
    """Send one step of a sheet, or all of it."""

    async def get(self) -> None:
        code, step = (self.get_query_argument(name, "") for name in ("code", "step"))
        self.finish_json(await self.room.controls.look(code, step))


class DecisionHandler(TeacherHandler):
    """Carry out a decision of the teacher."""

    async def post(self) -> None:
        what, about = messages.read_decision(self.body)
        if what in (EMPTY_SEATS, ALL_IS_WELL):
            await self.live.watch.decide(what, about.get("alarm"), self.room.controls, about.get("keep", ()))
            told: Json | None = None
        else:
            told = await self.room.controls.decide(what, **about)
            if what == "give_back":
                self.live.watch.gave_back(self.room.people.learner(about["learner"]))
        if what == "forget":
            await self._renew()
        self.finish({"done": True, **(told or {})})

    async def _renew(self) -> None:
        """Renew earlier files, so that they tell nothing more of a deleted learner."""
        try:
            await asyncio.to_thread(renew_downloads, self.room.folder, self.room.store.address)
        except HandcalcError as error:
            raise HandcalcError(
                f"Deleted from the class, but not yet from marks and report: {error}"
            ) from error


class ProjectorEvents(EventStream):
    """Events for the projector; `told` is the number that is shown, with its arithmetic."""

    told: tuple[Json | None, Json | None] = None, None

    async def get(self) -> None:
        await self.check_projector()
        await self.send()

    async def seen(self) -> Json:
        grid = self.live.grid.nameless()
        found = project_class(grid, self.to_join, await self.number(grid["shown"]))
        return {"at": grid["at"], "unreachable": self.live.unreachable, **found}

    @property
    def to_join(self) -> str:
        """The address where phones join."""
        asked = f"{self.request.protocol}://{self.request.host}/"
        return self.live.joined_at or self.room.folder.settings.address or asked

    async def number(self, shown: Json | None) -> Json | None:
        """The arithmetic of the number that is shown, and the answer written there, if that is wanted."""
        if not shown or shown.get("kind") != "number":
            return None
        if self.told[0] != shown:
            self.told = shown, await self._told(shown)
        return self.told[1]

    async def _told(self, shown: Json) -> Json | None:
        try:
            step, row, column = str(shown["step"]), int(shown["row"]), int(shown["column"])
            told = await self.room.controls.explain(shown["code"], step, row, column)
            if shown.get("asked"):  # the answer is shown once the class has thought
                told = {**told, "html": "", "spoken": ""}
            if shown.get("written"):
                [seen] = (await self.room.controls.look(shown["code"], step))["steps"]
                cells = seen["cells"]
                text = cells[row][column]["text"]
                told |= (
                    {} if math.isnan(parse_number(text).value) else {"written": text}
                )  # a class gets to see numbers, never words
        except (HandcalcError, KeyError, TypeError, ValueError):
            return None
        return told


class DownloadHandler(TeacherHandler):
    """A file of the class, made anew if it depends on what has happened since."""

    async def get(self, name: str) -> None:
        path = await asyncio.to_thread(make_download, self.room.folder, name, self.room.store.address)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(path.read_bytes())


TEACHER_ROUTES: list[tuple[str, type[ClassRequestHandler]]] = [
    (r"/api/class", ClassHandler),
    (r"/api/class/events", ClassEvents),
    (r"/api/class/look", LookHandler),
    (r"/api/class/do", DecisionHandler),
    (f"/api/class/({'|'.join(map(re.escape, TEACHER_FILES))})", DownloadHandler),
    (r"/api/projector", ProjectorEvents),
]


def make_download(folder: ClassFolder, name: str, database: str = "") -> Path:
    """The path of one of FILES. Raises HandcalcError for a file that the class does not have."""
    if name in REMADE_FILES:
        _mark(ClassFolder(folder.path), name, database)
    path = folder.path / name
    if not path.is_file():
        raise HandcalcError(f"This class has no {name}; its folder is {short_path(folder.path)}.")
    return path


def renew_downloads(folder: ClassFolder, database: str = "") -> None:
    """Make earlier files anew, so that they tell nothing more of a deleted student."""
    if any((folder.path / name).exists() for name in (MARKS_FILE, *REMADE_FILES)):
        has_report = any((folder.path / name).exists() for name in (REPORT_PAGE, REPORT_TABLE))
        _mark(ClassFolder(folder.path), REPORT_PAGE if has_report else MARKS_TABLE, database)


def _mark(folder: ClassFolder, name: str, database: str) -> None:
    from handcalc.classroom.marking import mark_class
    from handcalc.classroom.marking.results import read_results
    from handcalc.classroom.report.report_page import save_report

    mark_class.mark_submissions(folder, [], database=database)
    if name != MARKS_TABLE:
        save_report(folder, read_results(folder))
