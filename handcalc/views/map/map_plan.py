"""The map of a calculation as plain values: boxes and lines, for every renderer and for the browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from handcalc.foundation.errors import UnknownNameError, listed, short
from handcalc.notation.names import BACKWARD, has_slopes
from handcalc.record.calculation import Calculation
from handcalc.views.map.block_tree import Item, one_by_one, summands, tree
from handcalc.views.map.both_ways import BACK_KEY, HALVES_GAP, SIDE, merged, turned_round
from handcalc.views.map.box_sizes import COMPACT_WORDS, WIDE_WORDS, Laid, MapBox, MapLine, Stack, plain_label
from handcalc.views.map.map_layout import Layout
from handcalc.views.map.siblings import Links, gathered, item_links, pruned, second_column, skip_lines

MAX_MAP_WIDTH = 1180.0
MAP_WIDTHS = (MAX_MAP_WIDTH, 940.0, 700.0, 356.0)  # what a map is made to fit: a notebook has 950
MAX_MAP_HEIGHT, MAX_MAP_DEPTH = 840.0, 6
TWO_COLUMNS = 700.0  # a page of this width is not scrolled to see a whole map
MAP_MARGIN = 4.0
BLOCK_KINDS = ("block", "bar", "frame")  # the kinds of box that stand for a block


@dataclass(frozen=True)
class Map:
    """A block diagram, laid out; lengths are pixels at its natural size."""

    title: str
    wide: float
    high: float
    boxes: tuple[MapBox, ...]
    lines: tuple[MapLine, ...]
    stacks: tuple[Stack, ...]


def plan(calculation: Calculation, *, lit: str = "", width: float = MAX_MAP_WIDTH) -> Map:
    """The map that fits a width, as deep as it goes; the layer of the block `lit` is open."""
    return Sketch(calculation, lit).fitted(width)


class Sketch:
    """What a map shows, read from the record once for all widths."""

    def __init__(self, calculation: Calculation, lit: str = "") -> None:
        root, self.read = tree(calculation)
        _check_path(lit, root)
        if not any(root.blocks):
            root = one_by_one(root)
        self.root, self.lit, self.title = gathered(root, item_links(root, self.read)), lit, calculation.title
        self.added = list(summands(calculation.record))
        self._shown: dict[int, tuple[Item, dict[str, Links], frozenset[tuple[str, str]]]] = {}
        self.both = _BothWays(calculation, lit) if has_slopes(calculation) else None

    def fitted(self, width: float) -> Map:
        """The deepest one that is not too large, else the one that is least too large."""
        misses: list[Laid] = []
        for found in self._attempts(width - 2 * MAP_MARGIN):
            if _excess(found, width) == (0, 0):
                return finish_map(self.title, found)
            misses.append(found)
        return finish_map(self.title, min(misses, key=lambda laid: _excess(laid, width)))

    def _attempts(self, room: float) -> Iterator[Laid]:
        if self.both and room + 2 * MAP_MARGIN >= TWO_COLUMNS:
            yield from self.both.attempts(room)
        size = 0
        for depth in range(min(MAX_MAP_DEPTH, _depth(self.root)), -1, -1):
            shown, lines, kept_ = self._to(depth)
            size, before = sum(1 for _ in shown.walk()), size
            if size == before:
                continue
            inner = (item for item in shown.walk() if item.items)
            has_two = any(second_column(item.items, lines.get(item.key, {})) for item in inner)
            for has_columns, words in product(
                (True, False) if has_two else (False,), (WIDE_WORDS, COMPACT_WORDS)
            ):
                yield Layout(lines, kept_, has_columns, words, self.lit).whole(shown, room)

    def _to(self, depth: int) -> tuple[Item, dict[str, Links], frozenset[tuple[str, str]]]:
        """What is drawn down to a depth, and the lines there."""
        if depth not in self._shown:
            shown = pruned(self.root, depth, self.lit)
            self._shown[depth] = shown, item_links(shown, self.read), skip_lines(shown, self.added)
        return self._shown[depth]


class _BothWays:
    """The map of a calculation with slopes as two halves: forward at the left, back at the right."""

    def __init__(self, calculation: Calculation, lit: str) -> None:
        self.calculation = calculation
        forward = calculation.without(BACKWARD)
        ahead, there = {*forward.blocks}, lit.removeprefix(f"{BACKWARD}.")
        self.forward = Sketch(forward, there if there in ahead else "")
        if not ahead:
            items = merged(self.forward.root.items, calculation)
            self.forward.root = replace(self.forward.root, items=items)
        others = [path for path in calculation.blocks if "." not in path and path not in ahead]
        root, _ = tree(calculation)
        self.more = [item for item in root.blocks if item.path in others and item.path != BACKWARD]

    def attempts(self, room: float) -> Iterator[Laid]:
        """Both halves, as deep as the forward one goes."""
        half = (room - HALVES_GAP - 2 * SIDE) / 2
        for laid in self.forward._attempts(half):
            yield turned_round(laid, self.calculation, self.more)


def _check_path(path: str, root: Item) -> None:
    known = [item.path for item in root.walk() if item.kind == "block"]
    if not isinstance(path, str) or path not in known:
        there = f"there are {listed(known[1:])}" if known[1:] else "it has no blocks"
        raise UnknownNameError(f"There is no block {short(path)} here; {there}.")


def _excess(laid: Laid, width: float) -> tuple[float, float]:
    """By how much it is too wide, and too high: a narrow page may scroll down."""
    too_high = laid.high + 2 * MAP_MARGIN - MAX_MAP_HEIGHT if width >= TWO_COLUMNS else 0.0
    return max(0.0, laid.wide + 2 * MAP_MARGIN - width), max(0.0, too_high)


def _depth(item: Item) -> int:
    return max((1 + _depth(inner) for inner in item.items), default=-1)


def finish_map(title: str, laid: Laid) -> Map:
    """What has been laid out, from the upper left corner."""
    x, y = MAP_MARGIN + laid.left, MAP_MARGIN
    boxes = tuple(box.moved(x, y) for box in laid.boxes)
    lines = tuple(line.moved(x, y) for line in laid.lines)
    stacks = tuple(stack.moved(x, y) for stack in laid.stacks)
    return Map(title, laid.wide + 2 * MAP_MARGIN, laid.high + 2 * MAP_MARGIN, boxes, lines, stacks)


def keys_of_block(drawn: Map, path: str) -> set[str]:
    """The keys of what stands for a block: its own box and frame, or those of the block around it."""
    while path:
        found = {box.key for box in drawn.boxes if box.path == path and box.kind in BLOCK_KINDS}
        if found:
            return found
        path = path.rpartition(".")[0]
    return set()


def describe_map(drawn: Map) -> str:
    """What goes where, as a sentence for readers who listen."""
    titles = {box.key: _called(box) for box in drawn.boxes if box.title}
    back = {box.key for box in drawn.boxes if _is_back(box)}  # their names are those of the way forward
    named = [box for box in drawn.boxes if box.key in titles.keys() - back]
    home = {name: titles[box.key] for box in named for name in box.names}
    ways: dict[str, dict[str, None]] = {}
    for line in drawn.lines:
        if line.has_head and line.end in titles:
            begins = [home[name] for name in line.names if name in home]
            for start in [titles[line.start]] if line.start in titles.keys() & back else begins:
                ways.setdefault(start, {})[titles[line.end]] = None
    return "; ".join(f"{start} goes to {', '.join(ends)}" for start, ends in ways.items()) + "."


def _called(box: MapBox) -> str:
    """Its title; of a block on the way back that, too, as the way forward has the same title."""
    return plain_label(" ".join(box.title)) + " backwards" * _is_back(box)


def _is_back(box: MapBox) -> bool:
    return box.kind in BLOCK_KINDS and box.key.startswith(BACK_KEY) and box.key != BACK_KEY
