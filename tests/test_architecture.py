"""docs/architecture.svg shows the imports of today, and the page leaves out no room."""

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
SPEC = importlib.util.spec_from_file_location("docs_architecture", DOCS / "architecture.py")
architecture = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(architecture)


@pytest.mark.slow
def test_the_picture_is_what_the_script_draws():
    drawn = architecture.picture()
    assert drawn == (DOCS / "architecture.svg").read_text("utf-8"), (
        "run: .venv/bin/python docs/architecture.py"
    )


def test_imports_at_once_run_downwards():
    house = architecture.rooms()
    for room, others in architecture.imports(late=False).items():
        assert all(house.index(other) > house.index(room) for other in others), room


def test_every_room_is_on_the_page():
    text = (DOCS / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)(?:\.py|/)", text))
    assert set(architecture.rooms()) - named == set()
