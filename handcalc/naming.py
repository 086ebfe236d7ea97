"""Names that tell all matrices of a record apart, so that layers can be joined without a thought.

Where several matrices bear one name, the last one keeps it and the earlier ones are called layer_1.Q,
layer_2.Q and so on; a given without a name is called given_1. The matrices themselves stay as they
are: a record that needs other names is made of twins, which know their origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from handcalc.matrix import Matrix


def disambiguate_names(record: Sequence[Matrix]) -> tuple[Matrix, ...]:
    """The record, inputs before their readers, with no name borne twice and no given unnamed."""
    names = [m.name for m in record if m.name or m.operation is None]
    if None not in names and len(set(names)) == len(names):
        return tuple(record)
    last: dict[str, Matrix] = {m.name: m for m in record if m.name}
    taken = set(last)
    twins: dict[int, Matrix] = {}
    for matrix in record:
        name = matrix.name
        if name is None:
            name = _free("given_", "", taken) if matrix.is_given else None
        elif last[name] is not matrix:
            name = _free("layer_", f".{name}", taken)
        if name != matrix.name or any(id(m) in twins for m in matrix.inputs):
            twins[id(matrix)] = matrix.twin(name, tuple(twins.get(id(m), m) for m in matrix.inputs))
    return tuple(twins.get(id(m), m) for m in record)


def _free(head: str, tail: str, taken: set[str]) -> str:
    name = next(name for k in count(1) if (name := f"{head}{k}{tail}") not in taken)
    taken.add(name)
    return name
