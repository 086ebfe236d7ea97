"""The teacher's and the projector's requests."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tornado import iostream, web

from handcalc.classroom.live.grid import changes
from handcalc.classroom.live.projecting import projected
from handcalc.classroom.live.web import Handler
from handcalc.errors import HandcalcError

Json = dict[str, Any]
BEAT = 0.5  # seconds between two events at least
REST = (
    2.5  # seconds after which an event comes though nothing has changed: it says that the page is up to date
)


class Teacher(Handler):
    """What nobody but the teacher may ask for."""

    def prepare(self) -> None:
        self.check_teacher()

    def grid(self) -> Json:
        """All that the teacher sees."""
        return {**self.live.grid.now(), "projector": self.live.projector}


class Stream(Handler):
    """Server-sent events: all of it first, then what has changed, twice a second at most."""

    async def send(self) -> None:
        """Until the page is closed."""
        self.set_header("Content-Type", "text/event-stream")
        before: Json = {}
        quiet = 0.0
        while True:
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
        self.finish(self.grid())


class Events(Teacher, Stream):
    """The same as it changes."""

    async def get(self) -> None:
        await self.send()

    async def seen(self) -> Json:
        return self.grid()


class Look(Teacher):
    """One step of one sheet."""

    async def get(self) -> None:
        self.finish(
            await self.room.desk.look(self.get_query_argument("code"), self.get_query_argument("step"))
        )


class Do(Teacher):
    """What the teacher decides."""

    async def post(self) -> None:
        about = self.body
        await self.room.desk.do(str(about.pop("do", "")), **about)
        self.finish({"done": True})


class Projected(Stream):
    """What the projector shows."""

    async def get(self) -> None:
        self.check_projector()
        await self.send()

    async def seen(self) -> Json:
        grid = self.live.grid.now()
        return {"at": grid["at"], **projected(grid, self.address, await self.number(grid["shown"]))}

    @property
    def address(self) -> str:
        """Where phones join."""
        return self.room.folder.settings.address or f"{self.request.protocol}://{self.request.host}/"

    async def number(self, shown: Json | None) -> Json | None:
        """The arithmetic of the number that is shown, and what was written, where that is wanted."""
        if not shown or shown.get("kind") != "number":
            return None
        try:
            step, row, column = str(shown["step"]), int(shown["row"]), int(shown["column"])
            told = await self.room.desk.explain(shown["code"], step, row, column)
            if shown.get("written"):
                cells = (await self.room.desk.look(shown["code"], step))["cells"]
                told["written"] = cells[row][column]["text"]
        except (HandcalcError, KeyError, TypeError, ValueError):
            return None
        return told


HANDLERS: list[tuple[str, type[web.RequestHandler]]] = [
    (r"/api/class", Class),
    (r"/api/class/events", Events),
    (r"/api/class/look", Look),
    (r"/api/class/do", Do),
    (r"/api/projector", Projected),
]
