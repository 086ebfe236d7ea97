"""Jobs in processes of this computer; a file that ends its process takes nobody else's marks with it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.marking import sandbox
from handcalc.classroom.marking.jobs import Job, Outcome, guilty, run
from handcalc.classroom.marking.sources import Known

WORTH = 100  # files for which another process pays: to start one takes as long as to mark so many
AHEAD = 4  # jobs that wait for each process: it is never idle, and few are suspects when one ends
_class: tuple[StoredNumbers, Known]  # in a worker: of which class


class Sent(NamedTuple):
    """A job, and which workers have it."""

    job: Job
    pool: ProcessPoolExecutor
    future: Future[Outcome] | None


class Processes:
    """Workers that read and mark; to be used in a `with` block.

    When one of them ends, nobody knows on which file. Each that was on its way is then marked alone, and
    only that which ends its process again gets a sentence instead of marks.
    """

    def __init__(
        self, numbers: Path, known: Known, *, count: int = 0, seconds: float = sandbox.SECONDS
    ) -> None:
        self.most = count or _cores()
        self.count = 1  # those that work now
        self.seconds = seconds
        self._of = (numbers, known)
        self._pool: ProcessPoolExecutor | None = None
        self._alone: ProcessPoolExecutor | None = None

    def __enter__(self) -> Processes:
        self._others = set(active_children())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pool in (self._pool, self._alone):
            if pool:
                pool.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:  # Ctrl-C does not wait for a file that never ends
            for process in set(active_children()) - self._others:
                process.terminate()

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """What became of each job, in their order."""
        waiting: deque[Sent] = deque()
        self._grow(min(self.most, 1 + len(jobs) // WORTH))
        for job in jobs:
            waiting.append(self._sent(job))
            if len(waiting) >= AHEAD * self.count:
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def _grow(self, count: int) -> None:
        """Have at least so many processes."""
        if count > self.count and self._pool:
            self._pool.shutdown()
            self._pool = None
        self.count = max(count, self.count)

    def _first(self, waiting: deque[Sent]) -> Outcome:
        """The outcome of the job that waits longest."""
        job, pool, future = waiting.popleft()
        try:
            if future is not None:
                return future.result()
        except BrokenProcessPool:
            self._forget(pool)
        return self._on_its_own(job)

    def _sent(self, job: Job) -> Sent:
        """The job on its way, unless the workers have just ended: then it is marked alone."""
        pool = self._pool = self._pool or self._started(self.count)
        try:
            return Sent(job, pool, pool.submit(_run, job, self.seconds))
        except BrokenProcessPool:
            self._forget(pool)
            return Sent(job, pool, None)

    def _forget(self, pool: ProcessPoolExecutor) -> None:
        """Start new workers next time, unless that was done already."""
        if self._pool is pool:
            self._pool = None

    def _on_its_own(self, job: Job) -> Outcome:
        """The outcome of a suspect, with nobody else about."""
        self._alone = self._alone or self._started(1)
        try:
            return self._alone.submit(_run, job, self.seconds).result()
        except BrokenProcessPool:
            self._alone = None
            return Outcome([guilty(job)], [])

    def _started(self, count: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            count, mp_context=get_context("spawn"), initializer=_begin, initargs=self._of
        )


def _cores() -> int:
    """The processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _begin(numbers: Path, known: Known) -> None:
    """In a worker, before its first job."""
    global _class  # noqa: PLW0603 - a worker is a process of its own, and has one class
    _class = (StoredNumbers(numbers), known)
    sandbox.for_this_process()


def _run(job: Job, seconds: float) -> Outcome:
    numbers, known = _class
    sandbox.limit_processor(seconds)
    with sandbox.time_limit(seconds):
        return run(job, numbers.exercise, known)
