"""Oracle of counts, windows and the cache: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, shares


def count_scores(s):
    """Pairs are counted one by one where that is the formula's meaning; work by its formula."""
    ((n,),), ((w,),), ((d,),) = s["n"], s["w"], s["d"]
    n, w, d = int(n), int(w), int(d)
    full = s.write("full", [[float(sum(1 for key in range(n) for query in range(n)))]])[0][0]
    s.write("causal", [[(full + n) / 2]])
    missing = s.write("missing", [[(w * w - w) / 2]])[0][0]
    s.write("window", [[w * n - missing]])
    if n <= 6:  # short texts, where the projections are the larger part
        s.write("projections", [[4 * n * d * d]])
        s.write("mixing", [[2 * full * d]])


def sliding_window(s):
    S, width = s["S"], s["width"]
    n = len(S)
    seen = [[key <= query < key + width for query in range(n)] for key in range(n)]
    shares(s, s.write("S_masked", loops.each(lambda x, may: x if may else -math.inf, S, seen)))


def kv_cache_step(s):
    last = len(s["P"][0]) - 1
    s.write("x", [[e + places[last]] for (e,), places in zip(s["e"], s["P"], strict=True)])
    for name in "QKV":
        s.write(name.lower(), loops.product(s[f"W_{name}"], s["x"]))
    for name in "KV":
        new = s[name.lower()]
        s.write(name, [[*old, *one] for old, one in zip(s[f"{name}_old"], new, strict=True)])
    S = s.write("S", loops.product(loops.transposed(s["K"]), s["q"]))
    A = shares(s, s.write("S_scaled", loops.each(lambda x: x / math.sqrt(len(s["K"])), S)))
    s.write("Z", loops.product(s["V"], A))


TOPICS = {"count_scores": count_scores, "sliding_window": sliding_window, "kv_cache_step": kv_cache_step}


def seen(may):
    def make(see, right):
        width = see("width")
        return [
            [s if may(query - key, width) else -math.inf for query, s in enumerate(row)]
            for key, row in enumerate(see("S"))
        ]

    return make


def kept(name):
    def make(see, right):
        return [[*old, *new] for old, new in zip(see("K_old"), see(name), strict=True)]

    return make


def first_place(see, right):
    return [[e + places[0]] for (e,), places in zip(see("e"), see("P"), strict=True)]


def first_key_alone(see, right):
    return [[1.0 if i == 0 else 0.0] for i, _ in enumerate(right)] if see("K_old") else None


def divided_by(number):
    def make(see, right):
        by = number(see)  # a sheet with one query, q
        return loops.each(lambda x: x / by, see("S"))

    return make


KNOWN = (
    Known("n-times-d", "full", lambda see, _: [[see("n")[0][0] * see("d")[0][0]]]),
    Known("not-divided", "causal", lambda see, right: [[2 * right[0][0]]]),
    Known("window-both-sides", "S_masked", seen(lambda back, width: abs(back) < width)),
    Known("window-without-oneself", "S_masked", seen(lambda back, width: 0 <= back <= width)),
    Known("mask-wrong-side", "S_masked", seen(lambda back, width: -width < back <= 0)),
    Known("cache-of-queries", "K", kept("q")),
    Known("place-starts-again", "x", first_place),
    Known("divided-by-d_k", "S_scaled", divided_by(lambda see: len(see("q")))),
    Known("divided-by-sqrt-d_model", "S_scaled", divided_by(lambda see: math.sqrt(len(see("x"))))),
    Known("mask-from-the-corner", "A", first_key_alone),
)
