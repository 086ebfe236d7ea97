"""The blocks of a record: which there are, and each as a record of its own.

A block's name is the dotted part of its matrices' names, so that everything that keeps names keeps blocks:
head_1.Q belongs to head_1. Inside, names are short; a matrix from outside is a given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from handcalc.record.blocks import LAYER_NUMBER, Block, number_title, title_from_path
from handcalc.record.matrix import Matrix

CALCULATED_BEFORE = (
    "calculated before"  # the meaning that a matrix from outside a block gets, where no block made it
)


class BlockAbout(NamedTuple):
    """A block's title and reason, and its name before the number if it is numbered: `layer`, `norm`."""

    title: str
    why: str
    numbered: str | None = None


class Subgraph(NamedTuple):
    """A block, or its own level alone, as a record; `origins` are its matrices in the whole record."""

    record: list[Matrix]
    origins: dict[Matrix, Matrix]
    inputs: list[Matrix]  # matrices from outside
    outputs: list[Matrix]  # matrices read outside, or by nothing


def block_path(matrix: Matrix) -> str:
    """The block that a named matrix belongs to: `attention.head_1`; empty for one in no block."""
    return (matrix.name or "").rpartition(".")[0]


def block_paths(record: Iterable[Matrix]) -> dict[str, BlockAbout]:
    """Every block that calculates something, outer ones first, with its title and reason."""
    found: dict[str, BlockAbout] = {}
    last = None  # most matrices are in the block of the one before
    for matrix in record:
        if matrix.name and matrix.operation is not None and "." in matrix.name:
            path = block_path(matrix)
            if path != last:
                _enter(path, matrix.block, found)
                last = path
    return found


def _enter(path: str, block: Block | None, found: dict[str, BlockAbout]) -> None:
    """The blocks of a path, from the outermost: each has the words of its declaration, if there was one."""
    about: list[BlockAbout] = []
    part = path
    while part:
        while block is not None and block.is_layer and not _is_shown(block, part):
            block = block.parent
        title, why = (block.title, block.why) if block else ("", "")
        numbered = block.name if block and block.is_numbered else None
        about.append(BlockAbout(title or title_from_path(part), why, numbered))
        part, block = part.rpartition(".")[0], block.parent if block else None
    for depth, words in enumerate(reversed(about), start=1):
        found.setdefault(".".join(path.split(".")[:depth]), words)


def _is_shown(layer: Block, path: str) -> bool:
    """Whether a path ends with this layer's number, and not with a block around it that is called so."""
    last, around = path.rpartition(".")[2], layer.parent
    is_around = around is not None and not around.is_numbered and around.name == last
    return not is_around and LAYER_NUMBER.fullmatch(last) is not None


class BlockIndex:
    """An index of a record, to cut blocks from: the matrices of each block, the readers of each matrix."""

    def __init__(self, record: Sequence[Matrix]) -> None:
        self.about = block_paths(record)
        self.place = {m: k for k, m in enumerate(record)}
        self.own: dict[str, list[Matrix]] = {}  # path -> matrices with a name, in order
        self.readers: dict[Matrix, list[Matrix]] = {}
        for matrix in record:
            if matrix.name:
                self.own.setdefault(block_path(matrix), []).append(matrix)
                for read in () if matrix.is_idle else matrix.reads():
                    self.readers.setdefault(read, []).append(matrix)

    def part(self, path: str, *, is_level: bool = False) -> Subgraph:
        """A block with all that is in it; with `is_level` its own steps, inner blocks as givens."""
        inside = list(self.own.get(path, []))
        if not is_level:
            inner = [m for other, own in self.own.items() if _is_inside(other, path) for m in own]
            inside = sorted([*inside, *inner], key=self.place.__getitem__)
        found = _Extraction(path, inside, self)
        return Subgraph(
            list(found.copies.values()),
            {copy: m for m, copy in found.copies.items()},
            [found.copies[m] for m in found.inputs],
            [found.copies[m] for m in inside if self._comes_out(m, found.inside)],
        )

    def way(self, path: str, around: str = "") -> list[str]:
        """The titles from the outermost block to this one, without those that are `around` as well."""
        parts, outside = path.split("."), around.split(".")
        known = next((k for k, (a, b) in enumerate(zip(parts, outside, strict=False)) if a != b), None)
        known = min(len(parts), len(outside)) if known is None else known
        inner = [".".join(parts[:k]) for k in range(known + 1, len(parts) + 1)] or [path]
        return [number_title(part, self.about[part].title) for part in inner if part in self.about]

    def _comes_out(self, matrix: Matrix, inside: set[Matrix]) -> bool:
        readers = self.readers.get(matrix, [])
        is_step = not matrix.is_given and not matrix.is_idle
        return is_step and (not readers or any(reader not in inside for reader in readers))


def _is_inside(path: str, around: str) -> bool:
    return path != around and (not around or path.startswith(f"{around}."))


class _Extraction:
    """Copies of some matrices of a record, in which those that they read from outside are givens."""

    def __init__(self, path: str, inside: Sequence[Matrix], index: BlockIndex) -> None:
        self.path, self.inside, self.index = path, set(inside), index
        self.prefix = f"{path}." if path else ""
        self.copies: dict[Matrix, Matrix] = {}
        self.inputs: dict[Matrix, None] = {}
        self.blocks: dict[tuple[Block, int], Block] = {}
        self.taken = {m.name.removeprefix(self.prefix) for m in inside if m.name}
        self.names = self.names_outside(list(self.reached_outside(inside)))
        for matrix in inside:
            self.copy(matrix)

    def copy(self, matrix: Matrix) -> Matrix:
        """The matrix under its name here, made from copies of its inputs."""
        waiting = [matrix]
        while waiting:
            now = waiting[-1]
            missing = [] if self.is_outside(now) else [m for m in now.inputs if m not in self.copies]
            if missing and now not in self.copies:
                waiting.extend(reversed(missing))
            elif waiting.pop() not in self.copies:
                self.copies[now] = self.given(now) if self.is_outside(now) else self.own(now)
        return self.copies[matrix]

    def is_outside(self, matrix: Matrix) -> bool:
        return matrix not in self.inside and (matrix.is_given or not matrix.is_inline)

    def own(self, matrix: Matrix) -> Matrix:
        name = matrix.name.removeprefix(self.prefix) if matrix in self.inside and matrix.name else None
        inputs = tuple([self.copies[m] for m in matrix.inputs])
        return matrix.replace(
            name=name, inputs=inputs, block=self.block(matrix.block, (name or "").count("."))
        )

    def block(self, block: Block | None, depth: int) -> Block | None:
        """The innermost blocks around a matrix, as many as are inside this one."""
        if block is None or not depth:
            return None
        if (block, depth) not in self.blocks:
            self.blocks[block, depth] = block.within(self.block(block.parent, depth - 1))
        return self.blocks[block, depth]

    def given(self, matrix: Matrix) -> Matrix:
        """A matrix from outside as a given, whose meaning says where it comes from."""
        self.inputs[matrix] = None
        meaning = matrix.meaning
        if matrix.operation is not None:
            way = self.index.way(block_path(matrix), self.path)
            meaning = f"from {' › '.join(way)}" if way else CALCULATED_BEFORE
        return matrix.replace(
            name=self.names[matrix],
            operation=None,
            inputs=(),
            block=None,
            meaning=meaning,
            why=None,
            stage=None,
        )

    def reached_outside(self, inside: Sequence[Matrix]) -> dict[Matrix, None]:
        """The matrices read from outside, also those that only unnamed matrices read."""
        found: dict[Matrix, None] = {}
        waiting, seen = [*reversed(inside)], set(inside)
        while waiting:
            for read in waiting.pop().inputs:
                if self.is_outside(read):
                    found[read] = None
                elif read not in seen:
                    seen.add(read)
                    waiting.append(read)
        return found

    def names_outside(self, outside: Sequence[Matrix]) -> dict[Matrix, str]:
        """The last part of each name, if it is unique; else the shortest name that says where it is from."""
        found: dict[Matrix, str] = {}
        ways = [list(self.possible_names(m.name or "given")) for m in outside]
        for k, matrix in enumerate(outside):
            others = {name for other, names in enumerate(ways) if other != k for name in names}
            name = next((n for n in ways[k] if n not in self.taken and n not in others), ways[k][-1])
            while name in self.taken:
                name = f"outside.{name}"
            found[matrix] = name
            self.taken.add(name)
        return found

    def possible_names(self, name: str) -> Iterable[str]:
        """Z, then head_1.Z with the outermost block that is not around both, then ever more of the path."""
        parts, around = name.split("."), self.path.split(".")
        common = 0
        while common < min(len(parts) - 1, len(around)) and parts[common] == around[common]:
            common += 1
        yield parts[-1]
        if common < len(parts) - 1:
            yield f"{parts[common]}.{parts[-1]}"
        yield from (".".join(parts[k:]) for k in range(common, -1, -1))
