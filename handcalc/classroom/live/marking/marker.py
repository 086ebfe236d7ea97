"""The marker's queue: of each sheet the newest state alone; where many wait, states first, then names."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.marking.worker_processes import LostError, WorkerProcesses
from handcalc.foundation.errors import short

SHEETS_AHEAD = 2  # sheets handed out for each process, so that none is idle
MANY_WAITING = 4  # waiting sheets for each process; with more, mistakes are named later
MAX_PROCESSES = 4  # each takes about a hundred megabytes
MAX_MARKING_TRIES = 3  # to mark one state of a sheet
OnMarks = Callable[[Any, int, live_marks.Json], None]


class Marker:
    """Sheets that wait to be marked, and the processes that mark them.

    `on_marks(key, upto, marks)` hears of each result; `upto` is what `want` was told of the state.
    """

    def __init__(self, on_marks: OnMarks, processes: int | None = None) -> None:
        self.processes = WorkerProcesses(_cores() if processes is None else processes, live_marks.warm_up)
        self.on_marks = on_marks
        self._troubles: dict[Hashable, str] = {}  # about sheets that cannot be marked
        self._lost: dict[Hashable, tuple[int, live_marks.LiveSheet]] = {}  # whose processes ended
        self._tries: dict[Hashable, int] = {}  # failed ones in a row
        self._waiting: dict[Hashable, tuple[int, live_marks.LiveSheet]] = {}
        self._unnamed: dict[Hashable, tuple[int, live_marks.LiveSheet]] = {}
        self._busy: set[Hashable] = set()
        self._loop = asyncio.get_running_loop()

    @property
    def trouble(self) -> str:
        """One sentence where something cannot be marked."""
        return next(iter(self._troubles.values()), "")

    @property
    def is_idle(self) -> bool:
        """Whether everything is marked, names included."""
        return not (self._waiting or self._unnamed or self._busy)

    def want(self, key: Hashable, upto: int, sheet: live_marks.LiveSheet) -> None:
        """Mark this state of a sheet, and no older one; it keeps its place in the queue."""
        self._waiting[key] = upto, sheet
        self._unnamed.pop(key, None)
        self._lost.pop(key, None)
        self._tries.pop(key, None)
        self._feed()

    def mark_lost(self) -> None:
        """Mark sheets again whose processes have ended; a sheet that ends them all is given up."""
        while self._lost:
            key, state = self._lost.popitem()
            self._waiting[key] = state
        self._feed()

    def drop(self, key: Hashable) -> None:
        """Drop a sheet whose marks nobody wants any more."""
        for queue in (self._waiting, self._unnamed, self._lost):
            queue.pop(key, None)
        self._forgive(key)

    async def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in one of the processes, before any marking that waits, and return its result."""
        return await asyncio.wrap_future(self.processes.submit(function, *arguments))

    def close(self) -> None:
        """End the processes; sheets in the middle of marking are marked again after the next start."""
        self._waiting.clear()
        self._unnamed.clear()
        self.processes.close()

    def _forgive(self, key: Hashable) -> None:
        self._troubles.pop(key, None)
        self._tries.pop(key, None)

    def _feed(self) -> None:
        """Hand out as much as there are processes, states before names."""
        count = max(self.processes.count, 1)
        for queue in (self._waiting, self._unnamed):
            for key in [key for key in queue if key not in self._busy]:
                if len(self._busy) >= SHEETS_AHEAD * count:
                    return
                names = queue is self._unnamed or len(self._waiting) <= MANY_WAITING * count
                self._hand_out(key, *queue.pop(key), names=names)

    def _hand_out(self, key: Hashable, upto: int, sheet: live_marks.LiveSheet, *, names: bool) -> None:
        self._busy.add(key)
        future = self.processes.submit(live_marks.mark_sheet, sheet, names)

        def told(done: Future[Any]) -> None:
            self._loop.call_soon_threadsafe(self._take, key, upto, sheet, names, done)

        future.add_done_callback(told)

    def _take(
        self, key: Hashable, upto: int, sheet: live_marks.LiveSheet, names: bool, done: Future[Any]
    ) -> None:
        self._busy.discard(key)
        try:
            found = done.result()
            if not names and key not in self._waiting:
                self._unnamed[key] = upto, sheet
            self._forgive(key)
            self.on_marks(key, upto, found)
        except Exception as error:  # noqa: BLE001 - the teacher reads of it, and the others are marked
            self._tries[key] = self._tries.get(key, 0) + 1
            is_hopeful = self._tries[key] < MAX_MARKING_TRIES
            if is_hopeful and isinstance(error, LostError) and key not in self._waiting:
                self._lost[key] = upto, sheet
            self._troubles[key] = f"{sheet.code} could not be marked: {short(error)}"
        finally:
            self._feed()


def _cores() -> int:
    return min(os.cpu_count() or 1, MAX_PROCESSES)
