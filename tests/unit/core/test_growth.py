"""What has no name is written inline, but never without end: long parts get names of their own."""

import json
import sys

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.views.variants import variants

LONGEST = 2500  # characters of one cell's arithmetic here, whose longest sums have 8 terms
SIZE = 6


def doubled(times):
    M = hc.Matrix([[1, 2], [3, 4]], "M")
    for _ in range(times):
        M = M + M
    return M


def chained(steps, X=None):
    X = hc.Matrix([[1.0, 2.0]], "X") if X is None else X
    for k in range(steps):
        X = (X + 1, X * 0.99, -X, X.T, hc.relu(X))[k % 5]
    return X


def norm(X):
    """A layer norm without one name."""
    size = X.shape[0]
    centred = X - hc.column_means(X)
    normed = centred / hc.sqrt(hc.column_means(centred**2) + 1e-5)
    return hc.Matrix(np.ones((size, 1)), "gamma") * normed + hc.Matrix(np.zeros((size, 1)), "beta")


def normed(times, size=SIZE):
    X = hc.Matrix(cases.drawer(1)(size, 3), "X")
    for _ in range(times):
        X = norm(X)
    return X


def attended(X, draw):
    """One layer of a transformer without one name: attention, residual, norm, feed-forward, norm."""
    W_Q, W_K, W_V, W_1, W_2 = (hc.Matrix(draw(SIZE, SIZE), f"W{k}") for k in range(5))
    A = hc.softmax((W_K @ X).T @ (W_Q @ X) / hc.sqrt(SIZE))
    N = norm(X + W_V @ X @ A)
    return norm(N + W_2 @ hc.relu(W_1 @ N + 1))


def encoder_decoder(count):
    """Tokens looked up, encoder layers, decoder layers that read them, logits, shares: not one name."""
    draw = cases.drawer(3)
    words = hc.Matrix(draw(SIZE, 7), "W_E")
    memory, Y = (
        hc.embedding(words, tokens) + hc.positional_encoding(3, SIZE) for tokens in ([6, 0, 3], [1, 5, 2])
    )
    for _ in range(count):
        memory = attended(memory, draw)
    for _ in range(count):
        W_Q, W_K, W_V = (hc.Matrix(draw(SIZE, SIZE), f"C{k}") for k in range(3))
        own = attended(Y, draw)
        Y = norm(own + W_V @ memory @ hc.softmax((W_K @ memory).T @ (W_Q @ own)))
    return hc.softmax(words.T @ Y)


GROWING = {
    "doubled 40 times": lambda: doubled(40),
    "a chain": lambda: chained(150),
    "transposed, too": lambda: chained(150, hc.Matrix([[1]], "a")),
    "a norm of norms": lambda: normed(3),
    "a norm of 60 features": lambda: normed(1, 60),
    "an encoder-decoder": lambda: encoder_decoder(3),
    "softmax of softmax": lambda: hc.softmax(hc.softmax(hc.softmax(hc.softmax(normed(1) * 900) * 900) * 900)),
}
every_growing = pytest.mark.parametrize("name", GROWING)


@every_growing
def test_what_a_bare_matrix_says_is_bounded(name):
    M = GROWING[name]()
    told = M.explain(0, 0)
    texts = [str(told), told.symbolic, told.latex, told.mathml, M.formula, M.latex]
    limit = LONGEST if M.shape[0] < 60 else 60 * LONGEST // 8
    assert max(len(text) for text in texts[:2]) < limit
    assert max(len(text) for text in texts) < 12 * limit
    assert len(M.display_name) <= 40
    assert str(told).endswith(f"= {told.result}")
    assert M.sources(0, 0)
    assert M.reads()


def test_a_formula_that_can_be_read_is_written_whole_however_long_its_arithmetic_is():
    calculation = hc.examples.self_attention()
    Q, K, V = calculation["Q"], calculation["K"], calculation["V"]
    Z = (V @ hc.softmax(K.T @ Q / hc.sqrt(3))).named("Z")
    assert Z.formula == "Z = V (e^(Kᵀ Q / √3) / Σ↓ (e^(Kᵀ Q / √3)))"
    assert len(str(Z.explain(0, 0))) < 80


@every_growing
def test_a_calculation_names_what_would_be_too_long_and_keeps_the_numbers(name):
    M = GROWING[name]()
    calculation = hc.Calculation(M.named("result"))
    np.testing.assert_array_equal(calculation["result"].values, M.values)
    assert any(step.startswith("step_") for step in calculation.steps)
    limit = LONGEST if max(map(max, (m.shape for m in calculation.values()))) < 60 else 60 * LONGEST // 8
    for step in calculation.steps:
        assert len(str(calculation.explain(step, 0, 0))) < limit, step


@pytest.mark.slow
@every_growing
def test_automatic_names_stay_whatever_is_done_with_the_calculation(name):
    calculation = hc.Calculation(GROWING[name]().named("result"))
    names = list(calculation)
    spec = json.loads(json.dumps(calculation.to_spec()))
    given = next(iter(calculation.givens))
    others = {
        "made again": hc.Calculation(GROWING[name]().named("result")),
        "from its file": hc.Calculation.from_spec(spec),
        "other givens": calculation.with_givens(**{given: calculation[given].values * 1.01}),
        "rows": calculation.in_convention("rows"),
        "rows and back": calculation.in_convention("rows").in_convention("columns"),
    }
    for how, other in others.items():
        assert list(other) == names, how
    assert hc.Calculation.from_spec(spec).to_spec() == calculation.to_spec()


def test_an_automatic_name_is_never_one_that_is_taken():
    start = hc.Matrix([[1]], "step_1")
    M = start
    for _ in range(12):
        M = M + M
    calculation = hc.Calculation(M.named("step_3"))
    assert list(calculation) == ["step_1", "step_2", "step_4", "step_3"]
    assert {m.name for m, _, _ in M.sources(0, 0)}.isdisjoint({"step_1"})


def test_a_part_that_several_read_gets_the_name():
    found = hc.Calculation(normed(1, 12).named("N"))
    assert found["step_1"].formula == "step_1 = X - mean↓ X"
    assert found["N"].formula == "N = γ·(step_1 / √(mean↓ (step_1^2) + 0.00001)) + β"


def test_sentences_about_long_arithmetic_are_short():
    M = doubled(40)
    attempts = [
        lambda: M @ hc.Matrix(np.ones((3, 1))),
        lambda: M + hc.Matrix(np.ones((3, 3))),
        lambda: M.explain(5, 0),
        lambda: hc.Calculation(M),
        lambda: hc.exp(M),
        lambda: hc.rows(M, 0, 9),
    ]
    for attempt in attempts:
        assert len(cases.refusal(attempt)) <= 200


@pytest.mark.slow
def test_the_work_does_not_depend_on_how_deep_python_may_go():
    assert sys.getrecursionlimit() < 5000
    chain = hc.Calculation(chained(1500).named("Y"))
    assert len(str(chain.explain("Y", 0, 0))) < LONGEST
    assert len(chained(1500).latex) + len(chained(1500).explain(0, 0).mathml) < 12 * LONGEST


def test_a_file_grows_as_the_calculation_does():
    short, long = (len(json.dumps(hc.Calculation(chained(k).named("Y")).to_spec())) for k in (60, 240))
    assert long < 5 * short


@pytest.mark.slow
def test_every_cell_of_an_encoder_decoder_without_a_name_is_explained_in_few_words():
    P = encoder_decoder(2)
    calculation = hc.Calculation(P.named("P"))
    told = [P.explain(0, 0), *(M.explain(i, j) for M in calculation.values() for i, j in cases.cells(M))]
    assert max(len(str(explanation)) for explanation in told) < LONGEST
    assert len(told) > 500
    assert all(len(calculation.feeds(m, 0, 0)) <= 2 * m.shape[0] * SIZE for m in calculation.values())


@pytest.mark.slow
def test_the_work_of_a_page_grows_as_its_layers_do(monkeypatch):
    copies = 0
    replace = hc.Matrix.replace

    def counted(*args, **changes):
        nonlocal copies
        copies += 1
        return replace(*args, **changes)

    monkeypatch.setattr(hc.Matrix, "replace", counted)
    counts = []
    for layers_ in (2, 6):
        g = cases.givens(1)
        X = hc.Matrix(g.X, "X")
        for _ in range(layers_):
            X = hc.encoder_layer(X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1]).result
        copies = 0
        variants(hc.Calculation(X))
        counts.append(copies)
    assert counts[1] < 3.5 * counts[0]


# Layers are joined without a thought for names: each matrix of a record can be told from every other.
X = hc.Matrix([[1, 2, 0], [3, 5, 1]], "X")
WEIGHTS = [np.array([[1, k], [-k, 2]]) / 2 for k in range(6)]
NAMES = ["Q", "K", "V", "S", "S_scaled", "E", "E_sum", "A", "Z"]
NORM = ["mean", "centred", "variance", "gamma", "beta", "N"]


@pytest.fixture
def two_layers():
    first = hc.self_attention(X, *WEIGHTS[:3])
    return first, hc.self_attention(first["Z"], *WEIGHTS[3:])


def test_joined_layers_are_numbered_and_short_names_find_the_last_one(two_layers):
    first, both = two_layers
    assert list(both.steps) == [f"layer_{k}.{name}" for k in (1, 2) for name in NAMES]
    assert list(both.blocks) == ["layer_1", "layer_2"]
    for name in NAMES:
        np.testing.assert_array_equal(both[f"layer_1.{name}"].values, first[name].values)
        assert both[name] is both[f"layer_2.{name}"]
    assert both["Q"].formula == "layer_2.Q = layer_2.W_Q layer_1.Z"
    assert both.blocks["layer_2"]["Q"].formula == "Q = W_Q layer_1.Z"
    assert "layer_1.Z[1,1]" in both.explain("Q", 0, 0).symbolic


def test_the_result_is_that_of_a_layer_on_plain_numbers(two_layers):
    first, both = two_layers
    alone = hc.self_attention(first["Z"].values, *WEIGHTS[3:])
    np.testing.assert_array_equal(both["Z"].values, alone["Z"].values)


def test_joining_on_makes_no_matrix_twice(two_layers):
    first, both = two_layers
    joined = hc.Calculation((first["Z"] + both["Z"]).named("R"))
    assert set(joined) == {*both, "R"}
    third = hc.self_attention(both["Z"], *WEIGHTS[:3])
    assert {"layer_1.Z", "layer_2.Z", "layer_3.Z"} <= set(third)
    assert len(third) == 1 + 3 * 12


def test_an_input_that_was_computed_from_an_x_of_that_name_is_written_inline(two_layers):
    first, _ = two_layers
    normed = hc.Calculation(hc.layer_norm(X + first["Z"], [1, 1], [0, 0]))
    assert normed["norm.mean"].formula == "norm.mean = mean↓ (X + Z)"
    assert normed.blocks["norm"]["centred"].formula == "centred = X + Z - mean"
    assert set(normed) == {*first, *(f"norm.{name}" for name in NORM)}
    placed = hc.self_attention(X + hc.positional_encoding(3, 2), *WEIGHTS[:3])
    assert placed["Q"].formula.startswith("Q = W_Q (X + ")


def test_lists_and_arrays_become_givens_with_a_name():
    calculation = hc.Calculation((X + np.array([[1], [2]])).named("H"))
    assert set(calculation.givens) == {"X", "given_1"}
    moved = calculation.with_givens(given_1=[[0], [0]])
    np.testing.assert_array_equal(moved["H"].values, X.values)
