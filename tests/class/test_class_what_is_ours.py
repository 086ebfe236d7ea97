"""Which files of a folder are marked: those that were handed in, not those that a class keeps there."""

import json
import shutil

import pytest
from class_files import class_of

from handcalc.classroom.export import gradebook
from handcalc.classroom.folder import folder_layout
from handcalc.classroom.handouts import class_handouts
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.marking import sources
from handcalc.classroom.marking.class_marks import ClassMarks
from handcalc.cli import main


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    """A class with all that our commands write into its folder."""
    path = tmp_path_factory.mktemp("class") / "8b"
    made = class_of(path, printed=True)
    assert main(["class", "add", str(path), "--name", "Ben"]) == 0
    code = made.register[0].code
    counts = {"s": {"right": 0, "close": 0, "following": 0, "wrong": 1, "blank": 0}}
    marks = [{"source": "a", "code": code, "standing": Standing(code, counts).to_json(), "trouble": ""}]
    (path / folder_layout.MARKS_FILE).write_text(json.dumps(marks))
    ClassMarks(made.register).save(made.path.parent)  # elsewhere: what marks.csv is called
    shutil.copy(made.path.parent / folder_layout.MARKS_TABLE, path)
    assert main(["class", "report", str(path), "--next"]) == 0
    for system in gradebook.WRITERS:
        if system != "moodle":  # which wants school ids
            assert main(["class", "export", str(path), system]) == 0
    for name in ("class.db", "class.db-wal", "class.db-shm", "serving.lock"):
        (path / name).touch()
    return made


def names(path, beside):
    return [source.name for source in sources.list_sources([path], beside)]


@pytest.mark.slow
def test_of_the_folder_of_a_class_only_what_was_put_there_is_marked(a_class):
    assert names(a_class.path, a_class.path.parent) == ["8b"]
    (said,) = [source.trouble for source in sources.list_sources([a_class.path], a_class.path.parent)]
    assert said == "8b holds the files of a class and nothing that was handed in; name another folder."
    inbox = a_class.path / "in"
    inbox.mkdir()
    (inbox / "register.csv").write_text("x")  # of this name, but nobody's class
    (a_class.path / "sheets-by-ada.ipynb").write_text("x")
    found = ["8b/sheets-by-ada.ipynb", "8b/in/register.csv"]
    above = a_class.path.parent
    assert names(a_class.path, above) == found
    assert [name for name in names(above, above.parent) if "/8b/" in name] == [
        f"{above.name}/{name}" for name in found
    ]
    shutil.rmtree(inbox)
    (a_class.path / "sheets-by-ada.ipynb").unlink()


def test_every_name_has_one_place():
    assert tuple(gradebook.WRITERS) == folder_layout.GRADEBOOKS
    assert all(
        folder_layout.is_ours(name) for number in (1, 2, 30) for name in class_handouts.printed_names(number)
    )
    assert not any(
        folder_layout.is_ours(name) for name in ("sheets.csv", "keys-x.pdf", "in", "a.ipynb", "next.ipynb")
    )
