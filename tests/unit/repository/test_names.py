"""A name stands for one thing: modules outside the lessons, public functions and classes of all rooms."""

import ast
from collections import defaultdict
from pathlib import Path

import public_names

PACKAGE = Path(__file__).parents[3] / "handcalc"
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
