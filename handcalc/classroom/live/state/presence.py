"""Who is in the room now: the one count of it, for the teacher's page and the projector alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handcalc.classroom.live.state.class_grid import Seat

HERE = 60.0  # seconds in which somebody is here whose page has just gone, or cannot stay connected


def here(seats: Iterable[Seat], at: float) -> int:
    """How many students have a page open, or had one until just now; whose code was released has not."""
    return len({seat.entry.number for seat in seats if _is_here(seat, at)})


def _is_here(seat: Seat, at: float) -> bool:
    return bool(seat.learner) and not seat.has_left and (seat.is_connected or at - seat.last < HERE)
