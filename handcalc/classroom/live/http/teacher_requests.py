"""The teacher's and the projector's requests."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from typing import Any

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
from handcalc.classroom.live.http.connections import Rank
from handcalc.classroom.live.http.web import Handler
from handcalc.classroom.live.state.class_grid import changes
from handcalc.classroom.live.state.projector import projected
from handcalc.classroom.live.state.seat_watch import EMPTY, WELL
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.parse_number import parse_number

Json = dict[str, Any]
BEAT = 0.5  # seconds between two events at least
REST = 2.5  # seconds after which an event comes though nothing has changed: the page is up to date
MADE_ANEW = (MARKS_TABLE, REPORT_PAGE, REPORT_TABLE)
PRINTED_FILES = printed_names(1)
TEACHER_FILES = (*MADE_ANEW, *PRINTED_FILES)


class Teacher(Handler):
    """What nobody but the teacher may ask for."""

    async def prepare(self) -> None:
        await self.check_teacher()

    def grid(self) -> Json:
        """All that the teacher sees."""
        found = {**self.live.grid.now(), "projector": self.live.projector, "alarms": self.live.watch.told()}
        return {**found, "unreachable": self.live.unreachable}


class Stream(Handler):
    """Server-sent events: all of it first, then what has changed, twice a second at most."""

    is_over = False
    rank = Rank.TEACHER  # whoever has no token does not come so far

    async def send(self) -> None:
        """Until the page is closed, or the class is over."""
        self.live.open_to(self)
        try:
            await self._send()
        finally:
            self.live.closed(self)

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
            new = changes(before, now) if before else {"whole": True, **now}
            if not before or quiet >= REST or new.keys() - {"at"}:
                self.write(f"data: {json.dumps(new)}\n\n")
                try:
                    await self.flush()
                except iostream.StreamClosedError:
                    return
                before, quiet = now, 0.0
            await asyncio.sleep(BEAT)
            quiet += BEAT

    async def seen(self) -> Json:
        """What the page should show now."""
        raise NotImplementedError


class Class(Teacher):
    """All that the teacher sees."""

    def get(self) -> None:
        self.finish_packed(self.grid())


class Events(Teacher, Stream):
    """The same as it changes."""

    async def get(self) -> None:
        await self.send()

    async def seen(self) -> Json:
        return self.grid()


class Look(Teacher):
    """One step of one sheet."""

    async def get(self) -> None:
        code, step = (self.get_query_argument(name, "") for name in ("code", "step"))
        self.finish_packed(await self.room.desk.look(code, step))


class Do(Teacher):
    """What the teacher decides."""

    async def post(self) -> None:
        what, about = messages.decision(self.body)
        if what in (EMPTY, WELL):
            await self.live.watch.decide(what, about.get("alarm"), self.room.desk)
            told: Json | None = None
        else:
            told = await self.room.desk.do(what, **about)
        if what == "forget":
            await self._renew()
        self.finish({"done": True, **(told or {})})

    async def _renew(self) -> None:
        """Files that were made before tell nothing more of who was deleted."""
        try:
            await asyncio.to_thread(renew_downloads, self.room.folder, self.room.store.address)
        except HandcalcError as error:
            raise HandcalcError(
                f"Deleted from the class, but not yet from marks and report: {error}"
            ) from error


class Projected(Stream):
    """What the projector shows; `told` is the number that is shown, with its arithmetic."""

    told: tuple[Json | None, Json | None] = None, None

    async def get(self) -> None:
        await self.check_projector()
        await self.send()

    async def seen(self) -> Json:
        grid = self.live.grid.shared()
        found = projected(grid, self.to_join, await self.number(grid["shown"]))
        return {"at": grid["at"], "unreachable": self.live.unreachable, **found}

    @property
    def to_join(self) -> str:
        """Where phones join."""
        asked = f"{self.request.protocol}://{self.request.host}/"
        return self.live.joined_at or self.room.folder.settings.address or asked

    async def number(self, shown: Json | None) -> Json | None:
        """The arithmetic of the number that is shown, and what was written, where that is wanted."""
        if not shown or shown.get("kind") != "number":
            return None
        if self.told[0] != shown:
            self.told = shown, await self._told(shown)
        return self.told[1]

    async def _told(self, shown: Json) -> Json | None:
        try:
            step, row, column = str(shown["step"]), int(shown["row"]), int(shown["column"])
            told = await self.room.desk.explain(shown["code"], step, row, column)
            if shown.get("asked"):  # the answer comes when the class has thought
                told = {**told, "html": "", "spoken": ""}
            if shown.get("written"):
                cells = (await self.room.desk.look(shown["code"], step))["cells"]
                text = cells[row][column]["text"]
                told |= (
                    {} if math.isnan(parse_number(text).value) else {"written": text}
                )  # no words to a class
        except (HandcalcError, KeyError, TypeError, ValueError):
            return None
        return told


class Download(Teacher):
    """A file of the class, made anew where it tells of what has happened."""

    async def get(self, name: str) -> None:
        path = await asyncio.to_thread(make_download, self.room.folder, name, self.room.store.address)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(path.read_bytes())


HANDLERS: list[tuple[str, type[Handler]]] = [
    (r"/api/class", Class),
    (r"/api/class/events", Events),
    (r"/api/class/look", Look),
    (r"/api/class/do", Do),
    (f"/api/class/({'|'.join(map(re.escape, TEACHER_FILES))})", Download),
    (r"/api/projector", Projected),
]


def make_download(folder: ClassFolder, name: str, database: str = "") -> Path:
    """The path of one of FILES. Raises HandcalcError for a file that the class does not have."""
    if name in MADE_ANEW:
        _mark(ClassFolder(folder.path), name, database)
    path = folder.path / name
    if not path.is_file():
        raise HandcalcError(f"This class has no {name}; its folder is {short_path(folder.path)}.")
    return path


def renew_downloads(folder: ClassFolder, database: str = "") -> None:
    """Make those anew that were made before: they tell nothing more of somebody who was deleted."""
    if any((folder.path / name).exists() for name in (MARKS_FILE, *MADE_ANEW)):
        has_report = any((folder.path / name).exists() for name in (REPORT_PAGE, REPORT_TABLE))
        _mark(ClassFolder(folder.path), REPORT_PAGE if has_report else MARKS_TABLE, database)


def _mark(folder: ClassFolder, name: str, database: str) -> None:
    from handcalc.classroom.marking import mark_class
    from handcalc.classroom.marking.results import results
    from handcalc.classroom.report import save_report

    mark_class.mark(folder, [], database=database)
    if name != MARKS_TABLE:
        save_report(folder, results(folder))
