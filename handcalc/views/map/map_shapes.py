"""What a map is made of once it has been laid out: boxes and lines, in pixels from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

Point = tuple[float, float]


@dataclass(frozen=True)
class MapBox:
    """A rectangle with words in it; `kind` is block, steps, given, bar, frame or band."""

    key: str
    kind: str
    path: str  # of the block that it is, or that it belongs to
    title: tuple[str, ...]  # lines of text with <sub> and <sup>
    detail: str
    x: float
    y: float
    wide: float
    high: float
    names: tuple[str, ...] = ()  # the matrices that it stands for
    stack: str = ""  # of a bar, and of what is shown of the open one: the stack that it belongs to

    def moved(self, x: float, y: float) -> MapBox:
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True)
class MapLine:
    """What goes from one box to another, along corners; `has_head` where it arrives."""

    start: str  # keys
    end: str
    names: tuple[str, ...]
    points: tuple[Point, ...]
    is_residual: bool = False
    has_head: bool = True

    def moved(self, x: float, y: float) -> MapLine:
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))


@dataclass(frozen=True)
class Stack:
    """Layers: where each bar is joined to the frame that shows what is inside."""

    key: str
    paths: tuple[str, ...]
    current: int
    corners: tuple[tuple[Point, ...], ...]  # of a wedge from each bar to the frame

    def moved(self, x: float, y: float) -> Stack:
        corners = tuple(tuple((a + x, b + y) for a, b in wedge) for wedge in self.corners)
        return replace(self, corners=corners)


@dataclass
class Laid:
    """Something laid out around its axis, from its upper edge down."""

    left: float
    right: float
    high: float
    boxes: list[MapBox] = field(default_factory=list)
    lines: list[MapLine] = field(default_factory=list)
    stacks: list[Stack] = field(default_factory=list)
    doors: dict[str, Point] | None = None  # by key: where a line comes in; None: anywhere
    exits: dict[str, float] = field(default_factory=dict)  # heights at which lines leave to the right
    is_target: bool = True  # whether lines end here, rather than go on inside

    @property
    def wide(self) -> float:
        return self.left + self.right

    def take(self, other: Laid, x: float, y: float) -> None:
        """Put another one into this one, its axis at x."""
        self.boxes += [box.moved(x, y) for box in other.boxes]
        self.lines += [line.moved(x, y) for line in other.lines]
        self.stacks += [stack.moved(x, y) for stack in other.stacks]


def straight(points: Iterable[Point]) -> tuple[Point, ...]:
    """The same line without corners at which it does not turn."""
    found: list[Point] = []
    for point in points:
        if found and _same(found[-1], point):
            continue
        if len(found) > 1 and _in_line(found[-2], found[-1], point):
            found.pop()
        found.append(point)
    return tuple((round(x, 2), round(y, 2)) for x, y in found)


def _same(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) < 0.01 and abs(a[1] - b[1]) < 0.01


def _in_line(a: Point, b: Point, c: Point) -> bool:
    return any(abs(a[k] - b[k]) < 0.01 and abs(b[k] - c[k]) < 0.01 for k in (0, 1))


def free(taken: Sequence[tuple[float, float, int]], low: float, high: float) -> int:
    """The first track in which nothing lies between low and high."""
    used = {track for a, b, track in taken if a < high and low < b}
    return next(k for k in range(len(used) + 1) if k not in used)
