"""What docstrings show is what happens."""

import doctest
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import handcalc

MODULES = ("handcalc", *(name for _, name, _ in pkgutil.walk_packages(handcalc.__path__, "handcalc.")))
SHOWN = [name for name in MODULES if ">>> " in Path(find_spec(name).origin).read_text("utf-8")]
FINDER = doctest.DocTestFinder()
EXAMPLES = [test for name in SHOWN for test in FINDER.find(import_module(name)) if test.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_of_a_docstring_come_out_as_they_are_written(example):
    assert doctest.DocTestRunner().run(example).failed == 0


def test_there_are_examples():
    assert len(EXAMPLES) >= 6
