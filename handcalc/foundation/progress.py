"""Progress of long work: a bar in a terminal, and nothing in a file, a pipe or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Thing = TypeVar("Thing")
SECONDS = 2.0  # shorter work shows no bar
_IS_QUIET = ContextVar("is_quiet", default=False)


def with_progress(things: Iterable[Thing], what: str, total: int | None = None) -> Iterable[Thing]:
    """The same things, one after the other; a terminal shows how many of them are done.

    `what` names the work on them, `total` is their number where `things` has no length.
    """
    if not is_watched():
        return things
    from tqdm import tqdm  # here: most work is quick, and `import handcalc` has to be

    bar: Iterable[Thing] = tqdm(things, what, total, delay=SECONDS, leave=False, file=sys.stderr)
    return bar


def is_watched() -> bool:
    """Whether to show progress: the output is a terminal, and bars are not switched off."""
    return not _IS_QUIET.get() and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def quiet(is_quiet: bool = True) -> Iterator[None]:
    """Show no bars for work in the block: another process, with an equal share, shows its own."""
    before = _IS_QUIET.set(is_quiet)
    try:
        yield
    finally:
        _IS_QUIET.reset(before)
