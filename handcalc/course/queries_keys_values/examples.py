"""The worked example of one head, its handout and the sentence, with their source and licence."""

from __future__ import annotations

from handcalc.formulas import attention
from handcalc.formulas.handout import handout
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["SOURCE", "animal", "handout_shortcuts", "self_attention"]

SOURCE = (
    "Figures of sheet 'small' of advanced/Self-Attention.xlsx in ImagineAILab/ai-by-hand-excel, "
    "(c) 2024 Tom Yeh, MIT licence."
)

LIVES = {"tired": (1, -1), "wide": (-1, 0)}  # the last word: whether it is said of the living, how it moves


def _givens() -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """X (d_model = 6, n = 4), W_Q and W_K (d_k = 3, 6), W_V (d_v = 3, 6); see SOURCE."""
    X = [
        [2, 0, 0, 2],
        [0, 1, 0, 0],
        [0, 2, 1, 0],
        [0, 0, 1, 1],
        [2, 0, 0, 0],
        [1, 0, 1, 1],
    ]
    W_Q = [[1, 1, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]]
    W_K = [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, -1]]
    W_V = [[10, 0, 0, 0, 0, 0], [0, 0, 0, 10, 0, 0], [0, 10, 0, 0, 0, 0]]
    features = Matrix(X, "X", rows="f", columns="x").named("X", "features")
    return features, Matrix(W_Q, "W_Q"), Matrix(W_K, "W_K"), Matrix(W_V, "W_V")


def self_attention() -> Calculation:
    """The worked example: 4 tokens of 6 features, d_k = d_v = 3, calculated exactly.

    >>> hc.examples.self_attention()["Z"]
    Z = V A  (3 by 4, weighted values)
       z₁     z₂     z₃    z₄
    10.31  10.11  15.03  3.06
     2.83   2.97   4.13  1.53
     4.59   4.50   2.11  7.70

    Figures: sheet 'small' of advanced/Self-Attention.xlsx, ai-by-hand-excel, (c) 2024 Tom Yeh, MIT.
    """
    return attention.self_attention(*_givens())


def handout_shortcuts() -> Calculation:
    """The worked example as the pencil handout does it: ⌊s/2⌋ for s/√3, and 3^s for e^s.

    >>> hc.examples.handout_shortcuts()["Z"]
    Z = V A  (3 by 4, weighted values)
      z₁     z₂     z₃    z₄
    7.83  12.86  16.36  3.33
    2.17   3.57   4.55  1.67
    5.87   3.21   1.36  7.50

    The shortcuts change the result (first number of Z: 7.83 instead of 10.31); they are for learners
    without a calculator, never the default. Figures and licence: see SOURCE.
    """
    return handout(self_attention())


def animal(ending: str = "tired") -> Calculation:
    """Attention as "it" pays it in "The animal didn't cross the street because it was too tired".

    >>> hc.columns(hc.examples.animal()["A"], 5, 6)
    column 6 of A  (9 by 1)
               it
     animal  0.85
     didn't  0.01
      cross  0.01
     street  0.05
    because  0.01
         it  0.01
        was  0.01
        too  0.01
      tired  0.02

    X (d_model = 5, n = 9) has the sentence's words as columns, "the" left out; d_k = d_v = 2. All numbers
    are made up by hand, nothing is trained: a key says what a word is, a query what it looks for, a value
    what it hands over, whether it is alive and how it moves. "it" looks for a thing that is alive, X[5,6] is
    1, and gives 0.85 of its attention to "animal". With the `ending` "wide" it looks for one that is not, and
    gives 0.85 to "street". The sentence is the one of Uszkoreit, "Transformer: A Novel Neural Network
    Architecture for Language Understanding" (Google, 2017). Raises HandcalcError for another ending.
    """
    if ending not in LIVES:
        raise HandcalcError(f"The sentence ends in {listed(LIVES)}, not in {short(ending)}.")
    life, effort = LIVES[ending]
    words = ["animal", "didn't", "cross", "street", "because", "it", "was", "too", ending]
    X = {
        "thing": [2, 0, 0, 2, 0, 0, 0, 0, 0],
        "alive": [2, 0, 0, -2, 0, 0, 0, 0, life],
        "moves": [3, 0, 2, 0, 0, 0, 0, 0, effort],
        "seeks thing": [0, 0, 1, 0, 0, 2, 1, 0, 1],
        "seeks life": [0, 0, 0, 0, 0, life, 0, 0, 2 * life],
    }
    features = Matrix(list(X.values()), "X", rows=list(X), columns=words).named(
        "X", "features made up by hand"
    )
    W_Q = Matrix([[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]], "W_Q")
    W_K = Matrix([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]], "W_K")
    W_V = Matrix([[0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], "W_V")
    return Calculation(*attention.self_attention(features, W_Q, W_K, W_V).record, title="The word “it”")
