"""`import handcalc` imports nothing but itself; each public name is fetched when somebody asks for it."""

import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import handcalc as hc

# Whatever the standard library needs to read a stub is imported before.
BARE = """
import ast, importlib, sys
before = set(sys.modules)
import handcalc
print(*sorted(set(sys.modules) - before))
"""
FIRST = """
import sys

CALLS = {
    "argmax": "[[1, 2]]", "columns": "[[1, 2]], 0, 1", "concat": "[[[1]], [[2]]]", "one_hot": "[[1]], 2",
    "patches": "[[1, 2], [3, 4]], 2", "rows": "[[1], [2]], 0, 1", "sample": "[[1]], [[0]]",
    "top_k": "[[1]], 1",
}

import handcalc
public = {name: getattr(handcalc, name) for name in handcalc.__all__}
home = "handcalc.record.matrix_functions"
names = [name for name, one in public.items() if getattr(one, "__module__", "") == home]
for name in names:
    for module in [module for module in sys.modules if module.partition(".")[0] == "handcalc"]:
        del sys.modules[module]
    import handcalc
    function = getattr(handcalc, name)
    result = eval(f"function({CALLS.get(name, '[[1.0, 2.0]]')})")
    assert type(result) is handcalc.Matrix, name
print(len(names))
"""


def test_importing_handcalc_imports_nothing_but_itself_and_what_fetches_its_names():
    run = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {"handcalc", "lazy_loader"}


@pytest.mark.slow
def test_each_operation_may_be_the_first_thing_that_is_asked_for():
    run = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 15


def test_a_star_and_tab_find_every_public_name():
    names = {}
    exec("from handcalc import *", names)
    assert set(hc.__all__) == names.keys() - {"__builtins__"}
    assert {*hc.__all__, "__version__"} <= set(dir(hc))
    assert [name for name in dir(hc) if not name.startswith("_")] == [n for n in hc.__all__ if n != "____"]


@pytest.mark.parametrize("room", [hc, hc.examples], ids=lambda room: room.__name__)
def test_the_stub_says_where_each_name_is(room):
    text = Path(room.__file__).with_suffix(".pyi").read_text("utf-8")
    for module, name, other in re.findall(r"(?m)^from (\.[\w.]*) import (\w+) as (\w+)$", text):
        assert name == other
        found = getattr(room, name)
        if module == ".":
            assert found is import_module(f"{room.__name__}.{name}")
        else:
            assert found is getattr(import_module(module, room.__spec__.parent), name)
        assert getattr(room, name) is found
    assert len(room.__all__) == text.count("\nfrom ")


def test_help_shows_functions_and_classes_with_their_words():
    told = pydoc.plain(pydoc.render_doc(hc))
    for name in hc.__all__:
        if inspect.isroutine(getattr(hc, name)) or inspect.isclass(getattr(hc, name)):
            assert name in told
    assert inspect.getdoc(hc.self_attention).splitlines()[0] in told


def test_what_is_fetched_can_be_pickled():
    for name in ("Matrix", "self_attention", "Exercise"):
        assert pickle.loads(pickle.dumps(getattr(hc, name))) is getattr(hc, name)


def test_a_name_that_there_is_not_is_an_attribute_error_with_a_guess():
    with pytest.raises(AttributeError, match="module 'handcalc' has no attribute 'sofmax'") as error:
        _ = hc.sofmax
    assert (error.value.name, error.value.obj) == ("sofmax", hc)
    assert not hasattr(hc.examples, "attention_of_a_cat")
