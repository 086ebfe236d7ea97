"""The folder of a class: one command at a time, what is kept between two, and for whose eyes."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from class_files import class_of, result

import handcalc as hc
from handcalc.classroom.folder import folder_lock
from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts.class_folder import ClassFolder, add_students
from handcalc.classroom.insight.sheet_progress import SeenMistake
from handcalc.classroom.marking import mark_class, results
from handcalc.classroom.marking.class_marks import ClassMarks, read_marks
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.results import read_results
from handcalc.cli import main
from handcalc.foundation.errors import HandcalcError

# Two commands on one class: one after the other, or one plain sentence; nothing is lost.
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


# marks.json: what is kept between two markings is what was found; anything else in it is one sentence.
@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", ["Ada"])


def test_of_a_file_that_does_not_say_which_sheet_it_is_no_sheet_is_said_to_be_missing():
    register = Register(
        [
            RegisterEntry(name, f"C{k}", "softmax", k, k // 2)
            for k, name in enumerate(("Ada",) * 2 + ("Ben",) * 2)
        ]
    )
    rows = list(ClassMarks(register, [SheetResult("in/Ada.ipynb", trouble="in/Ada.ipynb is empty.")]).rows())
    perhaps = "Nothing was handed in, unless in/Ada.ipynb is this sheet."
    assert [(row["code"], row["trouble"]) for row in rows] == [
        ("C0", perhaps),
        ("C1", perhaps),
        ("C2", "Nothing was handed in."),
        ("C3", "Nothing was handed in."),
        ("", "in/Ada.ipynb is empty."),
    ]
    assert rows[-1]["name"] == "Ada"


def test_what_a_file_said_itself_is_still_said_when_more_is_marked(a_class, tmp_path):
    code = a_class.register[0].code
    first = replace(result(code, "a", 3, problems=("Q is (2, 3).",)), trouble="a names two students.")
    troubles = []
    marks = ClassMarks(a_class.register, [first])
    for _ in range(3):
        marks.save(tmp_path)
        troubles += [told.trouble for told in marks.told()]
        marks = read_marks(tmp_path / "marks.json", a_class.register)
    assert troubles == ["a names two students. Q is (2, 3)."] * 3
    marks.add([result(code, "b", 9)])
    assert marks.told()[0].trouble.endswith("counts instead. a names two students.")


@pytest.fixture(scope="module")
def kept(a_class, tmp_path_factory):
    """What marks.json has of one sheet, with something of everything."""
    path = tmp_path_factory.mktemp("kept")
    seen = (SeenMistake("s", "sign-lost", "s[1,1]", "A sign."),)
    ClassMarks(
        a_class.register,
        [result(a_class.register[0].code, "a", mistakes=seen, problems=("x",), even=("s",), hints={"s": 1})],
    ).save(path)
    return json.loads((path / "marks.json").read_text("utf-8"))[0]


def damaged(kept):
    """What was kept with each part of it in turn as something else."""
    for name in ("source", "code", "trouble"):
        for wrong in (5, [], None):
            yield {**kept, name: wrong}
    for name in kept["standing"]:
        for wrong in (5, "x", [1], {"s": "1"}, {"s": -1}, None):
            yield {**kept, "standing": {**kept["standing"], name: wrong}}
    for wrong in ({"s": {"right": True}}, {"s": {}}):
        yield {**kept, "standing": {**kept["standing"], "steps": wrong}}
    for name in [*kept["standing"]["mistakes"][0], "unknown"]:
        seen = {**kept["standing"]["mistakes"][0], name: 5}
        yield {**kept, "standing": {**kept["standing"], "mistakes": [seen]}}


def test_marks_that_cannot_be_read_are_one_sentence(a_class, kept, tmp_path, capsys):
    path = a_class.path / "marks.json"
    every = [
        json.dumps([one]) for one in damaged(kept) if one["standing"] != {**kept["standing"], "code": "x"}
    ]
    for text in ["{", "[1]", '[{"source": 1}]', '{"a": 1}', "[" * 100_000, *every]:
        path.write_text(text)
        for read in (lambda: read_marks(path, a_class.register), lambda: read_results(a_class)):
            with pytest.raises(
                HandcalcError, match=r"marks.json cannot be read; delete it, or .* --again\.$"
            ):
                read()
    path.unlink()
    path.mkdir()
    for command in (["report"], ["export", "excel"], ["mark"]):
        name, *more = command
        assert main(["class", name, str(a_class.path), *more]) == 2
        said = capsys.readouterr().err
        assert "marks.json cannot be read: is a directory; delete it" in said
        assert said.count("\n") == 1
    path.rmdir()
    path.write_text(json.dumps([kept]))
    assert len(list(read_marks(path, a_class.register).every)) == 1  # nothing of it was wrong
    path.unlink()
