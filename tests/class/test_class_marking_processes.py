"""Marking in processes: a file that ends its process, one that never ends, one that takes all memory."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import filled_notebooks
import pytest
from class_files import class_of
from dying_processes import broken

from handcalc.classroom.marking import mark_class, sources
from handcalc.classroom.marking.job_processes import JobProcesses
from handcalc.classroom.marking.jobs import Job
from handcalc.classroom.marking.sources import KnownCodes
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.errors import HandcalcError


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", [""] * 4, "dot_product", "softmax")


@pytest.fixture(scope="module")
def right(a_class):
    """Everybody's right answers, from loops."""
    return {entry.code: filled_notebooks.by_loops(a_class, entry) for entry in a_class.register}


class EndsItsProcess(sources.Source):
    """A file at which a reader in C would crash."""

    def sheets(self, known):
        os._exit(7)


class NeverEnds(sources.Source):
    def sheets(self, known):
        time.sleep(1000)


class TakesAllMemory(sources.Source):
    def sheets(self, known):
        return bytearray(3_000_000_000)


class HasABug(sources.Source):
    def sheets(self, known):
        raise ZeroDivisionError


HOSTILE = {
    "ends.ipynb": (EndsItsProcess, "cannot be marked: reading it takes too long, or ends the program"),
    "endless.ipynb": (NeverEnds, "cannot be marked: reading it takes too long, or ends the program"),
    "huge.ipynb": (TakesAllMemory, "needs more memory than marking allows"),
    "bug.ipynb": (HasABug, "could not be marked (ZeroDivisionError)"),
}


def as_jobs(right):
    return [
        Job(sheet=Submission(f"{code}.ipynb", code, answers)) for code, answers in right.items() for _ in "ab"
    ]


def assert_only_the_guilty(a_class, right, jobs, count, seconds):
    """Every job has its result, in order: bad files a sentence, all others their marks."""
    with JobProcesses(
        a_class.numbers.folder, KnownCodes(set(right)), count=count, seconds=seconds
    ) as workers:
        found = list(mark_class.mark_jobs(jobs, workers))
    assert [result.source for result in found] == [job.name for job in jobs]
    for result in found:
        if result.source in HOSTILE:
            sentence = f"{result.source} {HOSTILE[result.source][1]}; mark it by hand."
            assert (result.trouble, result.standing_json) == (sentence, "")
        else:
            numbers = sum(len(row) for M in right[result.code].values() for row in M)
            assert (result.standing.count("right"), result.trouble) == (numbers, "")


@pytest.mark.slow
def test_only_the_guilty_file_gets_a_sentence_and_all_others_their_marks_in_order(a_class, right):
    bad = [Job(kind(name)) for name, (kind, _) in HOSTILE.items() if name != "endless.ipynb"]
    assert_only_the_guilty(a_class, right, [*as_jobs(right)[:3], *bad, *as_jobs(right)[3:]], 1, 60)


@pytest.mark.slow
def test_a_worker_that_ends_without_a_job_costs_no_marks(a_class, right):
    (job, *_) = as_jobs(right)
    children = set(multiprocessing.active_children())
    with JobProcesses(a_class.numbers.folder, KnownCodes(set(right)), count=1) as workers:
        (first,) = workers.run_jobs([job])
        for worker in set(multiprocessing.active_children()) - children:
            worker.kill()
            worker.join()
        assert list(workers.run_jobs([job] * 3)) == [first] * 3


class CannotBeRead(KnownCodes):
    """What a new process is to know, and cannot begin without."""

    def __reduce__(self):
        return broken, ()


@pytest.mark.slow
def test_where_no_process_can_be_started_no_file_is_blamed(a_class):
    with (
        JobProcesses(a_class.numbers.folder, CannotBeRead(set())) as workers,
        pytest.raises(HandcalcError, match="No process can be started for marking; run the command again"),
    ):
        list(workers.run_jobs([Job()]))


@pytest.mark.sweep
def test_ctrl_c_does_not_wait_for_a_file_that_never_ends(a_class, right):
    children = set(multiprocessing.active_children())
    workers = JobProcesses(a_class.numbers.folder, KnownCodes(set(right)), count=2)
    begin = time.monotonic()
    with suppress(KeyboardInterrupt), workers:
        for _ in workers.run_jobs([*as_jobs(right)[:1], Job(NeverEnds("endless.ipynb"))]):
            raise KeyboardInterrupt
    while set(multiprocessing.active_children()) - children:
        assert time.monotonic() - begin < 30
        time.sleep(0.05)


@pytest.mark.sweep
def test_bad_files_among_good_ones_while_several_processes_mark(a_class, right):
    good, bad = as_jobs(right), [Job(kind(name)) for name, (kind, _) in HOSTILE.items()]
    jobs = [job for place in range(8) for job in (*good[place:], bad[place % 4], *good)]
    assert_only_the_guilty(a_class, right, jobs, 3, 4)


@pytest.mark.sweep
def test_workers_end_when_their_parent_is_killed(a_class):
    program = f"""
import multiprocessing, os, signal
from pathlib import Path
from handcalc.classroom.marking.job_processes import JobProcesses
from handcalc.classroom.marking.jobs import Job
from handcalc.classroom.marking.sources import KnownCodes
if __name__ == "__main__":
    workers = JobProcesses(Path({str(a_class.numbers.folder)!r}), KnownCodes(set()), count=1)
    with workers:
        list(workers.run_jobs([Job()]))
        print(multiprocessing.active_children()[0].pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""
    script = a_class.path / "killed.py"
    script.write_text(program)
    worker = int(subprocess.run([sys.executable, script], capture_output=True, text=True).stdout)
    patience = time.monotonic() + 10
    while Path(f"/proc/{worker}").exists() and time.monotonic() < patience:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


@pytest.mark.sweep
def test_the_system_ends_a_process_that_uses_too_much_of_the_processor():
    program = """
from handcalc.classroom.marking.sandbox import limit_processor
limit_processor(1)
while True:
    pass
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=120).returncode == -signal.SIGXCPU


@pytest.mark.sweep
def test_there_are_as_many_processes_as_pay(a_class, right):
    (job, *_) = as_jobs(right)
    with JobProcesses(a_class.numbers.folder, KnownCodes(set(right)), count=3) as workers:
        for count, processes in ((3, 1), (250, 3), (3, 3)):
            assert len(list(workers.run_jobs([job] * count))) == count
            assert workers.count == processes
