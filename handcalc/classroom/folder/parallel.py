"""Work on several processors at the same time, or one thing after the other where that is quicker."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from handcalc.foundation.errors import HandcalcError
from handcalc.practice.topics import own_topics

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@contextmanager
def parallel_map(processes: int) -> Iterator[Map]:
    """A `map` whose calls run in so many processes; in order, as `map` has it.

    Raises HandcalcError where a process ends on its own.
    """
    if processes <= 1:
        yield map
        return
    before = set(active_children())
    with ProcessPoolExecutor(
        processes, get_context("spawn"), _begin, (list(own_topics.TOPICS_OF_FILES),)
    ) as pool:
        for _ in range(processes):
            pool.submit(len, "")  # they start at once, while others still say what will be made
        try:
            yield pool.map
        except BrokenProcessPool:
            raise HandcalcError(
                "The second process has ended: in a script, call this below "
                'if __name__ == "__main__":, or with processes=1.'
            ) from None
        except KeyboardInterrupt:
            for process in set(active_children()) - before:
                process.terminate()
            raise


def _begin(files: Iterable[Path]) -> None:
    """A process ends with Ctrl-C, and knows the topics that the teacher's files brought."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for file in files:
        own_topics.read_file(file)
