"""What a map is made of once it is laid out, boxes, lines and their words, and how large each box is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from handcalc.notation import numbers
from handcalc.views.map.block_tree import Item

BOX_PAD, DETAIL_GAP = 10.0, 10.0  # inside a box; between its title and what is beside it
TITLE_LINE, FLAT_HEIGHT = 16.0, 26.0  # from one line of a title to the next; how high a flat box is
# of a block's words, where there is room and where not; of a block
WIDE_WORDS, COMPACT_WORDS, MIN_BOX_WIDTH = 150.0, 84.0, 76.0
MAX_FLAT_TITLE = 190.0  # of a flat box's title
GIVEN_INDENT = 6.0  # a given has round ends
TEXT_BASE = 0.36  # from the middle of a line to its base, in ems
TITLE_PX, DETAIL_PX = 13.0, 12.0  # sizes of type, in pixels
SCRIPT_SIZE = 0.85  # what stands higher or lower
NARROW_LETTER, WIDE_LETTER = 0.4, 0.98  # of letters, in ems
Run = tuple[str, int]  # a stretch of text, and whether it stands higher (1) or lower (-1)
_PART = re.compile(r"<(/?)(su[bp])>|([^<]+)")
Point = tuple[float, float]


class PlacedText(NamedTuple):
    """A line of text with its base at (x, y)."""

    text: str
    x: float
    y: float
    anchor: str  # what is at x: start, middle or end
    is_title: bool = True


def block_box(item: Item, wide: float = 0.0, room: float = WIDE_WORDS) -> Laid:
    """A block: its title, and below it what comes out; `room` is for its words."""
    longest = max(label_width(word, TITLE_PX, bold=True) for word in item.title.split(" "))
    room = max(room, min(WIDE_WORDS, longest), wide - 2 * BOX_PAD)
    title = fitted(item.title, room, TITLE_PX, bold=True, most=3)
    detail = fitted(item.detail, room, DETAIL_PX, most=1)[0]
    words = max(*(label_width(line, TITLE_PX, bold=True) for line in title), label_width(detail, DETAIL_PX))
    wide = max(wide, MIN_BOX_WIDTH, words + 2 * BOX_PAD)
    high = TITLE_LINE * (len(title) + bool(detail)) + 10
    return _laid(item, item.kind, tuple(title), detail, wide, high)


def flat(item: Item, wide: float = 0.0, kind: str = "") -> Laid:
    """Steps, what is given or a layer: title and shape on one line."""
    title = fitted(item.title, MAX_FLAT_TITLE, TITLE_PX, bold=kind == "bar", most=1)[0]
    wide = max(wide, _beside(title, item.detail) + 2 * (BOX_PAD + GIVEN_INDENT * (item.kind == "given")))
    return _laid(item, kind or item.kind, (title,), item.detail, wide, FLAT_HEIGHT)


def equally_wide(items: Iterable[Item], room: float = WIDE_WORDS) -> dict[str, Laid]:
    """The blocks of one level that are plain boxes, as wide as the widest."""
    blocks = [item for item in items if item.kind == "block" and not item.items]
    widest = max((block_box(item, room=room).wide for item in blocks), default=0.0)
    return {item.key: block_box(item, widest, room) for item in blocks}


def _laid(item: Item, kind: str, title: tuple[str, ...], detail: str, wide: float, high: float) -> Laid:
    names = tuple(m.name or "" for m in item.matrices)
    box = MapBox(item.key, kind, item.path, title, detail, -wide / 2, 0, wide, high, names)
    return Laid(wide / 2, wide / 2, high, [box])


def text_places(box: MapBox) -> Iterator[PlacedText]:
    """Where the lines of a box stand: in the middle, or for frames and layers at its sides."""
    x, middle = box.x + box.wide / 2, box.y + box.high / 2
    if box.kind == "frame":
        yield from (PlacedText(line, box.x + BOX_PAD, box.y + 18, "start") for line in box.title)
    elif box.kind == "block":
        top = middle - TITLE_LINE * (len(box.title) + bool(box.detail) - 1) / 2
        for count, line in enumerate(box.title):
            yield PlacedText(line, x, top + TITLE_LINE * count + TEXT_BASE * TITLE_PX, "middle")
        yield PlacedText(
            box.detail, x, top + TITLE_LINE * len(box.title) + TEXT_BASE * DETAIL_PX, "middle", is_title=False
        )
    elif box.title:
        half = box.wide / 2 - BOX_PAD if box.kind == "bar" else _beside(box.title[0], box.detail) / 2
        yield PlacedText(box.title[0], x - half, middle + TEXT_BASE * TITLE_PX, "start")
        yield PlacedText(box.detail, x + half, middle + TEXT_BASE * DETAIL_PX, "end", is_title=False)


def _beside(title: str, detail: str) -> float:
    return (
        label_width(title, TITLE_PX, bold=True) + DETAIL_GAP * bool(detail) + label_width(detail, DETAIL_PX)
    )


@lru_cache(maxsize=4096)
def markup_runs(label: str) -> tuple[Run, ...]:
    """The stretches of a text with <sub> and <sup>."""
    found: list[Run] = []
    around: list[int] = []  # what is lower in something higher stays with it
    for closing, tag, text in _PART.findall(label):
        if text:
            inner = " " if around[1:] == [-1] else ""
            before = found.pop()[0] if around and found and found[-1][1] == around[0] else ""
            found.append((f"{before}{inner}{unescape(text)}", around[0] if around else 0))
        elif closing:
            around.pop()
        else:
            around.append(1 if tag == "sup" else -1)
    return tuple(found)


def plain_label(label: str) -> str:
    """The same in words and plain letters, for readers who listen: S scaled, γ₁."""
    return "".join([_plain(*run) for run in markup_runs(label)])


def _plain(text: str, shift: int) -> str:
    if not shift:
        return text
    if text.isdecimal():
        return text.translate(numbers.SUPERSCRIPTS if shift > 0 else numbers.SUBSCRIPTS)
    return f" to the power of {text}" if shift > 0 else f" {text}"


@lru_cache(maxsize=4096)
def label_width(label: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is at most."""
    ems = sum(sum(map(_ems, text)) * (SCRIPT_SIZE if shift else 1) for text, shift in markup_runs(label))
    return size * ems * (1.12 if bold else 1.0)


def _ems(letter: str) -> float:
    if letter in "iljtfrI.,:;'|!()[] 1":
        return NARROW_LETTER
    if letter in "mwMW@%" or ord(letter) > 0x2E80:
        return WIDE_LETTER
    return 0.7 if letter.isupper() else 0.62


def fitted(label: str, room: float, size: float, *, bold: bool = False, most: int = 2) -> list[str]:
    """The text in as many lines as it needs, but at most `most`; what does not fit ends in `…`."""
    if label_width(label, size, bold=bold) <= room:
        return [label]
    lines = [""]
    for word in label.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or label_width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [_cut(line, room, size, bold) for line in lines]


def _cut(label: str, room: float, size: float, bold: bool) -> str:
    if label_width(label, size, bold=bold) <= room:
        return label
    text = plain_label(label)  # what is cut is not typeset
    while text and label_width(_escaped(text) + "…", size, bold=bold) > room:
        text = text[:-1]
    return _escaped(text.rstrip()) + "…"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
