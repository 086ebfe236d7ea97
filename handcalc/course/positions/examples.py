"""Who bites whom: the same words in another order, and the waves that tell places apart.

All numbers are made up by hand for this lesson (own work), nothing is trained; the waves are those of
Vaswani et al. 2017, section 3.5, with base 100 so that four features show two waves.
"""

from __future__ import annotations

import numpy as np

from handcalc.formulas.attention import self_attention
from handcalc.formulas.transformer import positional_encoding
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.accepted_types import MaskLike
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["positions", "vocabulary", "waves"]

FEATURES = ("dog", "man", "act", "place")
WORDS = {"dog": (1, 0, 0, 0), "bites": (0, 0, 1, 0), "man": (0, 1, 0, 0)}
PLACES = (1, 0, -1)  # in row "place": +1 first, 0 second, −1 third, as if they had been learned
SENTENCE = "dog bites man"


def vocabulary() -> Matrix:
    """W_E, one column for each word; row "place" is still empty.  (4, 3)

    >>> hc.examples.vocabulary()
    W_E  (4 by 3, given, one column for each word)
           dog  bites  man
      dog    1      0    0
      man    0      0    1
      act    0      1    0
    place    0      0    0
    """
    rows = [list(row) for row in zip(*WORDS.values(), strict=True)]
    return Matrix(rows, "W_E", rows=FEATURES, columns=[*WORDS]).named("W_E", "one column for each word")


def positions(order: str = SENTENCE, *, places: bool = True, mask: MaskLike | None = None) -> Calculation:
    """Attention as "bites" pays it in "dog bites man" or "man bites dog", with places or without.

    >>> hc.examples.positions("dog bites man")["A"]
    A = E / E_sum  (3 by 3, attention weights)
            dog  bites   man
      dog  0.33   0.96  0.33
    bites  0.33   0.02  0.33
      man  0.33   0.02  0.33

    X_words (4, 3) has the sentence's words, P (4, 3) their places, X = X_words + P; d_k = 1, so nothing is
    scaled. The query of "bites" looks for a being that stands early. `places=False` leaves P out.
    Own numbers. Raises HandcalcError for a sentence of other words.
    """
    words = order.split() if isinstance(order, str) else []
    if sorted(words) != sorted(WORDS):
        raise HandcalcError(f"order is {short(order)}; it must be a sentence of {listed(WORDS)}.")
    columns = list(zip(*(WORDS[word] for word in words), strict=True))
    head = (
        Matrix([[0, 0, 2, 0]], "W_Q"),
        Matrix([[1, 1, 0, 1]], "W_K"),
        Matrix([[1, 0, 0, 0], [0, 1, 0, 0]], "W_V"),
    )
    name = "X_words" if places else "X"
    X = Matrix(columns, name, rows=FEATURES, columns=words).named(name, "the words of the sentence")
    if places:
        X = (X + _places()).named(
            "X", "words and places", why="Each word's column, changed a little by where it stands."
        )
    found = self_attention(X, *head, mask=mask, scaled=False)
    return Calculation(*found.record, title=f"“{order}”" + ("" if places else ", without places"))


def _places() -> Matrix:
    rows = [[0, 0, 0], [0, 0, 0], [0, 0, 0], PLACES]
    return Matrix(rows, "P", rows=FEATURES).named("P", "places: first, second, third")


def waves(n: int = 8, base: float = 100) -> Calculation:
    """Places as waves, four features: PE, the next place as a fixed turn of it, and all dot products.

    >>> hc.examples.waves(n=4)["PE"]
    PE = sin, cos of position / 100^(2k / d_model)  (4 by 4, places as waves)
               p0    p1     p2     p3
    sin, fast   0  0.84   0.91   0.14
    cos, fast   1  0.54  -0.42  -0.99
    sin, slow   0  0.10   0.20   0.30
    cos, slow   1  1.00   0.98   0.96

    PE (4, n) has sine and cosine of p and of p / √base; R (4, 4) turns each pair as far as one place does,
    so that column p of R PE is the place p + 1; D = PEᵀ PE (n, n) depends on the distance alone.
    """
    rows = ["sin, fast", "cos, fast", "sin, slow", "cos, slow"]
    labels = [f"p{place}" for place in range(n)]
    why = "Each place has its own pattern of sines and cosines: one fast wave and one slow wave."
    PE = positional_encoding(n, 4, base).named("PE", "places as waves", why=why, rows=rows, columns=labels)
    R = Matrix(_turn(1.0, base**-0.5), "R", rows=rows).named("R", "turns both hands by one place")
    why = "One fixed matrix leads from each place to the next, whichever place it is."
    after = (R @ PE).named("PE_next", "each place, turned once", why=why)
    why = "How alike are two places? Their dot product depends only on how far apart they are."
    D = (PE.T @ PE).named("D", "places compared", why=why)
    return Calculation(PE, R, after, D, title="Places as waves")


def _turn(*angles: float) -> list[list[float]]:
    """A matrix that turns each pair of rows (sine, cosine) by its angle."""
    R = np.zeros((2 * len(angles), 2 * len(angles)))
    for k, angle in enumerate(angles):
        pair = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = pair
    return R.tolist()
