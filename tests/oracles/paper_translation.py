"""Oracle of choosing words and being taught: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, scores, shares


def last_column(M):
    return [[row[-1]] for row in M]


def probabilities(s, exponents):
    """E, E_sum and P."""
    E = s.write("E", loops.each(math.exp, exponents))
    (sums,) = s.write("E_sum", [[sum(row[j] for row in E) for j in range(len(E[0]))]])
    return s.write(
        "P", [[e / total if total else math.nan for e, total in zip(row, sums, strict=True)] for row in E]
    )


def highest(M):
    """As loops have it; nobody can choose among what was left blank."""
    is_blank = any(math.isnan(number) for row in M for number in row)
    return [[math.nan] * len(M[0])] if is_blank else loops.highest(M)


def next_word(s):
    logits = s.write("logits", loops.product(s["W_out"], s["R"]))
    P = probabilities(s, s.write("logits_T", loops.each(lambda x: x / s["T"], logits)))
    s.write("word", highest(s.write("p_next", last_column(P))))


def cross_step(s):
    r = s.write("r", last_column(s["R"]))
    s.write("Q", loops.product(s["W_Q"], r))
    for name in "KV":
        s.write(name, loops.product(s[f"W_{name}"], s["source"]))
    s.write("Z", loops.product(s["V"], shares(s, scores(s))))


def teacher_forcing(s):
    right = s.write("right", [row[1:] for row in s["sentence"]])
    P = probabilities(s, s["logits"])
    n = len(P[0])
    share = [sum(P[i][j] * right[i][j] for i in range(len(P))) for j in range(n)]
    (share,) = s.write("p_right", [share])
    s.write("loss", [[-math.log(p) if p > 0 else math.nan for p in share]])


TOPICS = {"next_word": next_word, "cross_step": cross_step, "teacher_forcing": teacher_forcing}


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
