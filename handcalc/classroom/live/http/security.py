"""Security before any handler: foreign hosts and origins, large or slow requests and crowds are refused."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import IOStream
from tornado.netutil import is_valid_ip

from handcalc.classroom.live.http.connections import OpenConnections
from handcalc.classroom.live.http.messages import MAX_BODY_BYTES, NOT_JSON, refuse_size
from handcalc.classroom.live.http.rate_limits import group_address
from handcalc.classroom.live.state.refusals import RefusedError, StrangerError

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MAX_CONNECTIONS = 4_000
MAX_HEADER_BYTES = 16_000
MAX_DRAINED_BYTES = 2_000_000  # of a body that is read and dropped, so that its sender gets the answer
FIRST_REQUEST_SECONDS = 10  # until a new connection has sent its first request
STRANGER_SECONDS = 60  # for all requests of a connection without a ticket
IDLE_SECONDS = 75  # with less, a learner who answers every few seconds would reconnect each time
BODY_SECONDS = 15
SECURITY_HEADERS = {
    # The page sets properties of style by script, which this allows; no script or style stands in a page.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ClassHTTPServer(HTTPServer):
    """A server that knows its names, and keeps places for the teacher and for those who have a seat.

    `names` are the hosts it answers to, besides the address that a connection has arrived at; None is any.
    """

    def initialize(  # type: ignore[override]
        self, application: Any, names: Iterable[str] | None = (), most: int = MAX_CONNECTIONS, **options: Any
    ) -> None:
        super().initialize(
            application,
            max_header_size=MAX_HEADER_BYTES,
            idle_connection_timeout=IDLE_SECONDS,
            body_timeout=BODY_SECONDS,
            max_body_size=MAX_DRAINED_BYTES,
            max_buffer_size=MAX_DRAINED_BYTES + MAX_BODY_BYTES,
            **options,
        )
        self.names = None if names is None else {*LOCAL_HOSTS, *(name.lower() for name in names)}
        self.most = most
        self.silent: set[IOStream] = set()  # connections that have not sent a request yet
        self.open_connections = OpenConnections()

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Let a connection in; in a crowd another one has to go, or this one."""
        if len(self._connections) >= self.most:
            found = self.open_connections.choose_to_close() or stream
            self.open_connections.remove(found)
            found.close()
            if found is stream:
                return
        self.silent.add(stream)
        self.open_connections.add(stream, group_address(address[0] if isinstance(address, tuple) else ""))
        stream.io_loop.call_later(FIRST_REQUEST_SECONDS, self._end, stream, self.silent.__contains__)
        stream.io_loop.call_later(STRANGER_SECONDS, self._end, stream, self.open_connections.is_stranger)
        super().handle_stream(stream, address)

    def start_request(self, server_conn: Any, request_conn: Any) -> HTTPMessageDelegate:
        """The delegate that hears of a request: the checks, then its handler."""
        return CheckedRequest(self, super().start_request(server_conn, request_conn), request_conn)

    def on_close(self, server_conn: Any) -> None:
        """Remove a connection that has ended."""
        self.open_connections.remove(server_conn.stream)
        self.silent.discard(server_conn.stream)
        super().on_close(server_conn)

    def check(self, start: RequestStartLine, headers: HTTPHeaders, arrived_at: str) -> None:
        """Raise RefusedError for a request that no page of this server sends."""
        host = headers.get("Host", "").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if self.names is not None and name not in self.names and name != arrived_at:
            raise StrangerError("The class is not at this address; use the one that your teacher shows.")
        origin = headers.get("Origin")
        if origin is not None and origin.lower().partition("://")[2] != host:
            raise StrangerError("Only the class's own pages may ask this.")
        if _length(headers) > MAX_BODY_BYTES:
            raise refuse_size(_length(headers))
        kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if start.method == "POST" and kind != "application/json":
            raise RefusedError(NOT_JSON, 415)

    def _end(self, stream: IOStream, is_one: Callable[[IOStream], bool]) -> None:
        """Close a connection whose time is over."""
        if is_one(stream):
            stream.close()


class CheckedRequest(HTTPMessageDelegate):
    """One request on its way to its handler, which never sees it where it is refused.

    A refused request is read to its end and dropped, else its sender would not get the answer.
    """

    def __init__(self, server: ClassHTTPServer, inner: HTTPMessageDelegate, connection: Any) -> None:
        self.server, self.inner, self.connection = server, inner, connection
        self.size = 0
        self.error: RefusedError | None = None

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Awaitable[None] | None:
        """Check the request."""
        stream = self.connection.stream
        self.server.silent.discard(stream)
        try:
            self.server.check(start_line, headers, _arrived_at(stream))
        except RefusedError as error:
            self.error = error
            if _length(headers) > MAX_DRAINED_BYTES or "Expect" in headers:
                _refuse(self.connection, error)
            return None
        return self.inner.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Count a body that did not say how large it is."""
        self.size += len(chunk)
        if self.error is None and self.size > MAX_BODY_BYTES:
            self.error = refuse_size(self.size)
            self.inner.on_connection_close()
        return None if self.error else self.inner.data_received(chunk)

    def finish(self) -> None:
        """End the request: all of it is there."""
        if self.error:
            _refuse(self.connection, self.error)
        else:
            self.inner.finish()

    def on_connection_close(self) -> None:
        """Tell the handler that the other end has gone."""
        if self.error is None:
            self.inner.on_connection_close()


def _length(headers: HTTPHeaders) -> int:
    """The number of bytes that a request says it has."""
    text = headers.get("Content-Length", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _arrived_at(stream: IOStream) -> str:
    """The address of this computer that a connection has reached, as a Host header has it."""
    try:
        found = str(stream.socket.getsockname()[0])
    except (OSError, AttributeError):
        return ""
    return f"[{found}]" if ":" in found and is_valid_ip(found) else found


def _refuse(connection: HTTPConnection, error: RefusedError) -> None:
    body = json.dumps({"sentence": str(error)}).encode()
    about = {**SECURITY_HEADERS, "Content-Type": "application/json", "Content-Length": str(len(body))}
    connection.write_headers(
        ResponseStartLine("HTTP/1.1", error.status, HTTPStatus(error.status).phrase), HTTPHeaders(about), body
    )
    connection.finish()
