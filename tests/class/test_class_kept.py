"""marks.json: what is kept between two markings is what was found; anything else in it is one sentence."""

import json
from dataclasses import replace

import pytest
from class_files import class_of, result

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.insight.sheet_progress import SeenMistake
from handcalc.classroom.marking.class_marks import ClassMarks, read_marks
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.results import read_results
from handcalc.cli import main
from handcalc.foundation.errors import HandcalcError


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
