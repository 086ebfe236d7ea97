"""A real model's numbers for “it” in one sentence and in twenty pairs of sentences, without the model.

Source and licence stand in one_sentence.json and twenty_pairs.json beside this file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import column_means

__all__ = [
    "minilm_cls",
    "minilm_first_layer",
    "minilm_heads",
    "minilm_pairs",
    "minilm_sentences",
    "minilm_shares",
]

LAYERS, HEADS = 6, 12
NAMES = [f"{layer}.{head}" for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)]
SENTENCES = ["tired", "wide"]
TITLE = "Twenty pairs of sentences: the noun that the first word fits, minus the other"


@cache
def _data(name: str) -> dict[str, Any]:
    """The data in a file beside this one: "one_sentence" or "twenty_pairs"."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    return found


def minilm_shares(head: str = "4.2") -> Matrix:
    """The shares of “it” over the 16 tokens, a column for each sentence, “tired” and “wide”.  (16, 2)

    >>> hc.examples.minilm_shares("4.2").values[2].round(2)  # of “animal”: “tired”, then “wide”
    array([0.68, 0.28])

    `head` is "4.2", layer 4 head 2, which was picked after looking at all 72; "6.12"; or "mean", of all 72.
    Shares have 4 decimals. Raises HandcalcError for another head.
    """
    shares = _data("one_sentence")["shares"]
    if head not in shares:
        raise HandcalcError(f"head is {short(head)}; there are {listed(shares)}.")
    columns = shares[head]
    numbers = list(zip(*columns.values(), strict=True))
    what = "mean of 72 heads" if head == "mean" else "layer {}, head {}".format(*head.split("."))
    return Matrix(numbers, "A_it", rows=_data("one_sentence")["tokens"], columns=list(columns)).named(
        "A_it", f"shares of “it”: {what}"
    )


def minilm_heads(last: str = "tired") -> Matrix:
    """What “it” gives to “animal” minus what it gives to “street”, for each layer and head.  (6, 12)

    >>> hc.examples.minilm_heads("tired").values[3, 1:2].round(2)  # layer 4, head 2
    array([0.63])

    `last` is the last word, "tired" or "wide". Raises HandcalcError for another one.
    """
    differences = _data("one_sentence")["animal_minus_street"]
    if last not in differences:
        raise HandcalcError(f"The last word is {short(last)}; it must be {listed(differences)}.")
    rows, columns = [f"layer {i}" for i in range(1, 7)], [f"head {i}" for i in range(1, 13)]
    name = f"D_{last}"
    return Matrix(differences[last], name, rows=rows, columns=columns).named(name, "“animal” minus “street”")


def minilm_first_layer() -> Calculation:
    """What “it” gives to “animal” and to “street” in the 12 heads of the first layer, and the ratio.

    >>> hc.examples.minilm_first_layer()["ratio"].values[:2].round(2)
    array([[1.74, 1.74],
           [0.23, 0.23]])

    Steps: ratio = A_animal ÷ A_street (12, 2), a column for each sentence, “tired” and “wide”.
    """
    animal, street = (_of_first_layer(noun) for noun in ("animal", "street"))
    ratio = (animal / street).named("ratio", "how many times as much “animal” gets as “street”")
    return Calculation(ratio, title="“it” in the first layer of all-MiniLM-L6-v2")


def _of_first_layer(noun: str) -> Matrix:
    shares = _data("twenty_pairs")["first_layer"]
    heads = [f"head {head}" for head in range(1, HEADS + 1)]
    columns = [shares[last][noun] for last in SENTENCES]
    name = f"A_{noun}"
    found = Matrix([*zip(*columns, strict=True)], name, rows=heads, columns=SENTENCES)
    return found.named(name, f"share of “{noun}”")


def minilm_cls(last: str = "tired") -> Matrix:
    """What “it” gives to [CLS], for each layer and head.  (6, 12)

    >>> hc.examples.minilm_cls("tired").shape
    (6, 12)

    `last` is the last word, "tired" or "wide". Raises HandcalcError for another one.
    """
    shares = _data("twenty_pairs")["cls"]
    if last not in shares:
        raise HandcalcError(f"The last word is {short(last)}; it must be {listed(shares)}.")
    rows, columns = [f"layer {i}" for i in range(1, LAYERS + 1)], [f"head {i}" for i in range(1, HEADS + 1)]
    name = f"CLS_{last}"
    return Matrix(shares[last], name, rows=rows, columns=columns).named(name, "share of [CLS]")


def minilm_pairs(*heads: str) -> Calculation:
    """Twenty pairs of sentences that differ in one word: what “it” gives to one noun minus the other.

    >>> hc.examples.minilm_pairs("4.2", "6.12")["mean"]
    mean = mean↓ shift  (1 by 2, of twenty pairs)
     4.2  6.12
    0.30  0.04

    With its first word a sentence means the first noun, with the second word the second one. Givens: D_first
    and D_second, first noun minus second (20, heads); steps: shift = D_first − D_second, which is positive
    where a head moves the right way, and its mean (1, heads). `heads` are "4.2", layer 4 head 2, or several;
    all 72 without any. Raises HandcalcError for one that there is not.
    """
    unknown = [head for head in heads if head not in NAMES]
    if unknown:
        raise HandcalcError(f"head is {short(unknown[0])}; layer and head are “1.1” to “{LAYERS}.{HEADS}”.")
    chosen = [NAMES.index(head) for head in heads or NAMES]
    data = _data("twenty_pairs")
    pairs = [f"{first} {one}/{two}" for _, first, _, one, two in data["pairs"]]
    first, second = (
        Matrix(
            [[row[k] for k in chosen] for row in rows], name, rows=pairs, columns=[NAMES[k] for k in chosen]
        )
        for name, rows in zip(("D_first", "D_second"), data["first_minus_second"].values(), strict=True)
    )
    first = first.named("D_first", "first noun minus second, with the first word")
    second = second.named("D_second", "the same with the second word")
    shift = (first - second).named("shift", "above 0: the right way")
    mean = column_means(shift).named("mean", "of twenty pairs")
    return Calculation(shift, mean, title=TITLE)


def minilm_sentences() -> list[tuple[str, str]]:
    """The twenty pairs of sentences, as they were read.

    >>> tired, wide = hc.examples.minilm_sentences()[0]
    >>> print(tired)
    The animal didn't cross the street because it was too tired.
    """
    return [(text.format(one), text.format(two)) for text, _, _, one, two in _data("twenty_pairs")["pairs"]]
