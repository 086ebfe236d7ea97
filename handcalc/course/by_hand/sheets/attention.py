"""Attention and the simple transformer: who looks at whom, given or worked out."""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, sheet
from handcalc.formulas.attention import multi_head_attention, self_attention
from handcalc.formulas.transformer import embedding
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import relu


@sheet("self_attention_small", "self_attention_medium", "self_attention_large")
def single_head(g: Sheet) -> list[Matrix]:
    """Q, K, V, scores, shares, and the mixture."""
    X = g("X", "X", "one token a column", rows="f", columns="x")
    return list(self_attention(X, g("W_Q"), g("W_K"), g("W_V")).record)


@sheet("multi_head_3")
def three_heads(g: Sheet) -> list[Matrix]:
    """Three heads of their own weights, stacked and mixed."""
    X = g("X", "X", "one token a column", rows="f", columns="x")
    heads = [[g.givens[f"W_{letter}{count}"] for letter in "QKV"] for count in (1, 2, 3)]
    return list(multi_head_attention(X, heads, g.givens["W_O"]).record)


@sheet("transformer_small", "transformer_medium")
def transformer(g: Sheet) -> list[Matrix]:
    """Shares that are given as 0 and 1, and two layers for each token by itself."""
    X, A = g("X", "X", "one token a column", rows="f", columns="x"), g("A", "A", "who looks at whom, given")
    with block(
        "attention", "Attention", why="Each token gathers from the tokens that its column of A names."
    ):
        Z = noted(
            "Z", X @ A, "what each token gathered", "A column of A says which columns of X to add up.", "Mix"
        )
    found, seen = [Z], Z
    for count in (1, 2):
        with block(f"ffn_{count}", f"Feed-forward, layer {count}", why="Works on each token alone."):
            W, b = g(f"W{count}", "W", "weights"), g(f"b{count}", "b", "biases")
            Y = noted(
                "Y", W @ seen + b, "weighted sums", "Each row of weights adds up what it looks for.", "Weigh"
            )
            read = embedding(Y, COLUMNS_READ) if g.is_published and (count, Y.shape[1]) == (2, 8) else Y
            seen = noted("next", relu(read), "what is let through", "Negative numbers become 0.", "Bend")
        found += [Y, seen]
    return found


COLUMNS_READ = [0, 4, 5, 6, 7, 5, 6, 7]  # as published: AE reads V, AF reads Z, AJ reads AA, and so on
