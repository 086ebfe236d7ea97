"""An LSTM cell, as a teacher would write it: public names alone, a block for each gate.

Formula: Hochreiter and Schmidhuber 1997 (doi:10.1162/neco.1997.9.8.1735) with the forget gate of Gers,
Schmidhuber and Cummins 2000, as PyTorch's nn.LSTMCell has it. All numbers are made up for this lesson.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handcalc.record.blocks import block
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import concat, sigmoid, tanh

__all__ = ["lstm_cell"]

GATES = {  # letter and purpose
    "forget_gate": ("f", "How much of the old memory stays: 0 is none of it, 1 is all."),
    "input_gate": ("i", "How much of what is new is let in."),
    "candidate": ("g", "What is new, between -1 and 1."),
    "output_gate": ("o", "How much of the memory is shown."),
}
WEIGHTS = {
    "forget_gate": ([[1, 0, 1, 0], [0, -1, 0, -1]], [[-0.75], [0.75]]),
    "input_gate": ([[0, 1, -1, 0], [-1, 0, 0, 1]], [[-0.75], [0.75]]),
    "candidate": ([[1, 0, 0, -1], [0, 1, -1, 0]], [[-0.75], [-0.75]]),
    "output_gate": ([[-1, -1, 1, 1], [1, -1, 0, 0]], [[-0.75], [0.75]]),
}


def lstm_cell() -> Calculation:
    """One step of an LSTM: c = f ⊙ c_0 + i ⊙ g, h = o ⊙ tanh c, each gate σ(W [h_0; x] + b). Own numbers.

    >>> hc.examples.lstm_cell()["c"]
    c = forget_gate.f·c_0 + input_gate.i·candidate.g  (2 by 1, the new memory)
     1.50
    -1.06

    The first cell of its memory is kept (f 0.78, i 0.06), the second is written anew (i 0.85).
    """
    return cell_of([[1], [2]], [[1], [-1]], [[2], [-0.5]], WEIGHTS)


def cell_of(x: Any, h_0: Any, c_0: Any, weights: Mapping[str, tuple[Any, Any]]) -> Calculation:
    """The cell on other numbers; `weights` has W and b of each gate."""
    x, h_0 = Matrix(x, "x"), Matrix(h_0, "h_0").named("h_0", "what was shown before")
    c_0 = Matrix(c_0, "c_0").named("c_0", "the old memory")
    with block("input", "What the cell sees"):
        s = concat([h_0, x]).named(
            "s", why="All four gates read both: what was shown before, and the new word."
        )
    f, i, g, o = (_gate(name, s, *weights[name]) for name in GATES)
    why = "Some of the old memory, and some of what is new."
    c = (f * c_0 + i * g).named("c", "the new memory", why=why)
    h = (o * tanh(c)).named("h", "what is shown", why="As much of the memory as the gate shows.")
    return Calculation(h, title="An LSTM cell")


def _gate(name: str, s: Matrix, W: Any, b: Any) -> Matrix:
    letter, why = GATES[name]
    with block(name, why=why):
        z = (Matrix(W, "W") @ s + Matrix(b, "b")).named("z", why="A weighted sum of all that the cell sees.")
        function = tanh if name == "candidate" else sigmoid
        return function(z).named(letter, name.replace("_", " "), why=why)
