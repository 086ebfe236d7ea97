"""Numbers of one's own for everyone: no two sheets of a topic with the same givens, drawn once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from handcalc.classroom.folder import stored_numbers, tickets
from handcalc.classroom.folder.parallel import Map
from handcalc.foundation.errors import HandcalcError, listed
from handcalc.foundation.progress import with_progress
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.codes import CodeParts
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.options import SheetOptions
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


class AskedSheet(NamedTuple):
    """What everyone is asked for."""

    topic: str
    level: int = 1
    options: SheetOptions = SheetOptions()


class DrawnSheet(NamedTuple):
    """One sheet's numbers: its code, its givens, and what is kept of it."""

    code: str
    givens: Givens
    kept: str


def draw_different(
    asked: AskedSheet, count: int, seeds: Iterable[int], *, known: Collection[Givens] = (), each: Map = map
) -> list[DrawnSheet]:
    """So many sheets with different numbers from these seeds; one that gives `known` ones is passed over.

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
    """All numbers that are given, in a row."""
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
