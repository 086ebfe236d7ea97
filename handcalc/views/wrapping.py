"""Where tracks go on a sheet as high as it needs to be: side by side, on further lines, or stacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from handcalc.views.grouping import MARGIN, ROW, TRACK, Placed, PlacedGroup

FURTHER = 1.7 * ROW  # from one line of tracks to the next
STACKS = (1.0, 1.25)  # how high stacked tracks may get, in heights of the highest one
SMALLEST, SQUEEZED = 0.72, 0.8  # how far a sheet shrinks at most, and rather than wrap


def stack_groups(groups: Sequence[PlacedGroup], most: float) -> list[PlacedGroup]:
    """Set short tracks below one another, up to this many times the height of the highest track."""
    highest = max(group.height for group in groups)
    found: list[PlacedGroup] = []
    for group in groups:
        together = PlacedGroup([*found[-1].boxes, *_below(found[-1], group)]) if found else group
        if found and together.height <= most * highest:
            found[-1] = together
        else:
            found.append(group)
    return found


def _below(group: PlacedGroup, other: PlacedGroup) -> Iterator[Placed]:
    return other.moved(0, group.below + FURTHER + other.above)


def arranged(groups: Sequence[PlacedGroup], limit: float, top: float) -> tuple[list[Placed], float]:
    """Place all tracks from `top` down, and say how far to shrink what is placed.

    Side by side if that takes at most a squeeze, else on further lines, or stacked: what is lowest.
    """
    ways = [groups, *(stack_groups(groups, most) for most in STACKS)]
    scales = [_fitting_scale(way, limit - 2 * MARGIN) for way in ways]
    pages = [_in_lines(way, limit / scale, top) for way, scale in zip(ways, scales, strict=True)]
    heights = [PlacedGroup(page).below * scale for page, scale in zip(pages, scales, strict=True)]
    best = min(range(len(ways)), key=lambda way: (round(heights[way]), way))
    return pages[best], scales[best]


def _fitting_scale(groups: Sequence[PlacedGroup], limit: float) -> float:
    """Squeeze the sheet onto one line of tracks if little is missing; else give the widest track room."""
    together = sum(group.width for group in groups) + TRACK * (len(groups) - 1)
    if together * SQUEEZED <= limit:
        return min(1.0, limit / together)
    return max(SMALLEST, min(1.0, limit / max(group.width for group in groups)))


def _in_lines(groups: Sequence[PlacedGroup], limit: float, top: float) -> list[Placed]:
    """Set tracks side by side from `top` down, on a further line where one is full."""
    placed: list[Placed] = []
    for line in _lines(groups, limit - 2 * MARGIN):
        y = top + max(group.above for group in line)
        ends = accumulate((group.width + TRACK for group in line), initial=MARGIN)
        for group, x in zip(line, ends, strict=False):
            placed += group.moved(x + group.left, y)
        top = y + max(group.below for group in line) + FURTHER
    return placed


def _lines(groups: Sequence[PlacedGroup], limit: float) -> list[list[PlacedGroup]]:
    lines: list[list[PlacedGroup]] = []
    room = 0.0
    for group in groups:
        if not lines or group.width > room + 0.01:
            lines.append([])
            room = limit
        lines[-1].append(group)
        room -= group.width + TRACK
    return lines
