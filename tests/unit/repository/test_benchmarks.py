"""The benchmarks are code too: they can be imported, and what they measure is there."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks"
SHOWS_A_WIDGET = {"naive_interact"}  # the text of a notebook's cell
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in {"__main__", *SHOWS_A_WIDGET})


@pytest.fixture(autouse=True)
def on_path(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.slow
def test_a_benchmark_can_be_imported(name):
    importlib.import_module(name)


@pytest.mark.parametrize("name", ["WORKED", "LAYERS", "STACK"])
def test_the_number_that_is_moved_and_the_one_that_is_watched_are_on_the_sheet(name):
    sheets = importlib.import_module("sheets")
    sheet = getattr(sheets, name)
    calculation = sheet.calculation
    (given, i, j), (watched, k, m) = sheet.given, sheet.watched
    values = calculation.givens[given].values.copy()
    values[i, j] += 0.1
    moved = calculation.with_givens(**{given: values})
    assert moved.steps[watched].values[k, m] != calculation.steps[watched].values[k, m]


@pytest.mark.parametrize("name", ["chromium-headless-shell", "chromium"])
def test_the_benchmarks_find_the_browser_that_is_there(name, monkeypatch):
    monkeypatch.setattr("shutil.which", {name: f"/usr/bin/{name}"}.get)
    monkeypatch.delenv("HANDCALC_CHROMIUM", raising=False)
    assert importlib.import_module("chromium").program() == f"/usr/bin/{name}"
