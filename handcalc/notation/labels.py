"""The labels beside rows and above columns: a letter that is counted, or words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation import numbers
from handcalc.notation.accepted_types import LabelsLike
from handcalc.notation.identifiers import read_text
from handcalc.notation.validation import read_list

Labels = str | tuple[str, ...] | None


def read_labels(labels: LabelsLike, count: int, kind: str, name: str | None) -> Labels:
    """Labels as they are kept: a letter, or one word for each row or column."""
    if labels is None or isinstance(labels, str):
        return read_text(labels, f"The {kind} label")
    words = _words(labels, count, kind)
    if len(words) != count:
        found = len(words) if len(words) < count else f"more than {count}"
        raise HandcalcError(
            f"{name or 'The matrix'} has {count} {kind}s, but {found} {kind} labels were given."
        )
    return tuple([_word(word, kind) for word in words])


def read_words(words: object) -> tuple[str, ...]:
    """Words to choose from, at least one: text on one line each."""
    found = read_list(words, f"The words are {short(words)}; they must be a list of words.")
    if not found:
        raise HandcalcError("The list of words is empty; there is nothing to choose from.")
    return tuple([_word(word, "row") for word in found])


def relabelled(old: Labels, new: LabelsLike, count: int, kind: str, name: str | None) -> Labels:
    """New labels in place of old ones, which stay where none are given; a letter does not replace words."""
    if new is None or (type(old) is tuple and isinstance(new, str)):
        return old
    return read_labels(new, count, kind, name)


def spell_labels(labels: Labels, count: int) -> tuple[str, ...] | None:
    """Labels as they are read: `"q"` gives q₁, q₂, …"""
    if not isinstance(labels, str):
        return labels
    return tuple(numbers.label(labels, i) for i in range(count))


def _words(labels: object, count: int, kind: str) -> list[object]:
    """The labels, cut off after one too many: the list may be endless."""
    try:
        if isinstance(labels, Iterable) and not isinstance(labels, bytes | dict | set):
            return list(islice(labels, count + 1))
    except Exception:  # noqa: BLE001 - whatever a stream raises, it holds no labels
        pass
    raise HandcalcError(
        f"The {kind} labels are {short(labels)}; they must be a list of words, or one letter."
    )


def _word(word: object, kind: str) -> str:
    if isinstance(word, int | float | np.number):
        word = short(word.item() if isinstance(word, np.number) else word)
    return read_text(word, f"A {kind} label") or ""


def labels_that_fit(
    rows: list[Labels], columns: list[Labels], shapes: list[tuple[int, int]], shape: tuple[int, ...]
) -> tuple[list[Labels], list[Labels]]:
    """The labels of those inputs that are as high, or as wide, as the result."""
    height, width = shape[0], shape[1]
    return (
        [label if s[0] == height else None for label, s in zip(rows, shapes, strict=True)],
        [label if s[1] == width else None for label, s in zip(columns, shapes, strict=True)],
    )
