"""The base of all request handlers: JSON in, JSON out, tokens in a header, no cookies, permissions."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import secrets
from collections.abc import Awaitable
from typing import Any

from tornado import web

from handcalc.classroom.handouts.class_folder import ClassSettings
from handcalc.classroom.live.http import messages
from handcalc.classroom.live.http.connections import ConnectionRank, OpenConnections
from handcalc.classroom.live.http.rate_limits import RateLimits, group_address
from handcalc.classroom.live.http.security import SECURITY_HEADERS
from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state.class_grid import ClassGrid
from handcalc.classroom.live.state.live_class import LiveClass
from handcalc.classroom.live.state.people import IN, Learner
from handcalc.classroom.live.state.refusals import RefusedError, StrangerError, TooManyError
from handcalc.classroom.live.state.seat_watch import SeatWatch
from handcalc.classroom.store.answer_store import ReusedError
from handcalc.foundation.errors import HandcalcError

MIN_PACKED_BYTES = 1_000  # fewer are not worth compressing
MAX_LISTENERS = 3_000
CLASS_HEADER = "Class"  # the header in which a page names its class
STATUS_SENTENCES = {
    400: "This is not what a page of the class sends.",
    404: "There is no such page.",
    405: "That cannot be asked here.",
}
OUR_FAULT = "Something went wrong on the teacher’s computer; try again."


UNREACHABLE = (
    "Phones cannot reach this address: it works on this computer only. End the class with Ctrl-C, and start "
    "it again with --lan."
)


class LiveServer:
    """The state that all handlers share: the room, limits, and the teacher's token, random for a Hub."""

    def __init__(self, room: LiveClass, teacher: str | None = None, limits: RateLimits | None = None) -> None:
        self.room = room
        self.teacher = secrets.token_hex(16) if teacher is None else teacher
        self.projector = _derived(self.teacher)  # lets a page see the projector's contents, and nothing else
        self.class_id = identify_class(room.folder.settings)  # tells pages which class they belong to
        self.run = secrets.token_hex(4)  # tells pages that the server has been restarted
        self.way_back = "open the address that the server printed"  # for a teacher without a token
        self.joined_at = ""  # the address for phones, where it is known
        self.is_reachable = True  # whether phones can connect, as far as is known
        self.grid = ClassGrid(room)
        self.watch = SeatWatch(room.people, room.listeners.has)  # for people who take many seats
        self.limits = limits or RateLimits()
        self.open_connections = OpenConnections()  # of all connections
        self.most = MAX_LISTENERS
        self.listeners: dict[Any, None] = {}  # open WebSockets and streams of events, oldest first

    @property
    def unreachable(self) -> str:
        """A sentence for when phones cannot come, shown beside the QR code that leads nowhere."""
        return "" if self.is_reachable else UNREACHABLE

    def add_listener(self, listener: Any) -> None:
        """Add a listener; in a crowd, one without a ticket, or one who waits, has to go.

        Raises TooManyError where all have a seat, but never for the teacher.
        """
        if len(self.listeners) >= self.most:
            first = min(self.listeners, key=lambda one: one.rank)
            if first.rank <= ConnectionRank.GUEST:
                self.remove_listener(first)
                first.end()
            elif listener.rank is not ConnectionRank.TEACHER:
                raise TooManyError("Too many pages are open; close some, then load this one again.", 5)
        self.listeners[listener] = None

    def remove_listener(self, listener: Any) -> None:
        """Remove a listener."""
        self.listeners.pop(listener, None)


def _derived(teacher: str) -> str:
    """A token that stays the same after a restart, and reveals nothing of the teacher's."""
    return hashlib.sha256(f"projector {teacher}".encode()).hexdigest()[:32]


class ClassRequestHandler(web.RequestHandler):
    """One request; any failure is one sentence, as JSON."""

    def initialize(self, live: LiveServer) -> None:
        self.live, self.room, self.limits = live, live.room, live.limits

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in SECURITY_HEADERS.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **options: Any) -> None:
        error = options.get("exc_info", (None, None))[1]
        sentence = OUR_FAULT if status_code >= 500 else STATUS_SENTENCES.get(status_code)
        if isinstance(error, HandcalcError):
            self.set_status(409 if isinstance(error, ReusedError) else getattr(error, "status", 400))
            sentence = str(error)
            if isinstance(error, TooManyError):
                self.set_header("Retry-After", str(int(error.seconds) + 1))
        self.explain(sentence or "This is not answered here.")

    def explain(self, sentence: str) -> None:
        """Say what is wrong, and nothing else."""
        self.finish({"sentence": sentence})

    def log_exception(self, *about: Any) -> None:
        """Log errors of ours only; a user's mistake is told to the user."""
        if not isinstance(about[1], HandcalcError | web.HTTPError):
            super().log_exception(*about)

    @property
    def token(self) -> str:
        """The ticket that came with the request."""
        kind, _, token = self.request.headers.get("Authorization", "").partition(" ")
        return token if kind == "token" else ""

    @property
    def address(self) -> str:
        """The address that the request comes from."""
        return group_address(self.request.remote_ip)

    def prepare(self) -> Awaitable[None] | None:
        """Refuse requests from a page of another class, once served from this address."""
        if self.request.headers.get(CLASS_HEADER, self.live.class_id) != self.live.class_id:
            raise RefusedError("This page is of another class; load it again.", 421)
        return None

    async def find_learner(self) -> Learner:
        """The learner who asks. Raises StrangerError for one who has not joined."""
        found = self.room.people.by_token(self.token)
        if found is None:
            self.limits.wrong_tokens.take(self.address)
            raise StrangerError("Join first, with the code on your sheet.")
        self.limits.requests.take(found.id)
        self.keep_connection(found)
        return found

    async def check_teacher(self) -> None:
        """Raise StrangerError for everybody but the teacher."""
        self._check(f"This is the teacher’s page; {self.live.way_back}.", self.live.teacher)

    async def check_projector(self) -> None:
        """Raise StrangerError for everybody but the projector and the teacher."""
        self._check("Open this page from the teacher’s page.", self.live.projector, self.live.teacher)

    def _check(self, sentence: str, *tokens: str) -> None:
        if not any(_are_same(self.token, token) for token in tokens if token):
            self.limits.wrong_tokens.take(self.address)
            raise StrangerError(sentence)
        self.keep_connection()

    def keep_connection(self, learner: Learner | None = None) -> None:
        """Keep learners, or else the teacher, from being crowded out by those without a ticket or a seat."""
        stream = getattr(self.request.connection, "stream", None)
        rank, whose = (rank_learner(learner), learner.id) if learner else (ConnectionRank.TEACHER, 0)
        if one_too_many := self.live.open_connections.identify(stream, rank, whose):
            self.live.open_connections.remove(one_too_many)
            one_too_many.close()

    @property
    def body(self) -> Json:
        """The body of the request, as JSON."""
        return messages.read_json_body(self.request.body, self.request.headers.get("Content-Type", ""))

    def finish_json(self, found: Json) -> None:
        """Answer with JSON, compressed: so it must have no token in it, and no text of another person's."""
        data = json.dumps(found, separators=(",", ":")).encode()
        self.finish_packed("application/json", data)

    def finish_packed(self, kind: str, data: bytes, packed: bytes | None = None) -> None:
        """Answer, compressed where that is worth it."""
        self.set_header("Content-Type", f"{kind}; charset=UTF-8")
        self.set_header("Vary", "Accept-Encoding")
        if len(data) >= MIN_PACKED_BYTES and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            data = gzip.compress(data, 6) if packed is None else packed
        self.finish(data)


def identify_class(settings: ClassSettings) -> str:
    """The name of a class under which pages keep their tickets; it tells nothing of its secret."""
    about = f"page {settings.title} {settings.seed} {settings.secret}"
    return hashlib.sha256(about.encode()).hexdigest()[:12]


def rank_learner(learner: Learner) -> ConnectionRank:
    """The rank of a learner: whether they have a seat."""
    return ConnectionRank.SEATED if learner.state == IN else ConnectionRank.GUEST


def _are_same(token: str, wanted: str) -> bool:
    """Compare in a time that does not depend on where the two differ."""
    return hmac.compare_digest(token.encode("utf-8", "replace"), wanted.encode())
