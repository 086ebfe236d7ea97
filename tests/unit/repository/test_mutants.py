"""The small mistakes of `make mutants` can be made: in code and against tests that are still there."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "mutants"
ROOMS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__main__")


@pytest.fixture
def room(request, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    yield import_module(request.param)
    del sys.modules[request.param]  # such as "operations"


every_room = pytest.mark.parametrize("room", ROOMS, indirect=True)


@every_room
def test_the_text_that_is_changed_stands_in_the_code_once(room):
    texts = [path.read_text("utf-8") for pattern in room.ROOM.split() for path in ROOT.glob(pattern)]
    assert [
        old for old, new in room.MUTANTS if sum(text.count(old) for text in texts) != 1 or old == new
    ] == []


@every_room
def test_the_tests_that_are_to_see_it_are_there(room):
    assert [name for name in room.TESTS if not [*ROOT.glob(f"tests/**/test_{name}.py")]] == []
