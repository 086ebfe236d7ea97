"""Worksheets: an exercise on paper with boxes for a pencil, its key, and as many as a class needs."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from io import BytesIO
from itertools import chain
from multiprocessing import active_children, get_context
from os import PathLike
from typing import IO, NamedTuple

from handcalc import numbers
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, listed, short
from handcalc.files import check_free, make_folder, path_of, whole_files
from handcalc.practice import codes
from handcalc.practice.exercise import Exercise
from handcalc.practice.options import Options
from handcalc.reading import read_whole
from handcalc.views import paper as paper_

MOST = 500  # sheets in one go
MOST_TRIED = 20  # seeds for each sheet
MOST_LISTED = 3  # steps in one line
SHEETS, KEYS = "sheets.pdf", "keys.pdf"
Content = Exercise | Calculation | str  # what `Exercise` is made of will do


class Job(NamedTuple):
    """One file of a class; the codes alone say what is on it, so another process can write it."""

    codes: list[str]
    paper: str
    is_key: bool


def save_worksheet(
    exercise: Content,
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    overwrite: bool = True,
) -> int:
    """Write an exercise as a PDF to print, and its key: the same pages with the blanks filled in.

    `exercise` may also be a calculation or a code, all of whose steps are then blank. `path` is the sheet's
    file, `key` that of the key; None leaves one out. `paper` is "a4" or "letter". The code of an exercise
    that was made from one is on every page. Returns the number of pages.
    Raises HandcalcError for other paper, for what has no room on a page, where solutions are kept back, and
    where a file cannot be written, or exists and must not be overwritten.
    """
    return save([exercise], path, key=key, paper=paper, overwrite=overwrite)


def save(
    exercises: Sequence[Content],
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    overwrite: bool = True,
) -> int:
    """Write exercises one after the other into one PDF, their keys into another; see `save_worksheet`."""
    if not isinstance(exercises, list | tuple) or not exercises:
        raise HandcalcError(f"Worksheets are written from a list of exercises, not from {short(exercises)}.")
    made = [one if isinstance(one, Exercise) else Exercise(one) for one in exercises]
    names = {False: path, True: key}  # whether it is a key, and its file
    kinds = {is_key: path_of(name) for is_key, name in names.items() if name is not None}
    if not kinds:
        raise HandcalcError("Name a file for the sheet, or one for the key.")
    if key is not None and not all(exercise.solutions for exercise in made):
        raise HandcalcError("This exercise withholds its solutions, so it has no key.")
    if len(set(kinds.values())) < len(kinds):
        raise HandcalcError("The sheet and its key cannot be the same file; give each its own name.")
    paper_.paper_called(paper)
    with whole_files(kinds.values(), overwrite=overwrite) as files:
        return _write(made, list(kinds), files, paper)


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
    keys: bool = True,
    overwrite: bool = False,
) -> list[str]:
    """Write a different sheet for everyone: sheets.pdf, keys.pdf, in the same order; returns the codes.

    Seeds count up from `seed`; one that gives the numbers of an earlier one is passed over. Without `keys`
    there is no keys.pdf. With two `processes` sheets and keys are written at the same time, which a script
    may ask for below `if __name__ == "__main__":`.
    Raises HandcalcError for a count outside 1 to 500, where there are not that many different sheets, and
    where the folder has sheets or keys already, unless `overwrite`.
    """
    count = read_whole(count, "The count")
    if not 1 <= count <= MOST:
        raise HandcalcError(f"The count is {short(count)}; it must be 1 to {MOST}.")
    processes = read_whole(processes, "processes")
    if not isinstance(options, Options):
        raise HandcalcError(f"options are Options(blank, places, convention), not {short(options)}.")
    paper_.paper_called(paper)
    names = [path_of(folder) / name for name in (SHEETS, KEYS)[: 1 + keys]]
    if not overwrite:
        check_free(names)
    found = _different(topic, count, seed, level, options)
    make_folder(folder)
    jobs = [Job(found, paper, is_key) for is_key in (False, True)[: len(names)]]
    with whole_files(names, overwrite=overwrite) as files:
        for file, data in zip(files, _done(jobs, processes), strict=True):
            file.write(data)
    return found


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
    raise HandcalcError(f"{topic} has only {sheets} at level {level}; ask for fewer.")


def _done(jobs: Sequence[Job], processes: int) -> Iterable[bytes]:
    """The PDF of each job, worked on at the same time if there is more than one process."""
    if processes <= 1 or len(jobs) == 1:
        return map(_do, jobs)
    before = set(active_children())
    context = get_context("spawn")
    with ProcessPoolExecutor(len(jobs), context, signal.signal, (signal.SIGINT, signal.SIG_DFL)) as pool:
        try:
            return list(pool.map(_do, jobs))
        except BrokenProcessPool:
            raise HandcalcError(
                "The second process has ended: in a script, call this below "
                'if __name__ == "__main__":, or with processes=1.'
            ) from None
        except KeyboardInterrupt:
            for process in set(active_children()) - before:
                process.terminate()
            raise


def _do(job: Job) -> bytes:
    file = BytesIO()
    _write(map(Exercise, job.codes), [job.is_key], [file], job.paper)
    return file.getvalue()


def _write(
    exercises: Iterable[Exercise], kinds: Sequence[bool], files: Sequence[IO[bytes]], paper: str
) -> int:
    """Sheets or keys into open files, as `kinds` says of each; returns how many pages there are."""
    exercises = list(exercises)
    title = ", ".join(dict.fromkeys(exercise.calculation.title for exercise in exercises))
    titles = [title + ", key" * is_key for is_key in kinds]
    pages = chain.from_iterable(paper_.pages(_sheet(one), paper=paper, keys=kinds) for one in exercises)
    return paper_.write(pages, list(zip(files, titles, strict=True)))


def _sheet(exercise: Exercise) -> paper_.Sheet:
    calculation, places = exercise.calculation, exercise.places
    return paper_.Sheet(calculation, exercise.blank, places, exercise.code, _caution(exercise))


def _caution(exercise: Exercise) -> str:
    """How far right answers may be from the key if every step starts from rounded numbers."""
    drift = {name: off for name, off in exercise.drift().items() if off >= 10.0**-exercise.places}
    if not drift:
        return ""
    worst: dict[str, float] = {}
    for name, off in drift.items():
        step = name.rpartition(".")[2]  # that of all heads
        worst[step] = max(off, worst.get(step, 0.0))
    most = sorted(worst.values())[-MOST_LISTED:][0]
    offs = [f"{numbers.show(off, exercise.places)} in {step}" for step, off in worst.items() if off >= most]
    return f"Rounding at every step is fine, too: numbers then differ by up to {listed(offs)}."
