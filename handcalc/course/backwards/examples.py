"""A loss at the end of the worked example, the slopes of a softmax, and P − Y: what the way back begins with.

The figures of the worked example have their source in lesson queries_keys_values; target, loss and all else
are own work.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.course.gpt.examples import gpt
from handcalc.course.queries_keys_values.examples import self_attention
from handcalc.formulas.losses import cross_entropy, half_squared_distance
from handcalc.formulas.softmax import softmax
from handcalc.notation.validation import read_list
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_sums, columns, exp

__all__ = ["backwards", "gpt_loss", "next_word", "softmax_jacobian"]

TARGET = (8, 2, 6)
WORDS = ("mat", "hat", "moon")


def backwards() -> Calculation:
    """The worked example with a target: token 1 should get t = (8, 2, 6); L = ½ |z₁ − t|² = 4.0030.

    >>> print(hc.examples.backwards()["L"])
    L = Σ↓ (D^2) / 2  (1 by 1, loss)
      z₁
    4.00

    z_1 (3, 1) is the first column of Z, D = z_1 − t, L (1, 1). `hc.gradients(…, "L")` goes the way back.
    """
    example = self_attention()
    z = columns(example["Z"], 0, 1).named(
        "z_1", "what token 1 gets", why="The target is for token 1 alone.", stage="Loss"
    )
    t = Matrix([[wish] for wish in TARGET], "t").named("t", "what token 1 should get")
    return example.with_more([half_squared_distance(z, t)], title="Self-attention with a loss")


def softmax_jacobian(scores: Sequence[float] = (2, 1, 0)) -> Calculation:
    """How each share changes with each score: J = a ⊙ I − a aᵀ, for shares a of n scores.  (n, n)

    >>> hc.examples.softmax_jacobian()["J"]
    J = a·I - a aᵀ  (3 by 3, slopes of shares)
           k₁     k₂     k₃
    k₁   0.22  -0.16  -0.06
    k₂  -0.16   0.18  -0.02
    k₃  -0.06  -0.02   0.08

    J[i,j] is the slope of share i for score j: aᵢ(1 − aᵢ) on the diagonal, −aᵢaⱼ elsewhere. Every column adds
    up to 0. With scores 2, 1, 0 its first column is (0.2227, −0.1628, −0.0599).
    Raises HandcalcError for scores that are no list.
    """
    column = [[one] for one in read_list(scores, "The scores must be a list of numbers.")]
    s = Matrix(column, "s", rows="k").named("s", "scores")
    E = exp(s).named(
        "E",
        "exponentials",
        why="Makes every number positive; a score that is 1 higher becomes e times as large.",
    )
    E_sum = column_sums(E).named("E_sum", "their sum", why="Each of them is divided by this.")
    a = (E / E_sum).named("a", "shares", why="Divided by their sum, they add up to 1.")
    one = Matrix(np.eye(len(column)), "I", rows=s.rows, columns=s.rows).named("I", "1 on the diagonal")
    J = (a * one - a @ a.T).named(
        "J",
        "slopes of shares",
        why="A score raises its own share; what that gains, the others lose.",
        rows=s.rows,
        columns=s.rows,
    )
    return Calculation(J, title="Slopes of a softmax")


def next_word() -> Calculation:
    """The same logits 2, 1, 0 for three words, twice: first “mat” was right, then “moon”; L = 2.8152.

    >>> hc.examples.next_word()["P"]
    P = e^logits / Σ↓ (e^logits)  (3 by 2, probabilities of the next word)
          cat on a  over the
     mat      0.67      0.67
     hat      0.24      0.24
    moon      0.09      0.09

    logits and P are (3, 2), Y has a 1 for what was right, L = −Σ ln p. The slope of L for logits is P − Y.
    """
    logits = Matrix([[2, 2], [1, 1], [0, 0]], "logits", rows=WORDS, columns=["cat on a", "over the"])
    P = softmax(logits.named("logits", "a score for each word")).named("P", "probabilities of the next word")
    return Calculation(cross_entropy(P, ["mat", "moon"]), title="Which word comes next?")


def gpt_loss(text: str = "abab", after: str = "a") -> Calculation:
    """The GPT on one page with what was right: each letter's next one, and `after` for the last.

    >>> print(hc.examples.gpt_loss()["L"])
    L = -Σ→ ln_p  (1 by 1, loss)
    12.95

    L = −Σ ln p over all letters. Raises HandcalcError as `gpt` does, and for another `after`.
    """
    model = gpt(text)
    letters = model["P"].columns or ()
    return model.with_more([cross_entropy(model["P"], [*letters[1:], after])], title=model.title)
