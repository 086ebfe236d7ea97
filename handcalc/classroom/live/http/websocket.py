"""A learner's marks as they come, by WebSocket."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from handcalc.classroom.live.http import messages
from handcalc.classroom.live.http.connections import ConnectionRank
from handcalc.classroom.live.http.request_handler import ClassRequestHandler, rank_learner
from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state.refusals import RefusedError, TooManyError

MAX_PAGES_OF_LEARNER = 3  # a phone, a laptop, and one that is gone without the server knowing
HELLO_SECONDS = 10  # for a new socket to name its learner
CLASS_OVER_CODE = 1001  # a WebSocket's codes for why it is closed
TRY_LATER_CODE = 1013
UNWANTED_CODE = 1008
JOIN_FIRST_CODE = 4403


class MarksSocket(ClassRequestHandler, WebSocketHandler):
    """A learner's marks as they come: the first message names the learner."""

    def initialize(self, live: Any) -> None:
        super().initialize(live)
        self.whose: int | None = None
        self.stop: Callable[[], None] = lambda: None
        self.waiting: Json = {}  # the newest marks of each sheet, and decisions
        self.is_telling = False

    @property
    def rank(self) -> ConnectionRank:
        """The rank of this connection: whether its learner is known, and has a seat."""
        learner = self.room.people.by_id.get(self.whose or 0)
        return rank_learner(learner) if learner else ConnectionRank.STRANGER

    def check_origin(self, origin: str) -> bool:  # checked for every request before
        return True

    def open(self, *_: str, **__: str) -> None:
        try:
            self.live.add_listener(self)
        except TooManyError as error:
            self.close(TRY_LATER_CODE, str(error))
        IOLoop.current().call_later(HELLO_SECONDS, self._hurry)

    async def on_message(self, message: str | bytes) -> None:
        if self.whose is not None or not isinstance(message, str):
            self.close(UNWANTED_CODE, "One message is enough: whose marks these are.")
            return
        try:
            body = messages.read_json_body(message.encode("utf-8", "replace"))
            await self._begin(messages.read_string(body, "token"))
        except TooManyError as error:
            self.close(TRY_LATER_CODE, str(error))
        except RefusedError:
            self.close(JOIN_FIRST_CODE, "Join first.")

    async def _begin(self, token: str) -> None:
        self.request.headers["Authorization"] = f"token {token}"
        learner = await self.find_learner()
        self.whose = learner.id
        own = [
            one
            for one in self.live.listeners
            if getattr(one, "whose", None) == learner.id and one is not self
        ]
        if len(own) >= MAX_PAGES_OF_LEARNER:
            min(own, key=lambda one: one.since).close(UNWANTED_CODE, "This sheet is open on other pages.")
        self.since = IOLoop.current().time()
        self.stop = self.room.listeners.add(learner.id, self.publish)

    def publish(self, what: Json) -> None:
        """Send a message, or a newer one by then, as soon as the one before has gone out."""
        kind = what["marks"]["code"] if "marks" in what else "decided"
        self.waiting[kind] = {**self.waiting.get(kind, {}), **what}
        if not self.is_telling:
            self.is_telling = True
            IOLoop.current().add_callback(self._send)

    async def _send(self) -> None:
        try:
            while self.waiting:
                await self.write_message(json.dumps(self.waiting.pop(next(iter(self.waiting)))))
        except WebSocketClosedError:
            self.waiting = {}
        finally:
            self.is_telling = False

    def on_close(self) -> None:
        self.stop()
        self.live.remove_listener(self)

    def end(self) -> None:
        """Close the socket: the class is over."""
        self.close(CLASS_OVER_CODE, "The class is over.")

    def _hurry(self) -> None:
        if self.whose is None:
            self.close(JOIN_FIRST_CODE, "Join first.")
