"""Oracle of named mistakes in two layers: each made by loops."""

import loops
from known_mistakes import Known

KNOWN = (
    Known("residual-left-out", "R", lambda see, _: loops.product(see("W_O"), see("Z"))),
    Known("mixture-left-out", "R", lambda see, _: loops.add(see("X"), loops.product(see("W_O"), see("V")))),
    Known(
        "layer-left-out",
        "layer_2.Q",
        lambda see, _: see("layer_1.R") and loops.product(see("W_Q"), see("X")),
    ),
)
