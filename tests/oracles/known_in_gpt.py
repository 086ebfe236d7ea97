"""Oracle of named mistakes in a small GPT: each made by loops."""

import math

import loops
from known_mistakes import Known, wrong_side


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
