"""An ordered set of named matrices: everything a person sees or does reads this record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, cast

from handcalc.foundation import lazy_rooms
from handcalc.foundation.errors import FrozenError, HandcalcError, UnknownNameError, kind, listed, short
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS, Convention, MatrixLike, Switch
from handcalc.notation.identifiers import read_text
from handcalc.record import graph, subgraph
from handcalc.record import spec as spec_
from handcalc.record.blocks import LAYER_NUMBER
from handcalc.record.consumers import Consumers
from handcalc.record.matrix import Matrix
from handcalc.record.naming import check_results, named_apart
from handcalc.record.rendering import Address, Explanation, checked_cell
from handcalc.record.rewriting import Rewrite, WhatIf, in_other_convention, refilled, run_again
from handcalc.record.slips import Slips, marked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLOCK_PORTS = ("_inputs", "_outputs")  # of a block


class Calculation(Mapping[str, Matrix]):
    """Named matrices in the order in which they are read, givens included.

    >>> A = hc.Matrix([[1, 2], [3, 4]], "A")
    >>> square = hc.Calculation((A @ A).named("B"), title="A square")
    >>> list(square), list(square.givens)
    (['A', 'B'], ['A'])

    It is built from results, and finds what they were computed from in the record. Matrices that are
    listed keep the order of the list; others come before the first one that reads them.

    It may have blocks (`hc.block`): `blocks` maps the path of each to a calculation of its own, in which
    names are short; here its matrices are called head_1.Q. Joined layers are blocks too: layer_1, layer_2.
    If matrices still share a name, earlier ones are called layer_1.Q, … (naming.py).
    Raises HandcalcError if a result has no name.
    """

    title: str
    why: str  # of a block: why it is there; else nothing
    path: str  # of a block: "attention.head_1"; else nothing
    convention: Convention
    _listed: Sequence[Matrix]  # the matrices it was built from, until the record is asked for

    def __init__(
        self, *matrices: Matrix, title: str = "Calculation", convention: Convention = "columns"
    ) -> None:
        check_results(_checked_matrices(matrices))
        vars(self)["_listed"] = matrices
        self._describe(title, convention)

    def _describe(self, title: str, convention: Convention, path: str = "", why: str = "") -> None:
        fields = vars(self)  # as nothing can be set
        fields["title"] = read_text(title, "The title") or "Calculation"
        fields["convention"] = _checked_convention(convention)
        fields["path"], fields["why"] = path, why

    @cached_property
    def record(self) -> tuple[Matrix, ...]:
        """Every matrix, unnamed ones too, inputs before their readers.

        It is made on first use, since in a stack of layers often only the whole is used.
        """
        before = {m.original: m.name for m in self._listed if m.original is not m and m.name}
        return tuple(named_apart(graph.toposort(self._listed), before=before))

    @cached_property
    def _matrices(self) -> Mapping[str, Matrix]:
        return {m.name: m for m in self.record if m.name and not m.is_idle}

    def _unchangeable(self, *_: object) -> NoReturn:
        raise FrozenError(
            "A calculation cannot be changed; .with_givens(…) and Calculation(…, title=…) make another one."
        )

    __setattr__ = __delattr__ = _unchangeable

    # a mapping from names to matrices ---------------------------------------------------------

    def __getitem__(self, name: str) -> Matrix:
        """The matrix of this name; "Z" also finds layer_2.Z, where no part but an earlier layer has one."""
        return self._matrices[find_name(name, self._matrices)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    def __copy__(self) -> Calculation:
        return self  # nothing in it can be changed

    def __deepcopy__(self, memo: object) -> Calculation:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        origins = graph.toposort(self.record)  # before their copies, so that pickle need not go deep
        ports = {field: vars(self)[field] for field in (*BLOCK_PORTS, "_slips") if field in vars(self)}
        return _restored, (origins, self.record, self.title, self.convention, self.path, self.why, ports)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @cached_property
    def givens(self) -> Mapping[str, Matrix]:
        """The matrices that were passed in."""
        return MappingProxyType({name: m for name, m in self._matrices.items() if m.is_given})

    @cached_property
    def steps(self) -> Mapping[str, Matrix]:
        """The matrices that were computed, in order."""
        return MappingProxyType({name: m for name, m in self._matrices.items() if not m.is_given})

    # blocks: a calculation made of calculations ------------------------------------------------

    @cached_property
    def blocks(self) -> Mapping[str, Calculation]:
        """Path -> block, in order, those around a block before it; each is a calculation of its own."""
        return Blocks(self)

    @cached_property
    def _parts(self) -> subgraph.BlockIndex:
        return subgraph.BlockIndex(self.record)

    @cached_property
    def inputs(self) -> Mapping[str, Matrix]:
        """What goes in: from outside a block, or, for the whole, the givens that belong to no block."""
        names = [name for name in self.givens if "." not in name]
        return MappingProxyType({name: self[name] for name in vars(self).get("_inputs", names)})

    @cached_property
    def outputs(self) -> Mapping[str, Matrix]:
        """What comes out: of a block, what others read; of the whole, what nothing reads."""
        read = {m for step in self.steps.values() for m in step.reads()}
        names = [name for name, m in self.steps.items() if m not in read]
        return MappingProxyType({name: self[name] for name in vars(self).get("_outputs", names)})

    @property
    def result(self) -> Matrix:
        """The last output, from which another layer continues; asking for it does not make the record."""
        if "record" not in vars(self) and _is_read_by_none(self._listed):
            return self._listed[-1]
        return [*self.outputs.values(), *self.values()][len(self.outputs) - 1]

    def level(self, path: str = "") -> Calculation:
        """A block's own steps alone (without a path, those of no block); inner blocks' results are givens."""
        if not self._parts.about and not path:
            return self
        return self._part(path, is_level=True)

    def with_more(self, matrices: Sequence[Matrix], *, title: str) -> Calculation:
        """The same calculation followed by more matrices, which may read its own."""
        names = {m.original: m.name for m in (*self.record, *matrices) if m.name}
        record = named_apart(graph.toposort([*self.record, *matrices]), names)
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
        return self._like_this(graph.drop_unread(kept), self.title, self.convention)

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

    def told_of_blocks(self) -> Iterable[tuple[str, subgraph.BlockAbout]]:
        """The path of each block, and what a reader is told of it."""
        return self._parts.about.items()

    def numbered(self, path: str) -> str | None:
        """What a block is called where it has a number: `layer` for layer_2."""
        return self._parts.about[path].numbered if path else None

    def origin(self, matrix: Matrix) -> Matrix:
        """Of a block: what this matrix stands for in the calculation that the block was taken from."""
        origins: Mapping[Matrix, Matrix] = vars(self).get("_origins", {})
        return origins.get(matrix, matrix)

    def _part(self, path: str, *, is_level: bool = False) -> Calculation:
        about = self._parts.about
        if path and path not in about:
            raise UnknownNameError(
                f"There is no block {short(path)} here; there are {listed(about) or 'none'}."
            )
        found = self._parts.part(path, is_level=is_level)
        title, why, _ = about[path] if path else (self.title, self.why, None)
        full_path = ".".join(filter(None, (self.path, path)))
        part = _of(found.record, title, self.convention, full_path, why)
        vars(part)["_inputs"] = [m.name for m in found.inputs]
        vars(part)["_outputs"] = [m.name for m in found.outputs]
        vars(part)["_origins"] = found.origins
        return part

    @property
    def has_tokens(self) -> bool:
        """Whether its columns mean tokens (in the other convention, its rows): some of them have labels."""
        if self.convention == "columns":
            return any(m.description.columns for m in self.values())
        return any(m.description.rows for m in self.values())

    # every cell -------------------------------------------------------------------------------

    def explain(self, name: str, row: int, column: int, places: int | None = 2) -> Explanation:
        """The arithmetic of one cell, counted from 0, which also knows the cells it feeds."""
        plain = self[name].explain(row, column, places)
        return Explanation(plain.matrix, plain.row, plain.column, plain.places, readers=self.feeds)

    def feeds(self, matrix: Matrix, row: int, column: int) -> list[Address]:
        """The cells that read this cell directly."""
        if not isinstance(matrix, Matrix):
            raise HandcalcError(f"feeds follows a cell of a matrix; got {kind(matrix)}.")
        return self._feeds.of(matrix, *checked_cell(matrix, row, column))

    @cached_property
    def _feeds(self) -> Consumers:
        return Consumers(self.record)

    # the same again ---------------------------------------------------------------------------

    def with_givens(self, /, **givens: MatrixLike) -> Calculation:
        """The recorded operations run again on other givens of the same shapes.

        Names with a dot go in as `**{"head_1.W_Q": ...}`. Raises HandcalcError for a name that no given
        has, or for another shape: a calculation of another size is another calculation.
        """
        fresh: dict[Matrix, Matrix] = {}
        for name, values in givens.items():
            old = self.get(name)
            if old is None or not old.is_given:
                raise UnknownNameError(
                    f"{short(name)} is not one of the givens, which are {listed(self.givens)}."
                )
            fresh[old] = refilled(old, values)
        return self.rewritten(lambda old, inputs: fresh.get(old) or run_again(old, inputs))

    @property
    def slips(self) -> Slips:
        """What a sheet does wrongly, of a calculation that has its numbers as they were published."""
        found: Slips = vars(self).get("_slips", Slips())
        return found

    def in_convention(self, convention: Convention) -> Calculation:
        """The same numbers with tokens as columns or as rows: every matrix transposed, A B as B A.

        `"rows"` is the convention of the paper and of PyTorch: Q = X W_Q, S = Q Kᵀ, Z = A V.
        """
        if _checked_convention(convention) == self.convention:
            return self
        turned = self.rewritten(in_other_convention, convention=convention)
        return marked(turned, [slip.turned() for slip in self.slips]) if self.slips else turned

    @property
    def what_ifs(self) -> Mapping[str, WhatIf]:
        """What `what_if` can switch here, by name: what it is now, and what it could be."""
        found: Mapping[str, WhatIf] = lazy_rooms.room("what_if.variations").what_ifs(self)
        return found

    def what_if(self, /, **switches: Switch) -> Calculation:
        """The same record with one operation exchanged: `what_if(scaling="none")`, `what_if(temperature=2)`.

        `scaling` is "sqrt_d_k", "d_k" or "none", `temperature` a number above 0, `mask` "none", or "causal"
        on top of the mask that is there (others, such as "padding", are handed to the formula as mask=),
        `ablate` a block that counts as 0, such as "head_2", or several, `text` another text of a model that
        looks up its letters or words, `order` the places of the tokens, [1, 0, 2, 3], and `zero` a given that
        is all zeros, or several.
        Raises HandcalcError for what cannot be switched here (`what_ifs` says what can).
        """
        switched: Calculation = lazy_rooms.room("what_if.variations").what_if(self, switches)
        return switched

    def rewritten(
        self, rewrite: Rewrite, *, title: str = "", convention: Convention | None = None
    ) -> Calculation:
        """The record with another matrix in the place of each; itself where none is another.

        `rewrite(old, inputs)` gets the inputs rewritten already. Unnamed matrices that nothing reads any
        more are dropped.
        """
        new: dict[Matrix, Matrix] = {}
        for old in self.record:
            new[old] = rewrite(old, tuple([new[m] for m in old.inputs]))
        if (convention or self.convention) == self.convention and all(new[m] is m for m in self.record):
            return self
        results = graph.drop_unread(new.values())
        names = {m.original: m.name for m in results if m.name}
        record = named_apart(graph.toposort(results), names)
        return self._like_this(record, title or self.title, convention or self.convention)

    def _like_this(self, record: Sequence[Matrix], title: str, convention: Convention) -> Calculation:
        new = _of(record, title, convention, self.path, self.why)
        vars(new).update({field: vars(self)[field] for field in BLOCK_PORTS if field in vars(self)})
        return new

    # written down -----------------------------------------------------------------------------

    def to_spec(self) -> spec_.Spec:
        """Everything as plain JSON values: what the browser evaluates, and what a file keeps.

        `matrices` lists every matrix, inputs before their readers; `inputs` are places in that
        list. Only givens bring values: a step's follow from them. `blocks` lists the sheets: the steps of no
        block first, then each block's own.
        """
        written = spec_.write_spec(self)
        if lazy_rooms.has_views():
            written["layout"] = lazy_rooms.view("page_spec").layout_spec(self)
            written["blocks"] = lazy_rooms.view("page_spec").sheet_specs(self)
        return written

    @classmethod
    def from_spec(cls, spec: Mapping[str, object]) -> Calculation:
        """The calculation that `to_spec` wrote down, computed again."""
        record, about = spec_.read_spec(spec)
        found = cls(*record, title=about["title"], convention=about["convention"])
        vars(found).update(
            {field: about[field] for field in ("path", "why", *BLOCK_PORTS, "_slips") if field in about}
        )
        return found

    # views (in handcalc/views, fetched when somebody looks) -------------------------------------

    def figure(self, *names: str, **options: object) -> Figure:
        """Heatmaps of the whole, or of the named matrices or blocks; with `map=True` the map of its blocks.

        See `views/heatmap.py` and `views/map/map_figure.py`.
        """
        if options.pop("map", False):
            return cast("Figure", lazy_rooms.view("map.map_figure").draw_block_map(self, *names, **options))
        return cast("Figure", lazy_rooms.view("heatmap").draw_heatmaps(self, *names, **options))

    def save_html(self, path: str | PathLike[str], **options: object) -> None:
        """Write the sheet as one page that works with no kernel and no network."""
        lazy_rooms.view("saved_page").save_html(self, path, **options)

    def save_xlsx(self, path: str | PathLike[str]) -> None:
        """Write a workbook: a sheet for each block, givens as numbers, every step as a live formula."""
        lazy_rooms.room("spreadsheet").save_workbook(self, path)

    def __repr__(self) -> str:
        return str(lazy_rooms.view("text").sheet_text(self))

    def _repr_html_(self) -> str:
        return str(lazy_rooms.view("html").sheet_html(self))


class Blocks(Mapping[str, "Calculation"]):
    """The blocks of a calculation by path, each made on demand."""

    def __init__(self, calculation: Calculation) -> None:
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


def _of(record: Sequence[Matrix], *about: Any) -> Calculation:
    """A calculation whose record is made already."""
    new = Calculation.__new__(Calculation)
    new._describe(*about)
    vars(new)["record"] = tuple(record)
    return new


def _restored(_: object, record: Sequence[Matrix], *fields: Any) -> Calculation:
    *about, ports = fields
    new = _of(record, *about)
    vars(new).update(ports)
    return new


def _checked_matrices(matrices: Sequence[Matrix]) -> Sequence[Matrix]:
    if not matrices:
        raise HandcalcError("A calculation needs at least one matrix.")
    for matrix in matrices:
        if not isinstance(matrix, Matrix):
            raise HandcalcError(f"A calculation is made of matrices; got {kind(matrix)}.")
    return matrices


def _checked_convention(convention: str) -> Convention:
    for known in TOKEN_CONVENTIONS:
        if isinstance(convention, str) and convention == known:
            return known
    raise HandcalcError(f'convention is {short(convention)}; it must be "columns" or "rows".')


def describe_non_calculation(thing: object) -> str:
    """Describe an argument that is no calculation; for a matrix, also say how to make one of it."""
    if isinstance(thing, Matrix):
        return f"a Matrix; hc.Calculation({thing.name or 'M'}) makes one of it"
    return short(thing) if isinstance(thing, str) else kind(thing)


def _is_read_by_none(listed: Sequence[Matrix]) -> bool:
    """Whether the last of them is a step that was made after the others, so that none of them reads it."""
    *others, last = [m.original for m in listed]
    return bool(last.name) and not last.is_given and all(m.is_older_than(last) for m in others)


def find_name(name: Any, names: Collection[str]) -> str:
    """The one of the names that is meant. Raises UnknownNameError where none is, or several could be."""
    if isinstance(name, str):
        if name in names:
            return name
        found = _ending_with(name, names)
        if len(found) > 1:
            raise UnknownNameError(
                f"{len(found)} matrices are called {name}: {listed(found)}; say which one."
            )
        if found:
            return found[0]
    raise UnknownNameError(f"There is no matrix {short(name)} here; there are {listed(names)}.")


def _ending_with(name: str, names: Collection[str]) -> list[str]:
    """The paths that end with this name; of the layers of a stack, that of the last one alone."""
    found = [path for path in names if path.endswith(f".{name}")]
    return list({LAYER_NUMBER.sub("", path): path for path in found}.values())
