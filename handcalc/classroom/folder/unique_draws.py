"""Numbers of one's own for everyone, drawn once from the seed of a class: no two sheets have the same givens.

A class's seed is drawn once and kept in its class.json. The seeds of its sheets follow from it by a hash, so
that no two classes have sheets in common, no sheet tells of another one, and the same seed gives the same
sheets again.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Container, Iterable, Iterator
from hashlib import sha256
from itertools import count, islice
from typing import NamedTuple

from handcalc.classroom.folder import stored_numbers, tickets
from handcalc.classroom.folder.parallel import Map
from handcalc.foundation.errors import HandcalcError, listed
from handcalc.foundation.progress import with_progress
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.codes import CodeParts
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.options import SheetOptions, read_blank
from handcalc.practice.topics import EXAMPLES

MAX_SEEDS_TRIED = 20  # seeds for each sheet
Givens = tuple[float, ...]
FEW_SHEETS = {  # topics and levels with fewer than 10,000: counted up to 150, else estimated
    ("count_scores", 1): 24,
    ("count_scores", 2): 60,
    ("count_scores", 3): 18,
    ("induction", 1): 20,
    ("induction", 2): 48,
    ("induction", 3): 141,
    ("missing_weight", 1): 8000,
    ("rnn_step", 1): 58,
    ("slope_chain", 1): 330,
    ("slope_chain", 2): 1200,
    ("softmax", 1): 117,
    ("softmax_backwards", 1): 740,
    ("softmax_backwards", 2): 1800,
    ("softmax_base_3", 1): 60,
    ("softmax_temperature", 1): 120,
}
SEED_BITS = 128  # of a class's seed
MAX_SEED_SIGNS = 6  # of a sheet's seed in its code: 148 million, of which two classes of 30 hardly share one


class AskedSheet(NamedTuple):
    """The sheet that everyone is asked to fill in."""

    topic: str
    level: int = 1
    options: SheetOptions = SheetOptions()


class DrawnSheet(NamedTuple):
    """One sheet's numbers: its code, its givens, and its stored form."""

    code: str
    givens: Givens
    kept: str


def draw_different(
    asked: AskedSheet, count: int, seeds: Iterable[int], *, known: Collection[Givens] = (), each: Map = map
) -> list[DrawnSheet]:
    """So many sheets with different numbers from these seeds; a seed that gives `known` ones is skipped.

    Raises HandcalcError where there are not that many.
    """
    found: dict[Givens, DrawnSheet] = {}
    waiting = islice(seeds, MAX_SEEDS_TRIED * count)
    while len(found) < count and (some := list(islice(waiting, count - len(found)))):
        jobs = [(codes.code_parts(asked.topic, one, asked.level), asked.options) for one in some]
        for drawn in with_progress(each(draw_sheet, jobs), "Drawing numbers", len(jobs)):
            if drawn.givens not in known:
                found.setdefault(drawn.givens, drawn)
    if len(found) == count:
        return list(found.values())
    sheets = f"{len(found)} different sheet{'s' * (len(found) != 1)}"
    more = f"only {sheets}" if not known else f"only {sheets} more"
    raise HandcalcError(f"{asked.topic} has {more} at level {asked.level}; ask for fewer.")


def draw_class_sheets(
    asked: AskedSheet, count: int, seeds: Iterable[int], *, known: Collection[Givens] = (), each: Map = map
) -> list[DrawnSheet]:
    """So many sheets for a class: different ones, or an example with a code of one's own for everyone.

    An example has the same numbers for all: the seed in its code only says whose sheet it is.
    """
    if asked.topic not in EXAMPLES:
        return draw_different(asked, count, seeds, known=known, each=each)
    example = codes.code_parts(asked.topic)
    jobs = [(example._replace(seed=number), asked.options) for number in islice(seeds, count)]
    return list(with_progress(each(draw_sheet, jobs), "Drawing numbers", len(jobs)))


def give_tickets(sheets: list[DrawnSheet], secret: str, taken: set[str]) -> list[DrawnSheet]:
    """The same sheets, each with a ticket in place of its code where the class has a secret."""
    if not secret:
        return sheets
    found = []
    for one in sheets:
        taken.add(ticket := tickets.make_ticket(secret, one.code, taken))
        found.append(one._replace(code=ticket, kept=stored_numbers.hide_code(one.kept, ticket)))
    return found


def draw_sheet(job: tuple[CodeParts, SheetOptions]) -> DrawnSheet:
    """Draw the numbers of one sheet."""
    coded, options = job
    exercise = Exercise(codes.write_code(coded), *options)
    return DrawnSheet(exercise.code, list_givens(exercise), stored_numbers.store_exercise(exercise))


def list_givens(exercise: Exercise) -> Givens:
    """All given numbers, in a row."""
    givens = exercise.calculation.givens.values()
    return tuple(number for given in givens for number in given.values.ravel().tolist())


def warn_of_few_sheets(topics: Iterable[tuple[str, int]]) -> list[str]:
    """One sentence about the topics that have few different sheets, where there are any."""
    few = [
        f"{topic.replace('_', '-')} at level {level} (about {FEW_SHEETS[topic, level]:,})"
        for topic, level in topics
        if (topic, level) in FEW_SHEETS
    ]
    return [f"Another class may get some of the same numbers: few sheets differ in {listed(few)}."] * bool(
        few
    )


def new_seed() -> int:
    """A seed for a class that nobody can guess."""
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
    """The number of seeds that there are: fewer where a code has to say much besides."""
    most: int = codes.CODE_BASE**MAX_SEED_SIGNS
    return min(most, 1 + codes.largest_seed(_options_number(asked)))


def _options_number(asked: AskedSheet) -> int:
    blank, places, convention = asked.options
    if asked.options == SheetOptions():
        return 0
    numbers = codes.code_parts(asked.topic, 1, asked.level).any_draw
    return SheetOptions(read_blank(blank, numbers), places, convention).as_number(numbers.steps)
