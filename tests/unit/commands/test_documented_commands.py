"""Every `handcalc` command that a page shows is one; those of a class, in order, leave what is promised."""

import re
import shlex
from pathlib import Path

import pytest

from handcalc.cli import main, make_parser

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
