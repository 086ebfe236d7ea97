"""The sandbox for reading strangers' files: limits of memory and time, and it ends with its parent."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, parent_process
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has none; the watch on the clock works there, too
    resource = None  # type: ignore[assignment]

MAX_MEMORY_BYTES = 1_000_000_000  # bytes beyond those of a worker that is ready
MAX_SECONDS = 60.0  # for one file, or one sheet of a long one
_watched: dict[int, float] = {}  # by thread: the end of its time
_lock = threading.Lock()
_nowhere: list[int] = []


def enter_sandbox() -> None:
    """Leave Ctrl-C to the parent, end with it, and use no more memory than this."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if resource is not None:
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            most = _in_use() + MAX_MEMORY_BYTES
            resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
            resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End this process where the block takes longer: nothing else stops a calculation in C."""
    mine = threading.get_ident()
    with _lock:
        _watched[mine] = time.monotonic() + seconds
        _watch()
    try:
        yield
    finally:
        with _lock:
            del _watched[mine]
            _watch()


def _watch() -> None:
    """Watch the clock until the first time that is up; processor time has a limit of its own."""
    if not _nowhere:
        _nowhere.append(os.open(os.devnull, os.O_WRONLY))  # stays open as long as the process lives
    if not _watched:
        faulthandler.cancel_dump_traceback_later()
        return
    left = max(min(_watched.values()) - time.monotonic(), 0.001)
    faulthandler.dump_traceback_later(left, exit=True, file=_nowhere[0])


def limit_processor(seconds: float) -> None:
    """Let the system end this process after so many more seconds of the processor."""
    if resource is not None:
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            most = int(time.process_time() + seconds) + 2
            resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))


def _in_use() -> int:
    """The size of the address space in use, in bytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError):  # not on this system
        return MAX_MEMORY_BYTES
    return pages * os.sysconf("SC_PAGE_SIZE")


def _end_with_parent() -> None:
    """End this process with its parent: a worker waits for work even after its parent was killed."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
