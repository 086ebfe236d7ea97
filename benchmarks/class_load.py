"""A class at work: 30, 300, 1,000 learners with an answer each every 5 s, on this computer's own loopback.

The server is `handcalc class serve` in processes of its own; all learners are one process, this one.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from learners import EVERY, Cell, Learner, Teacher, Times
from report import Report, Row, Target
from timing import percentile

SIZES = (30, 300, 1000)
SECONDS = float(os.environ.get("CLASS_SECONDS", "30"))  # of each run
DRAWN = 30  # different numbers; others have the same ones under codes of their own
AT_ONCE = 20  # who join
MOST_BEHIND = 5.0  # seconds, of the teacher's grid at 300 learners
TITLE = f"A class at work: an answer each every {EVERY:g} s, for {SECONDS:g} s"


@dataclass
class Found:
    """What one run has shown."""

    times: Times
    lags: list[float]
    stored: Counter[tuple[str, int]]
    server: float  # seconds of the processor
    marking: float
    memory: float  # bytes, of all processes

    @property
    def lost(self) -> int:
        """Answers that were acknowledged and are not there."""
        return sum((code, n) not in self.stored for code, ns in self.times.numbers.items() for n in ns)

    @property
    def doubled(self) -> int:
        """Answers that are there more than once."""
        return sum(count - 1 for count in self.stored.values())


def run() -> Report:
    """Every size with SQLite, then with PostgreSQL where there is one."""
    try:
        import postgresql
        import psutil  # noqa: F401 - JupyterLab brings it
    except ImportError as why:
        return Report(TITLE, skipped=str(why))
    found: dict[tuple[str, int], Found] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        cells = make(Path(folder), max(SIZES))
        for size in SIZES:
            found["SQLite", size] = lesson(Path(folder), f"sqlite:///{folder}/{size}.db", size, cells)
        if not postgresql.trouble():
            server = stack.enter_context(postgresql.server())
            for size in SIZES:
                found["PostgreSQL", size] = lesson(Path(folder), server.new(), size, cells)
    return Report(TITLE, [_row(*key, one) for key, one in found.items()], _targets(found))


def _row(database: str, size: int, one: Found) -> Row:
    count = len(one.times.acknowledged)
    return {
        "answers in": database,
        "learners": size,
        "answers": count,
        "failed": len(one.times.failed),
        "lost": one.lost,
        "doubled": one.doubled,
        "stored p50 ms": 1000 * percentile(one.times.acknowledged, 0.5),
        "p95 ms": 1000 * percentile(one.times.acknowledged, 0.95),
        "marked p50 ms": 1000 * percentile(one.times.marked, 0.5),
        "marked p95 ms": 1000 * percentile(one.times.marked, 0.95),
        "grid behind s": max(one.lags, default=float("inf")),
        "server CPU ms an answer": 1000 * one.server / count,
        "marking CPU ms an answer": 1000 * one.marking / count,
        "memory MB": one.memory / 1e6,
    }


def _targets(found: dict[tuple[str, int], Found]) -> list[Target]:
    gone = sum(one.lost + one.doubled for one in found.values())
    slowest = max(percentile(one.times.acknowledged, 0.95) for one in found.values())
    lags = [max(one.lags, default=float("inf")) for (_, size), one in found.items() if size == 300]
    return [
        Target("answers lost or doubled", gone, 0),
        Target("stored: slowest p95, ms", 1000 * slowest, 1000),
        Target("grid at 300 learners: most behind, s", max(lags), MOST_BEHIND),
    ]


def make(folder: Path, count: int) -> dict[str, list[Cell]]:
    """A class with a sheet on self-attention for each, and what is right in each blank."""
    from handcalc.classroom.folder.register import Register, RegisterEntry
    from handcalc.classroom.handouts import class_folder
    from handcalc.practice.exercise import codes

    made = class_folder.make_class(folder / "class", [""] * DRAWN, class_folder.ClassSettings("load"))
    drawn = list(made.register)
    cells: dict[str, list[Cell]] = {}
    entries = []
    for number in range(1, count + 1):
        like = drawn[(number - 1) % DRAWN]
        code = codes.code("self_attention", number)
        made.numbers.add(code, _under(code, made.numbers.text(like.code), like.code))
        entries.append(RegisterEntry("", code, like.topic, like.level, number))
        exercise = made.numbers.exercise(like.code)
        cells[code] = [
            (step, row, column, f"{exercise.calculation[step].values[row, column]:.2f}")
            for step in exercise.blank
            for row in range(exercise.calculation[step].shape[0])
            for column in range(exercise.calculation[step].shape[1])
        ]
    Register(entries).save(made.path / "register.csv")
    return cells


def _under(code: str, text: str, own: str) -> str:
    """Stored numbers under another code: those that say that they are another sheet's are drawn again."""
    return text.replace(f'"code":"{own}"', f'"code":"{code}"', 1)


def lesson(folder: Path, database: str, size: int, cells: dict[str, list[Cell]]) -> Found:
    """One run: a server, so many learners, and what is in the database in the end."""
    command = [sys.executable, "-m", "handcalc", "class", "serve", str(folder / "class"), "--port", "0"]
    process = subprocess.Popen([*command, "--database", database], stdout=subprocess.PIPE, text=True)
    try:
        port, token = _told(process)
        times, lags, used = asyncio.run(_taught(process.pid, port, token, list(cells.items())[:size]))
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=20)
        process.kill()
    return Found(times, lags, _stored(database), *used)


def _told(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The port, and the teacher's token, as the server prints them."""
    assert process.stdout
    port = 0
    for line in process.stdout:
        if found := re.search(r"127\.0\.0\.1:(\d+)", line):
            port = int(found[1])
        if found := re.search(r"/teacher#(\w+)", line):
            return port, found[1]
    raise OSError("The server did not begin.")


async def _taught(
    pid: int, port: int, token: str, cells: list[tuple[str, list[Cell]]]
) -> tuple[Times, list[float], tuple[float, float, float]]:
    times = Times()
    learners = [Learner(port, code, own, times, seed) for seed, (code, own) in enumerate(cells)]
    door = asyncio.Semaphore(AT_ONCE)

    async def joined(learner: Learner) -> None:
        async with door:
            await learner.join()

    await asyncio.gather(*map(joined, learners))
    teacher = Teacher(port, token, times)
    looking = asyncio.ensure_future(teacher.look())
    before = _used(pid)
    end = time.monotonic() + SECONDS
    await asyncio.gather(*(learner.work(end) for learner in learners))
    await asyncio.sleep(MOST_BEHIND)  # for the last marks
    after = _used(pid)
    looking.cancel()
    for learner in learners:
        learner.close()
    return times, teacher.lags, (after[0] - before[0], after[1] - before[1], after[2])


def _used(pid: int) -> tuple[float, float, float]:
    """Seconds of the processor, of the server and of those who mark; bytes of memory of all."""
    import psutil

    server = psutil.Process(pid)
    children = server.children(recursive=True)
    seconds = [sum(one.cpu_times()[:2]) for one in (server, *children)]
    memory = sum(one.memory_info().rss for one in (server, *children))
    return seconds[0], sum(seconds[1:]), memory


def _stored(database: str) -> Counter[tuple[str, int]]:
    from handcalc.classroom.store.answer_store import AnswerStore

    store = AnswerStore(database, "load")
    try:
        return Counter((one.code, one.n) for one in store.load().answers)
    finally:
        store.close()
