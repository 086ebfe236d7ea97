"""The routes of requests, and the address where the server listens."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterable, Sequence
from typing import Any

from tornado import web

from handcalc.classroom.live.http import learner_requests, teacher_requests
from handcalc.classroom.live.http.pages import FileHandler, PageHandler
from handcalc.classroom.live.http.request_handler import ClassRequestHandler, LiveServer
from handcalc.classroom.live.http.security import MAX_CONNECTIONS, ClassHTTPServer
from handcalc.classroom.live.http.websocket import MarksSocket
from handcalc.foundation.errors import HandcalcError

DEFAULT_PORT = 8737
MAX_BACKLOG = 512  # connections not yet accepted: a class comes all at once
LOCAL_ADDRESS, ALL_ADDRESSES = "127.0.0.1", "0.0.0.0"
ROUTES: Sequence[tuple[str, type[ClassRequestHandler]]] = (
    (r"/", PageHandler),
    (r"/(teacher|projector)", PageHandler),
    (r"/files/([\w.-]+)", FileHandler),
    (r"/api/join", learner_requests.JoinHandler),
    (r"/api/sheet", learner_requests.SheetHandler),
    (r"/api/answers", learner_requests.AnswersHandler),
    (r"/api/hint", learner_requests.HintHandler),
    (r"/api/live", MarksSocket),
    *teacher_requests.TEACHER_ROUTES,
)


class UnknownAddress(ClassRequestHandler):
    """Any other address."""

    def prepare(self) -> None:
        raise web.HTTPError(404)


def make_application(handlers: Iterable[Any], live: LiveServer, **settings: Any) -> web.Application:
    """The whole server."""
    return web.Application(
        [*handlers],
        default_handler_class=UnknownAddress,
        default_handler_args={"live": live},
        log_function=lambda _: None,  # a request's line has the learner's address in it
        websocket_max_message_size=1000,
        websocket_ping_interval=25,
        websocket_ping_timeout=20,
        **settings,
    )


def start_server(
    live: LiveServer,
    sockets: Sequence[socket.socket],
    names: Iterable[str] | None = (),
    *,
    most: int = MAX_CONNECTIONS,
    handlers: Iterable[Any] | None = None,
    **settings: Any,
) -> ClassHTTPServer:
    """Begin to answer requests on these sockets, for the hosts of these names (None: for any)."""
    known = [(*route, {"live": live}) for route in ROUTES] if handlers is None else handlers
    server = ClassHTTPServer(make_application(known, live, **settings), names, most // 2)
    live.open_connections, live.most = server.open_connections, most // 2  # a page has one of each
    server.add_sockets(sockets)
    return server


def open_sockets(port: int = DEFAULT_PORT, address: str = LOCAL_ADDRESS) -> list[socket.socket]:
    """Sockets that listen, on a free port for 0. Raises HandcalcError where that cannot be."""
    if not 0 <= port <= 65535:
        raise HandcalcError(f"The port is {port}; it must be from 1 to 65535, or 0 for a free one.")
    try:
        return [_bound(port, address)]
    except OSError as error:
        raise HandcalcError(_refusals(port, address).get(error.errno or 0, _other(port, error))) from None


def _bound(port: int, address: str) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two servers have one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setblocking(False)
        found.bind((address, port))
        found.listen(MAX_BACKLOG)
    except BaseException:
        found.close()
        raise
    return found


def _refusals(port: int, address: str) -> dict[int, str]:
    return {
        errno.EADDRINUSE: f"Port {port} is already in use, perhaps by a class that is running; "
        f"choose another one: --port {port + 1 if port < 65535 else 0}.",
        errno.EACCES: f"Port {port} is reserved for the system; choose one from 1024 on: "
        f"--port {DEFAULT_PORT}.",
        errno.EADDRNOTAVAIL: f"This computer does not have the address {address}.",
    }


def _other(port: int, error: OSError) -> str:
    return f"Port {port} cannot be used: {error.strerror}; choose another one: --port 0."
