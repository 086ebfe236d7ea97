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

from handcalc.classroom.folder.unique_draws import AskedSheet
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions, read_blank

SEED_BITS = 128  # of a class's seed
MAX_SEED_SIGNS = 6  # of a sheet's seed in its code: 148 million, of which two classes of 30 hardly share one


def new_seed() -> int:
    """A seed for a class, which nobody can guess."""
    return secrets.randbits(SEED_BITS)


def sheet_seeds(seed: int, asked: AskedSheet, used: Container[int] = ()) -> Iterator[int]:
    """The seeds of a class's sheets of one kind, one after the other, without those that are `used`."""
    kinds = _kinds(asked)
    for place in count():
        if (found := _hashed(seed, asked.topic, asked.level, place) % kinds) not in used:
            yield found


def seed_outside_class(seed: int, asked: AskedSheet) -> int:
    """A seed for sheets that are not of the class, to count up from."""
    return _hashed(seed, asked.topic, asked.level, "elsewhere") % _kinds(asked)


def _hashed(*words: object) -> int:
    return int.from_bytes(sha256(" ".join(map(str, words)).encode()).digest(), "big")


def _kinds(asked: AskedSheet) -> int:
    """How many seeds there are: fewer where a code has to say much besides."""
    most: int = codes.CODE_BASE**MAX_SEED_SIGNS
    return min(most, 1 + codes.largest_seed(_options_number(asked)))


def _options_number(asked: AskedSheet) -> int:
    blank, places, convention = asked.options
    if asked.options == SheetOptions():
        return 0
    numbers = codes.code_parts(asked.topic, 1, asked.level).any_draw
    return SheetOptions(read_blank(blank, numbers), places, convention).as_number(numbers.steps)
