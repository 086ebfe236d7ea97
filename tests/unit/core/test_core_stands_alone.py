"""The core (record, notation, operations, formulas, gradients) needs no other room, and numpy alone."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import cases
import loops
import pytest

import handcalc as hc
from handcalc.record import spec

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
