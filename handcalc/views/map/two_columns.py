"""Two columns of a map side by side, and the lines that cross from the left one to the right one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from handcalc.views.map.line_routing import LANE, RoutedItem
from handcalc.views.map.map_level import Level
from handcalc.views.map.map_shapes import Laid, MapLine
from handcalc.views.map.siblings import OUT, Links

LEFT, RIGHT = "<left>", "<right>"  # the keys of the columns
BETWEEN = 26.0  # two columns, and more for each line between them


def read_across(links: Links, doors: Collection[str], right: set[str]) -> frozenset[str]:
    """What stands in the left column and is read in the right one."""
    return frozenset(a for a, b in links if a not in right and a not in doors and b in right)


def join_columns(columns: Sequence[Laid], links: Links, right: set[str], how: Level) -> Laid:
    """Both columns in one row, as two items of a level."""
    found = list(zip((LEFT, RIGHT), columns, strict=True))
    keys = sorted(read_across(links, how.doors, right))
    gap = BETWEEN + LANE * len(keys)
    level = replace(how, rows=[found], links=_around(links, right, how), beside=gap, lowered=0.0)
    laid = level.laid()
    (one, two), residual = level.places[0], {a for a, b in how.residual if b in right}
    for count, key in enumerate(keys):
        names = next(names for (a, b), names in links.items() if a == key and b in right)
        lane = one.x + one.laid.right + gap / 2 + LANE * (count - (len(keys) - 1) / 2)
        points = tuple(_across(key, one, two, lane))
        laid.lines.append(MapLine(key, RIGHT, names, points, key in residual, has_head=False))
    return laid


def _around(links: Links, right: set[str], how: Level) -> Links:
    """What comes into the columns from outside, and what leaves them."""
    found: Links = {}
    for (a, b), names in links.items():
        column = RIGHT if b in right or (b == OUT and a in right) else LEFT
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
