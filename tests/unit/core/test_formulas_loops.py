"""Every formula, every step, equals the slow, obvious loops of loops.py, in both conventions."""

import math
from types import SimpleNamespace

import cases
import loops
import numpy as np
import pytest
from numpy.testing import assert_allclose
from seeds import seeds as any_seeds

import handcalc as hc

SEEDS = (1, 2, 3, 4, 5)
seeds = pytest.mark.parametrize("seed", SEEDS)
conventions = pytest.mark.parametrize("convention", cases.CONVENTIONS)
# Both sum in float64, in another order: sums of at most 20 terms of size 1, through a few steps.
ROUNDING = {"rtol": 1e-12, "atol": 1e-13}
CAUSAL = loops.causal(cases.N)
MASK = cases.MASK.tolist()


def lists(value):
    """Arrays, also inside tuples and lists of them, as plain lists."""
    value = value.values if isinstance(value, hc.Matrix) else value
    return value.tolist() if isinstance(value, np.ndarray) else [lists(part) for part in value]


def normed(g):
    steps = {f"norm.{name}": rows for name, rows in loops.layer_norm(g.X, *g.norms[0]).items()}
    return steps | {"norm.result": steps.pop("norm.N")}


FROM_LOOPS = {  # the expected steps by name, from plain lists alone
    "self_attention": lambda g: loops.attention(g.X, g.X, *g.weights),
    "self_attention_unscaled": lambda g: loops.attention(g.X, g.X, *g.weights, scaled=False),
    "self_attention_with_places": lambda g: loops.attention(g.X, g.X, *g.weights),
    "self_attention_causal": lambda g: loops.attention(g.X, g.X, *g.weights, allowed=CAUSAL),
    "cross_attention": lambda g: loops.attention(g.X, g.Y, *g.cross_weights),
    "cross_attention_masked": lambda g: loops.attention(g.X, g.Y, *g.cross_weights, allowed=MASK),
    "multi_head_attention": lambda g: loops.multi_head(g.X, g.X, g.heads, g.W_O),
    "multi_head_attention_on_Y": lambda g: loops.multi_head(g.X, g.Y, g.heads_on_Y, g.W_O, allowed=MASK),
    "cached_attention": lambda g: loops.cached(g.X, *g.weights),
    "feed_forward": lambda g: loops.feed_forward(g.X, *g.ff),
    "encoder_layer": lambda g: loops.encoder_layer(g.X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1]),
    "encoder_layer_of_a_gpt": lambda g: loops.pre_norm_layer(
        *(g.X, g.heads_with_biases, g.W_O, g.norms[2][1], g.norms[0], g.ff, g.norms[1]),
        *(cases.gelu_with_tanh,),
        allowed=CAUSAL,
    ),
    "decoder_layer": lambda g: loops.decoder_layer(
        *(g.X, g.memory, g.heads, g.W_O, g.norms[0], g.cross_heads, g.cross_W_O, g.norms[1], g.ff, g.norms[2])
    ),
    "rnn": lambda g: loops.recurrent(g.X, g.ff[0], g.recurrent, g.ff[1], g.state),
    "rnn_with_slopes": lambda g: loops.recurrent(g.X, g.ff[0], g.recurrent, slopes=True),
    "additive_attention": lambda g: loops.additive(g.state, g.X, g.recurrent, g.ff[0], g.ff[1]),
    "softmax": lambda g: {"result": loops.softmax(g.scores)},
    "softmax_warm": lambda g: {"result": loops.softmax(g.scores, temperature=2.5)},
    "softmax_of_base_3": lambda g: {"result": loops.softmax(g.scores, temperature=0.5, base=3)},
    "embedding": lambda g: {"result": loops.embedding(g.W_E, cases.TOKENS)},
    "positional_encoding": lambda g: {"result": loops.positions(cases.N, cases.D_MODEL)},
    "positional_encoding_turned": lambda g: {
        "result": loops.positions(cases.N, cases.D_MODEL, 8, math.pi / 2)
    },
    "residual": lambda g: {"result": loops.add(g.X, g.X_2)},
    "layer_norm": normed,
    "patches": lambda g: {"result": loops.patches(g.X, 2)},
    "argmax": lambda g: {"result": loops.highest(g.scores)},
    "looked_up": lambda g: loops.chosen(g.scores, g.W_E),
}
FROM_LOOPS |= {name: lambda g, name=name: {"result": loops.ordered(name, g.scores)} for name in cases.ORDERS}
FROM_LOOPS |= {
    name: lambda g, plain=plain: {"result": loops.each(plain, g.scores)}
    for name, (_, plain) in cases.FUNCTIONS.items()
}
FROM_LOOPS |= {
    f"every_{kind}": lambda g, names=names: {f"{name}_M": FROM_LOOPS[name](g)["result"] for name in names}
    for kind, names in (("function", cases.FUNCTIONS), ("order", cases.ORDERS))
}
# split_heads and every_operator below; these in files of their own
ELSEWHERE = {"worked_example", "handout_shortcuts", "split_heads", "every_operator", "softmax_large"}
ELSEWHERE |= {"self_attention_large", "self_attention_large_causal"}
ELSEWHERE |= {
    "backwards",
    "backwards_through_functions",
    "backwards_through_orders",
    "cross_entropy",
}  # test_gradients.py, test_losses.py


def test_no_formula_is_without_its_loops():
    assert set(cases.CALCULATIONS) == FROM_LOOPS.keys() | ELSEWHERE


@conventions
@pytest.mark.parametrize("formula", FROM_LOOPS)
def test_every_step_equals_the_loops(formula, convention):
    for seed in SEEDS:
        calculation = cases.build(formula, seed, convention)
        g = SimpleNamespace(**{name: lists(value) for name, value in vars(cases.givens(seed)).items()})
        expected = FROM_LOOPS[formula](g)
        assert [*calculation.steps] == [*expected]
        for name, matrix in expected.items():
            turned = loops.transposed(matrix) if convention == "rows" else matrix
            assert_allclose(calculation[name].values, turned, **ROUNDING, err_msg=f"{name}, seed {seed}")


@any_seeds(100)
def test_attention_of_any_size_numbers_and_mask_equals_the_loops(seeds):
    for seed in seeds:
        source = np.random.default_rng(seed)
        n, d_model, d_k, d_v = source.integers(1, 6, 4)
        largest = (3, 3e-9)[seed % 5 == 4]
        X, *weights = (
            source.uniform(-largest, largest, shape).round(seed % 3 if largest == 3 else 12)
            for shape in ((d_model, n), (d_k, d_model), (d_k, d_model), (d_v, d_model))
        )
        mask = source.integers(0, 2, (n, n)) > 0
        mask[source.integers(n)] = True  # a key that every query may look at
        mask = (None, "causal", mask)[seed % 3]
        allowed = None if mask is None else loops.causal(n) if isinstance(mask, str) else mask.tolist()
        expected = loops.attention(*map(lists, (X, X, *weights)), allowed=allowed)
        found = hc.self_attention(X, *weights, mask=mask)
        for name, M in expected.items():
            assert_allclose(found[name].values, M, rtol=1e-11, atol=1e-11, err_msg=f"{name}, seed {seed}")


@seeds
def test_the_split_of_one_large_projection_is_separate_projections(seed):
    g = cases.givens(seed)
    heads = [
        [W[h * len(W) // cases.HEADS : (h + 1) * len(W) // cases.HEADS] for W in lists(g.large)]
        for h in range(cases.HEADS)
    ]
    expected = loops.multi_head(lists(g.X), lists(g.X), heads, lists(g.W_O))
    split, separate = cases.build("split_heads", seed), hc.multi_head_attention(g.X, heads, g.W_O)
    for name, matrix in expected.items():
        assert_allclose(split[name].values, matrix, **ROUNDING, err_msg=name)
        assert_allclose(separate[name].values, matrix, **ROUNDING, err_msg=name)
    assert set(split.givens) == {"X", "W_Q", "W_K", "W_V", "W_O"}


@pytest.mark.parametrize(("n", "d_model", "base"), [(1, 1, 10000), (7, 5, 10000), (30, 8, 20), (3, 2, 1.5)])
def test_positions_of_odd_sizes_and_other_bases_equal_the_loops(n, d_model, base):
    encoding = hc.positional_encoding(n, d_model, base=base)
    assert_allclose(encoding.values, loops.positions(n, d_model, base), **ROUNDING)


@pytest.mark.parametrize("eps", [1e-12, 1e-3, 2.0])
def test_a_layer_norm_adds_the_eps_it_is_given(eps):
    g = cases.givens(1)
    expected = loops.layer_norm(lists(g.X), *lists(g.norms[0]), eps)["N"]
    assert_allclose(hc.layer_norm(g.X, *g.norms[0], eps).values, expected, **ROUNDING)


@conventions
@seeds
def test_every_operator_equals_plain_arithmetic_cell_by_cell(seed, convention):
    g, calculation = cases.givens(seed), cases.build("every_operator", seed, convention)
    A, B = lists(g.X), lists(g.X_2)
    c, r = [row[:1] for row in A], B[:1]
    rows, columns = range(len(A)), range(len(A[0]))

    def table(cell, rows=rows):
        return [[cell(i, j) for j in columns] for i in rows]

    stacked = [*loops.product(loops.transposed(A), B), *table(lambda i, j: B[i][j] - A[i][j], range(1, 4))]
    expected = {
        "sums": table(lambda i, j: max(0.0, A[i][j] - (B[i][j] - c[i][0])) - (r[0][j] + 2)),
        "products": table(
            lambda i, j: -A[i][j] * B[i][j] * c[i][0] / (r[0][j] * 3) / (B[i][j] / 3 + A[i][j])
        ),
        "powers": table(lambda i, j: (A[i][j] - 1) ** 3 / (2 * (B[i][j] ** 2 + 0.5) ** 0.5) ** 2),
        "functions": table(lambda i, j: 1 - 2 / 2 ** -A[i][j] + (10 * B[i][j] - 1e-5) // 1),
        "moves": loops.product(loops.product(stacked, loops.transposed(A)), B),
        "beside": [[*(A[i][j] - B[i][j] for j in (1, 2)), *B[i]] for i in rows],
        "lines": table(
            lambda _, j: sum(A[i][j] for i in rows) / len(A) - 3 * sum(A[i][j] * B[i][j] for i in rows),
            [0],
        ),
    }
    automatic = "step_1"  # the long product inside moves, which needs a name of its own
    assert [name for name in calculation.steps if name != automatic] == list(expected)
    for name, matrix in expected.items():
        turned = loops.transposed(matrix) if convention == "rows" else matrix
        # a quotient here may be a thousand times its parts
        assert_allclose(calculation[name].values, turned, rtol=1e-10, atol=1e-12, err_msg=name)


def test_with_tokens_as_rows_the_formulas_read_like_the_paper():
    formulas = {name: m.formula for name, m in cases.build("self_attention_causal", 1, "rows").steps.items()}
    assert formulas == {
        "Q": "Q = X W_Q",
        "K": "K = X W_K",
        "V": "V = X W_V",
        "S": "S = Q Kᵀ",
        "S_scaled": "S_scaled = S / √d_k",
        "S_masked": "S_masked = mask(S_scaled)",
        "E": "E = e^S_masked",
        "E_sum": "E_sum = Σ→ E",
        "A": "A = E / E_sum",
        "Z": "Z = A V",
    }


def test_with_tokens_as_columns_the_formulas_read_as_on_paper():
    formulas = [m.formula for m in cases.build("cross_attention").steps.values()]
    assert formulas == [
        *("Q = W_Q X", "K = W_K Y", "V = W_V Y", "S = Kᵀ Q", "S_scaled = S / √d_k"),
        *("E = e^S_scaled", "E_sum = Σ↓ E", "A = E / E_sum", "Z = V A"),
    ]
