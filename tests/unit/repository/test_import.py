"""`import handcalc` imports nothing but itself; each public name is fetched when somebody asks for it."""

import inspect
import json
import pickle
import pydoc
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import cases
import loops
import pytest

import handcalc as hc
from handcalc.record import spec

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


# The core (record, notation, operations, formulas, gradients) needs no other room, and numpy alone.
PACKAGE = Path(hc.__file__).parent
CACHES = shutil.ignore_patterns("__pycache__")
CORE = ("foundation", "record", "notation", "operations", "formulas", "gradients")

# The worked example of Tom Yeh's sheet, typed in; what the core says of it comes back as JSON.
SCRIPT = """
import json, sys
from pathlib import Path
import handcalc
assert Path(handcalc.__file__).parent == Path(sys.argv[1]) / "handcalc"
from handcalc.formulas.attention import self_attention
from handcalc.gradients import gradients
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums

givens = json.loads(sys.argv[2])
calc = self_attention(*(Matrix(values, name) for name, values in givens.items()))
L = column_sums(column_sums(calc["Z"] * calc["Z"]).T).named("L")
slopes = gradients(Calculation(L), "L")
written = json.dumps(slopes.to_spec())
again = Calculation.from_spec(json.loads(written))
print(json.dumps({
    "explained": str(calc.explain("Z", 1, 0)),
    "Z": calc["Z"].values.tolist(),
    "dW_Q": slopes.of("W_Q").values.tolist(),
    "same": json.dumps(again.to_spec()) == written,
    "again": all((again[name].values == matrix.values).all() for name, matrix in slopes.items()),
    "loaded": sorted({name.partition(".")[0] for name in sys.modules}),
}))
"""
GIVENS = {
    "X": [[2, 0, 0, 2], [0, 1, 0, 0], [0, 2, 1, 0], [0, 0, 1, 1], [2, 0, 0, 0], [1, 0, 1, 1]],
    "W_Q": [[1, 1, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]],
    "W_K": [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, -1]],
    "W_V": [[10, 0, 0, 0, 0, 0], [0, 0, 0, 10, 0, 0], [0, 10, 0, 0, 0, 0]],
}


def attended(X, **weights):
    return loops.attention(X, X, **weights)["Z"]


def loss(W_Q):
    return sum(z * z for row in attended(**{**GIVENS, "W_Q": W_Q}) for z in row)


def slope(i, j, step=1e-5):
    """By nudging one number of W_Q up and down."""
    nudged = []
    for sign in (1, -1):
        W_Q = [[float(w) for w in row] for row in GIVENS["W_Q"]]
        W_Q[i][j] += sign * step
        nudged.append(loss(W_Q))
    return (nudged[0] - nudged[1]) / (2 * step)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a copy of the core, all other rooms left out, says of the worked example."""
    folder = tmp_path_factory.mktemp("core")
    (folder / "handcalc").mkdir()
    for name in ("__init__.py", "__init__.pyi"):
        shutil.copy(PACKAGE / name, folder / "handcalc")
    for room in CORE:
        shutil.copytree(PACKAGE / room, folder / "handcalc" / room, ignore=CACHES)
    script = f"import sys; sys.path.insert(0, {str(folder)!r})\n{SCRIPT}"
    run = [sys.executable, "-c", script, str(folder), json.dumps(GIVENS)]
    done = subprocess.run(run, capture_output=True, text=True, encoding="utf-8", cwd=folder)
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def test_it_calculates_and_explains(told):
    assert told["explained"] == "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    for found, row in zip(told["Z"], attended(**GIVENS), strict=True):
        assert found == pytest.approx(row, rel=1e-12)


def test_it_finds_slopes(told):
    for i, row in enumerate(told["dW_Q"]):
        assert row == pytest.approx([slope(i, j) for j in range(6)], rel=1e-6, abs=1e-6)


def test_what_it_writes_it_reads_again(told):
    assert told["same"]
    assert told["again"]


def test_nothing_else_has_to_be_installed(told):
    loaded = {name for name in told["loaded"] if not name.startswith("_")}
    assert loaded - set(sys.stdlib_module_names) - {"sitecustomize"} == {"handcalc", "numpy", "lazy_loader"}


@pytest.mark.parametrize(
    "name", ["worked_example", "multi_head_attention", "decoder_layer", "every_operator"]
)
def test_the_views_add_to_a_spec_and_change_nothing(name):
    calculation = cases.build(name)
    whole, core = calculation.to_spec(), spec.write_spec(calculation)
    blocks = [{key: block[key] for key in core["blocks"][0]} for block in whole["blocks"]]
    assert whole | {"layout": [], "blocks": blocks} == core
