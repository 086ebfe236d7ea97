"""One thread that writes: all waiting jobs go into one transaction, and are answered once it is committed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

from sqlalchemy import Connection

from handcalc.classroom.store.database import Database, DatabaseError

MAX_TRANSACTION_JOBS = 500  # jobs in one transaction: the first one has to wait for it, too
STORING_OVER = "The class is over, and nothing more is stored."


class WaitingJob(NamedTuple):
    """A job, and the future of its result."""

    job: Callable[[Connection], Any]
    future: Future[Any]


class Writer:
    """The only one who uses a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._queue: SimpleQueue[WaitingJob | None] = SimpleQueue()
        self._lock = Lock()
        self._is_closed = False
        self._thread = Thread(target=self._run, name="handcalc writer", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[Connection], Any]) -> Future[Any]:
        """The result of a job, once it is committed; jobs run in the order in which they come.

        After `close` the result is a DatabaseError.
        """
        waiting = WaitingJob(job, Future())
        with self._lock:
            if self._is_closed:
                waiting.future.set_exception(DatabaseError(STORING_OVER))
            else:
                self._queue.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Run the waiting jobs, then end."""
        with self._lock:
            if not self._is_closed:
                self._queue.put(None)
            self._is_closed = True
        self._thread.join()
        self.database.close()

    def _run(self) -> None:
        is_open = True
        while is_open:
            found = [self._queue.get()]
            try:
                while len(found) < MAX_TRANSACTION_JOBS:
                    found.append(self._queue.get_nowait())
            except Empty:
                pass
            is_open = None not in found
            self._write([one for one in found if one and one.future.set_running_or_notify_cancel()])

    def _write(self, waiting: list[WaitingJob]) -> None:
        """Commit all jobs in one transaction; where one of them fails, each in one of its own."""
        try:
            results = self.database.run([one.job for one in waiting])
        except Exception as error:  # noqa: BLE001 - the caller that waits for it is told
            if len(waiting) == 1:
                waiting[0].future.set_exception(error)
            else:
                for one in waiting:
                    self._write([one])
            return
        for one, result in zip(waiting, results, strict=True):
            one.future.set_result(result)
