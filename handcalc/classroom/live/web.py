"""The class's pages and their requests, by tornado: JSON in, JSON out, tokens in a header, no cookies."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from pathlib import Path
from typing import Any

from tornado import web
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.websocket import WebSocketHandler

from handcalc.classroom.live.grid import Grid
from handcalc.classroom.live.people import Learner
from handcalc.classroom.live.room import PausedError, Room, UnstoredError
from handcalc.classroom.live.store import ReusedError
from handcalc.errors import HandcalcError
from handcalc.views import assets

PAGE = Path(__file__).parent / "page"
PORT = 8737
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws:"
STATUS = {PausedError: 423, UnstoredError: 503, ReusedError: 409}


class Live:
    """What all handlers share: the room, and the teacher's token."""

    def __init__(self, room: Room, teacher: str = "") -> None:
        self.room = room
        self.teacher = teacher or secrets.token_hex(16)
        self.projector = secrets.token_hex(16)  # lets a page see what the projector shows, and nothing else
        self.grid = Grid(room)


class Handler(web.RequestHandler):
    """One request; what goes wrong is one sentence, as JSON."""

    def initialize(self, live: Live) -> None:
        self.live, self.room = live, live.room

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Cache-Control", "no-store")

    def write_error(self, status_code: int, **options: Any) -> None:
        error = options.get("exc_info", (None, None))[1]
        if isinstance(error, HandcalcError):
            self.set_status(STATUS.get(type(error), 400))
            self.finish({"sentence": str(error)})
        else:
            self.finish({"sentence": str(getattr(error, "log_message", None) or self._reason)})

    def log_exception(self, *about: Any) -> None:
        if not isinstance(about[1], HandcalcError):
            super().log_exception(*about)

    @property
    def token(self) -> str:
        return self.request.headers.get("Authorization", "").removeprefix("token ")

    @property
    def learner(self) -> Learner:
        found = self.room.learner(self.token)
        if found is None:
            raise web.HTTPError(403, "Join first, with the code on your sheet.")
        return found

    def check_teacher(self) -> None:
        """Refuse everybody but the teacher."""
        if not _are_same(self.token, self.live.teacher):
            raise web.HTTPError(403, "This is the teacher's page; open the address that the server printed.")

    def check_projector(self) -> None:
        """Refuse everybody but the projector and the teacher."""
        if not (_are_same(self.token, self.live.projector) or _are_same(self.token, self.live.teacher)):
            raise web.HTTPError(403, "This is the projector's page; open it from the teacher's page.")

    @property
    def body(self) -> dict[str, Any]:
        try:
            found = json.loads(self.request.body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise web.HTTPError(400, "This is not JSON.")
        return found


def _are_same(one: str, other: str) -> bool:
    digests = (hashlib.sha256(text.encode()).digest() for text in (one, other))
    return hmac.compare_digest(*digests)


class Page(Handler):
    """One of the three pages."""

    def get(self, name: str = "") -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish((PAGE / f"{name or 'learner'}.html").read_bytes())


class File(Handler):
    """The pages' scripts and styles; handcalc.js and handcalc.css are what notebooks have."""

    def get(self, name: str) -> None:
        joined = {"handcalc.js": assets.script, "handcalc.css": assets.style}
        path = PAGE / name
        if name not in joined and not path.is_file():
            raise web.HTTPError(404, "There is no such page.")
        self.set_header("Content-Type", f"{TYPES[path.suffix]}; charset=utf-8")
        self.finish(joined[name]() if name in joined else path.read_bytes())


class Join(Handler):
    """A code for a ticket."""

    async def post(self) -> None:
        token, learner = await self.room.join(str(self.body.get("code", "")), str(self.body.get("nick", "")))
        self.finish({"token": token, "state": learner.state})


class Sheet(Handler):
    """What a learner works on."""

    async def get(self) -> None:
        self.finish(await self.room.sheet(self.learner, self.get_query_argument("code", "")))


class Answers(Handler):
    """What was typed; acknowledged when it is stored."""

    async def post(self) -> None:
        body = self.body
        self.finish({"acknowledged": await self.room.answer(self.learner, body["code"], body["answers"])})


class Hint(Handler):
    """The next hint."""

    async def post(self) -> None:
        self.finish({"hint": await self.room.hint(self.learner, self.body["code"], self.body["step"])})


class Marks(Handler, WebSocketHandler):
    """Marks as they come: the first message says whose."""

    def on_message(self, message: str | bytes) -> None:
        learner = self.room.learner(str(json.loads(message).get("token")))
        if learner is None:
            self.close(4403, "Join first.")
            return
        self.stop = self.room.listen(learner.id, self.tell)

    def tell(self, what: dict[str, Any]) -> None:
        """Send one message, if anybody is there."""
        if self.ws_connection:
            self.write_message(json.dumps(what))

    def on_close(self) -> None:
        if hasattr(self, "stop"):
            self.stop()


def application(live: Live) -> web.Application:
    """The whole server."""
    from handcalc.classroom.live import teaching

    found = [
        (r"/", Page), (r"/(teacher|projector)", Page), (r"/files/([\w.]+)", File),
        (r"/api/join", Join), (r"/api/sheet", Sheet), (r"/api/answers", Answers), (r"/api/hint", Hint),
        (r"/api/live", Marks), *teaching.HANDLERS,
    ]  # fmt: skip
    return web.Application([(pattern, handler, {"live": live}) for pattern, handler in found])


async def serve(live: Live, port: int = PORT, address: str = "127.0.0.1") -> HTTPServer:
    """Begin to listen; port 0 takes a free one."""
    server = HTTPServer(application(live))
    server.add_sockets(bind_sockets(port, address))
    return server
