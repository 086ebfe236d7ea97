"""Oracle of topics: the topics of the lesson on positions, in plain loops, step by step."""

import math

import loops
from paper import shares


def lookup(s, name, table):
    indices = s[f"formula of {name}"]["indices"]
    return s.write(name, [[row[index] for index in indices] for row in s[table]])


def waves(formula, first_place=0):
    """Sine and cosine of each place, one pair of rows after the other."""
    unit = math.radians(formula["turn"]) if "turn" in formula else 1.0
    n, d_model, base = formula["count"], formula["d_model"], formula["base"]
    angles = [
        [(p + first_place) * unit / base ** (2 * (i // 2) / d_model) for p in range(n)]
        for i in range(d_model)
    ]
    return [[(math.cos if i % 2 else math.sin)(a) for a in row] for i, row in enumerate(angles)]


def positional_encoding(s):
    PE = s.write("PE", waves(s["formula of PE"]))
    s.write("X", loops.add(s["X_words"], PE))


def asked(s, prefix, words):
    X = s.write(f"{prefix}.X", loops.add(words, s["P"]))
    K = s.write(f"{prefix}.K", loops.product(s["W_K"], X))
    S = s.write(f"{prefix}.S", loops.product(loops.transposed(K), s["q"]))
    shares(s, S, prefix=f"{prefix}.")


def order_matters(s):
    asked(s, "sentence_1", s["X_words"])
    asked(s, "sentence_2", lookup(s, "sentence_2.X_moved", "X_words"))


TOPICS = {
    "embedding_lookup": lambda s: lookup(s, "X", "W_E"),
    "positional_encoding": positional_encoding,
    "order_matters": order_matters,
}
