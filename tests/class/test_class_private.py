"""What is in the folder of a class is its owner's alone: names, keys, and all that is written later."""

import asyncio
import os
import stat

import pytest
from live_room import open_room

from handcalc.classroom.folder import folder_lock
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.http import serving
from handcalc.cli import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no modes on Windows")


@pytest.fixture(autouse=True)
def open_to_all():
    """Nothing is held back by the habits of whoever runs this."""
    before = os.umask(0)
    yield
    assert os.umask(before) == 0  # and they have theirs again


def modes(path):
    kinds = {True: set(), False: set()}
    for one in [path, *path.rglob("*")]:
        kinds[one.is_dir()].add(oct(stat.S_IMODE(one.stat().st_mode)))
    return kinds[True], kinds[False]


async def taught(made, code):
    """A lesson: somebody joins and types, and the teacher adds somebody."""
    with folder_lock.lock_serving(made.path):
        serving.load_teacher_token(made.path)
        async with open_room(made) as room:
            _, ada = await room.join(code, "Ada")
            await room.store_answers(ada, code, [(1, "s", 0, 0, "9999")])
            await room.controls.decide("add", name="Cy")
            return modes(made.path)


@pytest.mark.slow
def test_the_folder_is_0700_and_every_file_0600_from_the_first_to_the_last(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "8b").mkdir()  # a folder that was there, open to all
    assert main(["class", "new", "8b", "--count", "1", "--seed", "1", "--topic", "dot-product"]) == 0
    made = ClassFolder("8b")
    private = {"0o700"}, {"0o600"}
    assert modes(made.path) == private
    code = made.register[0].code
    (tmp_path / "Ada.csv").write_text(f"code,step,row,column,answer\n{code},s,1,1,9999\n")
    assert asyncio.run(taught(made, code)) == private
    for words in (
        "add 8b --name Bo", "add 8b --topic softmax", "links 8b", "key 8b " + code, "keys 8b -o 8b/all.pdf",
        "mark 8b Ada.csv", "report 8b --next", "export 8b canvas",
    ):  # fmt: skip
        assert main(["class", *words.split()]) == 0, words
        assert modes(made.path) == private, words
    assert {"marks.json", "marks.csv", "report.html", "canvas.csv", "class.db", "teacher.token", "next"} <= {
        one.name for one in made.path.iterdir()
    }
    main(["class", "key", "8b", code, "-o", "key.pdf"])  # a key is one wherever it is
    assert stat.S_IMODE((tmp_path / "key.pdf").stat().st_mode) == 0o600
    main(["worksheet", "softmax", "-o", "sheet.pdf"])  # what has nobody's name is as it is everywhere
    assert stat.S_IMODE((tmp_path / "sheet.pdf").stat().st_mode) == 0o666


@pytest.mark.slow
def test_what_the_teacher_has_opened_to_somebody_stays_so(tmp_path):
    assert (
        main(["class", "new", str(tmp_path / "8b"), "--count", "1", "--seed", "1", "--topic", "dot-product"])
        == 0
    )
    made = ClassFolder(tmp_path / "8b")
    assert main(["class", "mark", str(made.path)]) == 0
    made.path.chmod(0o750)
    (made.path / "marks.csv").chmod(0o640)
    assert main(["class", "mark", str(made.path)]) == 0
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o750
    assert stat.S_IMODE((made.path / "marks.csv").stat().st_mode) == 0o640
