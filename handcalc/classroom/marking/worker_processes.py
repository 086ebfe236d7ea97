"""Calls that run in processes of their own: one that ends is started again, and none outlives its parent."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, NamedTuple

from handcalc.classroom.marking import sandbox
from handcalc.foundation.errors import HandcalcError, short

ENDING_SECONDS = 3  # for a process to end
MAX_VAIN_STARTS = 3  # failed starts in a row
NICENESS = 3  # of "nice": storing an answer comes before marking
CALL_SECONDS = 20  # of computing in one call, and as many again of waiting for it
STARTING_SECONDS = 60  # for a process to be ready
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
UNREAD_RESULT = "What a marking process said cannot be read: {}."
PROCESS_ENDED = "This made its process end, twice."
READY = "ready"  # what a process says first
MARKING_OVER = "The class is over, and nothing more is marked."
NO_PROCESS_LEFT = "No process can be started for marking; run the command again."
_STARTING = threading.Lock()  # one at a time: `_one_thread` changes this whole process


class LostError(HandcalcError):
    """A call that no process has answered."""


class NoProcessError(LostError):
    """A call for which no process could be started."""


TOO_LONG = False, LostError("This takes too long.")


class ProcessCall(NamedTuple):
    """A function by its name, its arguments, and the future of its result."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Future[Any]


class WorkerProcesses:
    """Some processes, each with a thread here that hands it one call after the other.

    `warm` is called in each before it is handed anything. With a `count` of 0 calls run here, in a thread.
    A call may compute for `seconds`, and wait as long again.
    """

    def __init__(self, count: int, warm: Callable[[], None], *, seconds: float = CALL_SECONDS) -> None:
        self.warm = warm
        self.seconds = seconds
        self.count = 0
        self._calls: SimpleQueue[ProcessCall | None] = SimpleQueue()
        self._left = 0  # threads that take calls
        self._lock = threading.Lock()
        self._is_closed = self._is_over = False
        self._threads: list[threading.Thread] = []
        self._running: set[BaseProcess] = set()
        if count:
            self.grow(count)
        else:
            self._start_thread(self._run_here)

    @property
    def pids(self) -> list[int]:
        """The processes that are running."""
        return [one.pid for one in list(self._running) if one.pid]

    def grow(self, count: int) -> None:
        """Start processes until there are at least so many."""
        while self.count < count:
            self.count += 1
            self._start_thread(self._run)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Call a function in one of the processes; its future raises LostError where it ended two of them."""
        call = ProcessCall(function, arguments, Future())
        with self._lock:
            if self._is_closed or not self._left:
                call.future.set_exception(self._why_lost())
            else:
                self._calls.put(call)
        return call.future

    def close(self) -> None:
        """Answer waiting calls, then end; a process that does not answer is killed."""
        with self._lock:
            for _ in self._threads:
                self._calls.put(None)
            self._is_closed = True
        last = time.monotonic() + ENDING_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, last - time.monotonic()) if self.count else None)
        self._is_over = True
        for process in list(self._running):
            process.kill()
        for thread in self._threads:
            thread.join()

    def _start_thread(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        with self._lock:
            self._left += 1
        thread.start()

    def _why_lost(self) -> LostError:
        return LostError(MARKING_OVER) if self._is_closed else NoProcessError(NO_PROCESS_LEFT)

    def _run_here(self) -> None:
        self.warm()
        while call := self._calls.get():
            if call.future.set_running_or_notify_cancel():
                try:
                    call.future.set_result(call.function(*call.arguments))
                except Exception as error:  # noqa: BLE001 - the caller that waits for it is told
                    call.future.set_exception(error)

    def _run(self) -> None:
        """Start a process, hand it calls, and start another when it ends."""
        lost: ProcessCall | None = None  # the call at which the last process ended
        in_vain = 0
        while in_vain < MAX_VAIN_STARTS and not self._is_over:
            with suppress(OSError), self._started() as connection:
                if _answer(connection, STARTING_SECONDS) != (True, READY):
                    in_vain += 1
                    continue
                in_vain = 0
                is_last, lost = self._hand_over(connection, lost)
                if is_last:
                    return
                continue
            in_vain += 1
        if lost:
            lost.future.set_exception(self._why_lost())
        with self._lock:
            self._left -= 1
            if not self._left:
                self._refuse_all()

    def _hand_over(
        self, connection: Connection, again: ProcessCall | None
    ) -> tuple[bool, ProcessCall | None]:
        """Hand over calls, first the one `again` at which another process ended.

        Returns whether there are no more, and the call at which this process ended, if another is to try it.
        """
        while call := again or self._calls.get():
            if call is again or call.future.set_running_or_notify_cancel():
                with suppress(OSError):
                    connection.send((call.function, call.arguments))
                answer = _answer(connection, 2 * self.seconds)
                if answer is None and call is not again:
                    return False, call
                _tell(call.future, *(answer or (False, LostError(PROCESS_ENDED))))
                if answer in (None, TOO_LONG):
                    return False, None
            again = None
        return True, None

    @contextmanager
    def _started(self) -> Iterator[Connection]:
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self.warm, self.seconds), daemon=True)
        with _STARTING, _one_thread():
            process.start()
        self._running.add(process)
        theirs.close()
        try:
            yield mine
        finally:
            mine.close()
            process.join(1)
            if process.is_alive():
                process.kill()
                process.join()
            self._running.discard(process)

    def _refuse_all(self) -> None:
        while not self._calls.empty():
            if call := self._calls.get():
                call.future.set_exception(self._why_lost())


def _tell(future: Future[Any], is_well: bool, found: Any) -> None:
    if is_well:
        future.set_result(found)
    else:
        future.set_exception(found)


def _answer(connection: Connection, seconds: float) -> tuple[bool, Any] | None:
    """The answer of a process: TOO_LONG where it takes longer than this, None where it has ended."""
    try:
        found: tuple[bool, Any] = connection.recv() if connection.poll(seconds) else TOO_LONG
    except (EOFError, OSError):
        return None
    except Exception as error:  # noqa: BLE001 - an error of its own kind, perhaps, that is none here
        return False, LostError(UNREAD_RESULT.format(short(error)))
    return found


@contextmanager
def _one_thread() -> Iterator[None]:
    """Make a process that is started here compute in one thread: several would wait for one another."""
    before = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _work(connection: Connection, warm: Callable[[], None], seconds: float) -> None:
    """Answer calls until no more are to come."""
    warm()
    sandbox.enter_sandbox()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    connection.send((True, READY))
    with suppress(EOFError, OSError):
        while True:
            function, arguments = connection.recv()
            sandbox.limit_processor(seconds)
            try:
                answer = True, function(*arguments)
            except Exception as error:  # noqa: BLE001 - it is raised where the call was made
                answer = False, error
            connection.send(answer)
