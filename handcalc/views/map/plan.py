"""The map of a calculation as plain values: boxes and lines, for every renderer and for the browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.views.map.layout import Layout
from handcalc.views.map.shapes import Box, Laid, Line, Stack
from handcalc.views.map.siblings import gathered, kept, links, pruned
from handcalc.views.map.tree import Item, Sources, one_by_one, summands, tree

WIDE, HIGH, DEEPEST = 1180.0, 840.0, 6
TWO_COLUMNS = 700.0  # a page of this width is not scrolled to see a whole map
MARGIN = 4.0


@dataclass(frozen=True)
class Map:
    """A block diagram, laid out; lengths are pixels at its natural size."""

    title: str
    wide: float
    high: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    stacks: tuple[Stack, ...]


def plan(calculation: Calculation, *, chosen: str = "", width: float = WIDE) -> Map:
    """The map that fits a width, as deep as it goes; `chosen` is the block whose layer is open."""
    root, read = tree(calculation)
    if not any(root.blocks):
        root = one_by_one(root)
    root = gathered(root, links(root, read))
    attempts = _attempts(root, read, list(summands(calculation.record)), chosen, width)
    found, misses = None, []
    for found in attempts:
        if _excess(found, width) == (0, 0):
            break
        misses.append(found)
    else:
        found = min(misses, key=lambda laid: _excess(laid, width))
    return _finished(calculation.title, found)


def _attempts(
    root: Item, read: Sources, added: list[tuple[Matrix, Matrix]], chosen: str, width: float
) -> Iterator[Laid]:
    depths = range(min(DEEPEST, _depth(root)), -1, -1)
    for depth in depths:
        shown = pruned(root, depth, chosen)
        lines = links(shown, read)
        for has_columns in (True, False):
            yield Layout(lines, kept(shown, added), has_columns, chosen).whole(shown, width - 2 * MARGIN)


def _excess(laid: Laid, width: float) -> tuple[float, float]:
    """By how much it is too wide, and too high: a narrow page may scroll down."""
    too_high = laid.high + 2 * MARGIN - HIGH if width >= TWO_COLUMNS else 0.0
    return max(0.0, laid.wide + 2 * MARGIN - width), max(0.0, too_high)


def _depth(item: Item) -> int:
    return max((1 + _depth(inner) for inner in item.items), default=-1)


def _finished(title: str, laid: Laid) -> Map:
    x, y = MARGIN + laid.left, MARGIN
    boxes = tuple(box.moved(x, y) for box in laid.boxes)
    lines = tuple(line.moved(x, y) for line in laid.lines)
    stacks = tuple(stack.moved(x, y) for stack in laid.stacks)
    return Map(title, laid.wide + 2 * MARGIN, laid.high + 2 * MARGIN, boxes, lines, stacks)


def map_spec(calculation: Calculation, *, chosen: str = "", width: float = WIDE) -> dict[str, Any]:
    """The map as JSON values, for whoever draws it elsewhere."""
    return asdict(plan(calculation, chosen=chosen, width=width))
