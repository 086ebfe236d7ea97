"""How large a box is: one for a block, a flat one for steps, what is given, and a layer of a stack."""

from __future__ import annotations

from collections.abc import Iterable

from handcalc.views.map.labels import DETAIL, TITLE, fitted, width
from handcalc.views.map.shapes import Box, Laid
from handcalc.views.map.tree import Item

PAD, GAP = 10.0, 10.0  # inside a box; between its title and what is beside it
LINE, FLAT = 17.0, 26.0  # from one line of a title to the next; how high a flat box is
WIDEST, LEAST = 150.0, 76.0  # of a block's words; of a block
LONGEST = 190.0  # of a flat box's title
INDENT = 6.0  # a given has round ends


def block(item: Item, wide: float = 0.0) -> Laid:
    """A block: its title, and below it what comes out."""
    title = fitted(item.title, WIDEST, TITLE, bold=True)
    detail = fitted(item.detail, WIDEST, DETAIL, most=1)[0]
    words = max(*(width(line, TITLE, bold=True) for line in title), width(detail, DETAIL))
    wide = max(wide, LEAST, words + 2 * PAD)
    high = LINE * (len(title) + bool(detail)) + 10
    return _laid(item, item.kind, tuple(title), detail, wide, high)


def flat(item: Item, wide: float = 0.0, kind: str = "") -> Laid:
    """Steps, what is given or a layer: title and shape on one line."""
    title = fitted(item.title, LONGEST, TITLE, bold=kind == "bar", most=1)[0]
    words = width(title, TITLE, bold=True) + GAP * bool(item.detail) + width(item.detail, DETAIL)
    wide = max(wide, words + 2 * (PAD + INDENT * (item.kind == "given")))
    return _laid(item, kind or item.kind, (title,), item.detail, wide, FLAT)


def equally_wide(items: Iterable[Item]) -> dict[str, Laid]:
    """The blocks of one level that are plain boxes, as wide as the widest."""
    blocks = [item for item in items if item.kind == "block" and not item.items]
    widest = max((block(item).wide for item in blocks), default=0.0)
    return {item.key: block(item, widest) for item in blocks}


def _laid(item: Item, kind: str, title: tuple[str, ...], detail: str, wide: float, high: float) -> Laid:
    names = tuple(m.name or "" for m in item.matrices)
    box = Box(item.key, kind, item.path, title, detail, -wide / 2, 0, wide, high, names)
    return Laid(wide / 2, wide / 2, high, [box])
