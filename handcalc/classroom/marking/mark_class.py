"""Mark a class's submissions, and write the marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from os import PathLike
from typing import Protocol

from handcalc.classroom.folder import folder_lock
from handcalc.classroom.folder.folder_layout import MARKS_FILE
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.marking.class_marks import ClassMarks, read_marks
from handcalc.classroom.marking.job_processes import JobProcesses
from handcalc.classroom.marking.jobs import Job, JobResult, SheetResult
from handcalc.classroom.marking.ownership import FileNames, GivensOwners
from handcalc.classroom.marking.sources import PHONE_SOURCE, KnownCodes, list_sources, read_phone_sheets
from handcalc.classroom.submissions.code_matching import Codes
from handcalc.classroom.submissions.input_limits import MAX_SENTENCES
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import HandcalcError
from handcalc.foundation.progress import with_progress

MAX_MERGED_TABLES = 20  # tables of one sheet that are compared with one another
Texts = dict[tuple[str, int, int], str]


class Workers(AbstractContextManager["Workers"], Protocol):
    """A pool that runs the jobs: processes here, or a cluster."""

    def run_jobs(self, jobs: Sequence[Job]) -> Iterator[JobResult]:
        """The result of each job, in their order."""


def mark_jobs(jobs: list[Job], workers: Workers, owners: GivensOwners | None = None) -> Iterator[SheetResult]:
    """The results of jobs as they come, in order; then those of long files and tables, sheet by sheet.

    With the `owners` of numbers, a file is marked on the numbers in it.
    """
    while jobs:
        later: list[Submission] = []
        for done in with_progress(workers.run_jobs(jobs), "Marking", len(jobs)):
            yield from done.results
            later += done.sheets
        later = [whose for sheet in later for whose in (owners.settle(sheet) if owners else [sheet])]
        jobs = [Job(sheet=sheet) for sheet in merge_tables(later)]


def mark_submissions(
    folder: ClassFolder,
    paths: Iterable[str | PathLike[str]],
    *,
    workers: Workers | None = None,
    database: str = "",
    again: bool = False,
    accept: Iterable[str] = (),
) -> ClassMarks:
    """Mark files, and what phones have sent, and write marks.csv and marks.json.

    Earlier marks stay, except those from the same files; with `again` they are forgotten. `accept`
    has the codes of sheets that waited for the teacher, and count from now on.
    Raises HandcalcError where a file does not exist, or marks cannot be written, for `again` without any, and
    for a code that waits for nobody.
    """
    paths = list(paths)
    if again and not paths:
        raise HandcalcError(
            "--again forgets every mark: name all files to mark again, "
            f"as in: handcalc class mark {short_path(folder.path)} FILES --again."
        )
    with folder_lock.lock_changes(folder.path, patience=folder_lock.MARKING_PATIENCE):
        known = KnownCodes.of(folder.register)
        kept, numbers = folder.path / MARKS_FILE, folder.numbers
        marks = (
            ClassMarks(folder.register, numbers=numbers)
            if again
            else read_marks(kept, folder.register, numbers)
        )
        jobs = [Job(source) for source in list_sources(paths, folder.path.resolve().parent)]
        live = read_phone_sheets(folder, database)
        if live is not None:
            marks.forget(PHONE_SOURCE)  # a learner deleted there is deleted here, too
            jobs += [Job(sheet=sheet) for sheet in live]
        with workers or JobProcesses(folder.numbers.folder, known) as ready:
            marks.add(
                find_owners(mark_jobs(jobs, ready, GivensOwners(folder)), known, FileNames(folder.register))
            )
        for code in accept:
            marks.accept(code)
        marks.save(folder.path)
        return marks


def find_owners(results: Iterable[SheetResult], known: KnownCodes, names: FileNames) -> Iterator[SheetResult]:
    """Give each file that could not be read its code: from its name, or that of the student named in it."""
    for result in results:
        inside = Codes(known.codes).inside(result.source)
        found = [result.code] if result.code else list(dict.fromkeys(inside))
        found = found or [entry.code for entry in names.only(result.source)]
        yield replace(result, code=found[0]) if len(found) == 1 else result


def merge_tables(sheets: Iterable[Submission]) -> list[Submission]:
    """The same sheets in their order, each part joined with what its other parts say."""
    found = list(sheets)
    parts: dict[str, list[Submission]] = {}
    for sheet in found:
        if sheet.is_part:
            parts.setdefault(sheet.code, []).append(sheet)
    return [_with(sheet, parts[sheet.code]) if sheet.is_part else sheet for sheet in found]


def _with(sheet: Submission, parts: list[Submission]) -> Submission:
    """A part joined with all those that say the same in every blank that both of them fill."""
    texts, typed, unread = _texts(sheet), sheet.typed, {**sheet.unread}
    for other in parts if 1 < len(parts) <= MAX_MERGED_TABLES else ():
        more = _texts(other)
        if other is sheet or any(texts.get(place, text) != text for place, text in more.items()):
            continue
        new = (one for one in other.typed if one.text.strip() and one[:3] not in texts)
        typed = tuple(sorted([*typed, *new]))  # so that two parts of a sheet have the same texts
        texts |= more
        unread = dict(sorted({**unread, **other.unread}.items()))
    return replace(sheet, typed=typed, unread=dict(list(unread.items())[:MAX_SENTENCES]))


def _texts(sheet: Submission) -> Texts:
    return {one[:3]: one.text.strip() for one in sheet.typed if one.text.strip()}
