"""`handcalc class serve`: the server from its start to Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from urllib.parse import urlsplit

from handcalc.classroom.folder import folder_lock
from handcalc.classroom.handouts import class_address
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.http import routes
from handcalc.classroom.live.http.request_handler import LiveServer
from handcalc.classroom.live.http.security import MAX_CONNECTIONS, ClassHTTPServer
from handcalc.classroom.live.state.live_class import open_live_class
from handcalc.classroom.store.database import lock_database, own_address
from handcalc.foundation.atomic_files import refusal
from handcalc.foundation.extras import needed

TOKEN_FILE = "teacher.token"
SWITCH_SECONDS = 0.0005  # threads that store and mark wait ten times less for the busy one that answers
GOODBYE_SECONDS = 3  # for pages to hear that the class is over
SPARE_FILES = 200  # open files that are not connections
PLAIN_HTTP_WARNING = (
    "This is plain HTTP: anyone on the same network could read along, so use a network you trust, "
    "and ask for nicknames rather than names."
)

StartedClass = tuple[ClassHTTPServer, LiveServer, list[str]]


@dataclass(frozen=True)
class ServingOptions:
    """The options for serving a class."""

    port: int = routes.DEFAULT_PORT
    is_lan: bool = False
    hosts: Sequence[str] = ()
    database: str = ""
    is_hub: bool = False
    teachers: Sequence[str] = ()


def serve_class(path: str, options: ServingOptions) -> list[str]:
    """Serve a class until Ctrl-C; returns the last lines that the terminal shows."""
    folder = ClassFolder(path)
    with folder_lock.lock_serving(folder.path), lock_database(options.database or own_address(folder.path)):
        asyncio.run(_serve(folder, options))
    return ["The class is over; every answer is kept."]


def load_teacher_token(folder: Path) -> str:
    """The teacher's token: in a file that nobody else may read.

    It stays the same, so that the teacher's page goes on after a restart in the middle of a lesson; a stored
    hash could not be printed again. A user who can read this file can also read the answers beside it.
    Without the file there is a new token.
    """
    path = folder / TOKEN_FILE
    with suppress(OSError, UnicodeDecodeError):
        found = path.read_text("ascii").strip()
        if len(found) == 32 and set(found) <= set("0123456789abcdef"):
            return found
    token = secrets.token_hex(16)
    try:
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(f"{token}\n")
    except OSError as error:
        raise refusal(path, error) from None
    return token


async def _serve(folder: ClassFolder, options: ServingOptions) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    begin = _behind_hub if options.is_hub else _in_class
    server, live, lines = begin(folder, options)
    _print(lines)
    await wait_for_stop()
    await end_server(server, live)


def _in_class(folder: ClassFolder, options: ServingOptions) -> StartedClass:
    """Start a server for a class whose phones come with codes."""
    token = load_teacher_token(folder.path)
    address = class_address.find_own_address() if options.is_lan else routes.LOCAL_ADDRESS
    sockets = routes.open_sockets(
        options.port, routes.ALL_ADDRESSES if options.is_lan else routes.LOCAL_ADDRESS
    )
    live = _open(folder, options, sockets, token)
    names = {*options.hosts, *(class_address.find_host_names() if options.is_lan else ())}
    server = routes.start_server(live, sockets, names, most=allow_connections())
    here = f"http://{address}:{sockets[0].getsockname()[1]}/"
    live.joined_at = here if options.is_lan else ""
    live.is_reachable = options.is_lan or bool(options.hosts or folder.settings.address)
    return server, live, [*tell_continuation(live), *greet_teacher(folder, here, token, options)]


def _behind_hub(folder: ClassFolder, options: ServingOptions) -> StartedClass:
    """Start a server behind JupyterHub's login; a former teacher has no token after the next start."""
    needed("jupyterhub", "hub")
    from handcalc.classroom.live.http import hub

    found, secret = hub.read_service(options.port), load_teacher_token(folder.path)
    sockets = routes.open_sockets(found.port, found.address)
    live = _open(folder, options, sockets)
    live.way_back = "load it again"
    door = hub.HubDoor(live, secret, frozenset(options.teachers))
    handlers = hub.make_hub_handlers(door, found.prefix)
    server = routes.start_server(
        live, sockets, None, most=allow_connections(), handlers=handlers, **hub.make_hub_settings(door)
    )
    return (
        server,
        live,
        [f"On the Hub, the class is at {found.prefix} and your own page at {found.prefix}teacher"],
    )


def _open(
    folder: ClassFolder, options: ServingOptions, sockets: Sequence[socket.socket], token: str | None = None
) -> LiveServer:
    """Open the room; where it cannot be opened, nothing listens any more."""
    try:
        return LiveServer(open_live_class(folder, options.database), token)
    except BaseException:
        for one in sockets:
            one.close()
        raise


def greet_teacher(folder: ClassFolder, address: str, token: str, options: ServingOptions) -> list[str]:
    """The lines that the terminal shows when the class begins."""
    own = f"http://127.0.0.1:{address.rsplit(':', 1)[1]}"
    lines = [f"Your own page: {own}teacher#{token}"]
    if options.is_lan:
        lines = [
            *class_address.draw_qr_lines(address),
            f"Phones and laptops: {address}",
            *lines,
            PLAIN_HTTP_WARNING,
        ]
    else:
        lines = [f"The students' page, on this computer only: {address} (for phones, add --lan)", *lines]
    lines += warn_of_old_cards(folder, address)
    return [*lines, "End the class with Ctrl-C."]


def warn_of_old_cards(folder: ClassFolder, address: str) -> list[str]:
    """A warning where the printed QR codes lead somewhere else."""
    printed = folder.settings.address
    if printed and printed.rstrip("/") != address.rstrip("/"):
        where = f"on the sheets lead to {printed}"
    elif not printed and urlsplit(address).port != routes.DEFAULT_PORT:
        where = f"in links.pdf lead to port {routes.DEFAULT_PORT}"
    else:
        return []
    new = f"handcalc class links {quote(str(folder.path))} --address {address}"
    return [f"The QR codes {where}, but today this class is at {address}; for new cards: {new}."]


def tell_continuation(live: LiveServer) -> list[str]:
    """A line where the class goes on as it was left."""
    controls = live.room.controls
    if controls.was_over:
        return ["You had ended this class; it is open again."]
    return ["This class is still paused: press Go on on your own page."] if controls.state["paused"] else []


async def wait_for_stop() -> None:
    """Wait for Ctrl-C, or for the system to end this process."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop(*_: object) -> None:
        loop.call_soon_threadsafe(stopped.set)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        await stopped.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def end_server(server: ClassHTTPServer, live: LiveServer) -> None:
    """Take no more requests, tell the pages, store waiting marks."""
    server.stop()
    for listener in list(live.listeners):
        listener.end()
    with suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE_SECONDS):
            while live.listeners:
                await asyncio.sleep(0.02)
    await server.close_all_connections()
    await live.room.close()


def allow_connections() -> int:
    """The number of connections that this process may hold, after asking for as many as are needed."""
    try:
        import resource
    except ImportError:  # Windows counts differently
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + SPARE_FILES
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(20, min(MAX_CONNECTIONS, soft - SPARE_FILES))


def select_showable(lines: Sequence[str], encoding: str | None) -> list[str]:
    """The lines that a terminal can show: no QR code in a terminal without its half blocks."""
    found = []
    for line in lines:
        with suppress(UnicodeEncodeError, LookupError):
            line.encode(encoding or "ascii")
            found.append(line)
    return found


def _print(lines: Sequence[str]) -> None:
    with suppress(OSError, ValueError, AttributeError):  # nobody reads the output; the class goes on
        sys.stdout.write("".join(f"{line}\n" for line in select_showable(lines, sys.stdout.encoding)))
        sys.stdout.flush()
