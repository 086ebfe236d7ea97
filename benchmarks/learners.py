"""Learners of a class who are no people: each answers every few seconds, and waits for marks."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

EVERY = 5.0  # seconds from one answer to the next
WRONG = 0.1  # of all answers
Json = dict[str, Any]
Cell = tuple[str, int, int, str]


class Line:
    """One connection that is kept: requests one after the other."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.token = port, token
        self.reader: asyncio.StreamReader | None = None

    async def ask(self, path: str, body: Json | None = None) -> Json:
        """What the server says to a request. Raises OSError where it refuses."""
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = b"" if body is None else json.dumps(body).encode()
        self.writer.write(
            f"{'GET' if body is None else 'POST'} /{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: token {self.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].split()[0])
        found: Json = json.loads(await self.reader.readexactly(length))
        if " 200 " not in head.splitlines()[0]:
            raise OSError(head.splitlines()[0], found)
        return found


@dataclass
class Times:
    """What all learners together have seen, in seconds."""

    acknowledged: list[float] = field(default_factory=list)
    marked: list[float] = field(default_factory=list)
    numbers: dict[str, list[int]] = field(default_factory=dict)  # by code: what was acknowledged
    typed: dict[str, list[float]] = field(default_factory=dict)  # by code: when each answer was posted
    failed: list[str] = field(default_factory=list)


class Learner:
    """Somebody with a sheet, who fills in one number after the other, some of them wrongly."""

    def __init__(self, port: int, code: str, cells: Sequence[Cell], times: Times, seed: int) -> None:
        self.code, self.cells, self.times, self.random = code, cells, times, random.Random(seed)
        self.line = Line(port)
        self.waiting: dict[int, tuple[Cell, float]] = {}  # for marks, by n

    async def join(self) -> None:
        """Come in, open the sheet, and listen for marks."""
        self.line.token = (await self.line.ask("api/join", {"code": self.code, "nick": self.code}))["token"]
        await self.line.ask("api/sheet")
        request = HTTPRequest(f"ws://127.0.0.1:{self.line.port}/api/live")
        self.socket = await websocket_connect(request, on_message_callback=self.on_message)
        await self.socket.write_message(json.dumps({"token": self.line.token}))

    async def work(self, until: float) -> None:
        """Answer every few seconds, beginning some time within the first of them."""
        due = time.monotonic() + self.random.uniform(0, EVERY)
        for n, (step, row, column, text) in enumerate(self.cells, start=1):
            if due > until:
                return
            await asyncio.sleep(due - time.monotonic())
            wrong = self.random.random() < WRONG
            await self.answer(n, (step, row, column, f"{float(text) + wrong:.2f}"), due)
            due += EVERY

    async def answer(self, n: int, cell: Cell, due: float) -> None:
        """Post one answer; what counts is the time from when it was due."""
        self.waiting[n] = cell, due
        self.times.typed.setdefault(self.code, []).append(due)
        try:
            found = await self.line.ask("api/answers", {"code": self.code, "answers": [[n, *cell]]})
        except OSError as error:
            self.times.failed.append(repr(error))
            return
        self.times.acknowledged.append(time.monotonic() - due)
        self.times.numbers.setdefault(self.code, []).extend(found["acknowledged"])

    def on_message(self, message: str | bytes | None) -> None:
        """Marks: which of the answers that wait have one now."""
        marks = json.loads(message).get("marks") if message else None
        for n, ((step, row, column, _), due) in list(self.waiting.items()) if marks else ():
            if marks["n"] >= n and marks["states"][step][row][column] != "not attempted":
                self.times.marked.append(time.monotonic() - due)
                del self.waiting[n]

    def close(self) -> None:
        """Leave."""
        self.socket.close()
        self.line.writer.close()


class Teacher:
    """Somebody who looks at the grid: how far it is behind what was typed."""

    def __init__(self, port: int, token: str, times: Times) -> None:
        self.port, self.token, self.times = port, token, times
        self.lags: list[float] = []
        self._known: dict[str, int] = {}

    async def look(self) -> None:
        """Follow the events until this is cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**26)
        writer.write(
            f"GET /api/class/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: token {self.token}\r\n\r\n".encode()
        )
        async for line in reader:
            if line.startswith(b"data: "):
                self.take(json.loads(line[len(b"data: ") :]))

    def take(self, event: Json) -> None:
        """One event: each row tells how many numbers of a sheet it knows."""
        for row in event.get("rows", ()):
            filled = sum(sum(counts[:4]) for counts in row["steps"].values())
            due = self.times.typed.get(row["code"], [])
            known = self._known.get(row["code"], 0)
            self.lags += [time.monotonic() - at for at in due[known:filled]]
            self._known[row["code"]] = max(known, filled)
