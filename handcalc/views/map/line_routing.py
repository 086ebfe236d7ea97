"""The lines of one level: between rows they run in channels, past rows in lanes, and never through a box.

A net is everything that leaves one place. It goes down into the channel below, from there to what stands in
the next row, and by a lane at the side to what stands further down; there it comes in from the side, or
from the channel above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from handcalc.views.map.box_sizes import Laid, Point, free
from handcalc.views.map.siblings import OUT, Links

LANE_STEP, FIRST_LANE = 10.0, 16.0  # from lane to lane; from a row to the first lane
TRACK = 8.0  # from line to line in a channel
MIN_CHANNEL = 18.0  # the least height of one in which arrows end
MIN_THROUGH = 8.0  # of one through which lines go on
DOOR = 16.0  # from one line into a box to the next
FAR_AWAY = 1e6


@dataclass(eq=False)
class RoutedItem:
    """An item of a level in its row; x is where its axis is."""

    key: str
    laid: Laid
    row: int
    x: float = 0.0
    y: float = 0.0
    arrivals: list[tuple[float, str]] = field(default_factory=list)  # (where from, which net), from above
    sides: dict[int, str] = field(default_factory=dict)  # side -> the net that comes in there

    def door(self, key: str) -> Point:
        """Where a net comes in from above, seen from the level."""
        if self.laid.doors is not None:
            x, y = self.laid.doors[key]
            return self.x + x, self.y + y
        order = sorted(self.arrivals)
        place = next(k for k, (_, net) in enumerate(order) if net == key)
        step = min(DOOR, self.laid.wide / (len(order) + 1))
        return self.x + step * (place - (len(order) - 1) / 2), self.y


@dataclass(eq=False)
class Net:
    """What leaves one place; `row` is -1 for what comes in from above, None for what comes in at the left."""

    key: str
    row: int | None
    x: float
    near: list[RoutedItem] = field(default_factory=list)  # in the next row
    far: list[RoutedItem] = field(default_factory=list)
    aside: list[RoutedItem] = field(default_factory=list)  # those of the far ones that it meets from the side
    leaves: str = ""  # "near" or "far": whether it leaves the level below
    has_exit: bool = False  # whether it leaves the level to the right
    side: int = 1  # of its lane: 1 at the right, -1 at the left
    lane: float | None = None
    tracks: dict[int, int] = field(default_factory=dict)  # channel -> track

    @property
    def only_leaves(self) -> bool:
        """Whether it goes nowhere but straight out of the level."""
        return self.leaves == "near" and not self.near and not self.far and not self.has_exit

    @property
    def channel(self) -> int | None:
        """The channel into which it goes first."""
        return None if self.row is None else self.row + 1

    def above(self) -> list[RoutedItem]:
        """The far places that it meets from above."""
        return [place for place in self.far if place not in self.aside]

    def span(self, last: int) -> tuple[int, int]:
        """The rows that its lane goes past, as the first and the one after the last."""
        ends = [p.row for p in self.above()] + [p.row for p in self.aside] + [p.row + 1 for p in self.aside]
        ends += [last] * (self.leaves == "far")
        ends += [] if self.channel is None else [self.channel]
        return min(ends), max(ends)

    def along(self, channel: int, last: int) -> Iterator[float]:
        """Every x that it has in a channel."""
        if channel == self.channel:
            yield self.x
            yield from (place.door(self.key)[0] for place in self.near)
            yield from [0.0] * (self.leaves == "near") + [FAR_AWAY] * self.has_exit
        far = [place.door(self.key)[0] for place in self.above() if place.row == channel]
        far += [0.0] * (self.leaves == "far" and channel == last)
        yield from far
        if far and self.row is None and self.lane is None:
            yield -FAR_AWAY
        if self.lane is not None and (far or channel == self.channel):
            yield self.lane


def nets(
    rows: Sequence[Sequence[RoutedItem]],
    links: Links,
    doors: dict[str, tuple[int, float]],
    residual: set[tuple[str, str]],
    exits: set[str],
    only_left: bool,
) -> list[Net]:
    """A net for each place that something leaves; `doors` are (side, x) of what comes from outside."""
    places = {place.key: place for row in rows for place in row}
    found: dict[str, Net] = {}
    for start, end in links:
        net = found.setdefault(start, _net(start, places, doors))
        if end == OUT:
            net.leaves = "near" if net.channel == len(rows) else "far"
        elif places[end].row == net.channel:
            net.near.append(places[end])
        else:
            net.far.append(places[end])
            net.side = 1 if (start, end) in residual and net.row is not None else net.side
    for key in exits:
        found.setdefault(key, _net(key, places, doors)).has_exit = True
    for net in found.values():
        net.side = -1 if only_left else net.side
        _meet(net, rows)
    return list(found.values())


def _net(key: str, places: dict[str, RoutedItem], doors: dict[str, tuple[int, float]]) -> Net:
    if key in places:
        place = places[key]
        return Net(key, place.row, place.x, side=1 if place.x > 0 else -1)
    side, x = doors[key]
    return Net(key, None if side < 0 else -1, x, side=-1 if side < 0 or x < 0 else 1)


def _meet(net: Net, rows: Sequence[Sequence[RoutedItem]]) -> None:
    """Decide which places a net meets from the side, and tell the others that it comes from above."""
    for place in net.far:
        row = rows[place.row]
        is_outermost = place is (row[-1] if net.side > 0 else row[0])
        is_alone = sum(other.row == place.row for other in net.far) == 1
        if is_outermost and is_alone and net.side not in place.sides and _has_side_door(place, net):
            net.aside.append(place)
            place.sides[net.side] = net.key
    for place in [*net.near, *net.above()]:
        place.arrivals.append((net.x if place in net.near else net.side * FAR_AWAY, net.key))


def _has_side_door(place: RoutedItem, net: Net) -> bool:
    doors = place.laid.doors
    return doors is None or (net.side < 0 and doors[net.key][0] <= -place.laid.left)


def lanes(found: Sequence[Net], rows: Sequence[Sequence[RoutedItem]]) -> None:
    """Give every net that goes past rows a lane beside them, short ones inside."""
    last = len(rows)
    wanting = [net for net in found if _needs_lane(net)]
    for net in sorted(wanting, key=lambda n: n.span(last)[1] - n.span(last)[0]):
        low, high = net.span(last)
        beside = [place for row in rows[low:high] for place in row]
        edge = max(
            (net.side * p.x + (p.laid.right if net.side > 0 else p.laid.left) for p in beside), default=0.0
        )
        x = edge + FIRST_LANE
        while any(_collide(net, other, x, last) for other in wanting):
            x += LANE_STEP
        net.lane = net.side * x


def _needs_lane(net: Net) -> bool:
    if net.row is None:
        return len({place.row for place in net.far}) > 1 or net.leaves == "far"
    return bool(net.far) or net.leaves == "far"


def _collide(net: Net, other: Net, x: float, last: int) -> bool:
    if other.lane is None or other.side != net.side:
        return False
    (a, b), (c, d) = net.span(last), other.span(last)
    return a <= d and c <= b and abs(abs(other.lane) - x) < LANE_STEP


def channels(found: Sequence[Net], last: int, least: float = MIN_CHANNEL) -> list[float]:
    """Give every net a track in each channel that it runs along; returns how high the channels are.

    All that goes nowhere but out of the level shares one track. Those in which arrows end are `least` high.
    """
    heights = []
    for channel in range(last + 1):
        taken: list[tuple[float, float, int]] = []
        used = [(net, list(net.along(channel, last))) for net in found]
        used = [(net, xs) for net, xs in used if xs]
        if leaving := [pair for pair in used if pair[0].only_leaves]:
            _track([net for net, _ in leaving], [x for _, xs in leaving for x in xs], channel, taken)
        for net, xs in sorted(used, key=lambda pair: (pair[0].channel != channel, pair[0].x)):
            if not net.only_leaves:
                _track([net], xs, channel, taken)
        tracks = len({track for _, _, track in taken})
        heights.append(_height(found, channel, last, tracks, least if used or 0 < channel < last else 0.0))
    return heights


def _track(
    together: Sequence[Net], xs: Sequence[float], channel: int, taken: list[tuple[float, float, int]]
) -> None:
    low, high = min(xs), max(xs)
    if high - low > 0.01:
        track = free(taken, low - 3, high + 3)
        taken.append((low - 3, high + 3, track))
        for net in together:
            net.tracks[channel] = track


def _height(found: Sequence[Net], channel: int, last: int, tracks: int, least: float) -> float:
    """Enough for its lines, and for the heads of arrows that end in it."""
    ends = any(p.row == channel and p.laid.is_target for net in found for p in [*net.near, *net.above()])
    if not ends and not 0 < channel < last:
        least = min(least, MIN_THROUGH)
    return max(least, TRACK * (tracks - 1) + (MIN_CHANNEL if ends else 2 * MIN_THROUGH)) if tracks else least
