"""A map as SVG for a page: every box a link to its block, colours by the sheet's custom properties."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from html import escape
from math import hypot

from handcalc.record.calculation import Calculation
from handcalc.views.map.box_sizes import (
    DETAIL_PX,
    SCRIPT_SIZE,
    TITLE_PX,
    MapBox,
    MapLine,
    PlacedText,
    Point,
    Stack,
    markup_runs,
    plain_label,
    text_places,
)
from handcalc.views.map.map_plan import MAP_WIDTHS, MAX_MAP_WIDTH, Map, Sketch, describe_map, keys_of_block

Link = Callable[[str], str]  # a block's path -> an address
CORNER_RADIUS, HEAD_LENGTH = 6.0, 6.5  # the radius of a corner; the length of an arrow's head
BELOW_A_PIXEL = 0.02  # less than one: between two versions there is no gap


def anchor(path: str) -> str:
    """Where the box of a block leads to, unless a page says otherwise."""
    return f"#{path}"


def draw_svg(drawn: Map, *, lit: str = "", link: Link = anchor) -> str:
    """The whole map; the block at the path `lit` is lit."""
    wide, high, current = round(drawn.wide), round(drawn.high), keys_of_block(drawn, lit)
    title = f"Map of {plain_label(drawn.title)}"
    wedges = "".join(wedge for stack in drawn.stacks for wedge in _wedges(stack))
    frames = "".join(_box(box, current, link) for box in drawn.boxes if box.kind in ("frame", "band"))
    lines = "".join(map(_line, sorted(drawn.lines, key=lambda line: not line.is_residual)))
    boxes = "".join(_box(box, current, link) for box in drawn.boxes if box.kind not in ("frame", "band"))
    return (
        f'<svg class="hc-map" role="group" aria-label="{escape(title)}" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}"{_stacks(drawn)}><title>{escape(title)}</title>'
        f"<desc>{escape(describe_map(drawn))}</desc>"
        f'{wedges}{frames}<g class="hc-map-lines">{lines}</g>{boxes}</svg>'
    )


def _stacks(drawn: Map) -> str:
    """The layers of each stack, for a page that opens another one."""
    if not drawn.stacks:
        return ""
    found = [{"key": s.key, "paths": s.paths, "current": s.current} for s in drawn.stacks]
    return f' data-stacks="{escape(json.dumps(found))}"'


def _wedges(stack: Stack) -> Iterator[str]:
    """From each bar to what is inside, all but the open one hidden, so that a page can open another one."""
    for place, corners in enumerate(stack.corners):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)
        where = f'data-stack="{escape(stack.key)}" data-layer="{place}"'
        hidden = "" if place == stack.current else ' hidden=""'
        yield f'<polygon class="hc-map-wedge" {where} points="{points}"{hidden}/>'


def _box(box: MapBox, current: set[str], link: Link) -> str:
    radius = box.high / 2 if box.kind == "given" else 8 if box.kind in ("frame", "band") else 5
    size = f'width="{_n(box.wide)}" height="{_n(box.high)}" rx="{_n(radius)}"'
    shape = f'<rect x="{_n(box.x)}" y="{_n(box.y)}" {size}/>'
    if box.kind == "band":
        return f'<g class="hc-map-band">{shape}</g>'
    says = " ".join(filter(None, [plain_label(" ".join(box.title)), plain_label(box.detail)]))
    data = f'data-block="{escape(box.path)}"' + (f' data-stack="{escape(box.stack)}"' if box.stack else "")
    if box.kind in ("steps", "given"):
        data += f' data-names="{escape(chr(10).join(box.names))}"'
    data += ' aria-current="true"' if box.key in current else ""
    return (
        f'<a class="hc-map-{box.kind}" href="{escape(link(box.path))}" {data} aria-label="{escape(says)}">'
        f"{shape}{''.join(map(_text, text_places(box)))}</a>"
    )


def _text(line: PlacedText) -> str:
    size, kind = (TITLE_PX, "hc-map-title") if line.is_title else (DETAIL_PX, "hc-map-detail")
    spans, shift = [], 0.0
    for text, where in markup_runs(line.text):
        wanted = size * {0: 0.0, 1: -0.3, -1: 0.2}[where]
        move = f' dy="{_n(wanted - shift)}"' if wanted != shift else ""
        small = f' font-size="{_n(SCRIPT_SIZE * size)}"' if where else ""
        spans.append(f"<tspan{move}{small}>{escape(text)}</tspan>" if move or small else escape(text))
        shift = wanted
    place = f'x="{_n(line.x)}" y="{_n(line.y)}" text-anchor="{line.anchor}"'
    return f'<text class="{kind}" {place} font-size="{_n(size)}">{"".join(spans)}</text>'


def _line(line: MapLine) -> str:
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
    foot = (x1 - HEAD_LENGTH * u, y1 - HEAD_LENGTH * v)
    wing = 0.5 * HEAD_LENGTH
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
    share = min(CORNER_RADIUS, length / 2) / length
    return corner[0] + share * (end[0] - corner[0]), corner[1] + share * (end[1] - corner[1])


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def versions(calculation: Calculation, *, lit: str = "") -> list[Map]:
    """The map as wide as it likes, and narrower ones where that would be too wide."""
    sketch = Sketch(calculation, lit)
    found = [sketch.fitted(MAX_MAP_WIDTH)]
    for width in MAP_WIDTHS[1:]:
        if found[-1].wide > width:
            narrower = sketch.fitted(width)
            found += [narrower] if narrower.wide < found[-1].wide else []
    return found


def map_specs(calculation: Calculation) -> list[dict[str, object]]:
    """The versions as JSON values: how wide each is, and its SVG."""
    return [{"wide": round(found.wide), "svg": draw_svg(found)} for found in versions(calculation)]


def pictured(calculation: Calculation, *, lit: str = "", link: Link = anchor) -> str:
    """The versions as HTML without a script: the container's width decides which one is seen."""
    found = versions(calculation, lit=lit)
    pictures = [draw_svg(each, lit=lit, link=link) for each in found]
    scope = "hc-" + hashlib.sha256("".join(pictures).encode()).hexdigest()[:10]
    rules = "".join(_rule(f".{scope} > .hc-map", k, found) for k in range(1, len(found)))
    rest = (picture.replace("<svg ", '<svg style="display:none" ', 1) for picture in pictures[1:])
    drawn = with_quiet_links("".join([pictures[0], *rest]))
    return f'<nav class="hc-maps {scope}" aria-label="Map"><style>{rules}</style>{drawn}</nav>'


def with_quiet_links(drawn: str) -> str:
    """The same SVG for the output of a cell: browsers follow its links, and JupyterLab leaves them alone.

    It sets `href` on every link that has one; in an SVG that is an error, and the whole output turns red.
    """
    return drawn.replace(' href="', ' xlink:href="')


def _rule(maps: str, place: int, found: list[Map]) -> str:
    """Show a narrower version where the one before it does not fit."""
    wider, own = (round(each.wide) for each in found[place - 1 : place + 1])
    least = "" if place == len(found) - 1 else f" and (min-width:{own}px)"
    shown = f"{maps}{{display:none!important}}{maps}:nth-of-type({place + 1}){{display:block!important}}"
    return f"@container (max-width:{wider - BELOW_A_PIXEL}px){least}{{{shown}}}"
