"""A map as SVG for a page: every box a link to its block, colours by the sheet's custom properties."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import hypot

from handcalc.views.map.boxes import GAP, LINE, PAD
from handcalc.views.map.labels import DETAIL, TITLE, plain, runs
from handcalc.views.map.plan import Map
from handcalc.views.map.shapes import Box, Line, Point, Stack

BEND, TIP = 6.0, 6.5  # the radius of a corner; the length of an arrow's head
BASE = 0.36  # from the middle of a line of text to its base


def svg(drawn: Map, *, lit: str = "") -> str:
    """The whole map; the block at the path `lit` is lit."""
    wide, high = round(drawn.wide), round(drawn.high)
    title = f"Map of {plain(drawn.title)}"
    wedges = "".join(wedge for stack in drawn.stacks for wedge in _wedges(stack))
    frames = "".join(_box(box, lit) for box in drawn.boxes if box.kind in ("frame", "band"))
    lines = "".join(map(_line, sorted(drawn.lines, key=lambda line: not line.is_residual)))
    boxes = "".join(_box(box, lit) for box in drawn.boxes if box.kind not in ("frame", "band"))
    return (
        f'<svg class="hc-map" role="group" aria-label="{escape(title)}" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}"><title>{escape(title)}</title>'
        f"<desc>{escape(described(drawn))}</desc>"
        f'{wedges}{frames}<g class="hc-map-lines">{lines}</g>{boxes}</svg>'
    )


def described(drawn: Map) -> str:
    """What goes where, as a sentence for readers who listen."""
    names = {box.key: plain(" ".join(box.title)) for box in drawn.boxes if box.title}
    ways: dict[str, dict[str, None]] = {}
    for line in drawn.lines:
        if line.has_head and line.start in names and line.end in names:
            ways.setdefault(names[line.start], {})[names[line.end]] = None
    return "; ".join(f"{start} goes to {', '.join(ends)}" for start, ends in ways.items()) + "."


def _wedges(stack: Stack) -> Iterator[str]:
    """From each bar to what is inside, all but the open one hidden, so that a page can open another one."""
    for place, corners in enumerate(stack.corners):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)
        where = f'data-stack="{escape(stack.key)}" data-layer="{place}"'
        hidden = "" if place == stack.current else " hidden"
        yield f'<polygon class="hc-map-wedge" {where} points="{points}"{hidden}/>'


def _box(box: Box, lit: str) -> str:
    radius = box.high / 2 if box.kind == "given" else 8 if box.kind in ("frame", "band") else 5
    size = f'width="{_n(box.wide)}" height="{_n(box.high)}" rx="{_n(radius)}"'
    shape = f'<rect x="{_n(box.x)}" y="{_n(box.y)}" {size}/>'
    if box.kind == "band":
        return f'<g class="hc-map-band">{shape}</g>'
    says = " ".join(filter(None, [plain(" ".join(box.title)), plain(box.detail)]))
    is_lit = lit and box.path == lit and box.kind in ("block", "bar", "frame")
    data = f'data-block="{escape(box.path)}"' + (f' data-stack="{escape(box.stack)}"' if box.stack else "")
    data += ' aria-current="true"' if is_lit else ""
    return (
        f'<a class="hc-map-{box.kind}" href="#{escape(box.path)}" {data} aria-label="{escape(says)}">'
        f"{shape}{''.join(_words(box))}</a>"
    )


def _words(box: Box) -> Iterator[str]:
    x, middle = box.x + box.wide / 2, box.y + box.high / 2
    if box.kind == "frame":
        yield _text(box.title[0], box.x + PAD, box.y + 18, TITLE, "hc-map-title", "start")
    elif box.kind == "block":
        top = middle - LINE * (len(box.title) + bool(box.detail)) / 2 + LINE / 2
        for count, line in enumerate(box.title):
            yield _text(line, x, top + LINE * count + BASE * TITLE, TITLE, "hc-map-title")
        yield _text(box.detail, x, top + LINE * len(box.title) + BASE * DETAIL, DETAIL, "hc-map-detail")
    elif box.kind == "bar":
        yield _text(box.title[0], box.x + PAD, middle + BASE * TITLE, TITLE, "hc-map-title", "start")
        yield _text(
            box.detail, box.x + box.wide - PAD, middle + BASE * DETAIL, DETAIL, "hc-map-detail", "end"
        )
    elif box.title:
        detail = escape(box.detail)
        gap = f'<tspan class="hc-map-detail" dx="{_n(GAP)}" font-size="{_n(DETAIL)}">{detail}</tspan>'
        yield _text(box.title[0], x, middle + BASE * TITLE, TITLE, "hc-map-title", after=gap)


def _text(
    label: str, x: float, y: float, size: float, kind: str, anchor: str = "middle", after: str = ""
) -> str:
    spans, shift = [], 0.0
    for text, where in runs(label):
        wanted = -0.3 * size * (where > 0) + 0.2 * size * (where < 0)
        small = f' font-size="{_n(0.85 * size)}"' if where else ""
        move = f' dy="{_n(wanted - shift)}"' if wanted != shift else ""
        spans.append(f"<tspan{move}{small}>{escape(text)}</tspan>" if move or small else escape(text))
        shift = wanted
    if after and shift:
        after = after.replace("<tspan", f'<tspan dy="{_n(-shift)}"', 1)
    return (
        f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}">'
        f"{''.join(spans)}{after}</text>"
    )


def _line(line: Line) -> str:
    kind = "hc-map-residual" if line.is_residual else "hc-map-line"
    points = line.points
    head = ""
    if line.has_head and len(points) > 1:
        corners, foot = _head(points[-2], points[-1])
        head = f'<path class="hc-map-head" d="M{" ".join(f"{_n(x)} {_n(y)}" for x, y in corners)}Z"/>'
        points = (*points[:-1], foot)
    ends = f'data-from="{escape(line.start)}" data-to="{escape(line.end)}"'
    return f'<g class="{kind}" {ends}><path d="{_curved(points)}"/>{head}</g>'


def _head(before: Point, tip: Point) -> tuple[list[Point], Point]:
    (x0, y0), (x1, y1) = before, tip
    length = hypot(x1 - x0, y1 - y0) or 1.0
    u, v = (x1 - x0) / length, (y1 - y0) / length
    foot = (x1 - TIP * u, y1 - TIP * v)
    wing = 0.5 * TIP
    return [tip, (foot[0] - wing * v, foot[1] + wing * u), (foot[0] + wing * v, foot[1] - wing * u)], foot


def _curved(points: tuple[Point, ...]) -> str:
    """A line with rounded corners."""
    way = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        (ax, ay), (bx, by) = (_towards(corner, end) for end in (before, after))
        way.append(f"L{_n(ax)} {_n(ay)}Q{_n(corner[0])} {_n(corner[1])} {_n(bx)} {_n(by)}")
    way.append(f"L{_n(points[-1][0])} {_n(points[-1][1])}")
    return "".join(way)


def _towards(corner: Point, end: Point) -> Point:
    length = hypot(end[0] - corner[0], end[1] - corner[1]) or 1.0
    share = min(BEND, length / 2) / length
    return corner[0] + share * (end[0] - corner[0]), corner[1] + share * (end[1] - corner[1])


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
