"""The rooms of the tests: where helpers and oracles stand, and what pytest and the benchmarks import."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests"
MODULES = [path for path in TESTS.rglob("*.py") if "mutants" not in path.parts]


def test_no_two_modules_have_one_name():
    """All of them are imported by their bare names, by benchmarks beside their own."""
    names = Counter(path.stem for path in [*MODULES, *ROOT.glob("benchmarks/*.py")])
    assert [name for name, count in names.items() if count > 1] == []


def test_every_room_can_be_imported_from():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rooms = settings["tool"]["pytest"]["ini_options"]["pythonpath"]
    assert sorted(rooms) == sorted({path.parent.relative_to(ROOT).as_posix() for path in MODULES})


@pytest.mark.parametrize("path", sorted(TESTS.glob("oracles/*.py")), ids=lambda path: path.stem)
def test_an_oracle_says_what_it_is_an_oracle_of(path):
    assert path.read_text("utf-8").startswith('"""Oracle of ')
    assert not path.stem.startswith("test_")
