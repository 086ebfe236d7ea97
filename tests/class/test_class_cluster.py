"""Marking on a Dask cluster: the same marks, once each, though workers are lost or a file ends them."""

import os
import signal
from pathlib import Path

import filled_notebooks
import pytest
from class_files import class_of
from filled_notebooks import Here

from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.cluster import DaskCluster
from handcalc.classroom.marking.job_processes import JobProcesses
from handcalc.classroom.marking.jobs import Job
from handcalc.classroom.marking.sources import KnownCodes, Source, list_sources
from handcalc.classroom.submissions.submission import Submission
from handcalc.cli import main

pytestmark = pytest.mark.slow  # it makes a whole class

COUNT = 12


@pytest.fixture(scope="module", autouse=True)
def distributed():
    """Imported when it is wanted: it is large."""
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", [""] * COUNT, "softmax")


@pytest.fixture(scope="module")
def inbox(a_class):
    """Notebooks, a table of all sheets, an empty file."""
    inbox = a_class.path.parent / "in"
    inbox.mkdir()
    lines = ["code,step,row,column,answer"]
    for entry in a_class.register:
        answers = filled_notebooks.by_loops(a_class, entry)
        text = filled_notebooks.filled(a_class, entry.code, answers)
        (inbox / f"{entry.code}.ipynb").write_text(text, "utf-8")
        lines.append(f"{entry.code},A,1,1,{answers['A'][0][0]}")
    (inbox / "typed.csv").write_text("\n".join(lines))
    (inbox / "empty.ipynb").touch()
    return inbox


def test_a_cluster_gives_the_marks_that_this_computer_gives(a_class, inbox, distributed):
    known = KnownCodes.of(a_class.register)
    jobs = [Job(source) for source in list_sources([inbox], inbox.parent)]
    jobs += [Job(sheet=Submission("phone of x (1)", a_class.register[0].code, {"A": "1\n0\n0"}))]
    expected = list(mark_class.mark_jobs(jobs, Here(a_class)))
    with (
        distributed.LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=None) as local,
        DaskCluster(local.scheduler_address, a_class.numbers, known) as there,
    ):
        found = list(mark_class.mark_jobs(jobs, there))
    assert found == expected
    assert len(found) == COUNT + 1 + 1 + COUNT
    assert sum(
        one.standing.count("right") for one in found if one.source.endswith(".ipynb") and one.standing_json
    ) == (COUNT * 7)


def test_no_scheduler_is_one_sentence(a_class, capsys):
    for address in ("127.0.0.1", "local:x"):
        assert main(["class", "mark", str(a_class.path), "--dask", address]) == 2
        assert capsys.readouterr().err.startswith(
            f"There is no Dask cluster at '{address}'; start a scheduler with"
        )


class EndsAWorkerOnce(Source):
    """The worker that has it is killed, as a computer that is switched off; the next one can read it."""

    def sheets(self, known):
        flag = Path(self.path).with_suffix(".lost")
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().sheets(known)


class EndsEveryWorker(Source):
    def sheets(self, known):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.sweep
def test_a_lost_worker_costs_nothing_and_a_file_that_ends_all_of_them_only_itself(a_class, inbox):
    known = KnownCodes.of(a_class.register)
    jobs = [Job(source) for source in list_sources([inbox], inbox.parent)] * 10
    lost = Job(EndsAWorkerOnce("lost.ipynb", str(inbox / "lost.ipynb"), content=b"{"))
    deadly = Job(EndsEveryWorker("deadly.ipynb", content=b"{"))
    with JobProcesses(a_class.numbers.folder, known) as here:
        expected = list(mark_class.mark_jobs([*jobs, Job(Source("lost.ipynb", content=b"{"))], here))
    with DaskCluster("local:3", a_class.numbers, known) as there:
        found = list(mark_class.mark_jobs([*jobs[:50], lost, *jobs[50:], deadly], there))
    assert (inbox / "lost.lost").exists()
    sentence = (
        "deadly.ipynb cannot be marked: reading it takes too long, or ends the program; mark it by hand."
    )
    assert [one.trouble for one in found if one.source == "deadly.ipynb"] == [sentence]
    others = [one for one in found if one.source != "deadly.ipynb"]
    assert sorted(others, key=repr) == sorted(expected, key=repr)
