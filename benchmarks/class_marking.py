"""Marking what a class hands in: beside nbgrader's autograde, from 1,000 to 10,000 files, and on Dask."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import large_class
import rooms_of_tests  # noqa: F401 - puts the rooms of the tests on the path
from report import Report, Row, Target
from timing import slope

import handcalc as hc
from handcalc.classroom.handouts import exercise_notebook
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.class_marks import ClassMarks
from handcalc.classroom.marking.cluster import DaskCluster
from handcalc.classroom.marking.jobs import Job, JobResult
from handcalc.classroom.marking.sources import KnownCodes

SIZES = (1_000, 3_000, 10_000)
ON_DASK = int(os.environ.get("HANDCALC_ON_DASK", "2000"))
FEW, MORE = 2, 8  # submissions to autograde: what it takes to begin is in both
LEAST, MOST_EXPONENT = 75, 1.1
NBGRADER = os.environ.get("HANDCALC_NBGRADER") or shutil.which("nbgrader")


def run() -> Report:
    """Marks of one size after the other; each run must find every sheet, and every right number, once."""
    sizes = tuple(map(int, os.environ.get("HANDCALC_FILES", "").split())) or SIZES
    rows = [_marked(size) for size in sizes]
    points = [(float(row["files"]), float(row["CPU s"])) for row in rows]
    targets = (
        [Target("exponent of processor time over files", slope(points), MOST_EXPONENT)] if points[1:] else []
    )
    rows.append(_on_dask())
    targets.append(Target("results lost or doubled on Dask, one of three workers lost", 0, 0))
    if NBGRADER:
        rows.append(_autograded(Path(NBGRADER)))
        ratio = float(rows[-1]["CPU ms a file"]) / float(rows[0]["CPU ms a file"])
        targets.append(Target("nbgrader / handcalc, processor time a file", ratio, LEAST, at_least=True))
    title = "Marking a class: notebooks of 63 numbers, one in three with a mistake"
    return Report(
        title if NBGRADER else f"{title} (no nbgrader on PATH, nor HANDCALC_NBGRADER)", rows, targets
    )


def _marked(count: int) -> Row:
    """So many files in processes of this computer."""
    with TemporaryDirectory() as path:
        handed = large_class.handed_in(Path(path), count)
        marks, seconds, cpu = _timed(lambda: mark_class.mark_submissions(handed.folder, handed.files))
        _check(marks, handed, count)
    return _row("processes", count, seconds, cpu)


class Losing(DaskCluster):
    """A cluster that loses a worker after a third of the first jobs."""

    def run_jobs(self, jobs: Iterable[Job]) -> Iterator[JobResult]:
        jobs = list(jobs)
        for done, outcome in enumerate(super().run_jobs(jobs), start=1):
            yield outcome
            if done == len(jobs) // 3:
                os.kill(next(iter(self.client.run(os.getpid).values())), signal.SIGKILL)


def _on_dask() -> Row:
    """The same on three workers, one of which is killed after a third of the files."""
    with TemporaryDirectory() as path:
        handed = large_class.handed_in(Path(path), ON_DASK)
        cluster = Losing("local:3", handed.folder.numbers, KnownCodes.of(handed.folder.register))
        marks, seconds, cpu = _timed(
            lambda: mark_class.mark_submissions(handed.folder, handed.files, workers=cluster)
        )
        _check(marks, handed, ON_DASK)
    return _row("Dask, one of three workers lost", ON_DASK, seconds, cpu)


def _check(marks: ClassMarks, handed: large_class.Handed, count: int) -> None:
    """Raise an error unless every file has one result, and all the right numbers were found."""
    found = [result.standing for result in marks.every]
    right = sum(one.count("right") for one in found if one)
    if (len(found), len({one.code for one in found if one}), right) != (count, count, handed.right):
        raise RuntimeError(
            f"{len(found)} results of {count} files, {right} numbers right, not {handed.right}"
        )


def _autograded(program: Path) -> Row:
    """A course with nbgrader: what each further submission costs."""
    seconds, cpu = zip(*(_course(program, count) for count in (FEW, MORE)), strict=True)
    more = MORE - FEW
    return _row("nbgrader autograde", more, seconds[1] - seconds[0], cpu[1] - cpu[0])


def _course(program: Path, count: int) -> tuple[float, float]:
    with TemporaryDirectory() as place:
        handed = large_class.handed_in(Path(place), 1)
        code, course = handed.folder.register[0].code, Path(place) / "course"
        source = course / "source" / "ps1" / f"{code}.ipynb"
        source.parent.mkdir(parents=True)
        to_fill = exercise_notebook.make_notebook(hc.Exercise(code, solutions=False), nbgrader=True)
        source.write_text(exercise_notebook.dump_notebook(to_fill), "utf-8")
        (course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'x'\n")
        _nbgrader(program, course, "generate_assignment", "ps1")
        filled = _filled(handed.folder, course / "release" / "ps1" / source.name)
        for number in range(count):
            theirs = course / "submitted" / f"student{number}" / "ps1" / source.name
            theirs.parent.mkdir(parents=True)
            theirs.write_text(filled, "utf-8")
        _, seconds, cpu = _timed(lambda: _nbgrader(program, course, "autograde", "ps1"))
    return seconds, cpu


def _filled(made: ClassFolder, release: Path) -> str:
    """What a student hands in who has everything right."""
    import filled_notebooks

    notebooks = made.path / "notebooks"
    notebooks.mkdir()
    shutil.copy(release, notebooks)
    (entry,) = made.register
    return str(filled_notebooks.filled(made, entry.code, filled_notebooks.by_loops(made, entry)))


def _nbgrader(program: Path, course: Path, *words: str) -> None:
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"  # it calls alembic
    found = {"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": path}
    done = subprocess.run(
        [program, *words], cwd=course, env=os.environ | found, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode()[-2000:])


def _timed(task: Callable[[], Any]) -> tuple[Any, float, float]:
    """What it returns, seconds, and processor seconds of this process and those that it started."""
    before, start = _processor(), perf_counter()
    found = task()
    return found, perf_counter() - start, _processor() - before


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _row(what: str, files: int, seconds: float, cpu: float) -> Row:
    return {
        "what": what,
        "files": files,
        "s": seconds,
        "CPU s": cpu,
        "CPU ms a file": 1000 * cpu / files,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        / (1e6 if sys.platform == "darwin" else 1e3),
    }
