"""Rate limits: how many requests of each kind are let through in how much time.

Answers, hints and requests count for each learner, wrong codes for each address and for all. A right code is
read first: where too many wrong ones came from its address, its owner waits for the teacher's word.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, ip_address

from handcalc.classroom.live.state.refusals import TooManyError

FEW_WRONG_CODES = 5  # wrong codes: somebody mistypes
MAX_BUCKETS = 10_000  # the client not seen for longest is forgotten, with a full bucket


class TokenBuckets:
    """For each key a bucket of `size` tokens that fills again, `rate` of them a second."""

    def __init__(
        self, size: float, rate: float, sentence: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.size, self.rate, self.sentence, self.clock = size, rate, sentence, clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # tokens left, and when

    def take(self, key: Hashable = None, tokens: float = 1) -> None:
        """Take tokens out. Raises TooManyError where there are too few."""
        self.check(key, tokens)
        left, now = self._now(key)
        self._left[key] = left - tokens, now
        self._left.move_to_end(key)
        if len(self._left) > MAX_BUCKETS:
            self._left.popitem(last=False)

    def left(self, key: Hashable = None) -> float:
        """The number of tokens left."""
        return self._now(key)[0]

    def check(self, key: Hashable = None, tokens: float = 1) -> None:
        """Raise TooManyError where there are too few tokens."""
        missing = min(tokens, self.size) - self._now(key)[0]
        if missing > 0:
            raise TooManyError(self.sentence, missing / self.rate)

    def _now(self, key: Hashable) -> tuple[float, float]:
        now = self.clock()
        left, at = self._left.get(key, (self.size, now))
        return min(self.size, left + (now - at) * self.rate), now


class RateLimits:
    """All limits of a server: generous to a class behind one address, tight for guessing and flooding."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        def some(size: float, rate: float, sentence: str) -> TokenBuckets:
            return TokenBuckets(size, rate, sentence, clock)

        self.answers = some(
            400, 10, "That is more answers than anybody can type; your page sends the rest in a moment."
        )
        self.requests = some(60, 10, "That is more than your page needs; wait a moment.")
        self.hints = some(10, 1, "Read this hint first; the next one is ready in a moment.")
        self.wrong_codes = some(60, 1, "Too many wrong codes came from here; wait a moment, then try again.")
        self.all_wrong_codes = some(
            300, 5, "Too many wrong codes have been tried; wait a moment, then try again."
        )
        self.wrong_tokens = some(60, 2, "Too many requests came from here without a code; wait a moment.")
        self.same_code = some(
            6, 0.1, "This code was used too often just now; wait a moment, or ask your teacher."
        )
        self.joins = some(1000, 20, "Too many people are joining at once; wait a moment, then try again.")

    def doubts(self, address: str) -> bool:
        """Whether a right code from here may be a lucky guess: so many wrong ones came before it.

        One is in doubt only for what came from its own address.
        """
        left, size = self.wrong_codes.left(address), self.wrong_codes.size
        return left < 1 or (self.all_wrong_codes.left() < 1 and left < size - FEW_WRONG_CODES)


def group_address(address: str | None) -> str:
    """The key under which addresses count as one: a home or school has 2⁶⁴ addresses of IPv6."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return str(address)
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or found.exploded[:19])
    return str(found)
