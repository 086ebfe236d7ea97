"""How the house is built: imports, names, the way of one wrong number; what measures it and changes it."""

import ast
import importlib
import re
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np
import public_names
import pytest
from scripts import ROOT, script

import handcalc as hc

# Imports run downwards, also those for type hints.
DOCS = ROOT / "docs"
PACKAGE = DOCS.parent / "handcalc"


def test_every_room_is_on_the_page():
    text = (DOCS / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)(?:\.py|/)", text))
    assert set(script("docs/architecture.py").rooms()) - named == set()


def imports_of_modules():
    """Each module with the others that it imports: at once, inside functions or for type hints."""
    paths = {".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts): p for p in PACKAGE.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    found = {}
    for name, path in modules.items():
        imported = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{name} imports relatively"
                within = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= within & set(modules) or {node.module}
        found[name] = imported & set(modules) - {name}
    return found


def reached(start, imports):
    """Every module that one imports, itself or through others."""
    found, waiting = set(), [start]
    while waiting:
        more = imports[waiting.pop()] - found
        found |= more
        waiting += more
    return found


def circles(imports):
    """The modules that import each other, itself or through others, a set for each circle."""
    reach = {name: reached(name, imports) for name in imports}
    return {frozenset(m for m in reach[name] if name in reach[m]) for name in imports if name in reach[name]}


@pytest.mark.slow
def test_no_more_than_five_modules_import_each_other_type_hints_included():
    imports = imports_of_modules()
    assert "handcalc.record.matrix" in imports["handcalc.record.graph"]  # a type hint is counted
    assert max(map(len, circles(imports))) <= 5, sorted(max(circles(imports), key=len))


# The way of one wrong number: somebody who asks why it is marked so has few files to read.
MAX_FILES, MAX_FILES_OF_PRACTICE = 34, 13  # the others work out numbers and write them down
STEPS = tuple(hc.examples.self_attention().steps)


def files_entered(calculation, step):
    """The files of handcalc of which a function runs while a sheet with one wrong number is checked."""
    answers = {name: np.round(matrix.values, 2) for name, matrix in calculation.steps.items()}
    answers[step][0, 0] += 1
    hc.Exercise(calculation).check(**answers)  # what is imported later is imported now
    files = set()

    def enter(frame, event, _):
        if event == "call":
            files.add(frame.f_code.co_filename)

    exercise = hc.Exercise(calculation)
    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        feedback = exercise.check(**answers)
    finally:
        sys.setprofile(before)
    assert feedback.first_wrong == (step, 0, 0)
    return {file for file in files if Path(file).is_relative_to(PACKAGE)}


@pytest.mark.parametrize("step", STEPS)
def test_one_wrong_number_is_marked_in_few_files(step):
    found = files_entered(hc.examples.self_attention(), step)
    practice = {file for file in found if Path(file).is_relative_to(PACKAGE / "practice")}
    assert 10 < len(practice) <= MAX_FILES_OF_PRACTICE, sorted(practice)
    assert len(found) <= MAX_FILES, sorted(found - practice)


# A name stands for one thing: modules outside the lessons, public functions and classes of all rooms.
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.stem not in ("__init__", "__main__")]
COURSE = PACKAGE / "course"


def by_name(named):
    """The places of each name that has several; a name comes as (name, place)."""
    places = defaultdict(list)
    for name, place in named:
        places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def told_apart_in_public():
    """Names whose folder says which is meant: hc.self_attention, hc.examples.self_attention."""
    return by_name((path.rpartition(".")[2], path) for path in public_names.ALL)


def test_no_two_modules_have_one_name():
    outside = [path for path in MODULES if not path.parent.is_relative_to(COURSE) or path.parent == COURSE]
    assert by_name((path.stem, str(path)) for path in outside) == {}


def test_no_two_functions_or_classes_have_one_name_unless_people_see_which_is_meant():
    defined = [
        (node.name, str(path.relative_to(PACKAGE)))
        for path in MODULES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[0] != "_"
    ]
    twice = by_name(defined)
    assert {name: places for name, places in twice.items() if name not in told_apart_in_public()} == {}


# The benchmarks are code too: they run to their end, and what they measure is there.
FOLDER = Path(__file__).parents[3] / "benchmarks"
FEW = {
    "record": {"TOKENS": (4,), "_rounds": lambda n: 2},
    "opening": {"ROUNDS": 1},
    "moves": {"BURSTS": 1, "MOVES": 6},
    "slider": {"PRESSES": 1, "WARM_UP": 0},
}


@pytest.fixture(autouse=True)
def on_path(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize("name", FEW)
@pytest.mark.sweep
def test_a_benchmark_runs_to_its_end(name, monkeypatch, chromium_path):
    benchmark = importlib.import_module(name)
    for constant, value in FEW[name].items():
        monkeypatch.setattr(benchmark, constant, value)
    report = benchmark.run()
    assert report.skipped is None
    assert report.rows


@pytest.mark.slow
def test_the_load_of_a_class_can_be_imported():
    importlib.import_module("class_load")


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


# The small mistakes of `make mutants` can be made: in code and against tests that are still there.
MUTANTS = ROOT / "tests" / "mutants"
ROOMS = sorted(path.stem for path in MUTANTS.glob("*.py") if path.stem != "__main__")


@pytest.fixture
def room(request, monkeypatch):
    monkeypatch.syspath_prepend(MUTANTS)
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
