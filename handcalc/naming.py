"""A distinct name for every matrix of a record, so that layers can simply be joined.

Where several matrices have the same name, the last one keeps it and the earlier ones are called layer_1.Q,
layer_2.Q and so on; a given without a name is called given_1, and what would be too long to be written
inline (growth.py) step_1. The matrices themselves stay as they are: a record that needs other names is
made of copies, which know their origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from handcalc.graph import renamed
from handcalc.growth import NOTHING, step_names
from handcalc.matrix import Matrix


def named_apart(record: Sequence[Matrix], kept: Mapping[Matrix, str] = NOTHING) -> Sequence[Matrix]:
    """The record, inputs before their readers, with no name twice, no given and nothing long unnamed.

    `kept` are names that matrices had in a record before, and have in this one, too.
    """
    if kept:
        record = renamed(record, kept)
    names = {} if kept else _names_of(record)
    names |= step_names(record, names)
    return renamed(record, names) if names else record


def _names_of(record: Sequence[Matrix]) -> dict[Matrix, str]:
    """New names for givens without one, and for all but the last of those that have the same."""
    names = [m.name for m in record if m.name or m.operation is None]
    if None not in names and len(set(names)) == len(names):
        return {}
    order = _as_read(record)
    last = {m.name: m for m in order if m.name}
    free, found = _Free(set(last)), {}
    for matrix in order:
        if matrix.name is not None and last[matrix.name] is not matrix:
            found[matrix] = free.name("layer_", f".{matrix.name}")
    for matrix in record:
        if matrix.name is None and matrix.is_given:
            found[matrix] = free.name("given_")
    return found


def _as_read(record: Sequence[Matrix]) -> Iterable[Matrix]:
    """The record with each given where it is read first: a weight is numbered with its layer."""
    read = {*chain.from_iterable([m.inputs for m in record])}
    computed = [(*m.inputs, m) for m in record if m.operation is not None or m not in read]
    return dict.fromkeys(chain.from_iterable(computed))


class _Free:
    """Names that nothing has yet."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.counts: dict[tuple[str, str], count[int]] = {}

    def name(self, head: str, tail: str = "") -> str:
        """The first of step_1, step_2, … that is not taken; it is taken from then on."""
        numbers = self.counts.setdefault((head, tail), count(1))
        name = next(name for k in numbers if (name := f"{head}{k}{tail}") not in self.taken)
        self.taken.add(name)
        return name
