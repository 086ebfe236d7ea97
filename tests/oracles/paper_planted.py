"""Oracle of mistakes in all of a step, in plain loops: what is mixed, hidden, cut, left out or swapped."""

import math

import loops
from paper import Known, rounded
from paper_masks import PAD, scores

TOPICS = {}


def percent(see, right):
    """Whole ones, as a person writes them."""
    return rounded(loops.each(lambda a: 100 * a, right), 0)


def mixed(name):
    def make(see, right):
        return loops.product(see(name), see("A"))

    return make


def heads_swapped(see, right):
    """W_O times the second head on the first."""
    heads = [see("head_2.Z"), see("head_1.Z")]
    return loops.product(see("W_O"), [row for head in heads for row in head])


def without_gamma(see, right):
    rows = zip(see("C"), see("beta"), strict=True)
    return [
        [c / math.sqrt(v) + beta for c, v in zip(row, see("var")[0], strict=True)] for row, (beta,) in rows
    ]


def of_a_sample(see, right):
    """n - 1 below the root of N alone."""
    n = len(see("C"))
    rows = zip(see("C"), see("gamma"), see("beta"), strict=True)
    return [
        [gamma * c / math.sqrt(v * n / (n - 1)) + beta for c, v in zip(row, see("var")[0], strict=True)]
        for row, (gamma,), (beta,) in rows
    ]


def from_other(weights, other):
    """Projected from the other sentence, as many tokens as there should be; what is missing is right."""

    def make(see, right):
        found = loops.product(see(weights), see(other))
        return [[*row[: len(whole)], *whole[len(row) :]] for row, whole in zip(found, right, strict=True)]

    return make


def is_padded(see):
    return any(word == PAD for word in see("words"))


def causal(see, right):
    if not is_padded(see):
        return None
    return [[s if i <= j else -math.inf for j, s in enumerate(row)] for i, row in enumerate(scores(see))]


def hidden_both_ways(see, right):
    real = [word != PAD for word in see("words")]
    return [
        [s if a and b else -math.inf for b, s in zip(real, row, strict=True)]
        for a, row in zip(real, scores(see), strict=True)
    ]


def of_swapped_weights(see, right):
    """U_a s + W_a h for every h."""
    asked = loops.product(see("U_a"), see("s"))
    rows = zip(loops.product(see("W_a"), see("H")), asked, strict=True)
    return [[x + a for x in row] for row, (a,) in rows]


def of_first_step_swapped(see, right):
    return loops.add(loops.product(see("W_h"), see("x")), loops.product(see("W_x"), see("h_0")))


def dots(see, right):
    H, s = see("H"), see("s")
    return loops.product(loops.transposed(H), s) if len(H) == len(s) else None


def without_weights(see, right):
    """1 - h² for every number of a row."""
    return [[1 - x * x] * len(right[0]) for (x,) in see("h")]


def one_less(see, right):
    return loops.each(lambda place: place - 1, right)


def of_cut_tokens(see, right):
    """The first head, worked out from the first part of each token."""
    W, X = see("W_Q"), see("X")
    parts = len(W) // len(right)
    if len(X) % parts or parts < 2:
        return None
    part = len(X) // parts
    return loops.product([row[:part] for row in W[: len(right)]], X[:part])


def turned(weights, tokens="X"):
    def make(see, right):
        W = see(weights)
        return loops.product(loops.transposed(W), see(tokens)) if len(W) == len(W[0]) > 1 else None

    return make


KNOWN = (
    Known("in-percent", "A", percent),
    Known("in-percent", "P", percent),
    Known("keys-for-values", "Z", mixed("K")),
    Known("queries-for-values", "Z", mixed("Q")),
    Known("stacked-in-other-order", "Z", heads_swapped),
    Known("factor-left-out", "N", without_gamma),
    Known("n-minus-1", "N", of_a_sample),
    Known("queries-from-source", "Q", from_other("W_Q", "Y")),
    Known(
        "keys-from-target", "K", lambda see, right: from_other("W_K", "X")(see, right) if see("Y") else None
    ),
    Known(
        "values-from-target", "V", lambda see, right: from_other("W_V", "X")(see, right) if see("Y") else None
    ),
    Known("causal-for-padding", "S_masked", causal),
    Known("padding-hidden-both-ways", "S_masked", hidden_both_ways),
    Known("weights-swapped", "F", of_swapped_weights),
    Known("weights-swapped", "step_1.F", of_first_step_swapped),
    Known("dot-for-additive", "S", dots),
    Known("factor-left-out", "J", without_weights),
    Known("rows-from-zero", "first", one_less),
    Known("cut-before-projecting", "Q_1", of_cut_tokens),
    Known("weights-transposed", "Q", turned("W_Q")),
    Known("weights-transposed", "F_1", turned("W_1")),
    Known("weights-transposed", "V", turned("W_V")),
)
