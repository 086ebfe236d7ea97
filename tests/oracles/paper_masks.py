"""Oracle of masks: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, shares

PAD = "[PAD]"


def padding_mask(s):
    """S is as wide as it is high; what is padding stands in the labels, which the sheet has as `words`."""
    S = s["S"]
    real = [word != PAD for word in s["words"]]
    hidden = [[x if may else -math.inf for x in row] for row, may in zip(S, real, strict=True)]
    shares(s, s.write("S_masked", hidden))


TOPICS = {"padding_mask": padding_mask}


def scores(see):
    try:
        return see("S_scaled")
    except KeyError:
        return see("S")


def given_scores(see):
    """The scores of a sheet that begins with them."""
    try:
        see("S_scaled")
    except KeyError:
        return see("S")
    raise KeyError("S")  # a sheet of one head, whose mistakes are known


def inverted(see, right):
    return loops.each(lambda s, m: s if m == -math.inf else -math.inf, scores(see), right)


def columns_hidden(see, right):
    real = [word != "[PAD]" for word in see("words")]
    return [[s if may else -math.inf for s, may in zip(row, real, strict=True)] for row in scores(see)]


def columns_struck_out(see, right):
    real = [word != "[PAD]" for word in see("words")]
    A = loops.softmax(scores(see))
    return [[a if may else 0.0 for a, may in zip(row, real, strict=True)] for row in A]


def added(see, right):
    return loops.each(lambda s, m: s + (m != -math.inf), scores(see), right)


def struck_out_late(see, right):
    A = loops.softmax(given_scores(see))
    return loops.each(lambda a, s: 0.0 if s == -math.inf else a, A, see("S_masked"))


KNOWN = (
    Known("mask-left-out", "S_masked", lambda see, _: given_scores(see)),
    Known("mask-after-softmax", "A", struck_out_late),
    Known("true-means-hidden", "S_masked", inverted),
    Known("queries-masked-for-keys", "S_masked", columns_hidden),
    Known("queries-masked-for-keys", "A", columns_struck_out),
    Known("mask-added-as-numbers", "S_masked", added),
)
