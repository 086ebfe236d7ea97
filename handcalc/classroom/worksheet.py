"""Worksheets: an exercise on paper with boxes for a pencil, its key, and as many as a class needs."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from handcalc.errors import HandcalcError
from handcalc.numbers import read_whole
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise
from handcalc.practice.problems import problem
from handcalc.views import paper as paper_

MOST = 500  # sheets in one go
SHEETS, KEYS = "sheets.pdf", "keys.pdf"


class Worksheet(NamedTuple):
    """An exercise and the code that loads its numbers; without a code its numbers are known otherwise."""

    exercise: Exercise
    code: str = ""


class Wishes(NamedTuple):
    """How exercises are made of numbers: what is blank (all, if None), and how it is written."""

    blank: tuple[str, ...] | None = None
    places: int = 2
    convention: str = "columns"


def save_worksheet(
    exercise: Exercise,
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    code: str = "",
) -> int:
    """Write an exercise as a PDF to print, and its key: the same pages with the blanks filled in.

    `path` is the sheet's file, `key` that of the key; None leaves one out. `paper` is "a4" or "letter";
    `code` stands on every page. Returns the number of pages.
    Raises HandcalcError for other paper, for what has no room on a page, where solutions are kept back, and
    where nothing can be written.
    """
    return save([Worksheet(exercise, code)], path, key=key, paper=paper)


def save(
    worksheets: Iterable[Worksheet],
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
) -> int:
    """Write worksheets one after the other into one PDF, their keys into another; see `save_worksheet`."""
    worksheets = list(worksheets)
    if not worksheets:
        raise HandcalcError("There is no worksheet to write.")
    if path is None and key is None:
        raise HandcalcError("Neither a file for the sheet nor one for the key is named.")
    if key is not None and not all(worksheet.exercise.solutions for worksheet in worksheets):
        raise HandcalcError("Solutions are kept back in this exercise, so there is no key to it.")
    title = ", ".join(dict.fromkeys(worksheet.exercise.calculation.title for worksheet in worksheets))
    titles = {} if path is None else {path: title}
    if key is not None:
        titles[key] = f"{title}, key"
    keys = [file != path for file in titles]
    pages = chain.from_iterable(paper_.pages(_sheet(one), paper=paper, keys=keys) for one in worksheets)
    try:
        return paper_.save(pages, titles)
    except OSError as error:
        raise HandcalcError(f"{error.filename or path} cannot be written: {error.strerror}.") from None


def drawn(topic: str, seed: int = 1, level: int = 1, wishes: Wishes = Wishes()) -> Worksheet:  # noqa: B008
    """The worksheet for `problem(topic, seed, level)`, with its code."""
    return Worksheet(Exercise(problem(topic, seed, level), *wishes), codes.code(topic, seed, level))


def loaded(code: str, wishes: Wishes = Wishes()) -> Worksheet:  # noqa: B008
    """The worksheet that bears this code."""
    return Worksheet(Exercise(codes.load(code), *wishes), codes.code(*codes.read(code)))


def save_class(
    topic: str,
    count: int,
    folder: str | PathLike[str],
    *,
    seed: int = 1,
    level: int = 1,
    wishes: Wishes = Wishes(),  # noqa: B008
    paper: str = "a4",
    processes: int = 1,
) -> list[str]:
    """Write a different sheet for everyone: sheets.pdf, keys.pdf, in the same order; returns the codes.

    Seeds count up from `seed`. With two `processes` sheets and keys are written at the same time, which a
    script may ask for below `if __name__ == "__main__":`.
    Raises HandcalcError for a count that is not 1 to 500.
    """
    count = read_whole(count, "The count")
    if not 1 <= count <= MOST:
        raise HandcalcError(f"The count is {count}; it is 1 to {MOST}.")
    signs = [drawn(topic, seed + number, level, wishes).code for number in range(count)]
    paper_.paper_called(paper)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HandcalcError(f"{folder} cannot be made a folder: {error.strerror}.") from None
    jobs = [(signs, wishes, Path(folder), paper, is_key) for is_key in (False, True)]
    if processes > 1:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            list(pool.map(_save_half, jobs))
    else:
        for job in jobs:
            _save_half(job)
    return signs


def _save_half(job: tuple[list[str], Wishes, Path, str, bool]) -> int:
    """Sheets or keys; the codes alone say what is on them, so another process can write them."""
    signs, wishes, folder, paper, is_key = job
    worksheets = [loaded(sign, wishes) for sign in signs]
    if is_key:
        return save(worksheets, None, key=folder / KEYS, paper=paper)
    return save(worksheets, folder / SHEETS, paper=paper)


def _sheet(worksheet: Worksheet) -> paper_.Sheet:
    exercise = worksheet.exercise
    return paper_.Sheet(exercise.calculation, exercise.blank, exercise.places, worksheet.code)
