"""The pages of a class and their files: each with a mark of its content, so that it is sent once."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from handcalc.classroom.live.http.security import HEADERS
from handcalc.classroom.live.http.web import Handler
from handcalc.views import assets

FOLDER = Path(__file__).parent.parent / "page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
STYLE = "handcalc.css"  # that of notebooks


class File(NamedTuple):
    """A file as it is sent."""

    kind: str
    mark: str
    plain: bytes
    packed: bytes


@cache
def files() -> dict[str, File]:
    """All files by name."""
    paths = [*FOLDER.glob("*.html"), *FOLDER.glob("*.css"), *FOLDER.glob("bundles/*.js")]
    found = {path.name: path.read_bytes() for path in paths} | {STYLE: assets.style().encode()}
    return {name: _file(TYPES[Path(name).suffix], data) for name, data in found.items()}


def _file(kind: str, data: bytes) -> File:
    mark = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    return File(f"{kind}; charset=utf-8", mark, data, gzip.compress(data, 9, mtime=0))


class Files(Handler):
    """Scripts and styles."""

    async def get(self, name: str) -> None:
        self.send(files().get(name))

    def send(self, file: File | None) -> None:
        """Send a file, or say that it has not changed."""
        if file is None:
            self.send_error(404)
            return
        self.set_header("Content-Type", file.kind)
        self.set_header("Cache-Control", "no-cache")  # asked for each time, sent where it has changed
        self.set_header("ETag", file.mark)
        self.set_header("Vary", "Accept-Encoding")
        if self.request.headers.get("If-None-Match") == file.mark:
            self.set_status(304)
            self.finish()
            return
        is_packed = "gzip" in self.request.headers.get("Accept-Encoding", "")
        if is_packed:
            self.set_header("Content-Encoding", "gzip")
        self.finish(file.packed if is_packed else file.plain)


class Page(Files):
    """One of the three pages; older phones do not take a WebSocket for the page's own unless it is named."""

    async def get(self, name: str = "learner") -> None:
        self.set_header("Content-Security-Policy", policy(self.request.host))
        self.send(page_of(self.live.class_id, name))


def filled(name: str, about: Mapping[str, str]) -> bytes:
    """A page with what it is told."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in about.items())
    return files()[f"{name}.html"].plain.replace(b"<body", b"<body" + told.encode(), 1)


@cache
def page_of(class_: str, name: str) -> File:
    """A page of a class."""
    return _file(TYPES[".html"], filled(name, {"class": class_}))


def policy(host: str) -> str:
    """What a page may load."""
    own = "connect-src 'self'"
    return HEADERS["Content-Security-Policy"].replace(own, f"{own} ws://{host} wss://{host}")
