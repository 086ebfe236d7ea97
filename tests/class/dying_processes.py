"""Calls for a process that ends, or cannot begin; with no import that would make it slow to start."""

import os
import signal


def ready() -> None:
    """As a process begins."""


def broken() -> None:
    """As a process begins that cannot."""
    raise SystemExit(1)


def twice(number: int) -> int:
    """Two times the number; ends its process at 13."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


class OddError(Exception):
    """An error that can be sent, but not made again from what was sent."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def odd() -> None:
    raise OddError("o", "dd")
