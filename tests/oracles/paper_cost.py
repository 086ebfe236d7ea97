"""Oracle of topics: the topics of lesson cost, in plain loops, step by step."""

import math

import loops


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
    import paper  # which imports this module

    S, width = s["S"], s["width"]
    n = len(S)
    seen = [[key <= query < key + width for query in range(n)] for key in range(n)]
    paper.shares(s, s.write("S_masked", loops.each(lambda x, may: x if may else -math.inf, S, seen)))


def kv_cache_step(s):
    import paper  # which imports this module

    last = len(s["P"][0]) - 1
    s.write("x", [[e + places[last]] for (e,), places in zip(s["e"], s["P"], strict=True)])
    for name in "QKV":
        s.write(name.lower(), loops.product(s[f"W_{name}"], s["x"]))
    for name in "KV":
        new = s[name.lower()]
        s.write(name, [[*old, *one] for old, one in zip(s[f"{name}_old"], new, strict=True)])
    S = s.write("S", loops.product(loops.transposed(s["K"]), s["q"]))
    A = paper.shares(s, s.write("S_scaled", loops.each(lambda x: x / math.sqrt(len(s["K"])), S)))
    s.write("Z", loops.product(s["V"], A))


TOPICS = {"count_scores": count_scores, "sliding_window": sliding_window, "kv_cache_step": kv_cache_step}
