"""A class that is taught in this process: its server on a free port, and requests that anybody can send."""

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from handcalc.classroom.handouts import class_folder
from handcalc.classroom.live.http import routes
from handcalc.classroom.live.http.rate_limits import RateLimits
from handcalc.classroom.live.http.request_handler import LiveServer
from handcalc.classroom.live.state.live_class import open_live_class

TEACHER = "f" * 32
NAMES = ["Ada Lovelace", "Grace Hopper", "Emmy Noether", "Sofja Kowalewskaja"]


MOST_WORDS = 60  # of a sentence


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def sentence(self) -> str:
        """What is wrong, which is all that the answer says."""
        (sentence,) = self.json.values()
        assert self.json.keys() == {"sentence"}
        return sentence


def make(path: Path, names=NAMES, topics=(("dot_product", 1),)) -> class_folder.ClassFolder:
    return class_folder.make_class(path, list(names), class_folder.ClassSettings(path.name, 1, list(topics)))


class Taught:
    """A server in a thread of its own; it can `stop`, and `start` again at the same address.

    Its limits go by `now`, which a test turns, or by a `clock`.
    """

    def __init__(
        self,
        made: class_folder.ClassFolder,
        *,
        names=(),
        most=200,
        start=routes.start_server,
        clock: Callable[[], float] | None = None,
        **options,
    ) -> None:
        self.folder, self.now, self.port = made, 0.0, 0
        self.clock = clock or (lambda: self.now)
        self.options = names, most, start, options
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.start()

    def start(self) -> None:
        self.do(self._start(*self.options))

    def stop(self) -> None:
        from handcalc.classroom.live.http.serving import end_server

        self.do(end_server(self.server, self.live))

    async def _start(self, names, most, start, options) -> None:
        (self.socket,) = routes.open_sockets(self.port)
        self.port = self.socket.getsockname()[1]
        self.limits = RateLimits(self.clock)
        self.live = LiveServer(open_live_class(self.folder, processes=0), TEACHER, self.limits)
        self.server = start(self.live, [self.socket], names, most=most, **options)

    def do(self, coroutine) -> Any:
        """What a coroutine returns, run where the server runs."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def close(self) -> None:
        self.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def ask(self, path: str, body: Any = None, token: str = "", method: str = "", **headers: str) -> Answer:
        """Send a request as a page does; bytes are sent as they are, all else as JSON."""
        about = {"Authorization": f"token {token}"} if token else {}
        if body is not None:
            about["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        about |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method or ("GET" if body is None else "POST"), path, body, about)
            got = connection.getresponse()
            told: dict[str, str] = {}
            for name, value in got.getheaders():
                told[name.lower()] = f"{told[name.lower()]}, {value}" if name.lower() in told else value
            return Answer(got.status, told, got.read())
        finally:
            connection.close()

    def raw(self, data: bytes, *, wait: float = 5) -> bytes:
        """What comes back for these bytes until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as link:
            link.sendall(data)
            found = b""
            while part := link.recv(65536):
                found += part
        return found

    def join(self, place: int = 0, nick: str = "") -> str:
        """A token for one of the sheets."""
        return self.ask("/api/join", {"code": self.code(place), "nick": nick}).json["token"]

    def enter(self, place: int = 0, nick: str = "") -> str:
        """A token for one of the sheets, whoever had it before."""
        seen, code = self.ask("/api/class", token=TEACHER).json, self.code(place)
        for what, found in (("refuse", seen["waiting"]), ("forget", seen["rows"])):
            for one in found:
                if one["code"] == code and one["learner"]:
                    self.ask("/api/class/do", {"do": what, "learner": one["learner"]}, TEACHER)
        return self.join(place, nick)

    def code(self, place: int = 0) -> str:
        return self.folder.register[place].code


def is_plain(answer, *statuses):
    """Whether an answer is one sentence with one of these statuses."""
    assert answer.status in statuses, answer
    sentence = answer.sentence
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    assert 2 < len(sentence.split()) < MOST_WORDS
    return True


def answers_with(sheet, **changed):
    """An answer as a page sends it, but for what is changed."""
    right = {"n": 10**6, "step": sheet["blank"][0], "row": 0, "column": 0, "text": "1"} | changed
    return {"code": sheet["code"], "answers": [list(right.values())]}


def all_that_is_told(taught, token: str, code: str) -> str:
    """Every answer that somebody gets who types nonsense everywhere, twice, and asks for every hint."""
    told = [taught.ask("/api/sheet", token=token).data]
    sheet, n = json.loads(told[0]), 0
    shapes = {one["name"]: one["shape"] for one in sheet["spec"]["matrices"]}
    for text in ("91", "92", "93"):
        for step in sheet["blank"]:
            rows, columns = shapes[step]
            places = [(i, j) for i in range(rows) for j in range(columns)]
            answers = [[n + k, step, i, j, text] for k, (i, j) in enumerate(places, 1)]
            n += len(answers)
            told.append(taught.ask("/api/answers", {"code": code, "answers": answers}, token).data)
            told.append(taught.ask("/api/hint", {"code": code, "step": step}, token).data)
            taught.now += 100
        for _ in range(200):
            marked = taught.ask("/api/sheet", token=token)
            taught.now += 100
            if text in marked.data.decode() and "not attempted" not in marked.data.decode():
                break
            time.sleep(0.02)
        told.append(marked.data)
    return b" ".join(told).decode()
