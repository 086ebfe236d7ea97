"""Oracle of topics: slopes by hand, in plain loops, step by step."""

import math

import loops
from paper import shares
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
