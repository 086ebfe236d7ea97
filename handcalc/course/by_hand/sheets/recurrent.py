"""One step after another: recurrent networks and LSTM, a block for each time step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handcalc.course.by_hand.parts import Sheet, noted, row_of, sheet, with_row, worded
from handcalc.course.by_hand.sheets.single_numbers import shares
from handcalc.formulas.recurrence import unroll
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import concat, rows, sigmoid, tanh


@sheet("rnn_small", "rnn_medium", "rnn_large")
def recurrent_network(g: Sheet) -> list[Matrix]:
    """H = tanh(W_x x + W_h h + b), and an answer from each state."""
    X, h_0 = g("X", "X", "one step a column", columns="x"), g("h0", "h_0", "the state to begin with")
    W_x, W_h, b = (
        g("Wx", "W_x", "weights of the input"),
        g("Wh", "W_h", "weights of the state"),
        g("bh", "b_h"),
    )
    W_y, b_y = g("Wy", "W_y", "weights of the answer"), g("by", "b_y")

    def cell(x: Matrix, h: Matrix) -> list[Matrix]:
        F = noted(
            "F", W_x @ x + W_h @ h + b, "before the bend", "What is new, and what is remembered, added up."
        )
        h = worded("h", tanh(F))
        o = noted("o", W_y @ h + b_y, "scores of the answer", "Each row of W_y weighs what the state holds.")
        if o.shape[0] == 1:
            return [h, F, o, noted("y", sigmoid(o), "between 0 and 1", "σ turns a score into yes or no.")]
        *steps, P = shares(o)
        return [h, F, o, *steps, P.named("y", "shares")]

    return [m for found in unroll(cell, X, h_0) for m in found]


# LSTM -------------------------------------------------------------------------------------------------

GATES = {  # what each gate is for
    "f": ("the forget gate", "How much of the old memory stays: 0 is none of it, 1 is all."),
    "g": ("what is new", "What could be written, between −1 and 1."),
    "i": ("the input gate", "How much of what is new is let in."),
    "o": ("the output gate", "How much of the memory is shown."),
}
Weights = dict[str, tuple[Matrix, Matrix]]
Slip = Callable[
    [int, dict[str, Matrix]], Matrix
]  # what a cell has instead of a step; it gets the time and the steps


def gate_weights(g: Sheet, layer: str = "") -> Weights:
    """W and b of each gate."""
    return {
        letter: (g(f"W{layer}_{letter}", f"W_{letter}"), g(f"b{layer}_{letter}", f"b_{letter}"))
        for letter in GATES
    }


def lstm(
    g: Sheet, X: Matrix, weights: Weights, name: str = "t", slips: dict[str, Slip] | None = None
) -> list[list[Matrix]]:
    """An LSTM over the columns of X; for each time step h, c, and all other steps."""
    height = weights["f"][0].shape[0]
    slips = slips or {}

    def cell(x: Matrix, h: Matrix, c: Matrix, time: int) -> list[Matrix]:
        known = {"s": worded("s", concat([x, h])), "c_0": c}
        for letter in "fgi":
            known |= _gate(letter, weights, known["s"])
        found = known["f"] * c + rows(known["i"], 0, height) * known["g"]
        known["c"] = worded("c", slips["c"](time, known | {"c": found}) if "c" in slips else found)
        known["c_tanh"] = noted("c_tanh", tanh(known["c"]), "bent", "Brought between −1 and 1.", "Hand on")
        known |= _gate("o", weights, known["s"], slips.get("o"), time, known)
        known["h"] = worded("h", known["o"] * known["c_tanh"])
        return [known["h"], known["c"], *known.values()]

    start = g.zeros("h0", "h_0", height), g.zeros("c0", "c_0", height)
    return unroll(cell, X, start, name=name, counted=True)


def _gate(
    letter: str, weights: Weights, s: Matrix, slip: Slip | None = None, time: int = 0, known: Any = None
) -> dict[str, Matrix]:
    W, b = weights[letter]
    Z = worded(f"Z_{letter}", W @ s + b, "Z")
    found = tanh(Z) if letter == "g" else sigmoid(Z)
    if slip is not None:
        found = slip(time, known | {letter: found})
    return {f"Z_{letter}": Z, letter: noted(letter, found, *GATES[letter], "Decide")}


@sheet("lstm_small")
def small_lstm(g: Sheet) -> list[Matrix]:
    """A memory of two numbers, four time steps."""
    X = g("X", "X", "one step a column", columns="x")
    return [m for found in lstm(g, X, gate_weights(g)) for m in found]


def last_forgotten(time: int, known: dict[str, Matrix]) -> Matrix:
    """The last number's memory read from an empty row, from the second time step on."""
    if time == 1:
        return known["c"]
    last = known["c"].shape[0] - 1
    row = 0 * row_of(known["f"], last) + row_of(known["i"], last) * row_of(known["g"], last)
    return with_row(known["c"], last, row)


def medium_memory(time: int, known: dict[str, Matrix]) -> Matrix:
    """At the first step with the memory of row 5 and the input gate's row 7, then from an empty row."""
    if time > 1:
        return last_forgotten(time, known)
    row = row_of(known["c_0"], 4) * row_of(known["f"], 5) + row_of(known["g"], 5) * row_of(known["i"], 6)
    return with_row(known["c"], 5, row)


def bent_twice(time: int, known: dict[str, Matrix]) -> Matrix:
    """Rows 2 to 5 of the output gate, at the second time step: tanh of the memory that is bent already."""
    if time != 2:
        return known["o"]
    return concat([row_of(known["o"], 0), tanh(rows(known["c_tanh"], 1, 5)), row_of(known["o"], 5)])


def rows_mixed(_: int, known: dict[str, Matrix]) -> Matrix:
    """Row 5 of the memory with row 4 of the input gate, and row 6 with the memory of row 5."""
    f, i, new, before = (known[name] for name in ("f", "i", "g", "c_0"))
    fifth = row_of(before, 4) * row_of(f, 4) + row_of(new, 4) * row_of(i, 3)
    sixth = row_of(before, 4) * row_of(f, 5) + row_of(new, 5) * row_of(i, 5)
    return concat([rows(known["c"], 0, 4), fifth, sixth])


@sheet("lstm_medium")
def medium_lstm(g: Sheet) -> list[Matrix]:
    """A memory of six numbers; the input gate has a seventh row, which belongs to nothing."""
    X = g("X", "X", "one step a column", columns="x")
    slips: dict[str, Slip] = {"c": medium_memory, "o": bent_twice} if g.is_published else {}
    return [m for found in lstm(g, X, gate_weights(g), slips=slips) for m in found]


@sheet("lstm_seq2seq")
def sequence_to_sequence(g: Sheet) -> list[Matrix]:
    """Three layers read, two write; the result of reading goes to every step of the first that writes."""
    X, found = g("X", "X", "one step a column", columns="x"), []
    layers: list[dict[str, Slip]] = [
        {"c": last_forgotten, "o": bent_twice},
        {"c": rows_mixed},
        {"c": rows_mixed},
    ]
    seen = X
    for count, slips in enumerate(layers, start=1):
        with block(f"layer_{count}", f"Encoder, layer {count}", why="Reads one step after another."):
            weights = gate_weights(g, str(count))
            steps = lstm(g, seen, weights, name="t", slips=slips if g.is_published else None)
            seen = noted(
                "H", concat([one[0] for one in steps], axis=1), "all states", "What the next layer reads."
            )
        found += [m for one in steps for m in one] + [seen]
    length = 5
    with block("layer_4", "Decoder, layer 1", why="Writes from what has been read."):
        context = concat([steps[-1][0]] * length, axis=1).named(
            "context", "what was read", why="The last state, at every step."
        )
        written = lstm(g, context, gate_weights(g, "4"), name="out")
        seen = noted(
            "H", concat([one[0] for one in written], axis=1), "all states", "What the next layer reads."
        )
    found += [m for one in written for m in one] + [seen]
    if g.is_published:
        seen = g("X_dec", "X_dec", "numbers typed in where the layer before should be read", columns="x")
    with block("layer_5", "Decoder, layer 2", why="Reads the layer before, and writes."):
        written = lstm(g, seen, gate_weights(g, "5"), name="out")
    return found + [m for one in written for m in one]
