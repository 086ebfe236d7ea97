"""One block of a large calculation as a page opens it: its own steps, and the ways to other blocks.

Matrices from other blocks are givens here, and every matrix has its name in the whole (`origin`)
and which blocks read it (`into`). Of a table from which a few columns are looked up only those are sent. A
sheet without its weights begins with the steps calculated from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.notation.numbers import counted
from handcalc.operations import Gather
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.record.rewriting import run_again
from handcalc.record.subgraph import block_path
from handcalc.views.atlas import atlas_outline
from handcalc.views.variants import variants

LONG_TABLE = 4_096  # columns (or rows) of a table, of which only those are sent that are looked up
MAX_BLOCK_NUMBERS = 8_000_000  # numbers: 30 to 60 MB for a page that opens it
WITHOUT_WEIGHTS = "calculated with weights that are left out here"
SHARED_TABLE = 1_000_000  # numbers of a given that several blocks may read, such as a table of words
HEAVY_GIVEN = 4_096  # numbers of a given that a sheet without its weights leaves out
About = dict[str | None, dict[str, Any]]  # by name in the block


def block_sheet(calculation: Calculation, path: str, *, has_weights: bool = True) -> dict[str, Any]:
    """A block as JSON values: {"variants", "left_out": names in the whole}; UnknownNameError for no path.

    Without its weights, or if it has too many numbers, what is calculated with them is given; `is_file` is
    whether that is for a file's sake.
    """
    level = calculation.level(path)
    about = _about(calculation, level, path)
    whole = _looked_up(level, about)
    is_whole = has_weights and atlas_outline.count_numbers(whole) <= MAX_BLOCK_NUMBERS
    shown = whole if is_whole else _light(whole, about)
    forms = variants(shown)
    for form in forms:
        form.pop("map", None)
        for entry in form["spec"]["matrices"]:
            entry.update(about.get(entry["name"], {}))
    gone = [about[name] for name in whole.givens if name not in shown]
    left_out = [matrix["origin"] for matrix in gone if matrix["is_own"] or matrix["is_table"]]
    return {"variants": forms, "left_out": left_out, "is_file": not has_weights}


def _about(calculation: Calculation, level: Calculation, path: str) -> About:
    """For each matrix of a level: its name in the whole, whether it is from outside, its readers' blocks."""
    index = calculation._parts
    found: About = {}
    for name, matrix in level.items():
        origin = matrix if level is calculation else level.origin(matrix)
        paths = dict.fromkeys(block_path(reader) for reader in index.readers.get(origin, ()))
        found[name] = {
            "origin": origin.name,
            "from_outside": matrix.is_given and (not origin.is_given or block_path(origin) != path),
            "is_own": matrix.is_given and origin.is_given and block_path(origin) == path,
            "is_table": origin.is_given and origin.values.size > SHARED_TABLE,
            "into": [other for other in paths if other != path],
        }
    return found


def _light(level: Calculation, about: About) -> Calculation:
    """The level without its weights: steps calculated with them become givens, if a step remains."""
    own = {m for m in level.givens.values() if m.values.size > HEAVY_GIVEN and about[m.name]["is_own"]}
    heavy = own | {m for m in level.givens.values() if about[m.name]["is_table"]}
    for matrix in level.record:
        if matrix.is_inline and not matrix.is_given and heavy.intersection(matrix.inputs):
            heavy.add(matrix)  # unnamed matrices made of them

    def cut(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if old.name and heavy.intersection(old.inputs):
            return old.replace(operation=None, inputs=(), why=None, stage=None, meaning=WITHOUT_WEIGHTS)
        return run_again(old, inputs)

    record = level.rewritten(cut).record
    read = {read for m in record for read in m.inputs}
    kept = [m for m in record if m.name and (m.name in level.steps or m in read)]
    if all(m.is_given for m in kept):
        return level
    now_given = {m.name for m in kept if m.is_given}
    for step in (m for name, m in level.steps.items() if name in now_given):
        reads = [about[m.name] for m in step.reads()]
        about[step.name]["read_from"] = [m["origin"] for m in reads if m["from_outside"]]
    return Calculation(*kept, title=level.title, convention=level.convention)


def _looked_up(level: Calculation, about: About) -> Calculation:
    """The level in which a long table has only the columns (rows) that are looked up in it."""
    tables = {m: readers for m in level.givens.values() if (readers := _lookups(m, level))}
    if not tables:
        return level
    used: dict[Matrix, list[int]] = {}
    for table, readers in tables.items():
        used[table] = sorted({i for reader in readers for i in _gather(reader).indices})
        about[table.name]["is_part"] = True

    def cut(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if old in used:
            return _cut(old, used[old], _gather(tables[old][0]).axis)
        if old.inputs and old.inputs[0] in used:
            at = {index: k for k, index in enumerate(used[old.inputs[0]])}
            operation = _gather(old)
            return Gather([at[i] for i in operation.indices], operation.axis)(inputs[0]).described_like(old)
        return run_again(old, inputs)

    return level.rewritten(cut)


def _lookups(table: Matrix, level: Calculation) -> list[Matrix]:
    """The readers of a long table, if all of them look up columns (rows) in it; else none."""
    readers = [m for m in level.record if table in m.inputs]
    is_looked_up = all(isinstance(m.operation, Gather) for m in readers)
    return readers if is_looked_up and max(table.shape) > LONG_TABLE else []


def _gather(reader: Matrix) -> Gather:
    assert isinstance(reader.operation, Gather)
    return reader.operation


def _cut(table: Matrix, used: list[int], axis: int) -> Matrix:
    count = table.shape[axis]
    labels = (table.description.rows, table.description.columns)[axis]
    words = [
        f"{labels[i]} {counted(i)}" if labels and not isinstance(labels, str) else str(counted(i))
        for i in used
    ]
    new = Matrix(np.take(table.values, used, axis=axis), table.name)
    what = f"{len(used)} of {count:,} {('rows', 'columns')[axis]}"
    about = {"meaning": ", ".join(filter(None, [table.meaning, what])), "block": table.block}
    return new.replace(
        **about,
        **{
            ("rows", "columns")[axis]: tuple(words),
            ("columns", "rows")[axis]: (table.description.columns, table.description.rows)[axis],
        },
    )
