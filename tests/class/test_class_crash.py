"""A server, a database, a marking process is killed midway: no acknowledged answer is lost or doubled."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from class_files import class_of
from dying_processes import broken, odd, ready, twice

from handcalc.classroom.marking import sandbox
from handcalc.classroom.marking.worker_processes import CALL_SECONDS, LostError, WorkerProcesses
from handcalc.classroom.store.answer_store import Answer, AnswerStore
from handcalc.classroom.store.database import DatabaseError, file_address

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
BEFORE = 60  # acknowledged answers before the server is killed


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "7b", ["Ada", "Ben", "Cyd", "Dan"])


class Server:
    """`handcalc class serve` in a process of its own."""

    def __init__(self, path: Path, database: str) -> None:
        command = [sys.executable, "-m", "handcalc", "class", "serve", str(path), "--port", "0"]
        command += ["--database", database]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        told = next(line for line in self.process.stdout if "http://127.0.0.1:" in line)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", told)[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def served(path: Path, database: str) -> Iterator[Server]:
    server = Server(path, database)
    try:
        yield server
    finally:
        server.kill()


class Phone:
    """A learner's page: it keeps each answer until it is acknowledged."""

    def __init__(self, port: int, code: str, step: str) -> None:
        self.code, self.step = code, step
        self.token = self.ask(port, "api/join", {"code": code, "nick": "somebody"})["token"]
        self.sent: dict[int, list] = {}
        self.acknowledged: set[int] = set()

    def ask(self, port: int, path: str, body: dict | None = None) -> dict:
        token = {"Authorization": f"token {self.token}"} if hasattr(self, "token") else {}
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            method = "POST" if body is not None else "GET"
            text = None if body is None else json.dumps(body)
            connection.request(method, f"/{path}", text, {"Content-Type": "application/json", **token})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            return json.loads(answer.read())

    def post(self, port: int, *numbers: int) -> None:
        answers = [[n, *self.sent.setdefault(n, [self.step, 0, 0, str(n)])] for n in numbers]
        found = self.ask(port, "api/answers", {"code": self.code, "answers": answers})
        self.acknowledged |= set(found["acknowledged"])

    def type_until_it_ends(self, port: int) -> None:
        with suppress(OSError, HTTPException):
            for n in range(1, 10_000):
                self.post(port, n)
                time.sleep(0.01)


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def is_there(pid: int) -> bool:
    with suppress(OSError):
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc").exists() else True
    return False


def killed_midway(made, address) -> list[Phone]:
    """What phones know that typed until their server was killed; it leaves no process."""
    step = made.numbers.exercise(made.register[0].code).blank[0]
    with served(made.path, address) as server:
        phones = [Phone(server.port, entry.code, step) for entry in made.register]
        pages = [threading.Thread(target=phone.type_until_it_ends, args=[server.port]) for phone in phones]
        for page in pages:
            page.start()
        while sum(len(phone.acknowledged) for phone in phones) < BEFORE:
            assert any(page.is_alive() for page in pages)
            time.sleep(0.01)
        workers = children(server.process.pid)
        os.kill(server.process.pid, signal.SIGKILL)
        for page in pages:
            page.join()
    assert workers
    deadline = time.monotonic() + 20
    while any(map(is_there, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return phones


def stored(address) -> list[tuple[str, int, str]]:
    with closing(AnswerStore(address, "7b")) as store:
        return sorted((one.code, one.n, one.text) for one in store.load().answers)


def assert_all_there(phones: list[Phone], address: str) -> None:
    kept = stored(address)
    assert len(set(kept)) == len(kept)
    known = {(phone.code, n, str(n)) for phone in phones for n in phone.acknowledged}
    assert len(known) >= BEFORE
    assert known <= set(kept)


@pytest.mark.slow
def test_a_server_that_is_killed_loses_nothing_and_what_is_sent_again_is_there_once(made, tmp_path):
    address = file_address(tmp_path / "class.db")
    phones = killed_midway(made, address)
    assert_all_there(phones, address)
    with served(made.path, address) as server:
        for phone in phones:
            assert phone.ask(server.port, "api/sheet")["n"] >= max(phone.acknowledged)
            phone.post(server.port, *phone.sent)  # all again, and what was on its way
            assert phone.acknowledged == phone.sent.keys()
    assert stored(address) == sorted((phone.code, n, str(n)) for phone in phones for n in phone.sent)


@pytest.mark.slow
def test_a_server_with_postgresql_that_is_killed_loses_nothing(made, postgresql):
    address = postgresql.new()
    assert_all_there(killed_midway(made, address), address)


@pytest.mark.slow
def test_a_database_server_that_is_killed_loses_nothing_that_was_acknowledged(postgresql):
    acknowledged, refused, address = set(), [], postgresql.new()

    async def typing(store, learner):
        for n in range(1, 2000):
            try:
                await store.append([Answer(learner, "SA1-1", n, "Q", 0, 0, str(n), 1.0)])
            except DatabaseError as error:
                refused.append(str(error))
                return
            acknowledged.add((learner, n))

    async def lesson(store):
        learners = [await store.add_learner(f"{k}", f"{k}", "in", "SA1-1", [], 1.0) for k in range(8)]
        typing_all = asyncio.gather(*(typing(store, learner) for learner in learners))
        while len(acknowledged) < 200:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(postgresql.stop)  # as kill -9 does, all of its processes at once
        await typing_all

    with closing(AnswerStore(address, "7b")) as store:
        asyncio.run(lesson(store))
        postgresql.start()
        kept = [(one.learner, one.n) for one in store.load().answers]
    assert len(refused) == 8
    assert all(
        re.match(r"The database class_\d+ at .+ cannot be used: .+\.$", sentence) for sentence in refused
    )
    assert len(kept) == len(set(kept))
    assert acknowledged <= set(kept)
    assert len(set(kept) - acknowledged) <= 8  # at most one of each was on its way


@pytest.mark.slow
def test_a_process_that_ends_costs_one_call_at_most(tmp_path):
    processes = WorkerProcesses(1, ready)
    found = {number: processes.submit(twice, number) for number in (1, 13, 2, 3)}
    assert [found[number].result(timeout=60) for number in (1, 2, 3)] == [2, 4, 6]
    with pytest.raises(LostError, match="twice"):
        found[13].result()
    before = processes.pids
    os.kill(*before, signal.SIGKILL)
    assert processes.submit(twice, 4).result(timeout=60) == 8
    assert processes.pids != before
    processes.close()
    assert not processes.pids
    with pytest.raises(LostError, match="The class is over"):
        processes.submit(twice, 5).result(timeout=60)


@pytest.mark.slow
def test_a_call_that_takes_too_long_is_given_up_and_its_process_answers_no_other():
    processes = WorkerProcesses(1, ready, seconds=2)
    asked, late, after = (processes.submit(*call) for call in ((os.getpid,), (time.sleep, 60), (os.getpid,)))
    with pytest.raises(LostError, match="takes too long"):
        late.result(timeout=60)
    assert after.result(timeout=60) != asked.result()
    processes.close()


def test_an_error_that_cannot_be_read_here_is_answered_and_stops_nothing():
    processes = WorkerProcesses(1, ready)
    with pytest.raises(LostError, match="cannot be read"):
        processes.submit(odd).result(timeout=60)
    assert processes.submit(twice, 4).result(timeout=60) == 8
    processes.close()


def test_a_process_that_stands_still_keeps_nobody_from_ending(monkeypatch):
    monkeypatch.setattr("handcalc.classroom.marking.worker_processes.ENDING_SECONDS", 0.1)
    processes = WorkerProcesses(1, ready)
    assert processes.submit(twice, 1).result(timeout=60) == 2
    os.kill(*processes.pids, signal.SIGSTOP)
    stuck = processes.submit(twice, 2)
    ending = threading.Thread(target=processes.close, daemon=True)
    ending.start()
    with pytest.raises(LostError, match="The class is over"):
        stuck.result(timeout=20)
    ending.join(20)
    assert not processes.pids


@pytest.mark.slow
def test_a_process_that_cannot_begin_is_not_started_for_ever():
    processes = WorkerProcesses(1, broken)
    early = processes.submit(twice, 1)
    with pytest.raises(LostError, match="run the command again"):
        early.result(timeout=60)
    with pytest.raises(LostError, match="run the command again"):
        processes.submit(twice, 2).result(timeout=60)
    processes.close()


def test_a_process_that_marks_has_limits_of_memory_and_of_time():
    resource = pytest.importorskip("resource")  # Windows has none
    processes = WorkerProcesses(1, ready)
    try:
        with pytest.raises(MemoryError):
            processes.submit(bytearray, 2 * sandbox.MAX_MEMORY_BYTES).result(30)
        soft, _ = processes.submit(resource.getrlimit, resource.RLIMIT_CPU).result(30)
        assert 0 < soft <= CALL_SECONDS + 10  # of which it has used a few
        assert processes.submit(len, "marks go on").result(30) == 11
    finally:
        processes.close()
