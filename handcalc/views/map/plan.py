"""The map of a calculation as plain values: boxes and lines, for every renderer and for the browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from handcalc.calculation import Calculation
from handcalc.errors import UnknownNameError, listed, short
from handcalc.matrix import Matrix
from handcalc.views.map.boxes import COMPACT, WIDEST
from handcalc.views.map.labels import plain
from handcalc.views.map.layout import Layout
from handcalc.views.map.shapes import Box, Laid, Line, Stack
from handcalc.views.map.siblings import gathered, kept, links, pruned
from handcalc.views.map.tree import Item, Sources, one_by_one, summands, tree

WIDE, MIDDLE, NARROW = 1180.0, 760.0, 356.0  # what a map is made to fit
HIGH, DEEPEST = 840.0, 6
TWO_COLUMNS = 700.0  # a page of this width is not scrolled to see a whole map
MARGIN = 4.0
BLOCKS = ("block", "bar", "frame")  # the kinds of box that stand for a block


@dataclass(frozen=True)
class Map:
    """A block diagram, laid out; lengths are pixels at its natural size."""

    title: str
    wide: float
    high: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    stacks: tuple[Stack, ...]


def plan(calculation: Calculation, *, lit: str = "", width: float = WIDE) -> Map:
    """The map that fits a width, as deep as it goes; the layer of the block `lit` is open."""
    root, read = tree(calculation)
    _check_path(lit, root)
    if not any(root.blocks):
        root = one_by_one(root)
    root = gathered(root, links(root, read))
    attempts = _attempts(root, read, list(summands(calculation.record)), lit, width)
    found, misses = None, []
    for found in attempts:
        if _excess(found, width) == (0, 0):
            break
        misses.append(found)
    else:
        found = min(misses, key=lambda laid: _excess(laid, width))
    return finished(calculation.title, found)


def _check_path(path: str, root: Item) -> None:
    known = [item.path for item in root.walk() if item.kind == "block"]
    if path not in known:
        there = f"there are {listed(known[1:])}" if known[1:] else "it has no blocks"
        raise UnknownNameError(f"There is no block {short(path)} here; {there}.")


def _attempts(
    root: Item, read: Sources, added: list[tuple[Matrix, Matrix]], chosen: str, width: float
) -> Iterator[Laid]:
    depths = range(min(DEEPEST, _depth(root)), -1, -1)
    for depth in depths:
        shown = pruned(root, depth, chosen)
        lines = links(shown, read)
        for has_columns, words in product((True, False), (WIDEST, COMPACT)):
            layout = Layout(lines, kept(shown, added), has_columns, words, chosen)
            yield layout.whole(shown, width - 2 * MARGIN)


def _excess(laid: Laid, width: float) -> tuple[float, float]:
    """By how much it is too wide, and too high: a narrow page may scroll down."""
    too_high = laid.high + 2 * MARGIN - HIGH if width >= TWO_COLUMNS else 0.0
    return max(0.0, laid.wide + 2 * MARGIN - width), max(0.0, too_high)


def _depth(item: Item) -> int:
    return max((1 + _depth(inner) for inner in item.items), default=-1)


def finished(title: str, laid: Laid) -> Map:
    """What has been laid out, from the upper left corner."""
    x, y = MARGIN + laid.left, MARGIN
    boxes = tuple(box.moved(x, y) for box in laid.boxes)
    lines = tuple(line.moved(x, y) for line in laid.lines)
    stacks = tuple(stack.moved(x, y) for stack in laid.stacks)
    return Map(title, laid.wide + 2 * MARGIN, laid.high + 2 * MARGIN, boxes, lines, stacks)


def map_spec(calculation: Calculation, *, lit: str = "", width: float = WIDE) -> dict[str, Any]:
    """The map as JSON values, for whoever draws it elsewhere."""
    return asdict(plan(calculation, lit=lit, width=width))


def marked(drawn: Map, path: str) -> set[str]:
    """The keys of what stands for a block: its own box and frame, or those of the block around it."""
    while path:
        found = {box.key for box in drawn.boxes if box.path == path and box.kind in BLOCKS}
        if found:
            return found
        path = path.rpartition(".")[0]
    return set()


def described(drawn: Map) -> str:
    """What goes where, as a sentence for readers who listen."""
    names = {box.key: plain(" ".join(box.title)) for box in drawn.boxes if box.title}
    ways: dict[str, dict[str, None]] = {}
    for line in drawn.lines:
        if line.has_head and line.start in names and line.end in names:
            ways.setdefault(names[line.start], {})[names[line.end]] = None
    return "; ".join(f"{start} goes to {', '.join(ends)}" for start, ends in ways.items()) + "."
