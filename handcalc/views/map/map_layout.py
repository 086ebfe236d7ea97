"""Layout of a map: frames in frames, rows in frames, one engine for all renderers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from handcalc.views.map import box_sizes
from handcalc.views.map.block_tree import Item
from handcalc.views.map.box_sizes import TITLE_PX, Laid, MapBox, MapLine, Point, Stack, fitted, label_width
from handcalc.views.map.line_routing import LANE_STEP, RoutedItem
from handcalc.views.map.map_level import ITEM_GAP, Level
from handcalc.views.map.siblings import (
    OUT,
    Links,
    links_of_column,
    open_member,
    ranked_rows,
    residuals,
    second_column,
)

FRAME_HEAD, FRAME_PAD, FRAME_FOOT = 25.0, 10.0, 4.0  # of a frame: above its content, at the sides, below
# from the bars of a stack to what is inside, where there is room and where not
ZOOM_GAP, NEAR_ZOOM_GAP = 30.0, 14.0
MAX_FRAME_TITLE = 250.0
LAYER_GAP = 12.0  # from layer to layer
BAND_PAD = 8.0  # around a group in several rows
Doors = dict[str, int]
LEFT_COLUMN, RIGHT_COLUMN = "<left>", "<right>"  # the keys of the columns
COLUMN_GAP = 26.0  # two columns, and more for each line between them


@dataclass(frozen=True)
class Layout:
    """How a map is laid out: what goes where, in how much room, and which layer is open."""

    lines: dict[str, Links]
    kept: frozenset[tuple[str, str]] = frozenset()  # lines along which something is added as it is
    has_columns: bool = True
    words: float = box_sizes.WIDE_WORDS  # room for a block's words
    chosen: str = ""
    beside: frozenset[str] = frozenset()  # what stands in the second column, if that is known

    @property
    def is_compact(self) -> bool:
        """Whether titles have several lines, and rows are broken."""
        return self.words <= box_sizes.COMPACT_WORDS

    def whole(self, root: Item, room: float) -> Laid:
        """The map without a frame around it."""
        return self._content(root, room, {}, Level([], {}))

    def _item(self, item: Item, room: float, doors: Doors, plain: dict[str, Laid]) -> Laid:
        if item.kind == "stack":
            return self._stack(item, room, doors)
        if item.kind == "group":
            return self._group(item, room, doors)
        if item.items:
            return self._frame(item, room, doors)
        return plain[item.key] if item.key in plain else box_sizes.flat(item)

    def _content(self, item: Item, room: float, doors: Doors, how: Level) -> Laid:
        """The items of one in rows, in one column or in two."""
        links = self.lines.get(item.key, {})
        how = replace(how, residual=residuals(links) & self.kept)
        right = set(self.beside & {inner.key for inner in item.items})
        if right := right or (second_column(item.items, links) if self.has_columns else set()):
            return self._columns(item, room, doors, how, right)
        return self._rows(item.items, links, room, doors, how)

    def _rows(self, items: Sequence[Item], links: Links, room: float, doors: Doors, how: Level) -> Laid:
        plain = box_sizes.equally_wide(items, self.words)
        inner = room - 2 * how.pad
        placed: list[list[tuple[str, Laid]]] = []
        for row in ranked_rows(items, links):
            left = _read_at_left(row, links, doors)
            laid = []
            for item in row:
                sides = {a: -1 if (a, item.key) == left else 1 for a, b in links if b == item.key}
                laid.append((item.key, self._item(item, inner, sides, plain)))
            placed += _split(laid, inner, how.beside) if self.is_compact else [laid]
        fed = {end for _, end in links}
        first = frozenset(item.key for item in items if item.kind == "given" and item.key not in fed)
        level = replace(how, rows=placed, links=links, doors=doors, beginnings=first)
        return level.laid()

    def _frame(self, item: Item, room: float, doors: Doors, titles: Sequence[str] = ()) -> Laid:
        """A frame around what is inside; it has room for all the titles that may be written there."""
        title, *others = (
            fitted(t, MAX_FRAME_TITLE, TITLE_PX, bold=True, most=1)[0] for t in (item.title, *titles)
        )
        words = max(label_width(text, TITLE_PX, bold=True) for text in (title, *others)) + FRAME_PAD + 8
        head = FRAME_HEAD if title else FRAME_FOOT
        found = self._content(
            item, room, doors, Level([], {}, head=head, foot=FRAME_FOOT, pad=FRAME_PAD, title=words)
        )
        box = MapBox(
            item.key, "frame", item.path, (title,), item.detail, -found.left, 0, found.wide, found.high
        )
        found.boxes.insert(0, box)
        return found

    def _columns(self, item: Item, room: float, doors: Doors, how: Level, right: set[str]) -> Laid:
        """Two columns side by side, with what goes from the left one to the right one between them."""
        links = self.lines.get(item.key, {})
        across = read_across(links, doors, right)
        around = how.residual | {(a, OUT) for a, b in how.residual if b in right}
        found: list[Laid] = []
        for second in (False, True):
            items = [inner for inner in item.items if (inner.key in right) == second]
            own = links_of_column(links, {inner.key for inner in items})
            ways = {a: 1 for a, _ in own if a in doors} | {a: -1 for a, _ in own if second and a in across}
            exits, pad = (frozenset(), FRAME_PAD) if second else (across, 0.0)
            level = Level([], {}, exits=exits, residual=around, pad=pad)
            found.append(self._rows(items, own, (room - COLUMN_GAP) / 2, ways, level))
        return join_columns(found, links, right, replace(how, doors=doors))

    def _group(self, item: Item, room: float, doors: Doors) -> Laid:
        """Equal ones side by side; where one row is too narrow for them, a band around several rows."""
        links = self.lines.get(item.key, {})
        plain = box_sizes.equally_wide(item.items, self.words)
        laid = [
            (i.key, self._item(i, room, {a: 1 for a, b in links if b == i.key}, plain)) for i in item.items
        ]
        if not self.is_compact or len(_split(laid, room, ITEM_GAP)) == 1:
            return Level([laid], links, doors, beside=ITEM_GAP).laid()
        count = len(_split(laid, room - 2 * BAND_PAD, BAND_PAD))
        each = ceil(len(laid) / count)
        return _band(item, [laid[k : k + each] for k in range(0, len(laid), each)])

    def _stack(self, item: Item, room: float, doors: Doors) -> Laid:
        """A bar for each layer, and beside them what is in the one that is open."""
        links = self.lines.get(item.key, {})
        current = open_member(item, self.chosen)
        found = self._bars(item, links, doors)
        if current.items:
            own = {a: 1 for a, b in links if b == current.key}
            titles = [member.title for member in item.items]
            frame = self._frame(current, room - found.wide - ZOOM_GAP, own, titles)
            is_brief = found.wide + ZOOM_GAP + frame.wide > room
            if is_brief:
                found = self._bars(item, links, doors, is_brief=True)
                frame = self._frame(replace(current, title=""), room - found.wide - NEAR_ZOOM_GAP, own)
            found = self._bars(item, links, doors, max(0.0, frame.high - found.high), is_brief=is_brief)
            _zoomed(found, frame, NEAR_ZOOM_GAP if is_brief else ZOOM_GAP, item, current)
        return found

    @staticmethod
    def _bars(item: Item, links: Links, doors: Doors, foot: float = 0.0, *, is_brief: bool = False) -> Laid:
        """The layers below one another; their shapes are left out where there is no room for them."""
        bars = [replace(bar, items=[], detail="" if is_brief else bar.detail) for bar in item.items]
        widest = max(box_sizes.flat(bar, kind="bar").wide for bar in bars)
        rows = [[(bar.key, box_sizes.flat(bar, widest, "bar"))] for bar in bars]
        return Level(rows, links, doors, only_left=True, foot=foot, least=LAYER_GAP).laid()


def _read_at_left(row: Sequence[Item], links: Links, doors: Doors) -> tuple[str, str] | None:
    """What comes in at the left goes into the first item of a row, if no other one there reads it."""
    left = [door for door, side in doors.items() if side < 0]
    for item in row:
        for door in left:
            if (door, item.key) in links:
                alone = sum((door, other.key) in links for other in row) == 1
                return (door, item.key) if alone else None
    return None


def _split(row: list[tuple[str, Laid]], room: float, gap: float) -> list[list[tuple[str, Laid]]]:
    """A row in as many as it needs."""
    found: list[list[tuple[str, Laid]]] = [[]]
    wide = -gap
    for key, laid in row:
        if found[-1] and wide + gap + laid.wide > room:
            found.append([])
            wide = -gap
        found[-1].append((key, laid))
        wide += gap + laid.wide
    return found


def _band(item: Item, lines: list[list[tuple[str, Laid]]]) -> Laid:
    wide = max(sum(laid.wide + BAND_PAD for _, laid in row) - BAND_PAD for row in lines)
    found = Laid(wide / 2 + BAND_PAD, wide / 2 + BAND_PAD, BAND_PAD)
    for row in lines:
        x = -wide / 2
        for _, laid in row:
            found.take(laid, x + laid.left, found.high)
            x += laid.wide + BAND_PAD
        found.high += max(laid.high for _, laid in row) + BAND_PAD
    found.boxes.insert(0, MapBox(item.key, "band", item.path, (), "", -found.left, 0, found.wide, found.high))
    return found


def _zoomed(found: Laid, frame: Laid, gap: float, item: Item, current: Item) -> None:
    """Put the frame of the open layer beside the bars, with a wedge from each."""
    x = found.right + gap + frame.left
    y = max(0.0, (found.high - frame.high) / 2)
    paths = tuple(member.path for member in item.items)
    wedges = tuple(_wedge(bar, x - frame.left, y, y + frame.high) for bar in found.boxes)
    found.boxes = [replace(box, stack=item.key) for box in found.boxes]
    frame.boxes = [replace(box, stack=box.stack or item.key) for box in frame.boxes]
    found.take(frame, x, y)
    found.stacks.append(Stack(item.key, paths, paths.index(current.path), wedges))
    found.right = x + frame.right


def _wedge(bar: MapBox, x: float, top: float, foot: float) -> tuple[Point, ...]:
    edge = bar.x + bar.wide
    return (edge, bar.y), (x, top), (x, foot), (edge, bar.y + bar.high)


def read_across(links: Links, doors: Collection[str], right: set[str]) -> frozenset[str]:
    """What stands in the left column and is read in the right one."""
    return frozenset(a for a, b in links if a not in right and a not in doors and b in right)


def join_columns(columns: Sequence[Laid], links: Links, right: set[str], how: Level) -> Laid:
    """Both columns in one row, as two items of a level."""
    found = list(zip((LEFT_COLUMN, RIGHT_COLUMN), columns, strict=True))
    keys = sorted(read_across(links, how.doors, right))
    gap = COLUMN_GAP + LANE_STEP * len(keys)
    level = replace(how, rows=[found], links=_around(links, right, how), beside=gap, lowered=0.0)
    laid = level.laid()
    (one, two), residual = level.places[0], {a for a, b in how.residual if b in right}
    for count, key in enumerate(keys):
        names = next(names for (a, b), names in links.items() if a == key and b in right)
        lane = one.x + one.laid.right + gap / 2 + LANE_STEP * (count - (len(keys) - 1) / 2)
        points = tuple(_across(key, one, two, lane))
        laid.lines.append(MapLine(key, RIGHT_COLUMN, names, points, key in residual, has_head=False))
    return laid


def _around(links: Links, right: set[str], how: Level) -> Links:
    """What comes into the columns from outside, and what leaves them."""
    found: Links = {}
    for (a, b), names in links.items():
        column = RIGHT_COLUMN if b in right or (b == OUT and a in right) else LEFT_COLUMN
        if a in how.doors and b != OUT:
            found[a, column] = names
        if b == OUT:
            found[column, OUT] = names
    return found


def _across(key: str, one: RoutedItem, two: RoutedItem, lane: float) -> Iterator[tuple[float, float]]:
    """From the height at which a line leaves the left column to that at which the right one reads it."""
    start, end = one.y + one.laid.exits[key], two.y + (two.laid.doors or {})[key][1]
    yield one.x + one.laid.right, start
    yield lane, start
    yield lane, end
    yield two.x - two.laid.left, end
