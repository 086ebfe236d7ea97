"""A picture of 16 pixels as four patches and a class token, which says where the upright bar is."""

from __future__ import annotations

from handcalc.formulas.attention import one_head
from handcalc.formulas.softmax import softmax
from handcalc.formulas.vision import patch_embedding
from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import columns

__all__ = ["picture", "two_bars"]

CORNERS = ("top left", "top right", "bottom left", "bottom right")
FEATURES = ["bright", "left-right edge", "x", "y", "class"]


def picture() -> Matrix:
    """Sixteen pixels: two ones lying at the top right, two ones upright at the bottom left.

    >>> hc.examples.picture()
    picture  (4 by 4, given)
    0  0  0  0
    0  0  1  1
    0  1  0  0
    0  1  0  0
    """
    return Matrix([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]], "picture")


def two_bars(*, has_places: bool = True) -> Calculation:
    """Where is the upright bar? The class token looks for a right edge and gathers where it lies.

    >>> hc.examples.two_bars()["answer.P"]
    answer.P = e^answer.logits / Σ↓ (e^answer.logits)  (4 by 1, shares of the answers)
                  class
        top left   0.02
       top right   0.00
     bottom left   0.95
    bottom right   0.02

    Patches of 2 by 2, embedded as brightness and left minus right; both bars have the same brightness.
    Without places nothing tells the corners apart. Method: Dosovitskiy et al. 2020, arXiv:2010.11929,
    section 3.1; the numbers are made up by hand (own work, MIT licence).
    """
    brightness, edge, nothing = [1, 1, 1, 1], [1, -1, 1, -1], [0, 0, 0, 0]
    W_E = Matrix([brightness, edge, nothing, nothing, nothing], "W_E", rows=FEATURES)
    front = Matrix([[-1], [0], [0], [0], [2]], "c", rows=FEATURES, columns=["class"])
    front = front.named("c", "the class token, learned")
    bright, kind = ([1], [-1]) if has_places else ([0], [0])  # learned for the class token alone
    x, y = ([0, -1, 1, -1, 1], [0, 1, 1, -1, -1]) if has_places else ([0] * 5, [0] * 5)
    table = [bright + nothing, [0] * 5, x, y, kind + nothing]
    places = Matrix(table, "P", rows=FEATURES, columns=["class", *CORNERS])
    with block(
        "tokens", "Patches as tokens", why="Each small square becomes a column; one more is to answer."
    ):
        made = patch_embedding(picture(), W_E, front, places.named("P", "places"), size=2)
    X = made.result
    with block(
        "attention", "Attention", why="The class token looks for a right edge, and gathers its place."
    ):
        head = one_head(X, X, [[0, 0, 0, 0, -2]], [[0, 1, 0, 0, 0]], [[0, 0, 1, 0, 0], [0, 0, 0, 1, 0]])
    with block(
        "answer", "The answer", why="What the class token has gathered is compared with four answers."
    ):
        W_class = Matrix([[-2, 2], [2, 2], [-2, -2], [2, -2]], "W_class", rows=CORNERS, columns=["x", "y"])
        why = "Only the class token answers: how well does what it gathered fit each corner?"
        logits = (W_class @ columns(head[-1], 0, 1)).named("logits", "one for each answer", why=why)
        P = softmax(logits).named("P", "shares of the answers", why="Softmax turns them into shares.")
    return Calculation(*made.record, *head, logits, P, title="Where is the upright bar?")
