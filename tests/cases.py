"""Calculations of every formula on random givens, and the few ways in which tests look at one."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace

import numpy as np
import pytest

import handcalc as hc
from handcalc.what_if.variations import with_steps

# All sizes differ, so that no two can be mistaken for each other.
N, M, D_MODEL, D_Y, D_K, D_V, D_FF, HEADS, VOCABULARY = 4, 5, 6, 10, 3, 7, 8, 2, 9
TOKENS = [8, 0, 3, 3]
CONVENTIONS = ("columns", "rows")
each_convention = pytest.mark.parametrize("convention", CONVENTIONS)
SEEDS = (1, 2, 3)
# The same (5 keys, 4 queries) as an array: every query sees at least two keys, and not the same ones.
MASK = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]], dtype=bool)


def drawer(seed: int) -> Callable[[int, int], np.ndarray]:
    """Draws matrices of both signs with no number near zero, so that no product hides a factor."""
    source = np.random.default_rng(seed)

    def draw(rows: int, columns: int) -> np.ndarray:
        return source.uniform(0.2, 1.2, (rows, columns)) * source.choice((-1.0, 1.0), (rows, columns))

    return draw


@functools.cache
def givens(seed: int) -> SimpleNamespace:
    """One draw of everything that any formula takes."""
    draw = drawer(seed)

    def head(d_keys: int = D_MODEL) -> tuple[np.ndarray, ...]:
        return draw(D_K, D_MODEL), draw(D_K, d_keys), draw(D_V, d_keys)

    g = SimpleNamespace(X=draw(D_MODEL, N), X_2=draw(D_MODEL, N), Y=draw(D_Y, M), memory=draw(D_MODEL, M))
    g.weights, g.cross_weights = head(), head(D_Y)
    g.heads, g.cross_heads = [head() for _ in range(HEADS)], [head() for _ in range(HEADS)]
    g.heads_on_Y = [head(D_Y) for _ in range(HEADS)]
    g.W_O, g.cross_W_O = draw(D_MODEL, HEADS * D_V), draw(D_MODEL, HEADS * D_V)
    g.large = draw(HEADS * D_K, D_MODEL), draw(HEADS * D_K, D_MODEL), draw(HEADS * D_V, D_MODEL)
    g.ff = hc.FeedForward(draw(D_FF, D_MODEL), draw(D_FF, 1), draw(D_MODEL, D_FF), draw(D_MODEL, 1))
    g.norms = [hc.Norm(draw(D_MODEL, 1), draw(D_MODEL, 1)) for _ in range(3)]
    g.scores, g.W_E = draw(M, N), draw(D_MODEL, VOCABULARY)
    g.M = hc.Matrix(g.scores, "M")
    g.small = draw(N, N)
    g.recurrent, g.state = draw(D_FF, D_FF), draw(D_FF, 1)
    g.heads_with_biases = [(*head(), draw(D_K, 1), draw(D_K, 1), draw(D_V, 1)) for _ in range(HEADS)]
    return g


def one(result: hc.Matrix, name: str = "result") -> hc.Calculation:
    return hc.Calculation(result.named(name))


def encoder(g: SimpleNamespace, **options) -> hc.Calculation:
    return hc.encoder_layer(g.X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1], **options)


def decoder(g: SimpleNamespace, **options) -> hc.Calculation:
    n = g.norms
    attention = (g.heads, g.W_O, n[0], g.cross_heads, g.cross_W_O, n[1])
    return hc.decoder_layer(g.X, g.memory, *attention, g.ff, n[2], **options)


def every_operator(g: SimpleNamespace) -> hc.Calculation:
    """What the formulas do not use, or not in this order: broadcasts, nested signs, roots and powers."""
    A, B = hc.Matrix(g.X, "A"), hc.Matrix(g.X_2, "B")
    column, row = hc.Matrix(g.X[:, :1], "c"), hc.Matrix(g.X_2[:1], "r")
    return hc.Calculation(
        (hc.relu(A - (B - column)) - (row + 2)).named("sums"),
        (-A * (B * column) / (row * 3) / (B / 3 + A)).named("products"),
        ((A - 1) ** 3 / (2 * hc.sqrt(B * B + 0.5)) ** 2).named("powers"),
        (1 - 2 / hc.exp(-A, base=2) + hc.floor(10 * B - 1e-5)).named("functions"),
        (hc.concat([A.T @ B, hc.rows(B - A, 1, 4)]) @ A.T @ B).named("moves"),
        hc.concat([hc.columns(A - B, 1, 3), B], axis=1).named("beside"),
        (hc.column_means(A) - hc.column_sums(A * B) * 3).named("lines"),
        title="Every operator",
    )


def gelu_with_tanh(m: float) -> float:
    """As GPT-2 has it."""
    return m / 2 * (1 + math.tanh((2 / math.pi) ** 0.5 * (m + 0.044715 * m**3)))


# One line a function of one number, and what it is in plain Python. Its values here and in the browser, its
# arithmetic in text, LaTeX and MathML, both conventions, its sign and its sentence are tested from this.
FUNCTIONS: dict[str, tuple[Callable[[hc.Matrix], hc.Matrix], Callable[[float], float]]] = {
    "log": (lambda M: hc.log(M * M), lambda m: math.log(m * m)),
    "tanh": (hc.tanh, math.tanh),
    "leaky_relu": (lambda M: hc.leaky_relu(M, 0.25), lambda m: m if m > 0 else m / 4),
    "absolute": (hc.absolute, lambda m: m if m > 0 else -m),
    "sigmoid": (hc.sigmoid, lambda m: 1 / (1 + math.exp(-m))),
    "softplus": (hc.softplus, lambda m: math.log1p(math.exp(m))),
    "silu": (hc.silu, lambda m: m / (1 + math.exp(-m))),
    "round": (lambda M: hc.round(M, 1), lambda m: math.copysign(math.floor(abs(m) * 10 + 0.5) / 10, m)),
    "gelu": (hc.gelu, gelu_with_tanh),
    "gelu_exact": (lambda M: hc.gelu(M, approximate=False), lambda m: m / 2 * (1 + math.erf(m / 2**0.5))),
}
# Numbers put in order, carried along a column, or picked of it.
ORDERS: dict[str, Callable[[SimpleNamespace], hc.Matrix]] = {
    "column_max": lambda g: hc.column_max(g.M),
    "sort": lambda g: hc.sort(g.M),
    "rank": lambda g: hc.rank(g.M),
    "cumulative_sum": lambda g: hc.cumulative_sum(g.M),
    "cumulative_max": lambda g: hc.cumulative_max(g.M),
    "sample": lambda g: hc.sample(hc.Matrix(abs(g.scores), "P"), hc.Matrix(abs(g.scores[:1]), "r")),
}
MATRICES: dict[str, Callable[[SimpleNamespace], hc.Matrix]] = {
    "softmax": lambda g: hc.softmax(hc.Matrix(g.scores, "M")),
    "softmax_warm": lambda g: hc.softmax(hc.Matrix(g.scores, "M"), temperature=2.5),
    "softmax_of_base_3": lambda g: hc.softmax(hc.Matrix(g.scores, "M"), temperature=0.5, base=3),
    "softmax_large": lambda g: hc.softmax(hc.Matrix(g.scores * 900, "M")),
    "embedding": lambda g: hc.embedding(g.W_E, TOKENS),
    "positional_encoding": lambda g: hc.positional_encoding(N, D_MODEL),
    "cross_entropy": lambda g: hc.cross_entropy(hc.softmax(hc.Matrix(g.scores, "M")), [1] * N),
    "argmax": lambda g: hc.argmax(hc.Matrix(g.scores, "M")),
    "positional_encoding_turned": lambda g: hc.positional_encoding(N, D_MODEL, 8, turn=90),
    "residual": lambda g: hc.residual(g.X, hc.Matrix(g.X_2, "change")),
    "layer_norm": lambda g: hc.layer_norm(g.X, *g.norms[0]),
    "patches": lambda g: hc.patches(hc.Matrix(g.X, "picture"), 2),
    **ORDERS,
}


def looked_up(g: SimpleNamespace) -> hc.Calculation:
    """The highest of each column of scores, and its column of a table."""
    word = hc.argmax(hc.Matrix(g.scores, "M")).named("word")
    return one(hc.Matrix(g.W_E[:, :M], "W_E") @ hc.one_hot(word, M).named("chosen"))


def backwards(g: SimpleNamespace) -> hc.Calculation:
    """Every way back: looked up twice, hidden by a mask, normed, cut off at 0."""
    X = hc.layer_norm(hc.embedding(g.W_E, TOKENS), *g.norms[0])
    found = hc.self_attention(X, *g.weights, mask="causal").result
    target = hc.Matrix(found.values[:, :1] * 0 + 1, "target")
    return hc.gradients(hc.Calculation(hc.half_squared_distance(hc.relu(hc.columns(found, 1, 2)), target)))


def backwards_through_orders(g: SimpleNamespace) -> hc.Calculation:
    """Slopes of what is sorted, added up along a column, or the highest so far."""
    A = hc.Matrix(g.scores, "A")
    along = (hc.cumulative_sum(hc.sort(A)) * hc.cumulative_max(A) * hc.column_max(A)).named("along")
    return hc.gradients(hc.Calculation(hc.half_squared_distance(hc.silu(along), np.ones((M, N)))))


def backwards_through_functions(g: SimpleNamespace) -> hc.Calculation:
    """Slopes of what bends or turns a corner, and of a picture cut into patches."""
    A = hc.Matrix(g.X[:4], "A")
    bent = (hc.gelu(A) * -hc.gelu(A, approximate=False)).named("bent")
    corners = (hc.leaky_relu(A, 0.25) + hc.absolute(bent)).named("corners")
    found = hc.patches(corners, 2).named("found")
    sums = hc.column_sums(found).named("sums")
    return hc.gradients(hc.Calculation(hc.half_squared_distance(sums, np.ones((1, 4)))))


CALCULATIONS: dict[str, Callable[[SimpleNamespace], hc.Calculation]] = {
    "backwards": backwards,
    "backwards_through_functions": backwards_through_functions,
    "backwards_through_orders": backwards_through_orders,
    "worked_example": lambda g: hc.examples.self_attention(),
    "handout_shortcuts": lambda g: hc.examples.handout_shortcuts(),
    "self_attention": lambda g: hc.self_attention(g.X, *g.weights),
    "self_attention_unscaled": lambda g: hc.self_attention(g.X, *g.weights, scaled=False),
    "self_attention_causal": lambda g: hc.self_attention(g.X, *g.weights, mask="causal"),
    "self_attention_with_places": lambda g: with_steps(
        hc.self_attention(g.X, *g.weights), {}, has_places=True
    ),
    "self_attention_large": lambda g: hc.self_attention(g.X * 40, *g.weights),
    "self_attention_large_causal": lambda g: hc.self_attention(g.X * 40, *g.weights, mask="causal"),
    "cross_attention": lambda g: hc.cross_attention(g.X, g.Y, *g.cross_weights),
    "cross_attention_masked": lambda g: hc.cross_attention(g.X, g.Y, *g.cross_weights, mask=MASK),
    "multi_head_attention": lambda g: hc.multi_head_attention(g.X, g.heads, g.W_O),
    "multi_head_attention_on_Y": lambda g: hc.multi_head_attention(
        g.X, g.heads_on_Y, g.W_O, Y=g.Y, mask=MASK
    ),
    "cached_attention": lambda g: hc.cached_attention(g.X, *g.weights),
    "split_heads": lambda g: hc.multi_head_attention(g.X, hc.split_heads(*g.large, HEADS), g.W_O),
    "rnn": lambda g: hc.rnn(g.X, g.ff.W_1, g.recurrent, g.ff.b_1, h_0=g.state),
    "rnn_with_slopes": lambda g: hc.rnn(g.X, g.ff.W_1, g.recurrent, slopes=True),
    "additive_attention": lambda g: hc.additive_attention(g.state, g.X, g.recurrent, g.ff.W_1, g.ff.b_1),
    "feed_forward": lambda g: hc.feed_forward(g.X, *g.ff),
    "encoder_layer": encoder,
    "encoder_layer_of_a_gpt": lambda g: hc.encoder_layer(
        *(g.X, g.heads_with_biases, g.W_O, g.norms[0], g.ff, g.norms[1]),
        b_O=g.norms[2].beta,
        mask="causal",
        norm_first=True,
        activation=hc.gelu,
    ),
    "decoder_layer": decoder,
    "every_operator": every_operator,
    "looked_up": looked_up,
}


def every_function(g: SimpleNamespace) -> hc.Calculation:
    """Each function of one number, side by side."""
    return hc.Calculation(*(function(g.M).named(f"{name}_M") for name, (function, _) in FUNCTIONS.items()))


def every_order(g: SimpleNamespace) -> hc.Calculation:
    """Each way to put numbers in order, to carry them along a column, or to pick of it."""
    return hc.Calculation(*(make(g).named(f"{name}_M") for name, make in ORDERS.items()))


CALCULATIONS |= {"every_function": every_function, "every_order": every_order}
MATRICES |= {
    name: lambda g, function=function: function(hc.Matrix(g.scores, "M"))
    for name, (function, _) in FUNCTIONS.items()
}
CALCULATIONS |= {name: lambda g, make=make: one(make(g)) for name, make in MATRICES.items()}
# `make test` has every calculation in one convention, by turns. These have the other as a slow test: they are
# soon done, or they alone have some operation (of which test_spec.py says that none is missing).
TOGETHER = ("every_function", "every_order")
IN_BOTH = {*MATRICES, *TOGETHER, "worked_example", "handout_shortcuts", "self_attention_causal", "looked_up"}
IN_BOTH |= {"self_attention_with_places", "feed_forward", "backwards", "backwards_through_functions"}
IN_BOTH |= {"backwards_through_orders"}
BY_TURNS = dict(zip(CALCULATIONS, itertools.cycle(CONVENTIONS), strict=False))


def is_sweep(name: str, convention: str) -> bool:
    """Whether a test of this calculation in this convention is left to `make test-all`."""
    return name not in IN_BOTH and convention != BY_TURNS.get(name, convention)


def tier(name: str, convention: str) -> list[pytest.MarkDecorator]:
    """The mark of a test of this calculation in this convention."""
    if is_sweep(name, convention):
        return [pytest.mark.sweep]
    return [pytest.mark.slow] if convention != BY_TURNS.get(name, convention) else []


def both_ways(names: Iterable[str] = CALCULATIONS) -> pytest.MarkDecorator:
    """Calls a test with each `case` in each `convention`."""
    ways = [pytest.param(*way, marks=tier(*way)) for way in itertools.product(names, CONVENTIONS)]
    return pytest.mark.parametrize(("case", "convention"), ways)


@functools.cache
def build(name: str, seed: int = 1, convention: str = "columns") -> hc.Calculation:
    """A calculation by name; the same object every time, since nobody can change it."""
    return CALCULATIONS[name](givens(seed)).in_convention(convention)


def cells(matrix: hc.Matrix) -> Iterator[tuple[int, int]]:
    return itertools.product(*map(range, matrix.shape))


def step_cells(calculation: hc.Calculation) -> Iterator[tuple[str, int, int]]:
    return ((name, i, j) for name, matrix in calculation.steps.items() for i, j in cells(matrix))


def address(source: tuple[hc.Matrix, int, int]) -> tuple[str, int, int]:
    matrix, row, column = source
    return matrix.name, row, column


def refusal(attempt: Callable[[], object]) -> str:
    """The one line in which it is refused."""
    with pytest.raises(hc.HandcalcError) as caught:
        attempt()
    told = str(caught.value)
    assert "\n" not in told, told
    return told


def assert_refused(attempt: Callable[[], object], sentence: str) -> None:
    """It is refused in one line, in which these words stand."""
    assert sentence in (told := refusal(attempt)), told
