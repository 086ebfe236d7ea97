"""Oracle of two layers: a lesson's topics in plain loops, and its named mistakes."""

import loops
from paper import Known, attention, scores, shares


def two_layers(s):
    Z = attention(s, prefix="layer_1.")
    s.write("layer_1.R", loops.add(s["X"], loops.product(s["layer_1.W_O"], Z)))
    for name in "QK":
        s.write(f"layer_2.{name}", loops.product(s[f"layer_2.W_{name}"], s["layer_1.R"]))
    shares(s, scores(s, "layer_2."), prefix="layer_2.")


TOPICS = {"two_layers": two_layers}


KNOWN = (
    Known("residual-left-out", "R", lambda see, _: loops.product(see("W_O"), see("Z"))),
    Known("mixture-left-out", "R", lambda see, _: loops.add(see("X"), loops.product(see("W_O"), see("V")))),
    Known(
        "layer-left-out",
        "layer_2.Q",
        lambda see, _: see("layer_1.R") and loops.product(see("W_Q"), see("X")),
    ),
)
