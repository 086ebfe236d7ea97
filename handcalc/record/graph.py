"""Matrices and their inputs as a graph: inputs before their readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handcalc.record.matrix import Matrix


def toposort(results: Sequence[Matrix]) -> tuple[Matrix, ...]:
    """Every matrix that the results depend on, each once, inputs before their readers.

    Steps come in the order in which they were written, what is handed in just before its first reader.
    """
    found: dict[Matrix, None] = {}
    for result in [m.original for m in results]:
        if not all(map(found.__contains__, result.inputs)):  # of most, all are found
            for matrix in sorted(_reached(result, found), key=_serial):
                if matrix.name:
                    _add(matrix, found)
        _add(result, found)
    return tuple(found)


def _add(matrix: Matrix, found: dict[Matrix, None]) -> None:
    """Add a step after all that it reads, also through unnamed matrices."""
    waiting = [matrix]
    while waiting:
        now = waiting[-1]
        missing = [m for m in now.inputs if m not in found]
        if missing and now not in found:
            right_first = now.operation and now.operation.reads_right_first
            waiting.extend(missing if right_first else reversed(missing))
        else:
            found[waiting.pop()] = None


_serial = attrgetter("_serial")


def _reached(result: Matrix, found: Mapping[Matrix, None]) -> set[Matrix]:
    """The computed matrices that a result depends on, and the result, except those already found."""
    waiting, reached = [result], set()
    while waiting:
        matrix = waiting.pop()
        if matrix.inputs and matrix not in reached and matrix not in found:
            reached.add(matrix)
            waiting.extend(matrix.inputs)
    return reached


def depends_on(matrix: Matrix, name: str) -> bool:
    """Whether the matrix, or one that it was computed from, has this name."""
    waiting, seen = [matrix], {matrix}
    while waiting:
        matrix = waiting.pop()
        if matrix.name == name:
            return True
        waiting.extend(m for m in matrix.inputs if m not in seen)
        seen.update(matrix.inputs)
    return False


def readers_of(record: Iterable[Matrix]) -> dict[Matrix, list[Matrix]]:
    """Each matrix that is read, with those that read it, in the order of the record."""
    found: dict[Matrix, list[Matrix]] = {}
    for reader in record:
        for read in reader.inputs:
            found.setdefault(read, []).append(reader)
    return found


def drop_unread(record: Iterable[Matrix]) -> list[Matrix]:
    """The record without unnamed matrices that none after them reads."""
    read: set[Matrix] = set()
    kept: list[Matrix] = []
    for matrix in reversed(list(record)):
        if matrix.name or matrix.original in read:
            kept.append(matrix)
            read.update([m.original for m in matrix.inputs])
    return kept[::-1]


def matrices_unread(record: Iterable[Matrix]) -> set[Matrix]:
    """The matrices of a record that no other one reads."""
    record = list(record)
    return set(record).difference(*[m.inputs for m in record])


def with_names(record: Iterable[Matrix], names: Mapping[Matrix, str]) -> tuple[Matrix, ...]:
    """The record with other names for some, and with copies of all that depend on those."""
    copies: dict[Matrix, Matrix] = {}
    found: list[Matrix] = []
    for matrix in record:
        name, inputs = names.get(matrix, matrix.name), matrix.inputs
        if inputs and not copies.keys().isdisjoint(inputs):
            inputs = tuple([copies.get(m, m) for m in inputs])
        if name != matrix.name or inputs is not matrix.inputs:
            copies[matrix] = matrix.copied(name, inputs)
        found.append(copies.get(matrix, matrix))
    return tuple(found)
