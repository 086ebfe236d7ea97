"""Which request goes where, and where the server listens."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterable, Sequence
from typing import Any

from handcalc.classroom.live.http import teacher_requests, web
from handcalc.classroom.live.http.pages import Files, Page
from handcalc.classroom.live.http.security import MOST_CONNECTIONS, Server
from handcalc.classroom.live.http.websocket import Marks
from handcalc.foundation.errors import HandcalcError

PORT = 8737
WAITING = 512  # connections that are not let in yet: a class comes all at once
HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
ROUTES: Sequence[tuple[str, type[web.Handler]]] = (
    (r"/", Page),
    (r"/(teacher|projector)", Page),
    (r"/files/([\w.-]+)", Files),
    (r"/api/join", web.Join),
    (r"/api/sheet", web.Sheet),
    (r"/api/answers", web.Answers),
    (r"/api/hint", web.Hint),
    (r"/api/live", Marks),
    *teacher_requests.HANDLERS,
)


def serve(
    live: web.Live,
    sockets: Sequence[socket.socket],
    names: Iterable[str] | None = (),
    *,
    most: int = MOST_CONNECTIONS,
    handlers: Iterable[Any] | None = None,
    **settings: Any,
) -> Server:
    """Begin to answer what comes in by these sockets, for the hosts of these names (None: for any)."""
    known = [(*route, {"live": live}) for route in ROUTES] if handlers is None else handlers
    server = Server(web.application(known, live, **settings), names, most // 2)
    live.crowd, live.most = server.crowd, most // 2  # a page has one of each
    server.add_sockets(sockets)
    return server


def listen(port: int = PORT, address: str = HERE) -> list[socket.socket]:
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
        found.listen(WAITING)
    except BaseException:
        found.close()
        raise
    return found


def _refusals(port: int, address: str) -> dict[int, str]:
    return {
        errno.EADDRINUSE: f"Port {port} is already in use, perhaps by a class that is running; "
        f"choose another one: --port {port + 1 if port < 65535 else 0}.",
        errno.EACCES: f"Port {port} is reserved for the system; choose one from 1024 on: --port {PORT}.",
        errno.EADDRNOTAVAIL: f"This computer does not have the address {address}.",
    }


def _other(port: int, error: OSError) -> str:
    return f"Port {port} cannot be used: {error.strerror}; choose another one: --port 0."
