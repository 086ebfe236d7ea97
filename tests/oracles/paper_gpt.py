"""Oracle of a small GPT: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, shares, wrong_side


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


def here(make):
    """Made on the sheet of this lesson alone, which has a g."""
    return lambda see, right: see("layer_2.g") and make(see, right)


def masked_late(see, right):
    return loops.each(lambda a, s: 0.0 if s == -math.inf else a, loops.softmax(see("S")), see("S_masked"))


KNOWN = (
    # looking for me, not for who comes after me: then the last letter is copied
    Known("mixture-left-out", "S", here(lambda see, _: loops.product(loops.transposed(see("X")), see("X")))),
    Known("mask-left-out", "S_masked", here(lambda see, _: see("S"))),
    Known("mask-wrong-side", "S_masked", here(lambda see, right: wrong_side(see, right, "S"))),
    Known("mask-after-softmax", "A", here(masked_late)),
    Known("residual-left-out", "logits", here(lambda see, _: see("layer_2.Z"))),
    Known("wrong-column", "last", here(lambda see, _: [[row[0]] for row in see("logits")]), "wrong-row"),
    Known("window-not-moved-on", "window", here(lambda see, _: see("X"))),
)
