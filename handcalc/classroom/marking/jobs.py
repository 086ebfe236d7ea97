"""A job is one file, or what one phone sent: read without running it, marked on the stored numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.marking.sources import KnownCodes, Source
from handcalc.classroom.submissions.shown_givens import list_shown, round_shown
from handcalc.classroom.submissions.submission import Submission, mark_submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise.exercise import Exercise

MAX_SHEETS_OF_JOB = 8  # those of a longer file are jobs of their own, each with its own time


@dataclass(frozen=True)
class SheetResult:
    """The result of one sheet: its standing, as JSON, or one sentence about why it has none.

    It has both where only a step could not be read. `foreign` is a sentence where the work seems to be
    another student's; `accepted` says that the teacher has seen it as it is and lets it count.
    """

    source: str
    code: str = ""
    standing_json: str = ""  # as text, a hundred thousand of them take a tenth of the memory
    trouble: str = ""
    foreign: str = ""
    accepted: bool = False

    @property
    def standing(self) -> Standing | None:
        """The standing of the sheet, if it could be marked."""
        return Standing.from_json(json.loads(self.standing_json)) if self.standing_json else None


@dataclass(frozen=True)
class Job:
    """A file to read and mark, or a sheet that is read already."""

    source: Source | None = None
    sheet: Submission | None = None

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.sheet.source if self.sheet else self.source.name if self.source else ""


class JobResult(NamedTuple):
    """Results, and sheets that are still to be marked."""

    results: list[SheetResult]
    sheets: list[Submission]


Numbers = Callable[[str], Exercise | None]  # the exercise of a code; None where its numbers are not here


def run_job(job: Job, numbers: Numbers, known: KnownCodes) -> JobResult:
    """Read and mark; whatever goes wrong is a sentence, and stays with its file."""
    try:
        sheets = [job.sheet] if job.sheet else job.source.sheets(known) if job.source else []
    except HandcalcError as error:
        return JobResult([SheetResult(job.name, trouble=str(error))], [])
    except Exception as error:  # noqa: BLE001 - anything may be in a file, and the others have to be marked
        return JobResult([SheetResult(job.name, trouble=tell_failure(job.name, error))], [])
    if not job.sheet and (len(sheets) > MAX_SHEETS_OF_JOB or any(sheet.is_part for sheet in sheets)):
        return JobResult([], sheets)
    results, later = [], []
    for sheet in sheets:
        result = _result(sheet, numbers, known.codes, is_settled=bool(job.sheet))
        results += [result] if result else []
        later += [] if result else [sheet]
    return JobResult(results, later)


def blame_job(job: Job) -> SheetResult:
    """The result of a job that has ended its process, or taken too long, while running alone."""
    why = "reading it takes too long, or ends the program; mark it by hand"
    sentence = f"{short_path(job.name)} cannot be marked: {why}."
    return SheetResult(job.name, job.sheet.code if job.sheet else "", trouble=sentence)


def tell_failure(name: str, error: BaseException) -> str:
    """The sentence about a file that led to an unforeseen error."""
    if isinstance(error, MemoryError):
        return f"{short_path(name)} needs more memory than marking allows; mark it by hand."
    return f"{short_path(name)} could not be marked ({type(error).__name__}); mark it by hand."


def _result(
    sheet: Submission, numbers: Numbers, codes: Collection[str], *, is_settled: bool
) -> SheetResult | None:
    """The result of one sheet; None if its numbers are elsewhere, or those in the file are not its own."""
    if sheet.trouble and not (sheet.answers or sheet.typed):
        return SheetResult(sheet.source, sheet.code, trouble=sheet.trouble)
    if sheet.code not in codes:
        return SheetResult(sheet.source, trouble=_no_code(sheet))
    try:
        exercise = numbers(sheet.code)
        if exercise is None or not (is_settled or _shows_own(sheet, exercise)):
            return None
        found = mark_submission(sheet, exercise)
        if found.unread and not found.is_begun:  # nothing of it was read: no row of blanks, and no 0
            return SheetResult(sheet.source, sheet.code, trouble=_nothing_read(sheet, found))
        written = json.dumps(found.to_json(), ensure_ascii=False, separators=(",", ":"))
        return SheetResult(sheet.source, sheet.code, written, sheet.trouble, sheet.foreign, sheet.is_accepted)
    except HandcalcError as error:
        return SheetResult(sheet.source, sheet.code, trouble=str(error))
    except Exception as error:  # noqa: BLE001 - one sheet never stops the others
        return SheetResult(sheet.source, sheet.code, trouble=tell_failure(sheet.source, error))


def _shows_own(sheet: Submission, exercise: Exercise) -> bool:
    """Whether the numbers in a file are its sheet's; another owner is found where all sheets are known."""
    return not sheet.givens or round_shown(sheet.givens, exercise.places) == list_shown(exercise)


def _nothing_read(sheet: Submission, found: Standing) -> str:
    told = f"{short_path(sheet.source)} has nothing that can be read: {found.unread}"
    return " ".join(filter(None, [told, sheet.foreign, sheet.trouble]))


def _no_code(sheet: Submission) -> str:
    if not sheet.code:
        return f"{short_path(sheet.source)} does not say whose sheet it is: it has no code of this class."
    return f"{short_path(sheet.source)} is for {sheet.code}, which is not the code of a sheet in this class."
