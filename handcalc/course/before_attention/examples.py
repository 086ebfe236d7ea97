"""A signal that fades in a recurrent network, and the first attention beside the dot product.

All numbers are made up by hand for this lesson (own work); the formulas are those of Pascanu et al. 2012
(arXiv:1211.5063) and of Bahdanau et al. 2014 (arXiv:1409.0473), appendix A.1.2.
"""

from __future__ import annotations

from handcalc.formulas.attention import attend
from handcalc.formulas.recurrence import additive_attention, rnn
from handcalc.notation.validation import read_count, read_number
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["additive_score", "dot_score", "fading"]

QUERY, STATES = [[1], [0]], [[1, 3, 0], [0, 0, 1]]
SAME = [[1, 0], [0, 1]]


def fading(w: float = 0.5, n: int = 6) -> Calculation:
    """A word in first place, then silence: h_t = tanh(w h_(t−1) + x_t), x = 2, 0, 0, ….

    >>> hc.examples.fading()["H"]
    H = concat(step_1.h, step_2.h, step_3.h, step_4.h, step_5.h, step_6.h)  (1 by 6, all states)
    word  silence  silence  silence  silence  silence
    0.96     0.45     0.22     0.11     0.05     0.03

    X (1, n); each step is a block and has, from the second on, the slope since the first state: step_6.D is
    ∂h_6/∂h_1 = 0.0234 for w = 0.5. Own numbers.
    """
    n, w = read_count(n, "n"), read_number(w, "w")
    words = ["word", *["silence"] * (n - 1)]
    X = Matrix([[2, *[0] * (n - 1)]], "X", columns=words).named("X", "a word, then silence")
    found = rnn(X, Matrix([[1]], "W_x"), Matrix([[w]], "W_h"), slopes=True)
    return Calculation(*found.record, title="A signal that fades")


def additive_score() -> Calculation:
    """One query, three states, scored additively: the third, which is short, gets most, 0.60. Own numbers.

    >>> hc.examples.additive_score()["A"]
    A = E / E_sum  (3 by 1, attention weights)
    h₁  0.19
    h₂  0.21
    h₃  0.60
    """
    s = Matrix(QUERY, "s").named("s", "the decoder's state, which asks")
    H = Matrix(STATES, "H", columns="h").named("H", "the encoder's states")
    found = additive_attention(s, H, Matrix(SAME, "W_a"), Matrix(SAME, "U_a"), Matrix([[2], [2]], "v"))
    return Calculation(*found.record, title="Additive score")


def dot_score() -> Calculation:
    """The same query and states, scored by a dot product: the second, which is long, gets 0.84.

    >>> hc.examples.dot_score()["A"]
    A = E / E_sum  (3 by 1, attention weights)
    h₁  0.11
    h₂  0.84
    h₃  0.04
    """
    s = Matrix(QUERY, "s").named("s", "the decoder's state, which asks")
    H = Matrix(STATES, "H", columns="h").named("H", "the encoder's states")
    return Calculation(*attend(s, H, H, scaled=False), title="Dot product")
