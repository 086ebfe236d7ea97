"""Worksheets: an exercise on paper with boxes for a pencil, its key, and as many as a class needs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from io import BytesIO
from itertools import count as counting
from os import PathLike
from pathlib import Path
from typing import IO, NamedTuple

from handcalc.classroom.folder.parallel import Map, parallel_map
from handcalc.classroom.folder.stored_numbers import restore_exercise as exercise_of
from handcalc.classroom.folder.tickets import is_ticket
from handcalc.classroom.folder.unique_draws import AskedSheet, draw_different
from handcalc.classroom.handouts.qr import Modules, draw_qr_svg
from handcalc.foundation import extras
from handcalc.foundation.atomic_files import check_free, make_folder, read_path, whole_files
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.foundation.progress import is_watched, quiet, with_progress
from handcalc.notation import numbers
from handcalc.notation.validation import read_whole
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.options import SheetOptions
from handcalc.record.calculation import Calculation
from handcalc.views import paper as paper_
from handcalc.views.paper import PaperSheet, Printing

MAX_SHEETS = 500  # sheets in one go
MAX_STEPS_LISTED = 3  # steps in one line
SHEETS_PDF, KEYS_PDF = "sheets.pdf", "keys.pdf"
Content = Exercise | Calculation | str  # anything that makes an `Exercise`


class PrintedSheet(NamedTuple):
    """One sheet of a class, as another process needs it."""

    code: str
    kept: str  # its numbers
    name: str = ""
    qr: Modules = ()
    pile: int = 0  # two of one pile may share a page: a student's, or everybody's where nobody has two


class PdfJob(NamedTuple):
    """One file of a class."""

    sheets: Sequence[PrintedSheet]
    how: Printing
    is_quiet: bool = False  # whether it does not report its progress


def save_worksheet(
    exercise: Content,
    path: str | PathLike[str] | None,
    *,
    key: str | PathLike[str] | None = None,
    paper: str = "a4",
    overwrite: bool = True,
) -> int:
    """Write an exercise as a PDF to print, and its key: the same pages with the blanks filled in.

    >>> hc.save_worksheet("SA1-4292", "sheet.pdf", key="key.pdf")  # pages
    1

    `exercise` may also be a calculation or a code; then every step is blank. `path` is the file of the sheet,
    `key` that of the key; None leaves one out. `paper` is "a4" or "letter". If the exercise was made from a
    code, that code is on every page. Returns the number of pages. Raises HandcalcError for other paper, for a
    step too large for a page, if solutions are withheld, and for a file that cannot be written, or that
    exists and must not be overwritten.
    """
    return save_worksheets([exercise], path, key=key, paper=paper, overwrite=overwrite)


def save_worksheets(
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
    kinds = {is_key: read_path(name) for is_key, name in names.items() if name is not None}
    if not kinds:
        raise HandcalcError("Name a file for the sheet, or one for the key.")
    if key is not None and not all(exercise.solutions for exercise in made):
        raise HandcalcError("This exercise withholds its solutions, so it has no key.")
    if len(set(kinds.values())) < len(kinds):
        raise HandcalcError("The sheet and its key cannot be the same file; give each its own name.")
    paper_.paper_called(paper)
    with whole_files(kinds.values(), overwrite=overwrite) as files:
        return _write(list(map(_sheet, made)), [Printing(paper, is_key) for is_key in kinds], files)


def count_pages(exercise: Exercise, *, paper: str = "a4", halves: bool = False) -> float:
    """The number of pages that a sheet of a class takes; ½, where two share one."""
    sheet = _sheet(exercise)._replace(name="A", pile=1)
    pages = paper_.set_pdf([sheet, sheet], exercise.calculation.title, Printing(paper, halves=halves))[1]
    return pages / 2


def worksheet_html(exercise: Exercise) -> str:
    """An exercise as it is printed, page below page, as pictures; without Typst its formulas alone."""
    sheet = _sheet(exercise)
    if not extras.has_extra("paper"):
        steps = (exercise.calculation[name] for name in exercise.blank)
        return "".join(f"<p>{escape(step.formula)} {step.shape}</p>" for step in steps)
    pages = [b64encode(page).decode() for page in paper_.set_pages(sheet)]
    alt = escape(f"Sheet {sheet.calculation.title}, page {{}} of {len(pages)}")
    return "".join(
        f'<img alt="{alt.format(number)}" src="data:image/svg+xml;base64,{page}">'
        for number, page in enumerate(pages, start=1)
    )


def save_class(
    topic: str,
    count: int,
    folder: str | PathLike[str],
    *,
    seed: int = 1,
    level: int = 1,
    options: SheetOptions = SheetOptions(),  # noqa: B008
    paper: str = "a4",
    processes: int = 1,
    keys: bool = True,
    halves: bool = False,
    overwrite: bool = False,
) -> list[str]:
    """Write a different sheet for everyone: sheets.pdf, keys.pdf, in the same order; returns the codes.

    Seeds count up from `seed`; one that gives the numbers of an earlier one is passed over. Without `keys`
    there is no keys.pdf; with `halves` two sheets share a page where they have room. With two `processes`
    sheets and keys are written at the same time, which a script may ask for below
    `if __name__ == "__main__":`.
    Raises HandcalcError for a count outside 1 to 500, where there are not that many different sheets, and
    where the folder has sheets or keys already, unless `overwrite`.
    """
    count = read_whole(count, "The count")
    if not 1 <= count <= MAX_SHEETS:
        raise HandcalcError(f"The count is {short(count)}; it must be 1 to {MAX_SHEETS}.")
    processes = read_whole(processes, "processes")
    if not isinstance(options, SheetOptions):
        raise HandcalcError(f"options are Options(blank, places, convention), not {short(options)}.")
    paper_.paper_called(paper)
    names = [read_path(folder) / name for name in (SHEETS_PDF, KEYS_PDF)[: 1 + keys]]
    if not overwrite:
        check_free(names)
    with parallel_map(processes) as each:
        drawn = draw_different(AskedSheet(topic, level, options), count, counting(seed), each=each)
        make_folder(folder)
        sheets = [PrintedSheet(one.code, one.kept) for one in drawn]
        write_sheet_pdfs(sheets, names, paper=paper, halves=halves, each=each, overwrite=overwrite)
    return [one.code for one in drawn]


def write_sheet_pdfs(
    sheets: Sequence[PrintedSheet],
    paths: Sequence[Path],
    *,
    paper: str,
    halves: bool = False,
    each: Map = map,
    overwrite: bool = False,
) -> None:
    """Write sheets into the first file and, where there is a second one, their keys into that."""
    is_one = each is map  # process; of two that write as much only one reports its progress
    jobs = [
        PdfJob(sheets, Printing(paper, is_key, halves), not is_watched() or (is_key and not is_one))
        for is_key in (False, True)[: len(paths)]
    ]
    with whole_files(paths, overwrite=overwrite) as files:
        for file, data in zip(files, each(_done, jobs), strict=True):
            file.write(data)


def make_keys_pdf(sheets: Sequence[PrintedSheet], paper: str) -> bytes:
    """The PDF of the keys to sheets."""
    return _done(PdfJob(sheets, Printing(paper, is_key=True)))


def _done(job: PdfJob) -> bytes:
    """The PDF of a job."""
    file = BytesIO()
    with quiet(job.is_quiet):
        sheets = [_printed(one) for one in with_progress(job.sheets, "Reading numbers")]
        _write(sheets, [job.how], [file])
    return file.getvalue()


def _printed(one: PrintedSheet) -> PaperSheet:
    sheet = _sheet(exercise_of(one.kept, one.code))
    return sheet._replace(
        name=one.name if paper_.can_be_written(one.name) else "",
        qr=draw_qr_svg(one.qr) if one.qr else "",
        pile=one.pile,
    )


def _write(sheets: Sequence[PaperSheet], kinds: Sequence[Printing], files: Sequence[IO[bytes]]) -> int:
    """Write sheets or keys into open files, as `kinds` says of each; returns the number of pages."""
    title = ", ".join(dict.fromkeys(sheet.calculation.title for sheet in sheets))
    for how, file in zip(kinds, files, strict=True):
        data, pages = paper_.set_pdf(sheets, title + ", key" * how.is_key, how)
        file.write(data)
    return pages


def _sheet(exercise: Exercise) -> PaperSheet:
    calculation, code = exercise.calculation, exercise.code
    kind = calculation.title if is_ticket(code) else code.partition("-")[0]  # topic and level
    return PaperSheet(calculation, exercise.blank, exercise.places, code, _caution(exercise), kind=kind)


def _caution(exercise: Exercise) -> str:
    """How far right answers may be from the key if every step starts from rounded numbers."""
    drift = {name: off for name, off in exercise.drift().items() if off >= 10.0**-exercise.places}
    if not drift:
        return ""
    worst: dict[str, float] = {}
    for name, off in drift.items():
        step = name.rpartition(".")[2]  # the same in all heads
        worst[step] = max(off, worst.get(step, 0.0))
    most = sorted(worst.values())[-MAX_STEPS_LISTED:][0]
    offs = [f"{numbers.show(off, exercise.places)} in {step}" for step, off in worst.items() if off >= most]
    return f"Rounding at every step is fine, too: numbers then differ by up to {listed(offs)}."
