"""Oracle of topics: the topics of the lesson on a translation, in plain loops, step by step."""

import math

import loops
from paper import scores, shares


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
