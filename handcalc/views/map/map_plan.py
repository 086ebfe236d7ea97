"""The map of a calculation: all its parts from the givens to the result, each as one of its matrices.

The path of a matrix says where it belongs (`attention.head_1.Q`), the record who reads what; weights are not
drawn. A block of blocks is a frame; a block that has only steps is one picture: its shares if it has any,
else what comes out of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from handcalc.foundation.errors import UnknownNameError, cut, listed, shape_text, short
from handcalc.notation.markup import ENTITIES, Html
from handcalc.notation.names import BACKWARD, has_slopes
from handcalc.operations import Gather, MatMul
from handcalc.record import graph, subgraph
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_TITLE_LETTERS, MAX_NAMES = 60, 3  # letters of a title; names that stand in one
MAX_SPOTS = (32, 32)  # of a picture; of a larger matrix several numbers share one
NUMBER, LEAST, MOST = 7.0, 13.0, 62.0  # pixels that a number takes; of a picture, at least and at most
MAX_STACKED = 3  # parts one above the other
Sources = Mapping[Matrix, Sequence[Matrix]]  # a matrix, and the named ones that it is computed from


@dataclass(eq=False)
class MapPart:
    """One part of a map: blocks in blocks, and in each its own steps and its inputs."""

    kind: str  # block, frame, steps or given; a frame shows its parts in columns
    path: str  # of the block that it is, or that it belongs to
    title: str = ""  # text with <sub> and <sup>
    detail: str = ""  # its outputs, and their shape
    matrices: list[Matrix] = field(default_factory=list)
    parts: list[MapPart] = field(default_factory=list)
    columns: list[list[MapPart]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)  # the titles of the parts that it reads
    is_layer: bool = False  # one of several frames that are alike

    @property
    def blocks(self) -> list[MapPart]:
        """The blocks in it, in order."""
        return [part for part in self.parts if part.kind in ("block", "frame")]

    @property
    def has_parts(self) -> bool:
        """Whether a frame around its parts says more than its name does."""
        return len(self.blocks) > 1 or any(block.has_parts for block in self.blocks)

    @cached_property
    def every_matrix(self) -> list[Matrix]:
        """The matrices that it stands for."""
        return self.matrices + [m for part in self.parts for m in part.every_matrix]

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [m.name or "" for m in self.every_matrix]

    @cached_property
    def face(self) -> Matrix | None:
        """The matrix that it is shown as: the last that holds shares; else, and of a frame, its result."""
        found = self.every_matrix[::-1]
        shares = () if self.kind == "frame" else (m for m in found if _is_shares(m))
        result = (m for m in found if not m.is_given)
        return next(iter(shares), next(result, found[0] if found else None))

    def walk(self) -> Iterator[MapPart]:
        """Itself and everything that is shown in it, outer parts first."""
        yield self
        for column in self.columns:
            for part in column:
                yield from part.walk()


def plan(calculation: Calculation, *, lit: str = "") -> MapPart:
    """The whole as one part. Raises UnknownNameError if there is no block `lit`."""
    read = _named_sources(calculation.record)
    root = _tree(calculation, read)
    _check_path(lit, calculation)
    blocks = root.blocks
    if len(blocks) < 2 and not any(block.has_parts for block in blocks):
        for block in (root, *blocks):  # the steps, and those of the way back
            block.parts = [one for part in block.parts for one in _one_by_one(part)]
    root.kind = "frame"
    _frame(root, alone=blocks[0] if len(blocks) == 1 else None)
    _lay_out(root, read)
    return root


def _tree(calculation: Calculation, read: Sources) -> MapPart:
    """The blocks with their steps and inputs; a step joins the one before it, if it reads that."""
    known = subgraph.block_paths(calculation.record)
    blocks = {"": MapPart("block", "", calculation.title)}
    last: dict[str, MapPart] = {}  # in each block

    def block_at(path: str) -> MapPart:
        """The block at a path, made when it is first met; givens from outside belong to none."""
        if path not in blocks:
            around = block_at(path.rpartition(".")[0])
            if path not in known:
                return around
            title = cut(known[path].title, MAX_TITLE_LETTERS).translate(ENTITIES)
            blocks[path] = MapPart("block", path, title)
            around.parts.append(blocks[path])
        return blocks[path]

    for matrix in _drawn(calculation):
        block, kind = block_at(subgraph.block_path(matrix)), "given" if matrix.is_given else "steps"
        part = last.get(block.path)
        if part and part.kind == kind and part.matrices[-1] in read[matrix]:
            part.matrices.append(matrix)
        else:
            part = MapPart(kind, block.path, matrices=[matrix])
            block.parts.append(part)
        path = block.path
        if kind == "steps":
            last[path] = part
            while path:
                path, part = path.rpartition(".")[0], blocks[path]
                last[path] = part
    results = _results(calculation.record, read)
    for path, block in blocks.items():
        block.detail = _outcome(results[path])
        for part in block.parts:
            _describe(part)
    return blocks[""]


def _drawn(calculation: Calculation) -> list[Matrix]:
    """The steps, and what they work on."""
    inputs = {*_data(calculation), *(calculation.inputs.values() if calculation.path else ())}
    named = (m for m in calculation.record if m.name and not m.is_idle)
    return [m for m in named if not m.is_given or m in inputs]


def _describe(part: MapPart) -> None:
    """Write the title of a part that is no block, and its shape."""
    if part.matrices:
        names = [typeset_name(m, part.path) for m in part.matrices]
        part.title = ", ".join(names if len(names) <= MAX_NAMES else [names[0], "…", names[-1]])
        part.detail = shape_text(part.matrices[-1].shape)


def _one_by_one(part: MapPart) -> Iterator[MapPart]:
    """A block as it is, steps as a part each."""
    if not part.matrices:
        yield part
    for matrix in part.matrices:
        one = MapPart(part.kind, part.path, matrices=[matrix])
        _describe(one)
        yield one


def _named_sources(record: Iterable[Matrix]) -> Sources:
    """For each matrix the named ones that it reads, through all that have no name or are idle."""
    found: dict[Matrix, tuple[Matrix, ...]] = {}
    for matrix in record:
        near = ((m,) if (m.name and not m.is_idle) or m.is_given else found[m] for m in matrix.inputs)
        found[matrix] = tuple(dict.fromkeys(m for part in near for m in part))
    return found


def _data(calculation: Calculation) -> set[Matrix]:
    """The givens that are worked on; a weight only multiplies, shifts or is looked up in.

    On the way back weights are read in other places: that does not count.
    """
    if has_slopes(calculation):
        calculation = calculation.without(BACKWARD)
    worked_on = {m for m in graph.matrices_unread(calculation.record) if m.is_given}
    weight_side = 0 if calculation.convention == "columns" else 1
    for reader in calculation.record:
        for place, matrix in enumerate(reader.inputs):
            if matrix.is_given and not _is_weight(reader, place, weight_side):
                worked_on.add(matrix)
    return worked_on


def _is_weight(reader: Matrix, place: int, weight_side: int) -> bool:
    if isinstance(reader.operation, MatMul):
        return place == weight_side
    if isinstance(reader.operation, Gather):
        return True
    return len(reader.inputs) > 1 and reader.inputs[place].shape != reader.shape and _is_cellwise(reader)


def _is_cellwise(reader: Matrix) -> bool:
    """Whether its operands are stretched to its own shape."""
    return all(k in (1, n) for m in reader.inputs for k, n in zip(m.shape, reader.shape, strict=True))


def _results(record: Sequence[Matrix], read: Sources) -> Mapping[str, list[Matrix]]:
    """For each block the steps that others read, or nobody."""
    readers, found = defaultdict[Matrix, list[str]](list), defaultdict[str, list[Matrix]](list)
    named = [m for m in record if m.name and not m.is_idle]
    for matrix in named:
        for source in read[matrix]:
            readers[source].append(matrix.name or "")
    for matrix in named:
        path = "" if matrix.is_given else subgraph.block_path(matrix)
        while path:
            if not all(name.startswith(f"{path}.") for name in readers[matrix] or [""]):
                found[path].append(matrix)
            path = path.rpartition(".")[0]
    return found


def _outcome(results: list[Matrix]) -> str:
    """`Z (3, 4)`: the names of the outputs, and the shape that they share."""
    if len(results) > MAX_NAMES:
        return f"{len(results)} matrices"
    shapes = {m.shape for m in results}
    shape = f" {shape_text(results[0].shape)}" if len(shapes) == 1 else ""
    return ", ".join(typeset_name(m) for m in results) + shape


def typeset_name(matrix: Matrix, path: str | None = None) -> str:
    """A matrix's name as a block has it, by default its own block, typeset."""
    home = subgraph.block_path(matrix) if path is None else path
    return Html().name((matrix.name or "").removeprefix(f"{home}." if home else ""))


def _frame(frame: MapPart, alone: MapPart | None) -> None:
    """Make frames of the blocks that have parts to show, and tell apart those that have one title."""
    titles = Counter(block.title for block in frame.blocks)
    stems = Counter(_stem(block) for block in frame.blocks)
    for block in frame.blocks:
        if titles[block.title] > 1:
            block.title = f"{block.title} {block.path[len(_stem(block)) :]}".strip()
        if block.has_parts or block is alone:
            block.kind, block.is_layer = "frame", stems[_stem(block)] > 1
            _frame(block, None)


def _stem(block: MapPart) -> str:
    """A block's path without its number."""
    return block.path.rstrip("0123456789")


def _lay_out(root: MapPart, read: Sources) -> None:
    """Give all frames their columns, and all parts what they read."""
    ways = {matrix: way for way in _ways((root,)) for matrix in way[-1].matrices}
    before = defaultdict[MapPart, set[MapPart]](set)  # of parts side by side
    for reader, way in ways.items():
        for source in (m for m in read[reader] if m in ways):
            parting = (pair for pair in zip(ways[source], way, strict=False) if pair[0] is not pair[1])
            for start, end in list(parting)[:1]:
                before[end].add(start)
            title = next(part.title for part in ways[source] if part.kind != "frame")
            for part in way:
                if part not in ways[source] and title not in part.reads:
                    part.reads.append(title)
    for frame in {part for way in ways.values() for part in way if part.kind == "frame"}:
        frame.columns = _columns(frame.parts, before)


def _ways(way: tuple[MapPart, ...]) -> Iterator[tuple[MapPart, ...]]:
    """For everything in which nothing else is, the parts that lead there."""
    if not way[-1].parts:
        yield way
    for part in way[-1].parts:
        yield from _ways((*way, part))


def _columns(parts: list[MapPart], before: Mapping[MapPart, set[MapPart]]) -> list[list[MapPart]]:
    """Each to the right of all that it reads; of those that read in a circle, the first one comes first."""
    rank: dict[MapPart, int] = {}
    waiting = list(parts)
    while waiting:
        ready = next((part for part in waiting if before[part] <= rank.keys()), waiting[0])
        rank[ready] = max((rank[part] + 1 for part in before[ready] if part in rank), default=0)
        waiting.remove(ready)
    for part in parts:  # what reads nothing stands just before its first reader
        readers = [rank[other] for other in parts if part in before[other]]
        if not before[part] and readers:
            rank[part] = max(0, min(readers) - 1)
    return [[part for part in parts if rank[part] == r] for r in sorted(set(rank.values()))]


def _is_shares(matrix: Matrix) -> bool:
    if matrix.is_given or not matrix.never_negative or 1 in matrix.shape:
        return False
    return any(np.allclose(matrix.values.sum(axis=axis), 1.0) for axis in (0, 1))


def _check_path(path: str, calculation: Calculation) -> None:
    known = ["", *calculation.blocks]
    if not isinstance(path, str) or path not in known:
        there = f"there are {listed(known[1:])}" if known[1:] else "it has no blocks"
        raise UnknownNameError(f"There is no block {short(path)} here; {there}.")


def path_shown(whole: MapPart, path: str) -> str:
    """The path of the part that shows a block: its own, or that of the block around it."""
    shown = {part.path for part in whole.walk() if part.kind in ("block", "frame")}
    while path and path not in shown:
        path = path.rpartition(".")[0]
    return path


def size_of(part: MapPart, beside: int = 1) -> tuple[float, float]:
    """The width and height of a part's picture, in pixels, with `beside` parts one above the other."""
    rows, columns = part.face.shape if part.face else (1, 1)
    most = MOST if beside == 1 else max(20.0, MOST / min(beside, MAX_STACKED) - 2)
    wide, high = (min(most, max(LEAST, NUMBER * count)) for count in (columns, rows))
    return wide, high


def short_titles(parts: Sequence[MapPart]) -> list[str]:
    """Titles of parts one above the other: for heads that differ only in their numbers, the numbers alone."""
    if len(parts) > 1 and all(part.kind == "block" for part in parts):
        cut = [re.fullmatch(r"(.*?) ?(\d+)", part.title) for part in parts]
        if all(cut) and len({found[1] for found in cut if found}) == 1:
            return [found[2] for found in cut if found]
    return [part.title for part in parts]


def describe_map(whole: MapPart) -> str:
    """The arrows of the map, as a sentence for readers who listen."""
    ways: dict[str, dict[str, None]] = {}
    for part in whole.walk():
        for source in part.reads if not part.columns else ():
            ways.setdefault(plain_label(source), {})[plain_label(part.title)] = None
    return "; ".join(f"{start} goes to {', '.join(ends)}" for start, ends in ways.items()) + "."


def plain_label(label: str) -> str:
    """A typeset title in plain letters: S scaled."""
    text = re.sub(r"<su[bp]>", " ", re.sub(r"</su[bp]>", "", label))
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
