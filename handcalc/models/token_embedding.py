"""Token embedding: from token numbers to columns, by each token and its place."""

from __future__ import annotations

from handcalc.formulas.transformer import Norm, layer_norm
from handcalc.models.tensor_shapes import PLACE_TABLE, TYPE_TABLE, WORD_TABLE, Architecture
from handcalc.models.tensors import Tensors
from handcalc.models.tokenizing import Tokens
from handcalc.operations import Gather
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix

EMBEDDING_TITLE = "Embedding"
EMBEDDING_WHY = "Each token becomes a column of numbers, which say what it is and where it stands."
STAGE = "Look up"
LOOKED_UP_WHY = "What is each token? Its column of the table, the same wherever it stands."
ADDED_WHY = "Attention sees no order, so each token gets the numbers of its place added to its own."
TYPE_ADDED_WHY = "Adds the numbers of its place, and those that all tokens of a first sentence get."


def of_bert(tokens: Tokens, tensors: Tensors, model: Architecture, norm: Norm) -> Matrix:
    """Word piece + place + type, and a layer norm.  -> (d_model, n)

    Of the large table, the record holds the columns of those pieces that occur.
    """
    pieces = dict(zip(tokens.numbers, tokens.labels, strict=True))
    with block("embedding", EMBEDDING_TITLE, why=EMBEDDING_WHY):
        table = tensors.rows(WORD_TABLE[model.kind], list(pieces)).T  # (d_model, different pieces)
        W_E = Matrix(table, "W_E", rows="f", columns=list(pieces.values())).named(
            "W_E", f"the word pieces that occur, of {model.vocabulary:,}"
        )
        places = list(pieces)
        words = _looked_up(W_E, [places.index(number) for number in tokens.numbers], tokens)
        W_P = _places(tensors, model, len(tokens.numbers))
        W_T = Matrix(tensors.read(TYPE_TABLE, 1).T, "W_T", rows="f").named("W_T", "type: a first sentence")
        X = (words + W_P + W_T).named("X", "what it is, where it is", why=TYPE_ADDED_WHY, stage="Add")
        return layer_norm(X, *norm, eps=model.eps)


def of_gpt_2(tokens: Tokens, W_E: Matrix, tensors: Tensors, model: Architecture) -> Matrix:
    """Token + place.  (d_model, vocabulary), n tokens -> (d_model, n)"""
    with block("embedding", EMBEDDING_TITLE, why=EMBEDDING_WHY):
        words = _looked_up(W_E, tokens.numbers, tokens)
        W_P = _places(tensors, model, len(tokens.numbers))
        return (words + W_P).named("X", "what it is, where it is", why=ADDED_WHY, stage="Add")


def _looked_up(W_E: Matrix, places: list[int] | tuple[int, ...], tokens: Tokens) -> Matrix:
    return Gather(places)(W_E).named(
        "words", "what each token is", why=LOOKED_UP_WHY, stage=STAGE, columns=tokens.labels
    )


def _places(tensors: Tensors, model: Architecture, n: int) -> Matrix:
    """The columns that the first n places add."""
    labels = [f"place {place}" for place in range(1, n + 1)]
    found = Matrix(tensors.read(PLACE_TABLE[model.kind], n).T, "W_P", rows="f", columns=labels)
    return found.named("W_P", f"the first {n} of {model.longest:,} places")
