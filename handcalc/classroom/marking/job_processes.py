"""Jobs in processes of this computer; a file that ends its process costs no other file its marks."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.marking import sandbox
from handcalc.classroom.marking.jobs import Job, JobResult, blame_job, run_job
from handcalc.classroom.marking.sources import KnownCodes
from handcalc.foundation.extras import needed

JOBS_WORTH_A_PROCESS = 100  # to start a process takes as long as to mark so many
JOBS_AHEAD = 4  # jobs that wait for each process, so that it is never idle
SECONDS_TO_START = 60.0  # of a process, at the most
_class: tuple[StoredNumbers, KnownCodes]  # in a worker: the class it marks


class JobProcesses:
    """Workers that read and mark; to be used in a `with` block.

    A job that ends its process, or takes too long, gets a sentence instead of marks; its worker is replaced.
    """

    def __init__(
        self, numbers: Path, known: KnownCodes, *, count: int = 0, seconds: float = sandbox.MAX_SECONDS
    ) -> None:
        self.pebble = needed("pebble")
        self.most = count or _cores()
        self.count = 1  # processes at work now
        self.seconds = seconds
        self._of = (numbers, known)
        self._pool: Any = None

    def __enter__(self) -> JobProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(is_hurried=kind is not None)  # Ctrl-C does not wait for a file that never ends

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[JobResult]:
        """The result of each job, in their order."""
        self._grow(min(self.most, 1 + len(jobs) // JOBS_WORTH_A_PROCESS))
        waiting: deque[tuple[Job, Future[JobResult]]] = deque()
        for job in jobs:
            waiting.append((job, self._sent(job)))
            if len(waiting) >= JOBS_AHEAD * self.count:
                yield self._outcome(*waiting.popleft())
        while waiting:
            yield self._outcome(*waiting.popleft())

    def _grow(self, count: int) -> None:
        """Start processes until there are at least so many."""
        if count > self.count:
            self._end()
        self.count = max(count, self.count)

    def _sent(self, job: Job) -> Future[JobResult]:
        if self._pool and not self._pool.active:
            self._end(is_hurried=True)
        self._pool = self._pool or self.pebble.ProcessPool(
            self.count, context=get_context("spawn"), initializer=_begin, initargs=self._of
        )
        future: Future[JobResult] = self._pool.schedule(_run, (job, self.seconds), timeout=self.seconds)
        return future

    def _outcome(self, job: Job, future: Future[JobResult]) -> JobResult:
        """The result of a job; it is sent again if the pool broke before the guilty job was known."""
        longest = (JOBS_AHEAD + 2) * (self.seconds + SECONDS_TO_START)  # earlier jobs take their time, too
        for sent in (future, None):
            try:
                return (sent or self._sent(job)).result(longest)
            except BrokenProcessPool:
                continue
            except (self.pebble.ProcessExpired, TimeoutError):
                break
        return JobResult([blame_job(job)], [])

    def _end(self, *, is_hurried: bool = False) -> None:
        pool, self._pool = self._pool, None
        if pool:
            pool.stop() if is_hurried else pool.close()
            pool.join()


def _cores() -> int:
    """The processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _begin(numbers: Path, known: KnownCodes) -> None:
    """Prepare a worker for its first job."""
    global _class  # noqa: PLW0603 - a worker is a process of its own, and has one class
    _class = (StoredNumbers(numbers), known)
    sandbox.enter_sandbox()


def _run(job: Job, seconds: float) -> JobResult:
    numbers, known = _class
    sandbox.limit_processor(seconds)
    return run_job(job, numbers.exercise, known)
