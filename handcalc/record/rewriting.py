"""One matrix of a record in the place of another: run again, given other numbers, switched, or transposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from handcalc.foundation.errors import HandcalcError, shape_text
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.labels import Labels
from handcalc.record import graph
from handcalc.record.matrix import Matrix

Rewrite = Callable[[Matrix, tuple[Matrix, ...]], Matrix]  # (old, its inputs rewritten) -> new


class WhatIf(NamedTuple):
    """What can be switched: its value now, and the choices; for a temperature, which is free, examples."""

    title: str
    now: Any
    choices: tuple[Any, ...]

    def __repr__(self) -> str:
        now = [] if self.now is None else [f"{self.now!r} now"]
        others = ", ".join(repr(choice) for choice in self.choices if choice != self.now)
        return ", or ".join([*now, *filter(None, [others])])


def run_again(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
    """The recorded operation on other inputs; on the same ones, the same matrix."""
    if old.operation is None or inputs == old.inputs:
        return old
    is_relabelled = any(_labels(a) != _labels(b) for a, b in zip(inputs, old.inputs, strict=True))
    if old.operation.moves_labels or (is_relabelled and _follows_order(old)):
        return _with_moved_labels(old, inputs)
    return Matrix.computed(old.operation, *inputs).described_like(old)


def _follows_order(matrix: Matrix) -> bool:
    """Whether it was made of something that was sorted."""
    return any(m.operation is not None and m.operation.moves_labels for m in graph.toposort([matrix]))


def _with_moved_labels(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
    """Run again where words go with the numbers: labels, and what is chosen from, are in the new order."""
    assert old.operation is not None
    moved: dict[Labels, Labels] = {}
    for new, before in zip(inputs, old.inputs, strict=True):
        moved |= dict(zip(_labels(before), _labels(new), strict=True))
    words = getattr(old.operation, "words", None)
    operation = old.operation.with_words(moved[words]) if words and words in moved else old.operation
    new = Matrix.computed(operation, *inputs)
    rows, columns = (moved.get(label, label) for label in _labels(old))
    if operation.moves_labels:
        rows, columns = _labels(new)
    return new.described(old.description._replace(rows=rows, columns=columns))


def _labels(matrix: Matrix) -> tuple[Labels, Labels]:
    return matrix.description.rows, matrix.description.columns


def refilled(old: Matrix, values: MatrixLike) -> Matrix:
    """A given with other numbers of the same shape."""
    new = Matrix(values, old.name)
    if new.shape != old.shape:
        raise HandcalcError(
            f"{old.display_name} is {shape_text(old.shape)} here, but {shape_text(new.shape)} was given; "
            "for another size, call the formula again."
        )
    return new.described_like(old)


def in_other_convention(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
    """One matrix in the other convention, made from inputs that are in it already."""
    if old.operation is None:
        new = old.filled(old.values.T)
    else:
        new = Matrix.computed(old.operation.transposed(), *old.operation.order(inputs)).described_like(old)
    return new.replace(rows=old.description.columns, columns=old.description.rows)
