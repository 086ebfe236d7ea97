"""What one real model shows: how “it” shares out its attention in all-MiniLM-L6-v2, as numbers, without it.

Source and licence stand in minilm.json beside this file.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.matrix import Matrix

DATA = Path(__file__).with_suffix(".json")


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DATA.read_text("utf-8"))
    return found


def minilm_shares(head: str = "4.2") -> Matrix:
    """The shares of “it” over the 16 tokens, a column for each sentence, “tired” and “wide”.  (16, 2)

    `head` is "4.2", layer 4 head 2, which was picked after looking at all 72; "6.12"; or "mean", of all 72.
    Shares have 4 decimals. Raises HandcalcError for another head.
    """
    shares = _data()["shares"]
    if head not in shares:
        raise HandcalcError(f"head is {short(head)}; there are {listed(shares)}.")
    columns = shares[head]
    numbers = list(zip(*columns.values(), strict=True))
    what = "mean of 72 heads" if head == "mean" else "layer {}, head {}".format(*head.split("."))
    return Matrix(numbers, "A_it", rows=_data()["tokens"], columns=list(columns)).named(
        "A_it", f"shares of “it”: {what}"
    )


def minilm_heads(last: str = "tired") -> Matrix:
    """What “it” gives to “animal” minus what it gives to “street”, for each layer and head.  (6, 12)

    `last` is the last word, "tired" or "wide". Raises HandcalcError for another one.
    """
    differences = _data()["animal_minus_street"]
    if last not in differences:
        raise HandcalcError(f"The last word is {short(last)}; it must be {listed(differences)}.")
    rows, columns = [f"layer {i}" for i in range(1, 7)], [f"head {i}" for i in range(1, 13)]
    name = f"D_{last}"
    return Matrix(differences[last], name, rows=rows, columns=columns).named(name, "“animal” minus “street”")
