"""An ordered set of named matrices: everything a person sees or does reads this record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from handcalc import lazy, renamed
from handcalc import spec as spec_
from handcalc.errors import HandcalcError, UnknownNameError, listed, size
from handcalc.explanation import Address, Explanation
from handcalc.matrix import Matrix
from handcalc.naming import disambiguate_names
from handcalc.numbers import read_values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CONVENTIONS = ("columns", "rows")
Rewrite = Callable[[Matrix, tuple[Matrix, ...]], Matrix]  # (old, its inputs rewritten) -> new


class Calculation(Mapping[str, Matrix]):
    """Named matrices in the order in which they are read, givens among them.

    It is built from results: what they were computed from is found in the record. Matrices that are
    listed keep the order of the list; others stand before the first one that reads them.

    >>> A = Matrix([[1, 2], [3, 4]], "A")
    >>> square = Calculation((A @ A).named("B"), title="A square")
    >>> list(square), list(square.givens)
    (['A', 'B'], ['A'])

    Where different matrices bear one name, earlier ones are called layer_1.Q and so on (naming.py).
    Raises HandcalcError if a result has no name.
    """

    def __init__(self, *matrices: Matrix, title: str = "Calculation", convention: str = "columns") -> None:
        self.title = title
        self.convention = _checked_convention(convention)
        self.record = disambiguate_names(_toposort(matrices))  # every matrix, unnamed ones too, inputs first
        self._matrices = {m.name: m for m in self.record if m.name and not m.is_idle}
        _check_results(self.record)
        self._readers: dict[int, dict[tuple[int, int], list[Address]]] = {}

    # a mapping from names to matrices ---------------------------------------------------------

    def __getitem__(self, name: str) -> Matrix:
        try:
            return self._matrices[name]
        except (KeyError, TypeError):
            new = renamed.current(name, renamed.STEPS) if isinstance(name, str) else None
            if new in self._matrices:
                renamed.warn(f"The step {name}", new)
                return self._matrices[new]
            raise UnknownNameError(f"There is no matrix {name!r} here; there are {listed(self)}.") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def givens(self) -> Mapping[str, Matrix]:
        """The matrices that were handed in."""
        return MappingProxyType({name: m for name, m in self._matrices.items() if m.is_given})

    @property
    def steps(self) -> Mapping[str, Matrix]:
        """The matrices that were computed, in order."""
        return MappingProxyType({name: m for name, m in self._matrices.items() if not m.is_given})

    @property
    def has_tokens(self) -> bool:
        """Whether its columns mean tokens (in the other convention, its rows): some of them bear labels."""
        if self.convention == "columns":
            return any(m.columns_ for m in self.values())
        return any(m.rows_ for m in self.values())

    # every cell -------------------------------------------------------------------------------

    def explain(self, name: str, row: int, column: int, places: int | None = 2) -> Explanation:
        """The arithmetic of one cell, counted from 0, which also knows the cells it feeds."""
        plain = self[name].explain(row, column, places)
        return Explanation(plain.matrix, plain.row, plain.column, plain.places, readers=self.feeds)

    def feeds(self, matrix: Matrix, row: int, column: int) -> list[Address]:
        """The cells that read this cell directly."""
        readers = self._readers.get(id(matrix))
        if readers is None:
            readers = self._readers[id(matrix)] = self._find_readers(matrix)
        return readers.get((row, column), [])

    def _find_readers(self, matrix: Matrix) -> dict[tuple[int, int], list[Address]]:
        found: dict[tuple[int, int], list[Address]] = {}
        for step in self.steps.values():
            if any(m is matrix for m in step.reads()):
                for row, column in np.ndindex(*step.shape):
                    for source, i, j in step.sources(row, column):
                        if source is matrix:
                            found.setdefault((i, j), []).append((step, row, column))
        return found

    # the same again ---------------------------------------------------------------------------

    def with_givens(self, **givens: Any) -> Calculation:
        """The recorded operations run again on other givens of the same shapes.

        Names with a dot go in as `**{"head_1.W_Q": ...}`. Raises HandcalcError for a name that is
        no given, or for another shape: a calculation of another size is another calculation.
        """
        fresh: dict[int, Matrix] = {}
        for name, values in givens.items():
            old = self.givens.get(name)
            if old is None:
                raise UnknownNameError(f"{name!r} is no given; the givens are {listed(self.givens)}.")
            fresh[id(old)] = _refilled(old, values)
        return self.rewritten(lambda old, inputs: fresh.get(id(old)) or run_again(old, inputs))

    def in_convention(self, convention: str) -> Calculation:
        """The same numbers with tokens as columns or as rows: every matrix transposed, A B as B A.

        `"rows"` is the convention of the paper and of PyTorch: Q = X W_Q, S = Q Kᵀ, Z = A V.
        """
        if _checked_convention(convention) == self.convention:
            return self
        return self.rewritten(_turned, convention=convention)

    def rewritten(self, rewrite: Rewrite, *, title: str = "", convention: str = "") -> Calculation:
        """The record with another matrix in the place of each; itself where none is another.

        `rewrite(old, inputs)` gets the inputs rewritten already. What has no name and is read no more
        is gone.
        """
        new: dict[int, Matrix] = {}
        for old in self.record:
            new[id(old)] = rewrite(old, tuple([new[id(m)] for m in old.inputs]))
        if all(new[id(m)] is m for m in self.record):
            return self
        record = _still_read([new[id(m)] for m in self.record])
        return Calculation(*record, title=title or self.title, convention=convention or self.convention)

    # written down -----------------------------------------------------------------------------

    def to_spec(self) -> dict[str, Any]:
        """Everything as plain JSON values: what the browser evaluates, and what a file keeps.

        `matrices` lists every matrix, inputs before their readers; `inputs` are places in that
        list. Only givens bring values: a step's follow from them.
        """
        place = {id(m): i for i, m in enumerate(self.record)}
        return {
            "format": spec_.FORMAT,
            "version": spec_.VERSION,
            "title": self.title,
            "convention": self.convention,
            "has_tokens": self.has_tokens,
            "matrices": [spec_.write_matrix(m, place) for m in self.record],
            "layout": lazy.view("layout").to_spec(self),
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> Calculation:
        """The calculation that `to_spec` wrote down, computed again."""
        record, title, convention = spec_.read(spec)
        return cls(*record, title=title, convention=convention)

    # views (in handcalc/views, fetched when somebody looks) -------------------------------------

    def figure(self, *names: str, **options: Any) -> Figure:
        """Heatmaps of the whole sheet, or of the named matrices alone; see `views/heatmap.py`."""
        figure: Figure = lazy.view("heatmap").figure(self, *names, **options)
        return figure

    def save_html(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the sheet as one page that works with no kernel and no network."""
        lazy.view("page").save_html(self, path, **options)

    def __repr__(self) -> str:
        return str(lazy.view("text").sheet(self))

    def _repr_html_(self) -> str:
        return str(lazy.view("html").sheet(self))


def _toposort(matrices: tuple[Matrix, ...]) -> tuple[Matrix, ...]:
    """Every matrix that the results rest on, each once, inputs before their readers."""
    if not matrices:
        raise HandcalcError("A calculation needs at least one matrix.")
    odd = next((m for m in matrices if not isinstance(m, Matrix)), None)
    if odd is not None:
        raise HandcalcError(f"A calculation is made of matrices, not of things of type {type(odd).__name__}.")
    found: dict[int, Matrix] = {}
    waiting = [m.origin or m for m in reversed(matrices)]
    while waiting:
        matrix = waiting[-1]
        missing = [m for m in matrix.inputs if id(m) not in found]
        if missing and id(matrix) not in found:
            right_first = matrix.operation and matrix.operation.reads_right_first
            waiting.extend(missing if right_first else reversed(missing))
        else:
            found.setdefault(id(matrix), waiting.pop())
    return tuple(found.values())


def _still_read(record: list[Matrix]) -> list[Matrix]:
    """The record without unnamed matrices that none after them reads."""
    read: set[int] = set()
    kept: list[Matrix] = []
    for matrix in reversed(record):
        if matrix.name or id(matrix.origin or matrix) in read:
            kept.append(matrix)
            read.update([id(m.origin or m) for m in matrix.inputs])
    return kept[::-1]


def _check_results(record: tuple[Matrix, ...]) -> None:
    read = {id(m) for matrix in record for m in matrix.inputs}
    for matrix in record:
        if matrix.name is None and id(matrix) not in read:
            raise HandcalcError(
                f'The result {matrix.display_name} has no name; give it one with .named("name").'
            )


def _checked_convention(convention: str) -> str:
    if not isinstance(convention, str) or convention not in CONVENTIONS:
        raise HandcalcError(f'convention is {convention!r}; it is "columns" or "rows".')
    return convention


def run_again(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
    """The recorded operation on other inputs; on the same ones, the same matrix."""
    if old.operation is None or inputs == old.inputs:
        return old
    return copy_metadata(Matrix.computed(old.operation, *inputs), old)


def copy_metadata(new: Matrix, old: Matrix) -> Matrix:
    """Give a fresh matrix the name, meaning, reason and labels of the one whose place it takes."""
    new.name, new.meaning, new.why_ = old.name, old.meaning, old.why_
    new.rows_, new.columns_ = old.rows_, old.columns_
    return new


def _refilled(old: Matrix, values: Any) -> Matrix:
    values = values.values if isinstance(values, Matrix) else values
    array = read_values(values, old.display_name)
    if array.shape != old.shape:
        raise HandcalcError(
            f"{old.display_name} is {size(old.shape)} here, but {size(array.shape)} was given; "
            "for another size, call the formula again."
        )
    return copy_metadata(Matrix(array, old.name), old)


def _turned(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
    """One matrix in the other convention, made from inputs that have been turned already."""
    if old.operation is None:
        new = Matrix(old.values.T, old.name)
    else:
        new = Matrix.computed(old.operation.transposed(), *old.operation.order(inputs))
    new = copy_metadata(new, old)
    new.rows_, new.columns_ = old.columns_, old.rows_
    return new
