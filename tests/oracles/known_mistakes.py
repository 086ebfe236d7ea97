"""Oracle of named mistakes: what a learner writes who makes one, by loops."""

import contextlib
import math
from collections.abc import Callable, Iterator
from itertools import chain

import loops
from paper import LESSONS, Known, Rows, See, rounded, wrong_side

from handcalc.practice.mistakes.mistake_registry import REGISTRY


def tokens(see: See) -> Rows:
    """What a layer reads: X, or what the layer before has written."""
    with contextlib.suppress(KeyError):
        return see("layer_1.R")
    return see("X")


def divided(M: Rows, number: float) -> Rows:
    return loops.each(lambda x: x / number, M)


def row_shares(see: See, right: Rows) -> Rows:
    return [[e / sum(row) for e in row] for row in see("E")]


def row_sums(see: See, right: Rows) -> Rows:
    return [[sum(row) for row in see("E")]]


def masked_late(see: See, right: Rows) -> Rows:
    A = loops.softmax(see("S_scaled"))
    return loops.each(lambda a, s: 0.0 if s == -math.inf else a, A, see("S_masked"))


def hidden_by_nought(see: See, right: Rows) -> Rows:
    return loops.each(lambda s: 0.0 if s == -math.inf else s, right)


def one_product_short(see: See, right: Rows) -> Rows:
    K = see("K")
    return loops.product(loops.transposed(K[1:]), see("Q")[1:])


def without_root(see: See, right: Rows) -> Rows:
    """A layer norm that divides by the variance: γ · C / var + β."""
    (var,) = see("var")
    return [
        [gamma * c / v + beta for c, v in zip(row, var, strict=True)]
        for row, (gamma,), (beta,) in zip(see("C"), see("gamma"), see("beta"), strict=True)
    ]


def without_bias(see: See, right: Rows) -> Rows:
    return [[h - b for h in row] for row, (b,) in zip(right, see("b_1"), strict=True)]


def added(see: See, right: Rows) -> Rows:
    return [[see("y")[0][0] + see("known")[0][0]]]


def summed(name: str) -> Callable[[See, Rows], Rows]:
    """A mean that was added up and not divided."""
    return lambda see, right: loops.each(lambda x: x * len(see(name)), right)


def exponents(see: See) -> Rows:
    """What E is the powers of: the last scores that stand before it."""
    for name in ("S_masked", "S_scaled", "S_T"):
        with contextlib.suppress(KeyError):
            return see(name)
    return see("S")


def base_of(see: See, right: Rows) -> float:
    """What E is the powers of: e, or 3."""
    pairs = zip(chain(*right), chain(*exponents(see)), strict=True)
    return next(e ** (1 / s) for e, s in pairs if s and math.isfinite(s))


def times_for_power(see: See, right: Rows) -> Rows:
    base = base_of(see, right)
    return loops.each(lambda s: base * s, exponents(see))


def zero_powers(see: See, right: Rows) -> Rows | None:
    lines = [
        [0.0 if s == 0 else power for s, power in zip(*rows, strict=True)]
        for rows in zip(exponents(see), right, strict=True)
    ]
    return None if lines == [[*row] for row in right] else lines


def other_base(see: See, right: Rows) -> Rows:
    base = 3.0 if base_of(see, right) < 2.9 else math.e
    return loops.each(lambda s: base**s, exponents(see))


KNOWN = (
    Known("queries-and-keys-swapped", "Q", lambda see, _: loops.product(see("W_K"), tokens(see))),
    Known("queries-and-keys-swapped", "K", lambda see, _: loops.product(see("W_Q"), tokens(see))),
    Known("transposed-scores", "S", lambda see, _: loops.product(loops.transposed(see("Q")), see("K"))),
    Known("product-left-out", "S", one_product_short),
    Known("not-scaled", "S_scaled", lambda see, _: see("S")),
    Known("divided-by-d_k", "S_scaled", lambda see, _: divided(see("S"), len(see("Q")))),
    Known("divided-by-sqrt-d_model", "S_scaled", lambda see, _: divided(see("S"), math.sqrt(len(see("X"))))),
    Known("mask-left-out", "S_masked", lambda see, _: see("S_scaled")),
    Known("mask-wrong-side", "S_masked", wrong_side),
    Known("row-softmax", "E_sum", row_sums, "column-softmax"),
    Known("row-softmax", "A", row_shares, "column-softmax"),
    Known("not-normalised", "A", lambda see, _: see("E")),
    Known("mask-after-softmax", "A", masked_late),
    Known("transposed-weights", "Z", lambda see, _: loops.product(see("V"), loops.transposed(see("A")))),
    Known("rounded-too-early", "Z", lambda see, _: loops.product(see("V"), rounded(see("A"), 1))),
    Known("sign-lost", "S", lambda see, right: loops.each(abs, right)),
    Known("relu-left-out", "H_relu", lambda see, _: see("H")),
    Known("function-left-out", "g", lambda see, _: see("z_g")),
    Known("term-left-out", "H", without_bias),
    Known("tanh-left-out", "c", lambda see, _: see("z_c")),
    Known("term-left-out", "Y", lambda see, _: loops.product(see("W_2"), see("H_relu"))),
    Known("term-left-out", "Y", lambda see, _: loops.product(see("W"), see("X"))),
    Known("root-left-out", "N", without_root),
    Known("product-left-out", "C", lambda see, _: loops.product([row[1:] for row in see("A")], see("B")[1:])),
    Known("product-left-out", "s", lambda see, right: [[right[0][0] - see("k")[0][0] * see("q")[0][0]]]),
    Known("zero-for-minus-infinity", "S_masked", hidden_by_nought),
    Known("not-divided", "S_T", lambda see, _: see("S")),
    Known("not-divided", "w", lambda see, _: see("rest")),
    Known("not-divided", "mean", summed("X")),
    Known("not-divided", "var", summed("C")),
    Known("upside-down", "w", lambda see, right: [[1 / right[0][0]]]),
    Known("sign-lost", "rest", added),
    Known("times-for-power", "E", times_for_power),
    Known("wrong-base", "E", other_base),
)
OF_ONE_HEAD = len(KNOWN)  # those that can be made in self-attention
KNOWN += (Known("power-of-zero", "E", zero_powers),)  # the worked examples have no score of 0
for _module in LESSONS:  # the lessons' own
    KNOWN += _module.KNOWN
# What the generator promises to tell from the right numbers; of the others some draws have nothing to show:
# no sign to be lost, no product but 0.
PROMISED = [known for known in KNOWN if known.name in REGISTRY and REGISTRY[known.name].promised]


def shape(M: Rows) -> tuple[int, int]:
    return len(M), len(M[0])


def applicable(given: dict[str, Rows], steps: dict[str, Rows]) -> Iterator[tuple[str, Known]]:
    """The mistakes that can be made on a sheet, each with the step's full name: head_2.A."""
    for known in KNOWN:
        before = dict(given)  # what stands on the sheet when a step is written
        for name, right in steps.items():
            prefix, _, step = name.rpartition(".")
            if known.step in (step, name):
                wrong = made(known, prefix, right, before)
                if wrong and shape(wrong) == shape(right):
                    yield name, known
            before[name] = right


def made(known: Known, prefix: str, right: Rows, sheet: dict[str, Rows]) -> Rows | None:
    """What comes of a mistake; None on a sheet that has not what it reads."""
    try:
        return known.make(lambda name: sheet.get(f"{prefix}.{name}") or sheet[name], right)
    except (KeyError, IndexError, ZeroDivisionError, StopIteration):  # another topic, a row of noughts
        return None
