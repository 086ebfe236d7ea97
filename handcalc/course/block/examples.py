"""One block with whole numbers: attention, add and norm, feed-forward, add and norm."""

from __future__ import annotations

from handcalc.formulas.transformer import FeedForward, Norm, encoder_layer
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

__all__ = ["transformer_block"]


def transformer_block(*, norm_first: bool = False) -> Calculation:
    """A whole block for a pencil: 2 tokens of 4 features; all but the shares is whole up to the last step.

    >>> hc.examples.transformer_block()["add_norm_1.norm.N"].values
    array([[ 4., -4.],
           [-1.,  3.],
           [-1.,  3.],
           [-2., -2.]])

    W_Q is 0, so that the head looks at both tokens alike, whatever their keys are: every share is ½ and no
    power of e is needed. The spreads that are divided by are 3 and 2, then 3 and 5; ε is left out. With
    `norm_first` the same weights in a pre-norm block, which is not whole. Made up by hand for this workbook
    (own work, MIT licence).
    """
    X = Matrix([[8, 0], [0, 2], [1, 3], [0, 0]], "X", rows="f", columns="x").named("X", "two tokens")
    head = [[0, 0, 0, 0]], [[0, 0, 1, 0]], [[0, 1, 1, 0], [0, 1, 0, 0]]  # W_Q asks for nothing
    W_O = [[0, 0], [1, -1], [0, 1], [0, 0]]
    ff = FeedForward(
        [[0, 0, -1, 1], [-1, 0, 0, 0], [1, 0, 1, 0], [0, 1, -1, 0]],
        [[-1], [0], [1], [1]],
        [[1, 0, 0, -1], [-1, -1, 0, 0], [0, 1, 0, 1], [0, 1, -1, 0]],
        [[-1], [1], [0], [0]],
    )
    norms = Norm([[3], [3], [3], [1]], [[-1], [0], [0], [-1]]), Norm([[1]] * 4, [[0]] * 4)
    layer = encoder_layer(X, [head], W_O, norms[0], ff, norms[1], eps=0, norm_first=norm_first)
    return Calculation(*layer.record, title="A block, norm first" if norm_first else "A block")
