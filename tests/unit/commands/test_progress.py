"""A terminal shows how far long work is; a file, a pipe and a notebook get not a letter of it."""

import os
import re
import sys
from contextlib import contextmanager
from threading import Thread

import cases
import model_files
import pytest

from handcalc import models
from handcalc.classroom.handouts import worksheet
from handcalc.cli import main
from handcalc.foundation import progress
from handcalc.views.atlas import atlas_outline

END = b"\0"
LAYER = cases.build("encoder_layer")


@contextmanager
def terminal():
    """A terminal that takes what is told, and what has come up on it by the end."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    told = bytearray()

    def read():
        while not told.endswith(END):
            told.extend(os.read(ours, 4096))
        del told[-len(END) :]

    reader = Thread(target=read, daemon=True)
    reader.start()
    with pytest.MonkeyPatch.context() as patch, os.fdopen(theirs, "w") as stream:
        patch.setattr(sys, "stderr", stream)
        yield told
        stream.write(END.decode())
        stream.flush()
        reader.join()
    os.close(ours)


@pytest.fixture
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def teach():
    """Make a class, mark it, report on it."""
    for words in ("new 7b --count 2 --topic softmax", "mark 7b 7b/notebooks", "report 7b"):
        assert main(["class", *words.split()]) == 0


def make_sheets():
    assert main(["worksheet", "softmax", "--count", "2", "-o", "sheets"]) == 0


def make_templates():
    assert main(["templates", "softmax"]) == 0


def save_a_page():
    LAYER.save_html("page.html")


def save_a_large_page():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atlas_outline, "MAX_NUMBERS_AT_ONCE", 100)
        LAYER.save_html("large.html")


def load_a_model():
    path = model_files.write(model_files.Path(), model_files.bert(), model_files.BERT_SETTINGS)
    models.load(path).calculation([1, 2])


LONG = [  # what may take long, and what a terminal says of it
    (teach, {"Drawing numbers", "Writing notebooks", "Drawing sheets", "Marking"}),
    (make_sheets, {"Drawing numbers", "Drawing sheets"}),
    (make_templates, {"Writing templates", "Drawing sheets"}),
    (save_a_page, {"Writing the page"}),
    (save_a_large_page, {"Writing blocks"}),
    pytest.param(load_a_model, {"Reading weights"}, marks=pytest.mark.real),
]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(("work", "said"), LONG)
@pytest.mark.usefixtures("_in_a_folder")
def test_a_terminal_shows_how_far_long_work_is(work, said, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0)  # all of it counts as long
    with terminal() as told:
        work()
    bars = re.findall(r"([A-Z][a-z ]+): +\d+%\|", told.decode())
    assert said <= set(bars)
    assert told.decode().rpartition("\r")[2].strip() == ""  # and nothing is left of it


@pytest.mark.slow
@pytest.mark.parametrize("work", [work for work, _ in LONG[:-1]])
@pytest.mark.usefixtures("_in_a_folder")
def test_nothing_else_does(work, monkeypatch, capfd):
    monkeypatch.setattr(progress, "SECONDS", 0)
    monkeypatch.setitem(sys.modules, "tqdm", None)  # it is not even imported
    work()
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_quick_work_shows_no_bar():
    with terminal() as told:
        assert list(progress.with_progress(range(3), "Counting")) == [0, 1, 2]
        assert progress.is_watched()
    assert told == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    ("each", "quiet"), [(map, [False, False]), (lambda do, jobs: list(map(do, jobs)), [False, True])]
)
def test_of_two_processes_that_write_as_much_one_shows_a_bar(each, quiet, tmp_path, monkeypatch):
    jobs = []
    monkeypatch.setattr(worksheet, "_done", lambda job: jobs.append(job) or b"")
    sheets = [worksheet.PrintedSheet("SM1-4232", "")]
    with terminal():
        worksheet.write_sheet_pdfs(
            sheets, [tmp_path / "sheets.pdf", tmp_path / "keys.pdf"], paper="a4", each=each
        )
    assert [job.is_quiet for job in jobs] == quiet
