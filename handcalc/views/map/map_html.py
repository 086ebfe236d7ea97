"""The map for a page: laid out for wide and narrow ones, of which the page shows what fits.

In each SVG every box is a link, `<a href="#attention.head_1" data-block="attention.head_1">`; what is given
and a level's own steps lead to the block that they belong to. A script lights a block by `aria-current` (and
`marked` says which box stands for a block that is drawn inside another). What is drawn of a stack's open
layer has `data-stack`, as its bars have: to open another layer a script puts that one's path in the place of
the open one's (`data-stacks` on the SVG lists both), its title over the frame, and shows its wedge.
"""

from __future__ import annotations

import hashlib

from handcalc.record.calculation import Calculation
from handcalc.views.map.map_plan import WIDE, WIDTHS, Map, Sketch
from handcalc.views.map.map_svg import Link, anchor, draw_svg

PIXEL = 0.02  # less than one: between two versions there is no gap


def versions(calculation: Calculation, *, lit: str = "") -> list[Map]:
    """The map as wide as it likes, and narrower ones where that would be too wide."""
    sketch = Sketch(calculation, lit)
    found = [sketch.fitted(WIDE)]
    for width in WIDTHS[1:]:
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
    return f"@container (max-width:{wider - PIXEL}px){least}{{{shown}}}"
