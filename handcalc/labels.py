"""What stands beside the rows and above the columns: a letter that is counted, or words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from handcalc import numbers
from handcalc.errors import HandcalcError

Labels = str | tuple[str, ...] | None


def checked(labels: Labels | Sequence[str], count: int, kind: str, name: str | None) -> Labels:
    """Labels as they are kept: a letter, or one word for each row or column."""
    if labels is None or isinstance(labels, str):
        return labels
    if not isinstance(labels, Iterable):
        raise HandcalcError(f"The {kind} labels are {labels!r}; they are a list of words, or one letter.")
    words = tuple(str(word) for word in labels)
    if len(words) != count:
        raise HandcalcError(
            f"{name or 'The matrix'} has {count} {kind}s, but {len(words)} {kind} labels were given."
        )
    return words


def relabelled(old: Labels, new: Labels | Sequence[str], count: int, kind: str, name: str) -> Labels:
    """New labels in place of old ones; a letter does not replace words."""
    keep = isinstance(old, tuple) and isinstance(new, str)
    return old if keep else checked(new, count, kind, name)


def spelled(labels: Labels, count: int) -> tuple[str, ...] | None:
    """Labels as they are read: `"q"` gives q₁, q₂, …"""
    if not isinstance(labels, str):
        return labels
    return tuple(numbers.label(labels, i) for i in range(count))
