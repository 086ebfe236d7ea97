"""The map of a calculation with slopes: forward down at the left, and at the right the same way back up.

A slope goes back the way on which its matrix went forward, so the right half needs no layout of its own:
it has the boxes of the left one, with slopes in them, and the same lines the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from handcalc.foundation.errors import shape_text
from handcalc.notation.names import BACKWARD
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.map import box_sizes
from handcalc.views.map.block_tree import Item, typeset_name
from handcalc.views.map.box_sizes import (
    DETAIL_PX,
    TITLE_PX,
    Laid,
    MapBox,
    MapLine,
    Point,
    Stack,
    fitted,
    label_width,
)

# the halves; inside the frame of the right one; above it
HALVES_GAP, SIDE, ROOF, AFTER_GAP = 44.0, 12.0, 26.0, 22.0
BACK_KEY = "<"  # before the keys of the right half
MAX_WIDENING = 12.0  # by how much a box may grow: neighbours do not touch


def merged(items: Sequence[Item], slopes: Calculation) -> list[Item]:
    """Steps without slopes of their own, such as those within a softmax, stand with the next one that has."""
    found: list[Item] = []
    waiting: list[Item] = []
    for item in items:
        if item.kind == "steps" and not _slopes(item.matrices, slopes):
            waiting.append(item)
            continue
        found.append(item if item.kind != "steps" else _as_one([*waiting, item]))
        waiting = waiting if item.kind != "steps" else []
    return [*found, *waiting]


def _as_one(items: Sequence[Item]) -> Item:
    """Several steps as the last of them."""
    matrices = [m for item in items for m in item.matrices]
    return replace(items[-1], title=", ".join(item.title for item in items), matrices=matrices)


def _slopes(matrices: Iterable[Matrix], slopes: Calculation) -> list[Matrix]:
    """The slopes of some matrices, the last one's first."""
    names = (_turned_name(m.name or "") for m in reversed([*matrices]))
    return [slopes[name] for name in names if name in slopes]


def _turned_name(name: str) -> str:
    path, _, last = name.rpartition(".")
    return ".".join(filter(None, (BACKWARD, path, f"d{last}")))


def turned_round(laid: Laid, calculation: Calculation, more: Sequence[Item]) -> Laid:
    """The forward half, the way back beside it, and above them the blocks that go on from the slopes."""
    half = _Back(laid, calculation)
    steps = [box_sizes.block_box(item) for item in more]
    top = (max(each.high for each in steps) + AFTER_GAP) if steps else 0.0
    axis = laid.right + HALVES_GAP + SIDE + laid.left
    found = Laid(laid.left, axis + laid.right + SIDE, top + ROOF + laid.high + SIDE)
    found.take(laid, 0.0, top + ROOF)
    title = calculation.way(BACKWARD)[-1]
    frame = MapBox(
        BACK_KEY, "frame", BACKWARD, (title,), "", -laid.left - SIDE, -ROOF, laid.wide + 2 * SIDE, 0
    )
    found.boxes.append(replace(frame, high=laid.high + ROOF + SIDE).moved(axis, top + ROOF))
    found.take(half.image(), axis, top + ROOF)
    found.lines += half.turn(axis, top + ROOF)
    _go_on(found, steps, axis, top)
    return found


class _Back:
    """What has been laid out, with slopes in its boxes, and its lines the other way round."""

    def __init__(self, laid: Laid, calculation: Calculation) -> None:
        self.laid, self.calculation = laid, calculation
        self.paths = {*calculation.blocks}  # to ask for one would make it
        pairs = ((box, self._box(box)) for box in laid.boxes)
        self.found = [(box, other) for box, other in pairs if other is not None]
        self.pairs = {box.key: (box, other) for box, other in self.found}  # a bar's frame has its key

    def image(self) -> Laid:
        """All boxes that have slopes, and the lines between them, backwards."""
        turned = [other for _, other in self.found]
        stacks = [self._stack(stack) for stack in self.laid.stacks]
        return Laid(self.laid.left, self.laid.right, self.laid.high, turned, [*self._lines()], stacks)

    def turn(self, x: float, y: float) -> Iterator[MapLine]:
        """From the loss to its own slope, which is 1: there it turns round."""
        last = max((box for box, _ in self.pairs.values() if box.names), key=lambda box: box.y, default=None)
        if last is not None:
            other = self.pairs[last.key][1]
            middle = last.y + last.high / 2 + y
            ends = (last.x + last.wide, middle), (other.x + x, middle)
            yield MapLine(last.key, other.key, last.names[-1:], ends)

    def _box(self, box: MapBox) -> MapBox | None:
        """The box at the right: of steps their slopes, of a block the block that goes back through it."""
        path = ".".join(filter(None, (BACKWARD, box.path)))
        there = replace(box, key=BACK_KEY + box.key, path=path, stack=box.stack and BACK_KEY + box.stack)
        if box.kind in ("steps", "given"):
            slopes = _slopes([self.calculation[name] for name in box.names], self.calculation)
            return self._told(there, slopes) if slopes else None
        if box.kind != "band" and path not in self.paths:
            return None
        return replace(there, detail="slopes" if box.detail else "")

    @staticmethod
    def _told(box: MapBox, slopes: Sequence[Matrix]) -> MapBox:
        """A box with the names of slopes in it, as many as have room; each is a little longer than before."""
        detail = shape_text(slopes[-1].shape)
        title = ", ".join(typeset_name(m, (m.name or "").rpartition(".")[0]) for m in slopes)
        around = 2 * box_sizes.BOX_PAD + box_sizes.DETAIL_GAP + label_width(detail, DETAIL_PX)
        wide = min(max(box.wide, label_width(title, TITLE_PX, bold=True) + around), box.wide + MAX_WIDENING)
        words = fitted(title, wide - around, TITLE_PX, bold=True, most=1)
        x, names = box.x - (wide - box.wide) / 2, tuple(m.name or "" for m in slopes)
        return replace(box, kind="steps", title=tuple(words), detail=detail, names=names, x=x, wide=wide)

    def _stack(self, stack: Stack) -> Stack:
        paths = tuple(f"{BACKWARD}.{path}" for path in stack.paths)
        return replace(stack, key=BACK_KEY + stack.key, paths=paths)

    def _lines(self) -> Iterator[MapLine]:
        known = self.pairs.keys() | {line.start for line in self.laid.lines} - self._gone()
        for line in self.laid.lines:
            if line.start in known and (line.end in known or line.end not in self._gone()):
                names = self.pairs[line.end][1].names if line.end in self.pairs else ()
                ends = BACK_KEY + line.end, BACK_KEY + line.start
                yield MapLine(*ends, names, line.points[::-1], line.is_residual, self._begins_at_box(line))

    def _gone(self) -> set[str]:
        """What has no slopes."""
        return {box.key for box in self.laid.boxes} - self.pairs.keys()

    def _begins_at_box(self, line: MapLine) -> bool:
        """Whether a line leaves the box after which it is called, and not a frame's border on the way."""
        box, _ = self.pairs.get(line.start, (None, None))
        return box is not None and box.kind != "frame" and _touches(box, line.points[0])


def _touches(box: MapBox, point: Point) -> bool:
    x, y = point
    return box.x - 1 <= x <= box.x + box.wide + 1 and box.y - 1 <= y <= box.y + box.high + 1


def _go_on(found: Laid, steps: Sequence[Laid], axis: float, top: float) -> None:
    """Above the slopes what is done with them, and from there to the left what follows."""
    before: tuple[str, Point] = (BACK_KEY, (axis, top))
    for k, laid in enumerate(steps):
        x, y = axis if k == 0 else 0.0, (top - AFTER_GAP - laid.high) / 2
        found.take(laid, x, y)
        end = (x, y + laid.high) if k == 0 else (x + laid.right, y + laid.high / 2)
        found.lines.append(MapLine(before[0], laid.boxes[0].key, (), (before[1], end)))
        before = laid.boxes[0].key, (x - laid.left, y + laid.high / 2)
