"""Names that tell all matrices of a record apart, so that layers can be joined without a thought.

Where several matrices have one name, the last one keeps it and the earlier ones are called layer_1.Q,
layer_2.Q and so on; a given without a name is called given_1, and what would be too long to be written
inline (growth.py) step_1. The matrices themselves stay as they are: a record that needs other names is
made of copies, which know their origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from handcalc.growth import to_be_named
from handcalc.matrix import Matrix

NOTHING: Mapping[Matrix, str] = {}


def named_apart(record: Sequence[Matrix], kept: Mapping[Matrix, str] = NOTHING) -> tuple[Matrix, ...]:
    """The record, inputs before their readers, with no name twice, no given and nothing long unnamed.

    `kept` are names that matrices had in a record before, and have in this one, too.
    """
    names = kept or _names_of(record)
    record = _copied(record, names) if names else tuple(record)
    long = to_be_named(record)
    if not long:
        return record
    free = _Free({m.name for m in record if m.name})
    return _copied(record, {m: free.name("step_") for m in record if m in long})


def _names_of(record: Sequence[Matrix]) -> dict[Matrix, str]:
    """New names for givens without one, and for all but the last of those that have the same."""
    names = [m.name for m in record if m.name or m.operation is None]
    if None not in names and len(set(names)) == len(names):
        return {}
    last = {m.name: m for m in record if m.name}
    free, found = _Free(set(last)), {}
    for matrix in record:
        if matrix.name is None and matrix.is_given:
            found[matrix] = free.name("given_")
        elif matrix.name is not None and last[matrix.name] is not matrix:
            found[matrix] = free.name("layer_", f".{matrix.name}")
    return found


def _copied(record: Sequence[Matrix], names: Mapping[Matrix, str]) -> tuple[Matrix, ...]:
    """The record with other names for some, and with copies of all that rest on those."""
    copies: dict[Matrix, Matrix] = {}
    for matrix in record:
        name, inputs = names.get(matrix, matrix.name), tuple([copies.get(m, m) for m in matrix.inputs])
        if name != matrix.name or inputs != matrix.inputs:
            copies[matrix] = matrix.replace(name=name, inputs=inputs, origin=matrix.origin or matrix)
    return tuple([copies.get(m, m) for m in record])


class _Free:
    """Names that nothing has yet."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.counts: dict[tuple[str, str], count[int]] = {}

    def name(self, head: str, tail: str = "") -> str:
        """The first of step_1, step_2, … that is not taken, and is then."""
        numbers = self.counts.setdefault((head, tail), count(1))
        name = next(name for k in numbers if (name := f"{head}{k}{tail}") not in self.taken)
        self.taken.add(name)
        return name
