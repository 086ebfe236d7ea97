"""Worksheets: an exercise on paper with boxes for a pencil, its key, and as many as a class needs."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from os import PathLike
from pathlib import Path

from handcalc import numbers
from handcalc.errors import HandcalcError, listed
from handcalc.numbers import read_whole
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise
from handcalc.practice.options import Options
from handcalc.views import paper as paper_

MOST = 500  # sheets in one go
MOST_TRIED = 20  # seeds for each sheet
MOST_SAID = 3  # steps in one line
SHEETS, KEYS = "sheets.pdf", "keys.pdf"


def save_worksheet(
    exercise: Exercise,
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    overwrite: bool = True,
) -> int:
    """Write an exercise as a PDF to print, and its key: the same pages with the blanks filled in.

    `path` is the sheet's file, `key` that of the key; None leaves one out. `paper` is "a4" or "letter".
    The code of an exercise that was made of one stands on every page. Returns the number of pages.
    Raises HandcalcError for other paper, for what has no room on a page, where solutions are kept back, and
    where nothing can be written.
    """
    return save([exercise], path, key=key, paper=paper, overwrite=overwrite)


def save(
    exercises: Iterable[Exercise],
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    overwrite: bool = True,
) -> int:
    """Write exercises one after the other into one PDF, their keys into another; see `save_worksheet`."""
    exercises = list(exercises)
    if not exercises:
        raise HandcalcError("There is no worksheet to write.")
    if path is None and key is None:
        raise HandcalcError("Neither a file for the sheet nor one for the key is named.")
    if key is not None and not all(exercise.solutions for exercise in exercises):
        raise HandcalcError("Solutions are kept back in this exercise, so there is no key to it.")
    title = ", ".join(dict.fromkeys(exercise.calculation.title for exercise in exercises))
    titles = {} if path is None else {path: title}
    if key is not None:
        titles[key] = f"{title}, key"
    keys = [file != path for file in titles]
    pages = chain.from_iterable(paper_.pages(_sheet(one), paper=paper, keys=keys) for one in exercises)
    return paper_.save(pages, titles, overwrite=overwrite)


def save_class(
    topic: str,
    count: int,
    folder: str | PathLike[str],
    *,
    seed: int = 1,
    level: int = 1,
    options: Options = Options(),  # noqa: B008
    paper: str = "a4",
    processes: int = 1,
) -> list[str]:
    """Write a different sheet for everyone: sheets.pdf, keys.pdf, in the same order; returns the codes.

    Seeds count up from `seed`; one that gives the numbers of an earlier one is passed over. With two
    `processes` sheets and keys are written at the same time, which a script may ask for below
    `if __name__ == "__main__":`.
    Raises HandcalcError for a count that is not 1 to 500, where there are not so many different sheets, and
    where the folder has sheets or keys already: they are not written over.
    """
    count = read_whole(count, "The count")
    if not 1 <= count <= MOST:
        raise HandcalcError(f"The count is {count}; it is 1 to {MOST}.")
    signs = _different(topic, count, seed, level, options)
    paper_.paper_called(paper)
    for path in (Path(folder) / SHEETS, Path(folder) / KEYS):
        if path.exists():
            raise HandcalcError(f"{path} is there already; name another folder, or move it away.")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HandcalcError(f"{folder} cannot be made a folder: {error.strerror}.") from None
    jobs = [(signs, Path(folder), paper, is_key) for is_key in (False, True)]
    if processes > 1:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            list(pool.map(_save_half, jobs))
    else:
        for job in jobs:
            _save_half(job)
    return signs


def _different(topic: str, count: int, seed: int, level: int, options: Options) -> list[str]:
    """Codes of sheets with different numbers."""
    signs: dict[tuple[bytes, ...], str] = {}
    for number in range(seed, seed + MOST_TRIED * count):
        givens = codes.coded(topic, number, level).numbers.givens.values()
        sign = codes.code(topic, number, level, **options._asdict())
        signs.setdefault(tuple(given.values.tobytes() for given in givens), sign)
        if len(signs) == count:
            return list(signs.values())
    sheets = f"{len(signs)} different sheet{'s' if len(signs) > 1 else ''}"
    raise HandcalcError(f"Only {sheets} of {topic} can be had at level {level}; ask for fewer.")


def _save_half(job: tuple[list[str], Path, str, bool]) -> int:
    """Sheets or keys; the codes alone say what is on them, so another process can write them."""
    signs, folder, paper, is_key = job
    exercises = map(Exercise, signs)
    if is_key:
        return save(exercises, None, key=folder / KEYS, paper=paper)
    return save(exercises, folder / SHEETS, paper=paper)


def _sheet(exercise: Exercise) -> paper_.Sheet:
    calculation, places = exercise.calculation, exercise.places
    return paper_.Sheet(calculation, exercise.blank, places, exercise.code, _caution(exercise))


def _caution(exercise: Exercise) -> str:
    """How far right answers may be from the key where rounded numbers were gone on from."""
    drift = {name: off for name, off in exercise.drift().items() if off >= 10.0**-exercise.places}
    if not drift:
        return ""
    worst: dict[str, float] = {}
    for name, off in drift.items():
        step = name.rpartition(".")[2]  # that of all heads
        worst[step] = max(off, worst.get(step, 0.0))
    most = sorted(worst.values())[-MOST_SAID:][0]
    said = [f"{numbers.show(off, exercise.places)} in {step}" for step, off in worst.items() if off >= most]
    return f"Rounding at every step is right too; it differs by up to {listed(said)}."
