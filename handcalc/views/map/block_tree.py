"""The content of a map as a tree: blocks in blocks, and in each its own steps and its inputs.

The path of a matrix says where it belongs (`attention.head_1.Q`), the record who reads what. Unnamed
matrices belong to their readers; weights are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from handcalc.foundation.errors import cut, shape_text
from handcalc.notation.markup import ENTITIES, Html
from handcalc.notation.names import BACKWARD, has_slopes
from handcalc.operations import Gather, MatMul
from handcalc.record import graph, subgraph
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_TITLE_LETTERS, MAX_NAMES = 60, 3  # letters of a title; names that stand in one
Sources = dict[Matrix, tuple[Matrix, ...]]  # a matrix, and the named ones that it is computed from


@dataclass(eq=False)
class Item:
    """One thing on a map; `kind` is block, steps or given."""

    key: str
    kind: str
    path: str  # of the block that it is, or that it belongs to
    title: str  # text with <sub> and <sup>
    detail: str = ""  # its outputs, and their shape
    matrices: list[Matrix] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    @property
    def blocks(self) -> Iterator[Item]:
        """The blocks in it, in order."""
        return (item for item in self.items if item.kind == "block")

    @property
    def has_parts(self) -> bool:
        """Whether a frame around its parts says more than its name does."""
        inner = list(self.blocks)
        return len(inner) > 1 or any(item.has_parts for item in inner)

    def walk(self) -> Iterator[Item]:
        """Itself and everything inside, outer ones first."""
        yield self
        for item in self.items:
            yield from item.walk()


def tree(calculation: Calculation) -> tuple[Item, Sources]:
    """The whole calculation as one item, and which named matrices each one reads."""
    read = named_sources(calculation.record)
    root = Item("", "block", "", calculation.title)
    places = _Places(root, subgraph.block_paths(calculation.record))
    inputs = {*data(calculation), *(calculation.inputs.values() if calculation.path else ())}
    for matrix in calculation.record:
        if matrix.name and not matrix.is_idle and (not matrix.is_given or matrix in inputs):
            places.add(matrix, read[matrix])
    _describe(calculation.record, places.blocks, read)
    return root, read


class _Places:
    """The blocks so far, and the last item in each."""

    def __init__(self, root: Item, known: Mapping[str, subgraph.BlockAbout]) -> None:
        self.blocks, self.known = {"": root}, known
        self.last: dict[str, Item] = {}

    def block(self, path: str) -> Item:
        """The block at a path, made when it is first met; givens from outside belong to none."""
        if path not in self.blocks:
            outer = path.rpartition(".")[0]
            if path not in self.known:
                return self.block(outer)
            title = cut(self.known[path].title, MAX_TITLE_LETTERS).translate(ENTITIES)
            self.blocks[path] = Item(path, "block", path, title)
            self.block(outer).items.append(self.blocks[path])
        return self.blocks[path]

    def add(self, matrix: Matrix, read: tuple[Matrix, ...]) -> None:
        """Give a matrix its place: with the step before it, if that is read here and nothing lies between."""
        block, kind = self.block(subgraph.block_path(matrix)), "given" if matrix.is_given else "steps"
        path = block.path
        item = self.last.get(path)
        if item and kind == item.kind and item.matrices[-1] in read:
            item.matrices.append(matrix)
        else:
            item = Item(f"{path}:{matrix.name}", kind, path, "", "", [matrix])
            block.items.append(item)
        if kind == "steps":
            self._came_last(path, item)

    def _came_last(self, path: str, item: Item) -> None:
        self.last[path] = item
        while path:
            block = self.blocks[path]
            path = path.rpartition(".")[0]
            self.last[path] = block


def named_sources(record: Iterable[Matrix]) -> Sources:
    """For each matrix the named ones that it reads, through all that have no name or are idle."""
    found: Sources = {}
    for matrix in record:
        near = ((m,) if (m.name and not m.is_idle) or m.is_given else found[m] for m in matrix.inputs)
        found[matrix] = tuple(dict.fromkeys(m for part in near for m in part))
    return found


def data(calculation: Calculation) -> list[Matrix]:
    """The givens that are worked on; a weight only multiplies, shifts or is looked up in.

    On the way back weights are read in other places: that does not count.
    """
    if has_slopes(calculation):
        calculation = calculation.without(BACKWARD)
    worked_on = dict.fromkeys(m for m in graph.matrices_unread(calculation.record) if m.is_given)
    weight_side = 0 if calculation.convention == "columns" else 1
    for reader in calculation.record:
        for place, matrix in enumerate(reader.inputs):
            if matrix.is_given and not _is_weight(reader, place, weight_side):
                worked_on[matrix] = None
    return list(worked_on)


def _is_weight(reader: Matrix, place: int, weight_side: int) -> bool:
    if isinstance(reader.operation, MatMul):
        return place == weight_side
    if isinstance(reader.operation, Gather):
        return True
    return len(reader.inputs) > 1 and reader.inputs[place].shape != reader.shape and _is_cellwise(reader)


def _is_cellwise(reader: Matrix) -> bool:
    """Whether its operands are stretched to its own shape."""
    return all(k in (1, n) for m in reader.inputs for k, n in zip(m.shape, reader.shape, strict=True))


def _describe(record: Sequence[Matrix], blocks: dict[str, Item], read: Sources) -> None:
    """Write the titles of items that are no blocks, and the outputs of each item."""
    results = _results(record, read)
    for path, block in blocks.items():
        block.detail = _outcome(results.get(path, []))
        for item in block.items:
            if item.kind != "block":
                names = [typeset_name(m, path) for m in item.matrices]
                item.title = ", ".join(names if len(names) <= MAX_NAMES else [names[0], "…", names[-1]])
                item.detail = shape_text(item.matrices[-1].shape)


def _results(record: Sequence[Matrix], read: Sources) -> dict[str, list[Matrix]]:
    """For each block the steps that others read, or nobody."""
    readers: dict[Matrix, list[str]] = {}
    named = [m for m in record if m.name and not m.is_idle]
    for matrix in named:
        for source in read[matrix]:
            readers.setdefault(source, []).append(matrix.name or "")
    found: dict[str, list[Matrix]] = {}
    for matrix in named:
        path = subgraph.block_path(matrix)
        while path and not matrix.is_given:
            inside = f"{path}."
            if not all(name.startswith(inside) for name in readers.get(matrix, [""])):
                found.setdefault(path, []).append(matrix)
            path = path.rpartition(".")[0]
    return found


def _outcome(results: list[Matrix]) -> str:
    """`Z (3, 4)`: the names of the outputs, and the shape that they share."""
    if len(results) > 3:
        return f"{len(results)} matrices"
    shapes = {m.shape for m in results}
    shape = f" {shape_text(results[0].shape)}" if len(shapes) == 1 else ""
    return ", ".join(typeset_name(m) for m in results) + shape


def typeset_name(matrix: Matrix, path: str | None = None) -> str:
    """A matrix's name as a block has it, by default its own block, typeset."""
    home = subgraph.block_path(matrix) if path is None else path
    return Html().name((matrix.name or "").removeprefix(f"{home}." if home else ""))


def one_by_one(block: Item) -> Item:
    """The same block with an item for each of its steps."""
    items: list[Item] = []
    for item in block.items:
        items += [item] if item.kind == "block" else (_step(item, m) for m in item.matrices)
    return replace(block, items=items)


def _step(item: Item, matrix: Matrix) -> Item:
    title, key = typeset_name(matrix, item.path), f"{item.path}:{matrix.name}"
    return Item(key, item.kind, item.path, title, shape_text(matrix.shape), [matrix])
