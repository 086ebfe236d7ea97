"""Oracle of named mistakes in choosing a word, looking across, being taught: each made by loops."""

import math

import loops
from known_mistakes import Known


def columns_of_others(see, right):
    return [[row[0]] for row in see("P")]


def columns_from(start):
    """The words of the sentence from there on, as many as there should be."""

    def make(see, right):
        return [row[start : start + len(right[0])] for row in see("sentence")]

    return make


def of_d_model(see, right):
    return loops.each(lambda s: s / math.sqrt(len(see("R"))), see("S"))


KNOWN = (
    Known("times-temperature", "logits_T", lambda see, _: loops.each(lambda x: x * see("T"), see("logits"))),
    Known("not-divided", "logits_T", lambda see, _: see("logits")),
    Known("not-normalised", "P", lambda see, _: see("E")),
    Known(
        "row-softmax", "P", lambda see, _: [[e / sum(row) for e in row] for row in see("E")], "column-softmax"
    ),
    Known("wrong-column", "p_next", columns_of_others, "wrong-row"),
    Known("rows-from-zero", "word", lambda see, right: [[right[0][0] - 1]]),
    Known("number-for-its-row", "word", lambda see, _: [[max(row[0] for row in see("p_next"))]]),
    Known(
        "lowest-for-highest",
        "word",
        lambda see, _: [[1 + min(range(len(see("p_next"))), key=lambda i: see("p_next")[i][0])]],
    ),
    Known("wrong-column", "r", lambda see, _: [[row[0]] for row in see("R")], "wrong-row"),
    Known(
        "queries-from-source",
        "Q",
        lambda see, _: loops.product(see("W_Q"), [[row[-1]] for row in see("source")]),
    ),
    Known("queries-and-keys-swapped", "Q", lambda see, _: loops.product(see("W_K"), see("r"))),
    Known("queries-and-keys-swapped", "K", lambda see, _: loops.product(see("W_Q"), see("source"))),
    Known("divided-by-sqrt-d_model", "S_scaled", of_d_model),
    Known("not-shifted", "right", columns_from(0)),
    Known(
        "highest-for-right",
        "p_right",
        lambda see, right: [[max(row[j] for row in see("P")) for j in range(len(right[0]))]],
    ),
    Known("other-logarithm", "loss", lambda see, _: [[-math.log10(p) for p in see("p_right")[0]]]),
    Known("sign-lost", "loss", lambda see, right: [[-x for x in right[0]]]),
    Known("function-left-out", "loss", lambda see, _: [[-p for p in see("p_right")[0]]]),
)
