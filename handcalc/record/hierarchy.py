"""A calculation made of calculations: its blocks, what goes into each and what comes out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from handcalc.foundation import lazy_rooms
from handcalc.record import subgraph
from handcalc.record.graph import still_read, toposort
from handcalc.record.matrix import Matrix
from handcalc.record.naming import named_apart

if TYPE_CHECKING:
    from handcalc.record.calculation import Calculation


class Composed(Mapping[str, Matrix]):
    """What a `Calculation` says of its blocks; it has a record, and a title."""

    title: str
    convention: str
    _listed: Sequence[Matrix]  # what it was built from, until somebody looks at the record

    if TYPE_CHECKING:  # calculation.py makes them

        @cached_property
        def record(self) -> tuple[Matrix, ...]: ...

        @cached_property
        def givens(self) -> Mapping[str, Matrix]: ...

        @cached_property
        def steps(self) -> Mapping[str, Matrix]: ...

    @abstractmethod
    def _like_this(self, record: Sequence[Matrix], title: str, convention: str) -> Calculation: ...

    @abstractmethod
    def _part(self, path: str, *, is_level: bool = False) -> Calculation:
        """A block as a calculation; with `is_level` its own steps alone."""

    @cached_property
    def blocks(self) -> Mapping[str, Calculation]:
        """Path -> block, in order, those around a block before it; each is a calculation of its own."""
        return Blocks(self)

    @cached_property
    def _parts(self) -> subgraph.Index:
        return subgraph.Index(self.record)

    @cached_property
    def inputs(self) -> Mapping[str, Matrix]:
        """What goes in: of a block what comes from outside it, else the givens that belong to no block."""
        names = [name for name in self.givens if "." not in name]
        return MappingProxyType({name: self[name] for name in vars(self).get("_inputs", names)})

    @cached_property
    def outputs(self) -> Mapping[str, Matrix]:
        """What comes out: of a block what others read, else what nothing reads."""
        read = {m for step in self.steps.values() for m in step.reads()}
        names = [name for name, m in self.steps.items() if m not in read]
        return MappingProxyType({name: self[name] for name in vars(self).get("_outputs", names)})

    @property
    def result(self) -> Matrix:
        """The last of what comes out: what another layer goes on from.

        Where nobody has looked at the record, it is not made for this.
        """
        if "record" not in vars(self) and _is_read_by_none(self._listed):
            return self._listed[-1]
        return [*self.outputs.values(), *self.values()][len(self.outputs) - 1]

    def level(self, path: str = "") -> Calculation:
        """A block's own steps alone (those of no block, without a path): what inner blocks found is given."""
        if not self._parts.about and not path:
            return cast("Calculation", self)
        return self._part(path, is_level=True)

    def with_more(self, matrices: Sequence[Matrix], *, title: str) -> Calculation:
        """The same calculation with more matrices after it, which may read its own."""
        names = {m.original: m.name for m in (*self.record, *matrices) if m.name}
        record = named_apart(toposort([*self.record, *matrices]), names)
        return self._like_this(record, title, self.convention)

    def without(self, path: str) -> Calculation:
        """The same calculation without one of its blocks, and without what depends on it."""
        gone: set[Matrix] = set()
        for matrix in self.record:
            if (matrix.name or "").startswith(f"{path}.") or not gone.isdisjoint(matrix.inputs):
                gone.add(matrix)
        only_there = {read for m in gone for read in m.inputs if read.is_given}
        only_there -= {read for m in self.record if m not in gone for read in m.inputs}
        kept = [m for m in self.record if m not in gone and m not in only_there]
        return self._like_this(still_read(kept), self.title, self.convention)

    def of(self, name: str) -> Matrix:
        """The slope of the loss for one matrix, where `hc.gradients` made this calculation; of its shape."""
        slope: Matrix = lazy_rooms.room("gradients").slope_of(self, name)
        return slope

    def learning_step(self, rate: float = 0.001, of: Sequence[str] | None = None) -> Calculation:
        """One step down the slopes that `hc.gradients` found: learning.W_Q_after = W_Q − rate · dW_Q, …

        `after.L` is the loss after it.
        """
        step: Calculation = lazy_rooms.room("gradients").learning_step(self, rate, of)
        return step

    def way(self, path: str) -> tuple[str, ...]:
        """The titles on the way to a block: of this calculation, of the blocks around it, and its own."""
        return (self.title, *(self._parts.way(path) if path else ()))

    def told_of_blocks(self) -> Iterable[tuple[str, subgraph.About]]:
        """The path of each block, and what a reader is told of it."""
        return self._parts.about.items()

    def numbered(self, path: str) -> str | None:
        """What a block is called where it has a number: `layer` for layer_2."""
        return self._parts.about[path].numbered if path else None

    def origin(self, matrix: Matrix) -> Matrix:
        """Of a block: what this matrix stands for in the calculation that the block was taken from."""
        origins: Mapping[Matrix, Matrix] = vars(self).get("_origins", {})
        return origins.get(matrix, matrix)


class Blocks(Mapping[str, "Calculation"]):
    """The blocks of a calculation by path, each made when somebody asks for it."""

    def __init__(self, calculation: Composed) -> None:
        self._calculation = calculation
        self._made: dict[str, Calculation] = {}

    def __getitem__(self, path: str) -> Calculation:
        if path not in self._made:
            self._made[path] = self._calculation._part(path)
        return self._made[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._calculation._parts.about)

    def __len__(self) -> int:
        return len(self._calculation._parts.about)

    def __repr__(self) -> str:
        return "\n".join(f"{path}: {about.title}" for path, about in self._calculation._parts.about.items())


def _is_read_by_none(listed: Sequence[Matrix]) -> bool:
    """Whether the last of them is a step that was made after the others, so that none of them reads it."""
    *others, last = [m.original for m in listed]
    return bool(last.name) and not last.is_given and all(m.is_older_than(last) for m in others)
