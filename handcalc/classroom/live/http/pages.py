"""The pages of a class and their files."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from tornado.web import HTTPError

from handcalc.classroom.live.http.request_handler import ClassRequestHandler
from handcalc.classroom.live.http.security import SECURITY_HEADERS
from handcalc.views import assets

PAGE_FOLDER = Path(__file__).parent.parent / "page"
CONTENT_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
NOTEBOOK_STYLE = "handcalc.css"  # that of notebooks


class PageFile(NamedTuple):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes


@cache
def load_page_files() -> dict[str, PageFile]:
    """All files by name."""
    paths = [*PAGE_FOLDER.glob("*.html"), *PAGE_FOLDER.glob("*.css"), *PAGE_FOLDER.glob("bundles/*.js")]
    found = {path.name: path.read_bytes() for path in paths} | {NOTEBOOK_STYLE: assets.style().encode()}
    return {name: _file(CONTENT_TYPES[Path(name).suffix], data) for name, data in found.items()}


def _file(kind: str, data: bytes) -> PageFile:
    return PageFile(kind, data, gzip.compress(data, 9, mtime=0))


class FileHandler(ClassRequestHandler):
    """Scripts and styles; tornado marks each with its content, and sends it where it has changed."""

    async def get(self, name: str) -> None:
        if name not in load_page_files():
            raise HTTPError(404)
        self.send(load_page_files()[name])

    def send(self, file: PageFile) -> None:
        """Send a file, which is asked for each time."""
        self.set_header("Cache-Control", "no-cache")
        self.finish_packed(*file)


class PageHandler(FileHandler):
    """One of the three pages; older phones do not take a WebSocket for the page's own unless it is named."""

    async def get(self, name: str = "learner") -> None:
        self.set_header("Content-Security-Policy", content_policy(self.request.host))
        self.send(load_page(self.live.class_id, name))


def fill_page(name: str, about: Mapping[str, str]) -> bytes:
    """A page with its values filled in."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in about.items())
    return load_page_files()[f"{name}.html"].plain.replace(b"<body", b"<body" + told.encode(), 1)


@cache
def load_page(class_: str, name: str) -> PageFile:
    """A page of a class."""
    return _file(CONTENT_TYPES[".html"], fill_page(name, {"class": class_}))


def content_policy(host: str) -> str:
    """The policy that says what a page may load."""
    own = "connect-src 'self'"
    return SECURITY_HEADERS["Content-Security-Policy"].replace(own, f"{own} ws://{host} wss://{host}")
