"""Memories that are matrices: xLSTM and Mamba, a block for each time step."""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, row_of, sheet, worded
from handcalc.course.by_hand.sheets.recurrent import GATES
from handcalc.formulas.recurrence import unroll
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import (
    absolute,
    column_max,
    columns,
    concat,
    exp,
    log,
    rows,
    sigmoid,
    softplus,
    sqrt,
)

LN_10 = 2.302585092994046  # by which ln becomes a logarithm of base 10


@sheet("xlstm_mlstm")
def mlstm(g: Sheet) -> list[Matrix]:
    """A memory that is a matrix: v kᵀ is written to it, and q reads it."""
    X = g("X", "X", "one step a column", columns="x")
    W, b = ({n: g(f"{kind}_{n}", f"{kind}_{n}") for n in "fqkvio"} for kind in "Wb")
    W_k = noted(
        "W_k_scaled", W["k"] / sqrt(constant(2, "d")), "W_k over √d", "Longer keys would give larger scores."
    )

    def cell(x: Matrix, C: Matrix, n: Matrix, _: int) -> list[Matrix]:
        f = noted("f", sigmoid(worded("Z_f", W["f"] @ x + b["f"], "Z")), *GATES["f"])
        i = noted(
            "i",
            exp(worded("Z_i", W["i"] @ x + b["i"], "Z")),
            "the input gate",
            "A power of e can be as large as it likes.",
        )
        q = noted("q", W["q"] @ x + b["q"], "what is asked for", "A query, to read the memory with.")
        k = noted("k", W_k @ x + b["k"], "where it is written", "A key: what asks like this finds it.")
        v = noted("v", W["v"] @ x + b["v"], "what is written", "A value, to be found by its key.")
        new = noted(
            "new", v @ k.T, "value by key", "Every number of the value times every number of the key."
        )
        write = noted("write", i * new, "let in", "As much of it as the input gate lets in.")
        keep = noted("keep", f * C, "what stays", "As much of the memory as the forget gate leaves.")
        C = noted("C", keep + write, "the new memory", "What stays, and what is new.", "Remember")
        n = noted(
            "n",
            f * n + i * k,
            "how much was written",
            "The same for the keys alone, to divide by.",
            "Remember",
        )
        read = noted("read", C @ q, "what the query finds", "A memory times a query.", "Hand on")
        reach = absolute(n @ i.T) if g.is_published else absolute(n.T @ q)
        most = noted(
            "most",
            column_max(concat([reach, constant(1)])),
            "at least 1",
            "No division by less than 1.",
            "Hand on",
        )
        o = noted("o", sigmoid(worded("Z_o", W["o"] @ x + b["o"], "Z")), *GATES["o"])
        ratio = noted(
            "h_inner", read / most, "by how much was written", "Then its size does not grow.", "Hand on"
        )
        return [C, n, f, i, write, keep, ratio, worded("h", o * ratio)]

    start = g("C0", "C_0", "the memory to begin with"), g("n0", "n_0", "and how much was written")
    return [m for found in unroll(cell, X, start, counted=True) for m in found]


# Mamba ------------------------------------------------------------------------------------------------


@sheet("mamba_small")
def mamba(g: Sheet) -> list[Matrix]:
    """Four inputs, each with a state of two numbers: h = A' h + B' x, and y = h C."""
    X = g("X", "X", "one step a column", columns="x")
    W = {name: g(f"W_{name}", f"W_{name}") for name in "BCs"}
    p, A, found = g("p", "p", "a bias for each input"), g("A", "A", "how each state fades"), []
    made = [_selected(g, time, X, W, p, A) for time in range(1, X.shape[1] + 1)]
    h = Matrix([[0, 0]] * 4).named("h_0", "the states to begin with")
    for time, known in enumerate(made, start=1):
        with block(f"t_{time}"):
            fading = known["A_bar"]
            if g.is_published and time == 2:
                fading = concat([row_of(fading, 0), rows(made[2]["A_bar"], 1, 4)])
            h = noted(
                "h",
                fading * h + known["B_bar"] * known["x"],
                "the states",
                "What is left, and what is new.",
                "Remember",
            )
            read = concat([rows(h, 0, 2), rows(h, 1, 3)]) if g.is_published else h
            y = noted("y", read @ known["C"], "what is shown", "Each state, weighed by C.", "Hand on")
        found += [*known.values(), h, y]
    return found


def _selected(
    g: Sheet, time: int, X: Matrix, W: dict[str, Matrix], p: Matrix, A: Matrix
) -> dict[str, Matrix]:
    """The parts of a time step that its input selects: B, C and Δ, and how far the states fade."""
    with block(f"t_{time}", f"Time step {time}", why="Reads one input, and hands on its states."):
        x = worded("x", columns(X, time - 1, time))
        B = noted(
            "B", W["B"] @ x, "what is written", "Chosen by the input: that is what is selective.", "Choose"
        )
        C = noted("C", W["C"] @ x, "what is read", "Chosen by the input as well.", "Choose")
        raw = noted(
            "Delta_raw",
            W["s"] @ x + p,
            "before the bend",
            "One number for all inputs, and a bias for each.",
            "Choose",
        )
        bent = log(1 + exp(raw)) / constant(LN_10, "ln10") if g.is_published else softplus(raw)
        delta = noted("Delta", bent, "how long the step is", "Softplus keeps it above 0.", "Choose")
        A_bar = noted(
            "A_bar",
            exp(delta * A),
            "what is left of a state",
            "The longer the worded, the more it fades.",
            "Discretise",
        )
        B_bar = noted(
            "B_bar",
            delta @ B.T,
            "what is let in",
            "The longer the worded, the more is written.",
            "Discretise",
        )
    return {"x": x, "B": B, "C": C, "raw": raw, "Delta": delta, "A_bar": A_bar, "B_bar": B_bar}
