"""The fields of a matrix while it is being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handcalc.notation.labels import Labels
from handcalc.notation.numbers import Values
from handcalc.operations import Operation

if TYPE_CHECKING:
    from weakref import ref

    from handcalc.record.blocks import Block
    from handcalc.record.inlining import Size
    from handcalc.record.matrix import Matrix


class Draft:
    """What can still be written to; `matrix.frozen` turns it into a Matrix, which cannot."""

    __slots__ = (
        "__weakref__",
        "block",
        "columns_",
        "inputs",
        "meaning",
        "name",
        "never_negative",
        "operation",
        "origin",
        "renamed",
        "rows_",
        "serial",
        "size",
        "stage",
        "values",
        "why_",
    )

    values: Values
    name: str | None
    meaning: str | None
    why_: str | None  # its own sentence; without one, its operation has one
    stage: str | None  # of the way through its sheet: Project, Compare, Share, Mix
    operation: Operation | None
    inputs: tuple[Matrix, ...]
    never_negative: bool
    rows_: Labels
    columns_: Labels
    block: Block | None  # the part of a calculation that it belongs to (blocks.py)
    origin: Matrix | None  # of a copy that a record made to name things apart, the matrix itself

    serial: int  # matrices are counted as they are made: an input before its reader
    # what was worked out about it, kept because it cannot change
    size: Size | None  # of its arithmetic (growth.py)
    renamed: ref[Matrix] | None  # its copy in the record that was made last (graph.py)


FIELDS = frozenset(Draft.__slots__) - {"__weakref__", "serial", "size", "renamed"}
