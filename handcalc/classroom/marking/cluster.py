"""Jobs on a Dask cluster: files and numbers travel with them, so that workers need handcalc and nothing else.

A worker that is lost costs time alone: the scheduler gives what it had to others. A batch at which worker
after worker ends is marked file by file, and only the guilty one gets a sentence.
https://distributed.dask.org/en/stable/resilience.html
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import warnings
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from handcalc.classroom.folder import stored_numbers
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.marking import sandbox
from handcalc.classroom.marking.jobs import Job, JobResult, blame_job, run_job
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.classroom.submissions.code_matching import Codes
from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.extras import needed
from handcalc.practice.exercise.exercise import Exercise

MAX_BATCH_JOBS, MAX_BATCH_BYTES = 32, 4_000_000  # of a batch
BATCHES_AHEAD = 3  # batches that wait for each thread of a worker
CLUSTER_PATIENCE = 10  # seconds, until a scheduler answers, and until it has a worker
MAX_BYTES_SEARCHED = 200_000  # of a file, searched for codes whose numbers go with it
LOCAL_CLUSTER = "local:"  # with a number of workers, in place of an address: on this computer, to try it out


@dataclass(frozen=True)
class PackedJob:
    """A job with all that it needs."""

    job: Job
    numbers: Mapping[str, str]

    @property
    def size(self) -> int:
        """Its bytes, about."""
        content = self.job.source.content if self.job.source else None
        return len(content or b"") + sum(map(len, self.numbers.values()))


class DaskCluster:
    """The workers of a Dask scheduler; to be used in a `with` block. Raises HandcalcError for none."""

    def __init__(
        self, address: str, numbers: StoredNumbers, known: KnownCodes, *, seconds: float = sandbox.MAX_SECONDS
    ) -> None:
        self.address, self.numbers, self.known, self.seconds = address, numbers, known, seconds
        self.distributed = needed("distributed", "dask")
        self._open = ExitStack()

    def __enter__(self) -> DaskCluster:
        try:
            self.client = self._open.enter_context(self._client())
            self.client.wait_for_workers(1, timeout=CLUSTER_PATIENCE)
            self._known = self.client.submit(KnownCodes, self.known.codes, self.known.names)
        except (OSError, ValueError, TypeError) as error:
            self._open.close()
            raise HandcalcError(
                f"There is no Dask cluster at {short(self.address)}; start a scheduler with: dask scheduler, "
                "and workers with: dask worker ADDRESS."
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def run_jobs(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        """The result of each job, in their order, once each."""
        waiting: deque[tuple[list[PackedJob], Any]] = deque()
        threads = sum(self.client.nthreads().values()) or 1
        for batch in self._batches(jobs):
            waiting.append((batch, self._sent(batch)))
            if len(waiting) >= BATCHES_AHEAD * threads:
                yield from self._first(*waiting.popleft())
        while waiting:
            yield from self._first(*waiting.popleft())

    def _first(self, batch: list[PackedJob], future: Any) -> list[JobResult]:
        """The results of the batch that has waited longest."""
        try:
            found: list[JobResult] = future.result()
            return found
        except self.distributed.KilledWorker:
            if len(batch) > 1:
                return [done for one in batch for done in self._first([one], self._sent([one]))]
            return [JobResult([blame_job(batch[0].job)], [])]
        except ImportError:
            raise HandcalcError(
                f"The workers of {short(self.address)} have no handcalc, or another version; "
                "install this one there."
            ) from None
        except (OSError, CancelledError) as error:
            raise HandcalcError(
                f"The Dask scheduler at {short(self.address)} is gone; "
                "start it again, and mark these files once more."
            ) from error

    def _sent(self, batch: list[PackedJob]) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # one large file
            packed = zlib.compress(pickle.dumps(batch), 1)  # a scheduler remembers a thousand of them
            return self.client.submit(mark_batch, packed, self._known, self.seconds, pure=False)

    def _batches(self, jobs: Iterable[Job]) -> Iterator[list[PackedJob]]:
        batch: list[PackedJob] = []
        size = 0
        for job in jobs:
            packed = self._packed(job)
            if batch and (len(batch) == MAX_BATCH_JOBS or size + packed.size > MAX_BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(packed)
            size += packed.size
        if batch:
            yield batch

    def _packed(self, job: Job) -> PackedJob:
        """A job with its file and the numbers of the codes in it; if one is missing, the job comes again."""
        if job.sheet:
            codes = [job.sheet.code] if job.sheet.code in self.known.codes else []
        else:
            job = replace(job, source=_carried(job.source or Source("")))
            content = job.source.content if job.source else None
            text = f"{job.name}\n{(content or b'')[:MAX_BYTES_SEARCHED].decode('latin-1')}"
            codes = list(dict.fromkeys(Codes(self.known.codes).inside(text)))
        return PackedJob(job, {code: self.numbers.text(code) for code in codes})

    async def _reach(self) -> None:
        """Connect to the scheduler once: a client that finds none ends with a traceback."""
        how = self.distributed.Security().get_connection_args("client")
        await (await self.distributed.comm.connect(self.address, timeout=CLUSTER_PATIENCE, **how)).close()

    def _client(self) -> Any:
        if not self.address.startswith(LOCAL_CLUSTER):
            asyncio.run(self._reach())
            return self.distributed.Client(self.address, timeout=CLUSTER_PATIENCE, set_as_default=False)
        count = int(self.address.removeprefix(LOCAL_CLUSTER))
        options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
        local = self.distributed.LocalCluster(count, **options)
        self._open.enter_context(local)
        return self.distributed.Client(local, set_as_default=False)


def _carried(source: Source) -> Source:
    """A file with its contents, or with the sentence about it."""
    try:
        return source if source.trouble else replace(source, content=source.bytes())
    except HandcalcError as error:
        return Source(source.name, trouble=str(error))


def mark_batch(packed_jobs: bytes, known: KnownCodes, seconds: float) -> list[JobResult]:
    """On a worker: mark one after the other; a job that takes too long ends the worker."""
    found = []
    for packed in pickle.loads(zlib.decompress(packed_jobs)):  # packed by `_sent`
        with sandbox.time_limit(seconds):
            found.append(run_job(packed.job, _Carried(packed.numbers), known))
    return found


class _Carried:
    """The exercises whose numbers were sent along."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __call__(self, code: str) -> Exercise | None:
        text = self._texts.get(code)
        return stored_numbers.restore_exercise(text, code) if text is not None else None
