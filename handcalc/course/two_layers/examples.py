"""Two layers and the word "it": the hand-made model, and what one real model shows.

Hand-made numbers: own work; the sentence is that of J. Uszkoreit, "Transformer: A Novel Neural Network
Architecture for Language Understanding" (Google, 2017), as in `animal`.
"""

from __future__ import annotations

from handcalc.course.queries_keys_values.examples import animal
from handcalc.formulas.attention import self_attention
from handcalc.formulas.transformer import residual
from handcalc.foundation.errors import HandcalcError, short
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["two_layers"]

FITS_LIFE = {"tired": 1, "wide": -1}  # what the last word says of what it describes
FEATURES = ("thing", "alive", "pronoun", "describes", "fits life", "seeks life")


def two_layers(last: str = "tired") -> Calculation:
    """First "it" asks what is said of it, then what that fits: "animal" if `last` is "tired", else "street".

    >>> hc.columns(hc.examples.two_layers()["layer_2.A"], 5, 6)
    column 6 of layer_2.A  (9 by 1)
               it
     animal  0.97
     didn't  0.00
      cross  0.00
     street  0.00
    because  0.00
         it  0.00
        was  0.00
        too  0.00
      tired  0.00

    X (6, 9) has the words of `animal` as columns. For "wide" one number differs: X[5,9], "fits life", is −1.
    Layer 1 (d_k = 1) writes what the describing word says into the row "seeks life" of "it"; layer 2
    (d_k = 2) looks for a thing, alive or not. Raises HandcalcError for another last word.
    """
    if not isinstance(last, str) or last not in FITS_LIFE:
        raise HandcalcError(f"The last word is {short(last)}; it must be {' or '.join(FITS_LIFE)}.")
    X = _sentence(last)
    with block("layer_1", "Layer 1: what is said?", why=WHY[0]):
        R = _asked(X)
    with block("layer_2", "Layer 2: what does it fit?", why=WHY[1]):
        W_Q = Matrix([[0, 0, 4, 0, 0, 0], [0, 0, 0, 0, 0, 4]], "W_Q", columns=FEATURES)
        W_K = Matrix([[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]], "W_K", columns=FEATURES)
        W_V = Matrix([[0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]], "W_V", columns=FEATURES)
        found = self_attention(R, W_Q, W_K, W_V).record
    return Calculation(*found, title=f"“it”, when the last word is “{last}”")


WHY = (
    "A pronoun looks for a describing word, and gathers whether it fits living things.",
    "The pronoun looks for a thing, alive or not, as it found out in layer 1.",
)


def _sentence(last: str) -> Matrix:
    words = [*(animal()["X"].columns or ())[:-1], last]
    rows = {
        "thing": [1, 0, 0, 1, 0, 0, 0, 0, 0],
        "alive": [1, 0, 0, -1, 0, 0, 0, 0, 0],
        "pronoun": [0, 0, 0, 0, 0, 1, 0, 0, 0],
        "describes": [0, 0, 0, 0, 0, 0, 0, 0, 1],
        "fits life": [0, 0, 0, 0, 0, 0, 0, 0, FITS_LIFE[last]],
        "seeks life": [0, 0, 0, 0, 0, 0, 0, 0, 0],
    }
    return Matrix(list(rows.values()), "X", rows=FEATURES, columns=words).named(
        "X", "features made up by hand"
    )


def _asked(X: Matrix) -> Matrix:
    """Layer 1: R = X + W_O Z, of which only the row "seeks life" differs from X."""
    W_Q = Matrix([[0, 0, 6, 0, 0, 0]], "W_Q", columns=FEATURES).named("W_Q", "a pronoun looks …")
    W_K = Matrix([[0, 0, 0, 1, 0, 0]], "W_K", columns=FEATURES).named("W_K", "… for a word that describes")
    W_V = Matrix([[0, 0, 0, 0, 1, 0]], "W_V", columns=FEATURES).named("W_V", "does it fit the living?")
    Z = self_attention(X, W_Q, W_K, W_V).result
    W_O = Matrix([[0], [0], [0], [0], [0], [1]], "W_O", rows=FEATURES)
    why = "Puts what was gathered into the empty row, “seeks life”; the others get 0."
    found = (W_O @ Z).named("found", "what was gathered", why=why, stage="Mix")
    return residual(X, found).named("R", "input plus what was found", stage="Add")
