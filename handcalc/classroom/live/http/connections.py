"""Open connections, and which must go when there is no room: strangers, then those with most connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from enum import IntEnum
from typing import Any

MAX_PER_TICKET = 20  # connections of one ticket: a browser opens six, and a learner may have three pages
KEPT_PER_TICKET = 3  # connections of one ticket that it never has to give up


class ConnectionRank(IntEnum):
    """The rank of a connection: where there is no room, the lowest rank goes first."""

    STRANGER = 0  # no ticket
    GUEST = 1  # waits for the teacher's word
    SEATED = 2
    TEACHER = 3


class OpenConnections:
    """All connections, the oldest first, each with its rank and its address or ticket."""

    def __init__(self) -> None:
        self._all: dict[Any, tuple[ConnectionRank, Hashable]] = {}

    def __len__(self) -> int:
        return len(self._all)

    def add(self, one: Any, address: Hashable) -> None:
        """Add a connection from an address; its owner is not known yet."""
        self._all[one] = ConnectionRank.STRANGER, address

    def remove(self, one: Any) -> None:
        """Remove a connection that has ended."""
        self._all.pop(one, None)

    def is_stranger(self, one: Any) -> bool:
        """Whether the owner of a connection is unknown."""
        return self._all.get(one, (ConnectionRank.SEATED,))[0] is ConnectionRank.STRANGER

    def identify(self, one: Any, rank: ConnectionRank, ticket: Hashable) -> Any:
        """Note whose a connection is; returns another one to close where one ticket has too many."""
        if one not in self._all or self._all[one] == (rank, ticket):
            return None
        self._all[one] = rank, ticket
        same = [other for other, whose in self._all.items() if whose == (rank, ticket)]
        if len(same) <= MAX_PER_TICKET or rank is ConnectionRank.TEACHER:
            return None
        return next(other for other in same if other is not one)

    def choose_to_close(self) -> Any:
        """The connection that has to make room for a new one; None where the new one has to go itself.

        Of those of the lowest rank, whichever address or ticket has most gives up its oldest one.
        """
        rank = min((rank for rank, _ in self._all.values()), default=ConnectionRank.TEACHER)
        counts = Counter(whose for whose in self._all.values() if whose[0] is rank)
        is_seated = rank is ConnectionRank.SEATED
        if rank is ConnectionRank.TEACHER or (is_seated and max(counts.values()) <= KEPT_PER_TICKET):
            return None
        greediest = max(counts, key=lambda whose: counts[whose])
        return next(one for one, whose in self._all.items() if whose == greediest)
