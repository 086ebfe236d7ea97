"""What scripts write into docs/ and the lessons' pages is what is committed, and says what there is."""

import re

import draws
import public_names
import pytest
from scripts import ROOT, script

from handcalc.operations import KINDS

DOCS = ROOT / "docs"
WRITTEN = {  # by docs/NAME.py: each page with its text
    "api": lambda it: it.pages(),
    "architecture": lambda it: {DOCS / "architecture.svg": it.picture()},
    "commands": lambda it: {DOCS / "commands.md": it.text()},
    "course": lambda it: it.pages(),
    "mistakes": lambda it: {DOCS / "mistakes.md": it.text(draws.problem)},
    "questions": lambda it: {DOCS / "questions.md": it.page()},
    "spec": lambda it: {DOCS / "spec.md": it.page(), DOCS / "spec.schema.json": it.as_text(it.schema())},
}
SLOW = ("api", "architecture", "mistakes")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in WRITTEN]
)
def test_a_page_is_as_it_would_be_written_now(name):
    pages = WRITTEN[name](script(f"docs/{name}.py"))
    stale = [path.name for path, text in pages.items() if path.read_text("utf-8") != text]
    assert not stale, "run `make docs course`"
    if name == "api":
        assert {*pages} == {*(DOCS / "api").iterdir()}


def test_every_public_name_and_every_operation_has_its_place():
    api = {path: path.read_text("utf-8") for path in (DOCS / "api").iterdir()}
    headings = [name for text in api.values() for name in re.findall(r"(?m)^## hc\.([\w.]+)$", text)]
    listed = re.findall(r"(?m)^\| \[`hc\.([\w.]+)`\]", api[DOCS / "api" / "README.md"])
    assert sorted(headings) == sorted(listed) == sorted(public_names.DESCRIBED)
    assert all(f"| `{name}` |" in (DOCS / "spec.md").read_text("utf-8") for name in KINDS)


def test_links_of_the_public_names_lead_somewhere():
    for path in (DOCS / "api").iterdir():
        for target in re.findall(r"\]\(([^)\s]+\.[a-z]+[^)\s]*)\)", path.read_text("utf-8")):
            file, _, place = target.partition("#")
            assert (path.parent / file).is_file(), file
            headings = re.findall(r"(?m)^#+ (.*)$", (path.parent / file).read_text("utf-8"))
            assert not place or place in {re.sub(r"[^\w-]", "", name.lower()) for name in headings}
