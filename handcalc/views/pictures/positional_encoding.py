"""Places as waves: every feature of a positional encoding as bars from place to place."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.record.matrix import Matrix, as_matrix
from handcalc.views.canvas import labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.bars import bars

MAX_PLACES, MAX_FEATURES = 12, 8


def positional_encoding(PE: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw every row of PE as bars, one for each place, with its number; they swing between −1 and 1.

    >>> hc.draw.positional_encoding(hc.positional_encoding(4, 2))
    <Figure: Places as waves: f₁: 0 at p₁, 0.84 at p₂, 0.91 at p₃, 0.14 at p₄; f₂: 1 at p₁, ...>

    PE (d_model, n) has numbers from −1 to 1. Raises HandcalcError for others, or for too many.
    """
    PE = checked_encoding(PE, "positional_encoding")
    rows, places = labels(PE.rows, PE.shape[0], "f"), labels(PE.columns, PE.shape[1], "p")
    return bars(PE.values.tolist(), rows, places, "Places as waves", theme)


def checked_encoding(PE: MatrixLike, function: str) -> Matrix:
    """PE as a matrix, if it is one of places: few, and of numbers from −1 to 1; else one plain sentence."""
    matrix = as_matrix(PE, "PE")
    if matrix.shape[0] > MAX_FEATURES or matrix.shape[1] > MAX_PLACES or abs(matrix.values).max() > 1 + 1e-9:
        raise HandcalcError(
            f"{function} draws up to {MAX_FEATURES} waves at {MAX_PLACES} places, numbers from −1 to 1; "
            f"{matrix.display_name} is {shape_text(matrix.shape)}, up to "
            f"{signed_number(abs(matrix.values).max())}."
        )
    return matrix
