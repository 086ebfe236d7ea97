"""docs/api/ is what the docstrings say: every public name is there once, and links lead somewhere."""

import importlib.util
import re
from pathlib import Path

import public_names
import pytest

DOCS = Path(__file__).parents[3] / "docs"
SPEC = importlib.util.spec_from_file_location("docs_api", DOCS / "api.py")
api = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(api)
COMMITTED = {path: path.read_text("utf-8") for path in (DOCS / "api").iterdir()}


@pytest.mark.slow
def test_the_pages_are_as_they_would_be_written_now():
    assert api.pages() == COMMITTED, "make docs writes them again"


def test_every_public_name_has_one_place_and_a_line_in_the_index():
    index = COMMITTED[DOCS / "api" / "README.md"]
    headings = [name for text in COMMITTED.values() for name in re.findall(r"(?m)^## hc\.([\w.]+)$", text)]
    assert sorted(headings) == sorted(public_names.DESCRIBED)
    assert sorted(re.findall(r"(?m)^\| \[`hc\.([\w.]+)`\]", index)) == sorted(headings)


def test_links_lead_somewhere():
    for path, text in COMMITTED.items():
        for file, _, place in (
            target.partition("#") for target in re.findall(r"\]\(([^)\s]+\.[a-z]+[^)\s]*)\)", text)
        ):
            assert (path.parent / file).is_file(), file
            if place:
                headings = re.findall(r"(?m)^#+ (.*)$", COMMITTED[path.parent / file])
                assert place in {re.sub(r"[^\w-]", "", name.lower()) for name in headings}
