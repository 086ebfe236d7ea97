"""Oracle of topics: the topic of the lesson on two layers, in plain loops, step by step."""

import loops
from paper import attention, scores, shares


def two_layers(s):
    Z = attention(s, prefix="layer_1.")
    s.write("layer_1.R", loops.add(s["X"], loops.product(s["layer_1.W_O"], Z)))
    for name in "QK":
        s.write(f"layer_2.{name}", loops.product(s[f"layer_2.W_{name}"], s["layer_1.R"]))
    shares(s, scores(s, "layer_2."), prefix="layer_2.")


TOPICS = {"two_layers": two_layers}
