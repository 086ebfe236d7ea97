"""One level of a map: its items in rows around an axis, and the lines between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from handcalc.views.map.box_sizes import Laid, MapLine, Point, straight
from handcalc.views.map.line_routing import DOOR, MIN_CHANNEL, TRACK, Net, RoutedItem, channels, lanes, nets
from handcalc.views.map.siblings import OUT, Links

ITEM_GAP = 14.0  # from one item of a row to the next


@dataclass(eq=False)
class Level:
    """Rows of items with what goes between them; `doors` are the keys of what comes from outside.

    A door is at the left (-1) or above (1). `head`, `foot` and `pad` are the room that a frame needs
    around its content, `title` that of its words.
    """

    rows: Sequence[Sequence[tuple[str, Laid]]]
    links: Links
    doors: dict[str, int] = field(default_factory=dict)
    exits: frozenset[str] = frozenset()
    residual: set[tuple[str, str]] = field(default_factory=set)
    only_left: bool = False
    beginnings: frozenset[str] = frozenset()  # what reads nothing
    head: float = 0.0
    foot: float = 0.0
    pad: float = 0.0
    title: float = 0.0
    beside: float = ITEM_GAP
    least: float = MIN_CHANNEL  # between rows
    lowered: float = 0.5  # where an item stands in a row that is higher than it is

    def laid(self) -> Laid:
        """Everything in its place."""
        self.places = self._placed()
        self.above = self._doors_above()
        doors = {key: (side, self.above.get(key, 0.0)) for key, side in self.doors.items()}
        self.nets = nets(self.places, self.links, doors, self.residual, set(self.exits), self.only_left)
        self.nets.sort(key=lambda net: net.x)
        lanes(self.nets, self.places)
        self.heights = channels(self.nets, len(self.rows), self.least)
        self._set_heights()
        found = self._extent()
        for place in (p for row in self.places for p in row):
            found.take(place.laid, place.x, place.y)
        lines = [line for net in self.nets for line in self._lines(net, found)]
        found.lines = lines + found.lines
        return found

    def _placed(self) -> list[list[RoutedItem]]:
        """Every row around the axis, in the order of what its items read."""
        rows: list[list[RoutedItem]] = []
        where: dict[str, float] = {}
        for count, row in enumerate(self.rows):
            ordered = sorted(row, key=lambda item: self._wish(item[0], where))
            x = self._start(ordered)
            rows.append([])
            for key, laid in ordered:
                rows[-1].append(RoutedItem(key, laid, count, x + laid.left))
                where[key] = x + laid.left
                x += laid.wide + self.beside
        return rows

    def _start(self, row: Sequence[tuple[str, Laid]]) -> float:
        """Where a row begins: around the axis, on which the only one stands that is computed."""
        computed = [k for k, (key, _) in enumerate(row) if key not in self.beginnings]
        if len(computed) == 1:
            before = sum(laid.wide + self.beside for _, laid in row[: computed[0]])
            return -before - row[computed[0]][1].left
        return -(sum(laid.wide for _, laid in row) + self.beside * (len(row) - 1)) / 2

    def _wish(self, key: str, where: dict[str, float]) -> tuple[bool, bool, float]:
        """First what is read from the left, then what is given, else in the middle of what it reads."""
        reads = [start for start, end in self.links if end == key]
        xs = [where[start] for start in reads if start in where]
        is_left = any(self.doors.get(start) == -1 for start in reads)
        return not is_left, key not in self.beginnings, sum(xs) / len(xs) if xs else 0.0

    def _doors_above(self) -> dict[str, float]:
        """Where lines come in from above: what is read first on the axis, the others left of it."""
        keys = [key for key, side in self.doors.items() if side > 0]
        return {key: -DOOR * k for k, key in enumerate(keys)}

    def _set_heights(self) -> None:
        y = self.head
        self.tops = []  # of the channels
        for row, above in zip(self.places, self.heights, strict=False):
            self.tops.append(y)
            y += above
            high = max(place.laid.high for place in row)
            for place in row:
                place.y = y + (high - place.laid.high) * self.lowered
            y += high
        self.tops.append(y)
        self.high = y + self.heights[-1] + self.foot

    def _extent(self) -> Laid:
        rows = [(row[0].x - row[0].laid.left, row[-1].x + row[-1].laid.right) for row in self.places]
        beside = [net.lane for net in self.nets if net.lane is not None]
        left = max(0.0, *(-low for low, _ in rows), *(6 - x for x in beside)) + self.pad
        right = max(0.0, *(high for _, high in rows), *(x + 6 for x in beside)) + self.pad
        left = max(left, self.title - min([0.0, *self.above.values()])) if self.above else left
        right = max(right, self.title - left)
        doors: dict[str, Point] = {key: (x, 0.0) for key, x in self.above.items()}
        return Laid(left, right, self.high, doors=doors, is_target=False)

    def _track(self, net: Net, channel: int) -> float:
        """The height of a net's line in a channel."""
        count = max((n.tracks[channel] for n in self.nets if channel in n.tracks), default=0)
        room = self.heights[channel] - TRACK * count
        return self.tops[channel] + room / 2 + TRACK * net.tracks.get(channel, 0)

    def _lines(self, net: Net, found: Laid) -> Iterable[MapLine]:
        if net.row is None:
            yield from self._from_left(net, found)
            return
        channel = net.row + 1
        y = self._track(net, channel)
        places = {place.key: place for row in self.places for place in row}
        start = (net.x, places[net.key].y + places[net.key].laid.high if net.row >= 0 else 0.0)
        for place in net.near:
            door = place.door(net.key)
            yield self._line(net, place.key, [start, (net.x, y), (door[0], y), door], place)
        if net.leaves == "near":
            yield self._line(net, OUT, [start, (net.x, y), (0.0, y), (0.0, self.high)])
        if net.has_exit:
            found.exits[net.key] = y
            yield self._line(net, OUT, [start, (net.x, y), (found.right, y)])
        if net.lane is not None:
            branch = [(net.x, y)] if net.near or net.leaves == "near" else [start, (net.x, y)]
            yield from self._along_lane(net, [*branch, (net.lane, y)])

    def _along_lane(self, net: Net, way: list[Point]) -> Iterable[MapLine]:
        lane = net.lane or 0.0
        for place in net.aside:
            x, y = self._side_door(net, place)
            yield self._line(net, place.key, [*way, (lane, y), (x, y)], place)
        for place in net.above():
            y, door = self._track(net, place.row), place.door(net.key)
            yield self._line(net, place.key, [*way, (lane, y), (door[0], y), door], place)
        if net.leaves == "far":
            y = self._track(net, len(self.places))
            yield self._line(net, OUT, [*way, (lane, y), (0.0, y), (0.0, self.high)])

    def _from_left(self, net: Net, found: Laid) -> Iterable[MapLine]:
        """What comes in at the left border, at the height of what reads it first."""
        heights = [self._side_door(net, place)[1] for place in net.aside]
        heights += [self._track(net, place.row) for place in net.above()]
        y = min(heights, default=self.tops[-1])
        if found.doors is not None:
            found.doors[net.key] = (-found.left, y)
        start = (-found.left, y)
        if net.lane is None:
            net.lane = -found.left
        yield from self._along_lane(net, [start, (net.lane, y)])

    def _side_door(self, net: Net, place: RoutedItem) -> Point:
        laid = place.laid
        if laid.doors is not None and net.key in laid.doors:
            x, y = laid.doors[net.key]
            return place.x + x, place.y + y
        return place.x + (laid.right if net.side > 0 else -laid.left), place.y + laid.high / 2

    def _line(self, net: Net, end: str, points: list[Point], place: RoutedItem | None = None) -> MapLine:
        names = self.links.get((net.key, end), ())
        is_residual = (net.key, end) in self.residual
        has_head = place is not None and place.laid.is_target
        return MapLine(net.key, end, names, straight(points), is_residual, has_head)
