"""The map of a calculation: all its parts from the givens to the result, each as one of its matrices.

A block of blocks is a frame; a block that has only steps is one picture: its shares if it has any, else what
comes out of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from handcalc.foundation.errors import UnknownNameError, listed, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.map.block_tree import Item, Sources, one_by_one, tree
from handcalc.views.map.reading_order import Links, columns_of, links_inside, part_around, told_apart

MAX_SPOTS = (32, 32)  # of a picture; of a larger matrix several numbers share one
NUMBER, LEAST, MOST = 7.0, 13.0, 62.0  # pixels that a number takes; of a picture, at least and at most
MAX_STACKED = 3  # parts one above the other


@dataclass(frozen=True)
class MapPart:
    """One part of a map; a frame has columns of parts."""

    kind: str  # block, frame, steps or given
    path: str  # of the block that it is, or that it belongs to
    title: str  # text with <sub> and <sup>
    detail: str
    names: tuple[str, ...]  # the matrices that it stands for
    face: Matrix | None
    reads: tuple[str, ...] = ()  # the titles of the parts that it reads
    is_layer: bool = False  # one of several frames that are alike
    columns: tuple[tuple[MapPart, ...], ...] = ()

    def walk(self) -> Iterator[MapPart]:
        """Itself and everything in it, outer parts first."""
        yield self
        for column in self.columns:
            for part in column:
                yield from part.walk()


def plan(calculation: Calculation, *, lit: str = "") -> MapPart:
    """The whole as one part. Raises UnknownNameError if there is no block `lit`."""
    root, read = tree(calculation)
    _check_path(lit, root)
    blocks = list(root.blocks)
    if len(blocks) < 2 and not any(
        block.has_parts for block in blocks
    ):  # the steps, and those of the way back
        root = one_by_one(
            replace(root, items=[one_by_one(i) if i.kind == "block" else i for i in root.items])
        )
    return _Planner(root, read).part(root)


class _Planner:
    def __init__(self, root: Item, read: Sources) -> None:
        self.links: dict[str, Links] = links_inside(root, read)
        blocks = list(root.blocks)
        self.taken_apart = blocks[0] if len(blocks) == 1 else None
        self.read, self.home = read, part_around(root, self.is_frame)

    def is_frame(self, item: Item) -> bool:
        """Whether its parts are shown."""
        return item.kind == "block" and (item.key == "" or item.has_parts or item is self.taken_apart)

    def part(self, item: Item, *, is_layer: bool = False) -> MapPart:
        """An item with everything in it."""
        matrices = [m for inner in item.walk() for m in inner.matrices]
        is_frame = self.is_frame(item)
        return MapPart(
            "frame" if is_frame else item.kind,
            item.path,
            item.title,
            item.detail,
            tuple(m.name or "" for m in matrices),
            _result(matrices) if is_frame else _face(matrices),
            self._reads(item),
            is_frame and is_layer,
            tuple(self._columns(item)) if is_frame else (),
        )

    def _columns(self, item: Item) -> Iterator[tuple[MapPart, ...]]:
        items = told_apart(item.items)
        stems = Counter(_stem(inner) for inner in items)
        for column in columns_of(items, self.links.get(item.key, set())):
            yield tuple(self.part(inner, is_layer=stems[_stem(inner)] > 1) for inner in column)

    def _reads(self, item: Item) -> tuple[str, ...]:
        own = dict.fromkeys(m for inner in item.walk() for m in inner.matrices)
        sources = [m for reader in own for m in self.read[reader] if m not in own and m in self.home]
        return tuple(dict.fromkeys(self.home[m].title for m in sources))


def _stem(item: Item) -> str:
    """A block's path without its number."""
    return item.path.rstrip("0123456789") if item.kind == "block" else item.key


def _face(matrices: list[Matrix]) -> Matrix | None:
    """The matrix that a part is shown as: the last of its matrices that holds shares, or else its result."""
    return next((m for m in reversed(matrices) if _is_shares(m)), _result(matrices))


def _result(matrices: list[Matrix]) -> Matrix | None:
    return next((m for m in reversed(matrices) if not m.is_given), matrices[-1] if matrices else None)


def _is_shares(matrix: Matrix) -> bool:
    if matrix.is_given or not matrix.never_negative or 1 in matrix.shape:
        return False
    return any(np.allclose(matrix.values.sum(axis=axis), 1.0) for axis in (0, 1))


def _check_path(path: str, root: Item) -> None:
    known = [item.path for item in root.walk() if item.kind == "block"]
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


def short_titles(parts: tuple[MapPart, ...]) -> list[str]:
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
