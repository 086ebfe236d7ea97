"""Switching a part off: its result counts as 0, and everything else goes on as before (an ablation).

Which parts can be is read off the record: a block whose result is put beside others, as heads are, or added
to what went past it, as what attention or a feed-forward network has found.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from handcalc.foundation.errors import UnknownNameError, kind, listed, short
from handcalc.notation.names import has_slopes, words_of_path
from handcalc.notation.validation import read_list
from handcalc.operations import Add, Concat, Constant, Multiply, Same
from handcalc.record.calculation import Calculation
from handcalc.record.graph import readers_of
from handcalc.record.matrix import Matrix, constant
from handcalc.record.rewriting import run_again

SUFFIX = "_off"
ABLATION_WHY = (
    "What if this part had found nothing? Each of its numbers counts as 0; everything else goes on as before."
)


class Ablation(NamedTuple):
    """A block's result with its only reader, and the step that zeroes it if the block is switched off."""

    path: str
    result: Matrix
    reader: Matrix
    zeros: Matrix | None

    @property
    def words(self) -> str:
        """The block as a person reads it: `layer 1, attention, head 2`."""
        return words_of_path(self.path.split("."))

    def switched(self, result: Matrix, is_off: bool) -> Matrix:
        """The step that makes zeros of the result, or an idle one in its place."""
        made = result * constant(0) if is_off else Same()(result)
        return made.described_like(self.result).replace(
            name=f"{self.result.name}{SUFFIX}", meaning="switched off", why=ABLATION_WHY
        )


def ablations(calculation: Calculation) -> list[Ablation]:
    """The parts of a calculation that can be switched off, in order; none where slopes go back through it."""
    if has_slopes(calculation):
        return []
    readers = readers_of(calculation.record)
    features = 0 if calculation.convention == "columns" else 1
    found = [
        _finding(read, reader, readers)
        for reader in calculation.record
        if isinstance(reader.operation, Add)
        or (isinstance(reader.operation, Concat) and reader.operation.axis == features)
        for read in reader.inputs
    ]
    place = {matrix: k for k, matrix in enumerate(calculation.record)}
    taken = {matrix.name for matrix in calculation.record}
    free = [one for one in filter(None, found) if one.zeros or f"{one.result.name}{SUFFIX}" not in taken]
    return sorted(free, key=lambda each: place[each.result])


def _finding(read: Matrix, reader: Matrix, readers: Mapping[Matrix, Sequence[Matrix]]) -> Ablation | None:
    zeros = read if _makes_zeros(read) else None
    result = read.inputs[0] if zeros else read
    path = (result.name or "").rpartition(".")[0]
    home = _named_reader(reader, readers).rpartition(".")[0]
    is_inside = f"{home}.".startswith(f"{path}.")
    is_read_here_alone = len(readers[result]) == len(readers[read]) == 1
    if result.is_given or not path or is_inside or not is_read_here_alone:
        return None
    return Ablation(path, result, reader, zeros)


def _makes_zeros(matrix: Matrix) -> bool:
    """Whether it is a step of zeros that `Ablation.switched` makes."""
    if not isinstance(matrix.operation, Multiply) or not (matrix.name or "").endswith(SUFFIX):
        return False
    factor = matrix.inputs[1].operation
    return isinstance(factor, Constant) and factor.value == 0


def _named_reader(reader: Matrix, readers: Mapping[Matrix, Sequence[Matrix]]) -> str:
    """The name of the step that a sum belongs to, which may be written inside of another."""
    while reader.name is None and reader in readers:
        reader = readers[reader][0]
    return reader.name or ""


def read_ablated(value: Any, known: Sequence[str]) -> tuple[str, ...]:
    """The paths of the blocks that are to be off. Raises UnknownNameError for one that cannot be."""
    if value is None or value == "none":
        return ()
    asked = "ablate takes the path of a block, or a list of them."
    paths = [value] if isinstance(value, str) else read_list(value, asked)
    for path in paths:
        if not isinstance(path, str) or path not in known:
            shown = short(path) if isinstance(path, str) else kind(path)
            raise UnknownNameError(f"ablate takes one of {listed(known)}, not {shown}.")
    return tuple(path for path in known if path in paths)


def with_off(
    calculation: Calculation, off: Collection[str] | None, *, has_places: bool = False, title: str = ""
) -> Calculation:
    """The record with these blocks switched off and all others on; None leaves each as it is.

    With `has_places`, a block that is on has an idle step where it would be switched off.
    """
    found = ablations(calculation)
    of_reader: dict[Matrix, dict[Matrix, tuple[Ablation, bool]]] = {}
    for one in found:
        is_off = one.zeros is not None if off is None else one.path in off
        if is_off != (one.zeros is not None) or (has_places and not is_off):
            of_reader.setdefault(one.reader, {})[one.zeros or one.result] = one, is_off
    gone = {read for reads in of_reader.values() for read, (one, _) in reads.items() if one.zeros}

    def switch(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if old in gone:
            return inputs[0]
        if old in of_reader:
            inputs = tuple(
                [
                    _read_as(new, of_reader[old].get(read), has_places)
                    for read, new in zip(old.inputs, inputs, strict=True)
                ]
            )
        new = run_again(old, inputs)
        return new.replace() if new.original is not new else new

    return calculation.rewritten(switch, title=title)


def _read_as(result: Matrix, asked: tuple[Ablation, bool] | None, has_places: bool) -> Matrix:
    """The matrix that a reader gets for a result: zeros, the result, or an idle step after it."""
    if asked is None:
        return result
    finding, is_off = asked
    return finding.switched(result, is_off) if is_off or has_places else result
