"""What docstrings show is what happens."""

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec

import pytest

import handcalc

NEEDED = {"handcalc.classroom.live.http.hub": "jupyterhub"}  # which is there only where a Hub is
MODULES = [
    name
    for name in ("handcalc", *(name for _, name, _ in pkgutil.walk_packages(handcalc.__path__, "handcalc.")))
    if name not in NEEDED or find_spec(NEEDED[name])
]
FINDER = doctest.DocTestFinder()
EXAMPLES = [test for name in MODULES for test in FINDER.find(import_module(name)) if test.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_of_a_docstring_come_out_as_they_are_written(example):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_there_are_examples():
    assert len(EXAMPLES) >= 6
