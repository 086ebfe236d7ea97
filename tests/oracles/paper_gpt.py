"""Oracle of topics: the topic of the lesson on a small GPT, in plain loops, step by step."""

import math

import loops
from paper import shares


def look(s, prefix, S):
    """Scores with later tokens hidden, as shares."""
    hidden = loops.each(lambda x, may: x if may else -math.inf, S, loops.causal(len(S)))
    return shares(s, s.write(f"{prefix}.S_masked", hidden), prefix=f"{prefix}.")


def induction(s):
    X = s["X"]
    notes = s.write("layer_1.notes", loops.product(X, look(s, "layer_1", s["layer_1.S"])))
    S = s.write("layer_2.S", loops.product(loops.transposed(notes), X))
    A = look(s, "layer_2", S)
    ((loud,),) = s["layer_2.g"]
    V = s.write("layer_2.V", loops.each(lambda x: loud * x, X))
    logits = s.write("logits", loops.add(X, s.write("layer_2.Z", loops.product(V, A))))
    last = s.write("last", [[row[-1]] for row in logits])
    unknown = any(math.isnan(x) for (x,) in last)  # a share of nothing was left blank
    ((chosen,),) = s.write("next", [[math.nan if unknown else 1.0 + last.index(max(last))]])
    size = max(max(row) for row in X)
    s.write(
        "window", [[*row[1:], math.nan if unknown else size * (i + 1 == chosen)] for i, row in enumerate(X)]
    )


TOPICS = {"induction": induction}
