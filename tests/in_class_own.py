"""The answers to the questions that end the lesson on your own calculations, worked out."""

import math

from in_class import page, written


@page("17_your_own")
def your_own():
    f, i = (1 / (1 + math.exp(-z)) for z in (1.25, -2.75))
    g = math.tanh(-1.75)
    assert [written(x) for x in (f, i, g)] == ["0.78", "0.06", "−0.94"]
    e = [math.exp(z) for z in (2, 0, -2)]
    p = e[0] / sum(e)
    assert written(p) == "0.87"
    return {
        "The weighted sum of a gate is 1.25. How far is it open, to two decimals?": written(f),
        "Memory 2, f = 0.78, i = 0.06, g = −0.94: what is the new memory, to one decimal?": (
            written(f * 2 + i * g, 1)
        ),
        "Leaky ReLU with α = 0.1: what does −2 become?": written(max(0.1 * -2, -2)),
        "An autoencoder gives back 3 where it got 1, L = ½ (Y − X)². What is its slope there?": (
            written(3 - 1)
        ),
        "Softmax gives the right class 0.87. What is the slope of the cross-entropy for its logit?": written(
            p - 1
        ),
    }
