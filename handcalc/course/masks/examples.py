"""The examples of lesson masks: a sentence read word by word, one with padding, one that reads another.

All numbers are made up by hand for handcalc (MIT licence); nothing is trained.
"""

from __future__ import annotations

from handcalc.formulas import attention
from handcalc.formulas.masks import PAD_TOKEN
from handcalc.notation.accepted_types import MaskLike
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["bird", "le_chat", "padded"]

WORDS = ("we", "saw", "a", "bird")
ANOTHER = "film"  # the last word when it has other features
LAST = (1, 2)  # the features of the last word


def bird(mask: MaskLike | None = "causal", *, last: tuple[float, float] = LAST) -> Calculation:
    """The sentence “we saw a bird” under a mask; `last` are the features of the last word.

    >>> hc.examples.bird()["A"]
    A = E / E_sum  (4 by 4, attention weights)
          we   saw     a  bird
      we   1  0.50  0.06  0.07
     saw   0  0.50  0.47  0.20
       a   0     0  0.47  0.20
    bird   0     0     0  0.53

    X (d_model = 2, n = 4), d_k = 1, so that √d_k is 1. Without a mask "a" gives 0.78 of its attention to the
    word that comes next. Another last word, "film" with (3, 0) say, changes no earlier column of Z under a
    causal mask.
    """
    word = WORDS[-1] if tuple(last) == LAST else ANOTHER
    return _calculated((*WORDS[:-1], word), mask, last, f"We saw a {word}")


def padded(mask: MaskLike | None = "padding") -> Calculation:
    """The sentence “we saw”, padded with two [PAD] to the length of others: the numbers of `bird`.

    >>> hc.examples.padded()["A"]
    A = E / E_sum  (4 by 4, attention weights)
             we   saw  [PAD]  [PAD]
       we  0.27  0.50   0.12   0.27
      saw  0.73  0.50   0.88   0.73
    [PAD]     0     0      0      0
    [PAD]     0     0      0      0
    """
    return _calculated((*WORDS[:2], PAD_TOKEN, PAD_TOKEN), mask, LAST, "We saw, filled up")


def _calculated(
    words: tuple[str, ...], mask: MaskLike | None, last: tuple[float, float], title: str
) -> Calculation:
    X = Matrix([[1, 0, 2, last[0]], [0, 1, 1, last[1]]], "X", rows=["seeks", "offers"], columns=words)
    X = X.named("X", "features made up by hand")
    found = attention.self_attention(X, [[1, 0]], [[0, 1]], [[10, 0], [0, 10]], mask=mask)
    return Calculation(*found.record, title=title)


def le_chat(*words: str) -> Calculation:
    """The words “le chat” read “the black cat”: cross-attention, queries from X, keys and values from Y.

    >>> hc.examples.le_chat()["A"]
    A = E / E_sum  (3 by 2, attention weights)
             le  chat
      the  0.94  0.03
    black  0.03  0.03
      cat  0.03  0.94

    `words` are those written so far, of le, chat, noir (le, chat). d_model = 3. The order of words crosses:
    "chat", the second word, gives 0.94 to "cat", the third. The values 10, 20, 30 tell where they came from.
    The crossing is what figure 3 of Bahdanau et al. 2014 (arXiv:1409.0473) shows, in a sentence of its own.
    """
    features = ["article", "colour", "animal"]
    french = {"le": [1, 0, 0], "chat": [0, 0, 1], "noir": [0, 1, 0]}
    chosen = words or ("le", "chat")
    Y = Matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "Y", rows=features, columns=["the", "black", "cat"])
    X = Matrix([french[word] for word in chosen], "X").T
    X = Matrix(X.values, "X", rows=features, columns=list(chosen)).named("X", "written so far")
    W_Q, W_K, W_V = _diagonal(6, 6, 6), _diagonal(1, 1, 1), _diagonal(10, 20, 30)
    found = attention.cross_attention(X, Y.named("Y", "what is read"), W_Q, W_K, W_V)
    return Calculation(*found.record, title="Le chat reads the black cat")


def _diagonal(*numbers: float) -> list[list[float]]:
    return [[number if i == j else 0 for j in range(len(numbers))] for i, number in enumerate(numbers)]
