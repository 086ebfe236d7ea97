"""Two commands on one class at the same time: one after the other, or one plain sentence; nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from class_files import class_of

import handcalc as hc
from handcalc.classroom.folder import folder_lock
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts.class_folder import ClassFolder, add_students
from handcalc.classroom.marking import mark_class, results
from handcalc.cli import main

HOLD = """import sys, pathlib
from handcalc.classroom.folder import folder_lock
with folder_lock.lock_changes(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()"""


@pytest.fixture
def made(tmp_path):
    return class_of(tmp_path / "c", ["Ada", "Bo"])


@pytest.fixture
def holder(made):
    """Another process that writes into the folder."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(made.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        yield other
        other.kill()


def at_once(*works):
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_who_add_at_once_add_both_with_numbers_of_their_own(made):
    at_once(*(lambda name=name: add_students(made.path, [Student(name)]) for name in ("Cy", "Dee")))
    register = ClassFolder(made.path).register
    assert sorted(one.name for one in register) == ["Ada", "Bo", "Cy", "Dee"]
    assert {one.number for one in register} == {1, 2, 3, 4}


@pytest.mark.slow
def test_two_who_mark_at_once_keep_what_both_have_marked(made, tmp_path):
    for entry in made.register:
        (tmp_path / f"{entry.code}.csv").write_text(f"code,step,row,column,answer\n{entry.code},s,1,1,5\n")
    paths = [tmp_path / f"{entry.code}.csv" for entry in made.register]
    at_once(
        *(lambda path=path: mark_class.mark_submissions(ClassFolder(made.path), [path]) for path in paths)
    )
    assert len(json.loads((made.path / "marks.json").read_text())) == 2
    assert all(sheet.standing for sheet in results.read_results(made).sheets)


def test_where_somebody_takes_long_one_sentence_says_so_and_a_killed_one_holds_nothing(
    made, holder, monkeypatch, capsys
):
    for patience in ("LOCK_PATIENCE", "MARKING_PATIENCE"):
        monkeypatch.setattr(folder_lock, patience, 0.1)
    before = (made.path / "register.csv").read_bytes()
    for command in (["add", "--name", "Cy"], ["mark"], ["links"]):
        assert main(["class", command[0], str(made.path), *command[1:]]) == 2
        assert "Another handcalc is writing into" in capsys.readouterr().err
    assert (made.path / "register.csv").read_bytes() == before
    os.kill(holder.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    holder.wait()
    with folder_lock.lock_changes(made.path), folder_lock.lock_changes(made.path):  # again within: the same
        assert (made.path / folder_lock.CHANGING_LOCK).exists()
    assert not (made.path / folder_lock.CHANGING_LOCK).exists()


@pytest.mark.parametrize("what", ["marking", "adding"])
def test_what_waits_goes_on_when_the_other_is_done_and_a_marking_waits_longer(
    made, holder, monkeypatch, what
):
    threading.Timer(0.3, holder.stdin.close).start()
    if what == "marking":
        monkeypatch.setattr(folder_lock, "LOCK_PATIENCE", 0.0)
        mark_class.mark_submissions(ClassFolder(made.path), [])
        assert (made.path / "marks.json").exists()
    else:
        assert len(add_students(made.path, [Student("Cy")])) == 1


def test_no_folder_is_left_of_a_class_that_was_not_made(tmp_path):
    with pytest.raises(hc.HandcalcError), folder_lock.lock_changes(tmp_path / "c", is_new=True):
        raise hc.HandcalcError("No.")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_one_left_is_gone_with_the_next(made, tmp_path):
    for folder in (made.path, tmp_path / "new"):
        (folder / ".handcalc-0123456789ab.tmp" / "notebooks").mkdir(parents=True)
    add_students(made.path, [Student("Cy")])
    class_of(tmp_path / "new")
    assert not list(tmp_path.rglob(".handcalc*"))
