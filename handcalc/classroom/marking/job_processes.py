"""Jobs in processes of this computer; a file that ends its process costs no other file its marks."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import TracebackType

from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.marking import sandbox
from handcalc.classroom.marking.jobs import Job, JobResult, blame_job, run_job
from handcalc.classroom.marking.sources import KnownCodes
from handcalc.classroom.marking.worker_processes import LostError, NoProcessError, WorkerProcesses

JOBS_WORTH_A_PROCESS = 100  # to start a process takes as long as to mark so many
JOBS_AHEAD = 4  # jobs that wait for each process, so that it is never idle
_class: tuple[StoredNumbers, KnownCodes]  # in a worker: the class it marks


class JobProcesses:
    """Workers that read and mark; to be used in a `with` block.

    A job that ends its process, or takes too long, gets a sentence instead of marks; its worker is replaced.
    """

    def __init__(
        self, numbers: Path, known: KnownCodes, *, count: int = 0, seconds: float = sandbox.MAX_SECONDS
    ) -> None:
        self.most = count or _cores()
        self.seconds = seconds
        self._of = (numbers, known)
        self._processes: WorkerProcesses | None = None

    @property
    def count(self) -> int:
        """The processes that are at work."""
        return self._processes.count if self._processes else 0

    def __enter__(self) -> JobProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._processes:
            self._processes.close()

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[JobResult]:
        """The result of each job, in their order. Raises HandcalcError where no process can be started."""
        count = min(self.most, 1 + len(jobs) // JOBS_WORTH_A_PROCESS)
        if self._processes is None:
            self._processes = WorkerProcesses(count, partial(_begin, *self._of), seconds=self.seconds)
        self._processes.grow(count)
        waiting: deque[tuple[Job, Future[JobResult]]] = deque()
        for job in jobs:
            waiting.append((job, self._processes.submit(_run, job)))
            if len(waiting) >= JOBS_AHEAD * self.count:
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())


def _outcome(job: Job, future: Future[JobResult]) -> JobResult:
    try:
        return future.result()
    except NoProcessError:
        raise
    except LostError:
        return JobResult([blame_job(job)], [])


def _cores() -> int:
    """The processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _begin(numbers: Path, known: KnownCodes) -> None:
    """Prepare a worker for its first job."""
    global _class  # noqa: PLW0603 - a worker is a process of its own, and has one class
    _class = (StoredNumbers(numbers), known)


def _run(job: Job) -> JobResult:
    numbers, known = _class
    return run_job(job, numbers.exercise, known)
