"""Pictures as tokens (Dosovitskiy et al. 2020, arXiv:2010.11929): patches, a class token, places."""

from __future__ import annotations

from handcalc.formulas.formula_names import as_layer, parameter
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.record.matrix_functions import concat, patches


@as_layer
def patch_embedding(
    picture: MatrixLike, W_E: MatrixLike, class_token: MatrixLike, places: MatrixLike, *, size: int
) -> Calculation:
    """Make tokens of a picture: X = [class, W_E · patches] + places.

    picture (height, width), W_E (d_model, size²), class_token (d_model, 1), places (d_model, patches + 1)
    -> X (d_model, patches + 1). Steps: patches, embedded, tokens, X. With a stride of `size` a convolution
    finds the same `embedded`.
    """
    picture = as_matrix(picture, "picture")
    cut = patches(picture, size).named(
        "patches",
        "one column for each patch",
        why="What could be a token? A small square: its pixels, read along the rows, become a column.",
        stage="Cut",
    )
    embedded = (parameter("W_E", W_E) @ cut).named(
        "embedded",
        "features of each patch",
        why="What should be known about a patch? Each feature is a weighted sum of its pixels.",
        stage="Embed",
    )
    return Calculation(picture, *_placed(embedded, class_token, places), title="Patch embedding")


def _placed(embedded: Matrix, class_token: MatrixLike, places: MatrixLike) -> list[Matrix]:
    """The class token in front, and the place added to every token: tokens and X."""
    front = as_matrix(class_token, "c")
    tokens = concat([front, embedded], axis=1).named(
        "tokens",
        "the class token in front",
        why="Who is to answer? One more learned column, which is not a patch, can gather from all.",
        stage="Place",
    )
    X = (tokens + as_matrix(places, "P")).named(
        "X",
        "with its place",
        why="Where does each patch lie? Attention would not know, so its place is added.",
        stage="Place",
    )
    return [embedded, tokens, X]
