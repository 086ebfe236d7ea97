"""The pages of a class and their files: each with a mark of its content, so that it is sent once."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from handcalc.classroom.live.http.security import SECURITY_HEADERS
from handcalc.classroom.live.http.web import ClassRequestHandler
from handcalc.views import assets

PAGE_FOLDER = Path(__file__).parent.parent / "page"
CONTENT_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
NOTEBOOK_STYLE = "handcalc.css"  # that of notebooks


class PageFile(NamedTuple):
    """A file as it is sent."""

    kind: str
    mark: str
    plain: bytes
    packed: bytes


@cache
def load_page_files() -> dict[str, PageFile]:
    """All files by name."""
    paths = [*PAGE_FOLDER.glob("*.html"), *PAGE_FOLDER.glob("*.css"), *PAGE_FOLDER.glob("bundles/*.js")]
    found = {path.name: path.read_bytes() for path in paths} | {NOTEBOOK_STYLE: assets.style().encode()}
    return {name: _file(CONTENT_TYPES[Path(name).suffix], data) for name, data in found.items()}


def _file(kind: str, data: bytes) -> PageFile:
    mark = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    return PageFile(f"{kind}; charset=utf-8", mark, data, gzip.compress(data, 9, mtime=0))


class FileHandler(ClassRequestHandler):
    """Scripts and styles."""

    async def get(self, name: str) -> None:
        self.send(load_page_files().get(name))

    def send(self, file: PageFile | None) -> None:
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


class PageHandler(FileHandler):
    """One of the three pages; older phones do not take a WebSocket for the page's own unless it is named."""

    async def get(self, name: str = "learner") -> None:
        self.set_header("Content-Security-Policy", content_policy(self.request.host))
        self.send(load_page(self.live.class_id, name))


def fill_page(name: str, about: Mapping[str, str]) -> bytes:
    """A page with what it is told."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in about.items())
    return load_page_files()[f"{name}.html"].plain.replace(b"<body", b"<body" + told.encode(), 1)


@cache
def load_page(class_: str, name: str) -> PageFile:
    """A page of a class."""
    return _file(CONTENT_TYPES[".html"], fill_page(name, {"class": class_}))


def content_policy(host: str) -> str:
    """What a page may load."""
    own = "connect-src 'self'"
    return SECURITY_HEADERS["Content-Security-Policy"].replace(own, f"{own} ws://{host} wss://{host}")
