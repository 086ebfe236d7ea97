"""Oracle of slopes by hand: a lesson's topics in plain loops, and its named mistakes."""

import contextlib
import math

import loops
from paper import Known, shares
from paper_translation import probabilities


def through_softmax(s, dA, name):
    """The mean slope, weighted by the shares, and what each score is worth."""
    A = s["A"]
    weighted = [sum(A[i][j] * dA[i][j] for i in range(len(A))) for j in range(len(A[0]))]
    (mean,) = s.write("dA_mean", [weighted])
    return s.write(
        name,
        [[a * (d - m) for a, d, m in zip(*rows, mean, strict=True)] for rows in zip(A, dA, strict=True)],
    )


def softmax_backwards(s):
    A = s["A"] if "A" in s else shares(s, s["S"])
    own = [a for (a,) in A]
    s.write("J", [[a * (float(i == j) - b) for j, b in enumerate(own)] for i, a in enumerate(own)])
    through_softmax(s, s["dA"], "dS")


def attention_backwards(s):
    dZ = s.write(
        "dZ", [[z - t for z, t in zip(*rows, strict=True)] for rows in zip(s["Z"], s["t"], strict=True)]
    )
    dA = s.write("dA", loops.product(loops.transposed(s["V"]), dZ))
    scaled = through_softmax(s, dA, "dS_scaled")
    dS = s.write("dS", loops.each(lambda x: x / math.sqrt(len(s["K"])), scaled))
    dQ = s.write("dQ", loops.product(s["K"], dS))
    s.write("dW_Q", [[q * x for (x,) in s["x"]] for (q,) in dQ])


def cross_entropy(s):
    P, Y = probabilities(s, s["logits"]), s["Y"]
    right = [next(i for i in range(len(Y)) if Y[i][j] == 1) for j in range(len(Y[0]))]
    found = [P[i][j] for j, i in enumerate(right)]
    (ln_p,) = s.write("ln_p", [[math.log(p) if p > 0 else math.nan for p in found]])
    s.write("L", [[-sum(ln_p)]])
    s.write("dlogits", [[p - (i == right[j]) for j, p in enumerate(row)] for i, row in enumerate(P)])


TOPICS = {
    "softmax_backwards": softmax_backwards,
    "attention_backwards": attention_backwards,
    "cross_entropy": cross_entropy,
}


def pairwise(made, *matrices):
    """A number from the numbers in the same place of several columns, row by row."""
    return [[made(*numbers)] for numbers in zip(*([x for (x,) in M] for M in matrices), strict=True)]


def own_share_only(see, right):
    return pairwise(lambda a, d: a * (1 - a) * d, see("A"), see("dA"))


def without_mean(see, right):
    return pairwise(lambda a, d: a * d, see("A"), see("dA"))


def without_shares(see, right):
    ((mean,),) = see("dA_mean")
    return loops.each(lambda d: d - mean, see("dA"))


def mean_added(see, right):
    ((mean,),) = see("dA_mean")
    return pairwise(lambda a, d: a * (d + mean), see("A"), see("dA"))


def diagonal(see, right):
    if not see("I"):
        return None
    return [[x if i == j else 0.0 for j, x in enumerate(row)] for i, row in enumerate(right)]


def brackets_forgotten(see, right):
    ((mean,),) = see("dA_mean")
    return pairwise(lambda a, d: a * d - mean, see("A"), see("dA"))


def total(see, right):
    return [[sum(d for (d,) in see("dA"))]]


def plain_mean(see, right):
    return [[sum(d for (d,) in see("dA")) / len(see("dA"))]]


def turned_round(first, second):
    return lambda see, right: loops.each(lambda a, b: b - a, see(first), see(second))


def times(number):
    return lambda see, right: loops.each(lambda x: number * x, right)


def all_turned_round(see, right):
    """Where more than one row and one column has a number, or it is a line with its signs flipped."""
    lines = [sum(map(any, M)) for M in (right, loops.transposed(right))]
    return times(-1)(see, right) if min(lines) > 1 else None


def square(name, make):
    """What comes of a product only where a matrix is square."""
    return lambda see, right: make(see, right) if len(see(name)) == len(see(name)[0]) > 1 else None


def shares_alone(see, right):
    return [[a if i == j else 0.0 for j in range(len(right))] for i, (a,) in enumerate(see("A"))]


def root(see):
    return math.sqrt(len(see("K")))


def keys_turned(see, right):
    return loops.product(loops.transposed(see("K")), see("dS"))


def sums_of_rows(see, right):
    """Of the right words' logarithms, along each row: it fits where there are as many words as columns."""
    found = [
        [
            sum(y * math.log(p) for y, p in zip(*rows, strict=True))
            for rows in zip(see("Y"), see("P"), strict=True)
        ]
    ]
    return found if len(found[0]) == len(right[0]) else None


def shares_for_slopes(see, right):
    ((mean,),) = see("dA_mean")
    return loops.each(lambda a: a * (a - mean), see("A"))


def slope_of_probabilities(see, right):
    return loops.each(lambda y, p: -y / p, see("Y"), see("P"))


def outer(first, second):
    return lambda see, right: [[a * b for (b,) in see(second)] for (a,) in see(first)]


def in_softmax(name, make):
    """A mistake on the way back through a softmax, whatever the slopes of its scores are called."""

    def made(see, right):
        with contextlib.suppress(KeyError):
            if see("dS_scaled") and name == "dS":
                return None
        return make(see, right)

    return made


THROUGH_SOFTMAX = {
    "diagonal-only": own_share_only,
    "mean-forgotten": without_mean,
    "shares-left-out": without_shares,
    "brackets-forgotten": brackets_forgotten,
    "sign-lost": mean_added,
    "forward-for-slope": shares_for_slopes,
}
KNOWN = (
    Known("diagonal-only", "J", diagonal),
    Known("term-left-out", "J", shares_alone),
    Known("mean-not-weighted", "dA_mean", plain_mean),
    Known("shares-left-out", "dA_mean", total),
    *(
        Known(called, name, in_softmax(name, make))
        for name in ("dS", "dS_scaled")
        for called, make in THROUGH_SOFTMAX.items()
    ),
    Known("uphill", "dZ", turned_round("Z", "t")),
    Known("half-forgotten", "dZ", times(2)),
    Known("term-left-out", "dZ", lambda see, _: see("Z")),
    Known("forward-for-slope", "dA", lambda see, _: loops.product(loops.transposed(see("V")), see("Z"))),
    Known("not-transposed", "dA", square("V", lambda see, _: loops.product(see("V"), see("dZ")))),
    Known("scale-forgotten-on-the-way-back", "dS", lambda see, _: see("dS_scaled")),
    Known("divided-by-d_k", "dS", lambda see, _: loops.each(lambda x: x / len(see("K")), see("dS_scaled"))),
    Known("upside-down", "dS", lambda see, _: loops.each(lambda x: x * root(see), see("dS_scaled"))),
    Known("scale-forgotten-on-the-way-back", "dQ", lambda see, _: loops.product(see("K"), see("dS_scaled"))),
    Known("transposed-keys", "dQ", square("K", keys_turned)),
    Known("sign-lost", "dW_Q", all_turned_round),
    Known("transposed-slopes", "dW_Q", outer("x", "dQ")),
    Known("along-each-row", "ln_p", sums_of_rows, "along-each-column"),
    Known("one-not-subtracted", "dlogits", lambda see, _: see("P")),
    Known("stopped-before-softmax", "dlogits", slope_of_probabilities),
    Known("uphill", "dlogits", turned_round("P", "Y")),
    Known("averaged", "dlogits", lambda see, right: times(1 / len(right[0]))(see, right)),
    Known("averaged", "L", lambda see, right: times(1 / len(see("ln_p")[0]))(see, right)),
)
