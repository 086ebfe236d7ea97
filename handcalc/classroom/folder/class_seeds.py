"""Where the numbers of a class come from: one seed that nobody can guess, and those of its sheets.

A class's seed is drawn once and kept in its class.json. The seeds of its sheets follow from it by a hash, so
that no two classes have sheets in common, no sheet tells of another one, and the same seed gives the same
sheets again.
"""

from __future__ import annotations

import secrets
from collections.abc import Container, Iterator
from hashlib import sha256
from itertools import count

from handcalc.classroom.folder.unique_draws import Asked
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions, read_blank

BITS = 128  # of a class's seed
MOST_SIGNS = 6  # of a sheet's seed in its code: 148 million, of which two classes of 30 hardly share one


def new_seed() -> int:
    """A seed for a class, which nobody can guess."""
    return secrets.randbits(BITS)


def spread(seed: int, asked: Asked, used: Container[int] = ()) -> Iterator[int]:
    """The seeds of a class's sheets of one kind, one after the other, without those that are `used`."""
    kinds = _kinds(asked)
    for place in count():
        if (found := _hashed(seed, asked.topic, asked.level, place) % kinds) not in used:
            yield found


def elsewhere(seed: int, asked: Asked) -> int:
    """A seed for sheets that are not of the class, to count up from."""
    return _hashed(seed, asked.topic, asked.level, "elsewhere") % _kinds(asked)


def _hashed(*words: object) -> int:
    return int.from_bytes(sha256(" ".join(map(str, words)).encode()).digest(), "big")


def _kinds(asked: Asked) -> int:
    """How many seeds there are: fewer where a code has to say much besides."""
    most: int = codes.CODE_BASE**MOST_SIGNS
    return min(most, 1 + codes.largest_seed(_options_number(asked)))


def _options_number(asked: Asked) -> int:
    blank, places, convention = asked.options
    if asked.options == SheetOptions():
        return 0
    numbers = codes.code_parts(asked.topic, 1, asked.level).any_draw
    return SheetOptions(read_blank(blank, numbers), places, convention).as_number(numbers.steps)
