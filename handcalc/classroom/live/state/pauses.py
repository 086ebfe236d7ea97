"""The pauses of a class: time in which nobody is quiet, and nothing takes long."""

from __future__ import annotations

from collections.abc import Iterable

MAX_PAUSES = 200  # pauses remembered; nobody asks for older ones
Pause = list[float | None]  # begin and end, in seconds since 1970; the end is None while it lasts


def working_time(at: float, rests: Iterable[Pause]) -> float:
    """The time, less all pauses of the class before it."""
    return at - sum(max(0.0, min(at, at if end is None else end) - (begin or 0.0)) for begin, end in rests)


def begin_pause(rests: list[Pause], at: float) -> list[Pause]:
    """Begin a pause now, unless there is one."""
    return rests if rests and rests[-1][1] is None else [*rests, [at, None]][-MAX_PAUSES:]


def end_pause(rests: list[Pause], at: float) -> list[Pause]:
    """End the pause, if there is one."""
    return [*rests[:-1], [rests[-1][0], at]] if rests and rests[-1][1] is None else rests


def pause_over_break(rests: list[Pause], heard: float, at: float, *, is_paused: bool) -> list[Pause]:
    """Count a break of the server as a pause, from when somebody was last `heard`, 0 for nobody."""
    away = begin_pause(rests, heard or at)
    return away if is_paused else end_pause(away, at)
