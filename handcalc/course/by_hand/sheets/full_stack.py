"""The whole transformer, encoder and decoder, as Transformer-Full-Stack.xlsx has it.

Its conventions are kept: positions are numbers that are given (its PE() takes the feature for the position
and the position for the feature), −99 is added where others put −∞, a norm divides by n − 1 and adds 0.001
outside the root, γ stands on a diagonal, and the ReLU comes after both layers.
"""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, sheet
from handcalc.course.by_hand.sheets.single_numbers import shares
from handcalc.formulas.attention import multi_head_attention
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_means, column_sums, relu, sqrt

EPS = 0.001  # added to the spread, not to the variance


@sheet("transformer_full")
def full_stack(g: Sheet) -> list[Matrix]:
    """Six words go in, six have been written: what comes next?"""
    with block("encoder", "Encoder", why="Reads the whole input."):
        memory, found = _encoder(g)
    with block("decoder", "Decoder", why="Reads what has been written, and looks at the input."):
        return found + _decoder(g, memory)


def _encoder(g: Sheet) -> tuple[Matrix, list[Matrix]]:
    X = _embedded(g, "in")
    found = [X, *_attention(g, "attention", "Attention", X, "W", 2)]
    found += _add_and_norm(g, "norm_1", X, found[-1], "g1", "be1")
    seen = found[-1]
    found += _feed_forward(g, seen, "W1", "b1", "W2", "b2")
    found += _add_and_norm(g, "norm_2", seen, found[-1], "g2", "be2")
    return found[-1], found


def _decoder(g: Sheet, memory: Matrix) -> list[Matrix]:
    X = _embedded(g, "out")
    found = [
        X,
        *_attention(
            g, "self", "Attention to itself", X, "dW", 3, bias=g("mask", "mask", "−99 for what is later")
        ),
    ]
    found += _add_and_norm(g, "norm_1", X, found[-1], "dg1", "dbe1")
    seen = found[-1]
    found += _attention(g, "cross", "Attention to the input", seen, "xW", 2, memory)
    found += _add_and_norm(g, "norm_2", seen, found[-1], "dg2", "dbe2")
    seen = found[-1]
    found += _feed_forward(g, seen, "dW1", "db1", "dW2", "db2")
    found += _add_and_norm(g, "norm_3", seen, found[-1], "dg3", "dbe3")
    with block("output", "Output", why="A share for each word of the vocabulary."):
        why = "Each row of W asks how well one word would fit."
        L = noted("L", g("W_L", "W") @ found[-1] + g("b_L", "b"), "a score for each word", why, "Say")
        return [*found, L, *shares(L)]


def _embedded(g: Sheet, side: str) -> Matrix:
    """A column of E for each word, and its position added."""
    E, T = (
        g(f"E_{side}", "E", "a column for each word of the vocabulary"),
        g(f"T_{side}", "T", "1 at each word"),
    )
    PE = g(f"PE_{side}", "PE", "positions, as the sheet's PE() gives them")
    words = noted("words", E @ T, "the words' columns", "A product with 1 and 0 looks a column up.", "Embed")
    return noted("X", words + PE, "with positions", "So that the same word differs by its place.", "Embed")


def _attention(
    g: Sheet,
    name: str,
    title: str,
    X: Matrix,
    W: str,
    count: int,
    memory: Matrix | None = None,
    bias: Matrix | None = None,
) -> list[Matrix]:
    """Heads of three numbers each; a head's weights are three rows of the sheet's."""
    large = [g.givens[f"{W}_{letter}"] for letter in "QKV"]
    heads = [[one[3 * h : 3 * h + 3] for one in large] for h in range(count)]
    with block(name, title, why="Each token gathers from the tokens that fit what it asks for."):
        return list(multi_head_attention(X, heads, g.givens[f"{W}_O"], Y=memory, bias=bias).steps.values())


def _add_and_norm(g: Sheet, name: str, X: Matrix, found: Matrix, gamma: str, beta: str) -> list[Matrix]:
    with block(name, "Add and norm", why="What was found is added, and each token brought in bounds."):
        R = noted("R", X + found, "added", "What went in goes past, and what was found is added.", "Add")
        mean = noted("mean", column_means(R), "mean", "The centre of a token's features.", "Measure")
        off = noted("centred", R - mean, "distances", "How far each feature is from the centre.", "Measure")
        why = "A spreadsheet's STDEV: the squares over n − 1, and the root."
        spread = noted("stdev", sqrt(column_sums(off**2) / (R.shape[0] - 1)), "spread", why, "Measure")
        normed = noted(
            "normed", off / (spread + EPS), "mean 0, spread 1", "0.001 keeps the divisor from 0.", "Rescale"
        )
        scale = g(gamma, "gamma", "scales, on a diagonal")
        N = noted(
            "N",
            scale @ normed + g(beta, "beta", "shifts"),
            "rescaled",
            "A learned scale and shift.",
            "Rescale",
        )
    return [R, mean, off, spread, normed, N]


def _feed_forward(g: Sheet, X: Matrix, *keys: str) -> list[Matrix]:
    with block("ff", "Feed-forward", why="Works on each token alone."):
        W_1, b_1, W_2, b_2 = (
            g(key, name) for key, name in zip(keys, ("W_1", "b_1", "W_2", "b_2"), strict=True)
        )
        H = noted(
            "H", W_1 @ X + b_1, "hidden layer", "Each row of weights adds up what it looks for.", "Weigh"
        )
        active = noted("H_relu", relu(H), "what is let through", "Negative numbers become 0.", "Bend")
        Y = noted("Y_raw", W_2 @ active + b_2, "weighted sums", "Back to the features of a token.", "Weigh")
        return [
            H,
            active,
            Y,
            noted("Y", relu(Y), "cut off once more", "The sheet has a second ReLU here.", "Bend"),
        ]
