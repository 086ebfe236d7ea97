"""In which row each item of a level stands, and whether the level has two columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from handcalc.views.map.block_tree import Item
from handcalc.views.map.siblings import OUT, Links


def ranked_rows(items: Sequence[Item], links: Links) -> list[list[Item]]:
    """Items in rows, each below all that it reads; of those that read in a circle, the first one first."""
    keys = {item.key for item in items}
    before: dict[str, set[str]] = {key: set() for key in keys}
    for start, end in links:
        if start in keys and end in keys:
            before[end].add(start)
    rank: dict[str, int] = {}
    waiting = list(items)
    while waiting:
        ready = next((i for i in waiting if before[i.key] <= rank.keys()), waiting[0])
        rank[ready.key] = max((rank[key] + 1 for key in before[ready.key] if key in rank), default=0)
        waiting.remove(ready)
    _lowered(items, links, rank)
    found = [[i for i in items if rank[i.key] == r] for r in sorted(set(rank.values()))]
    return [
        row[::-1] if {i.kind for i in row} == {"given"} else row for row in found
    ]  # the first at the right


def _lowered(items: Sequence[Item], links: Links, rank: dict[str, int]) -> None:
    """What reads nothing on this level stands just above its first reader."""
    fed = {end for start, end in links}
    for item in items:
        readers = [rank[end] for start, end in links if start == item.key and end in rank]
        if item.key not in fed and readers:
            rank[item.key] = max(0, min(readers) - 1)


def reachable(links: Iterable[tuple[str, str]], start: str) -> set[str]:
    """Everything that depends on an item."""
    after: dict[str, list[str]] = {}
    for a, b in links:
        after.setdefault(a, []).append(b)
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = [b for b in after.get(waiting.pop(), ()) if b not in found]
        found.update(new)
        waiting += new
    return found


def residuals(links: Links) -> set[tuple[str, str]]:
    """The lines beside which there is a longer way from the same beginning to the same end."""
    found = set()
    for start, end in links:
        others = [b for a, b in links if a == start and b not in (end, OUT)]
        if end != OUT and any(end in reachable(links, other) for other in others):
            found.add((start, end))
    return found


def second_column(items: Sequence[Item], links: Links) -> set[str]:
    """The items that stand beside the others: what reads a composite but begins with something of its own.

    So the decoder is beside the encoder. Empty where there is nothing of the kind.
    """
    large = {item.key for item in items if item.items and item.kind != "group"}
    after = {item.key: reachable(links, item.key) for item in items}
    for start, end in links:
        if start in large and end in large:
            others = [a for a, b in links if b == end and a != start and a in after]
            if any(start not in after[a] and a not in after[start] for a in others):
                return _with_sources({end, *after[end]} - {OUT}, items, links, start)
    return set()


def _with_sources(right: set[str], items: Sequence[Item], links: Links, left: str) -> set[str]:
    """The same with what is only read there and depends on nothing of the left."""
    for item in reversed(items):
        readers = {b for a, b in links if a == item.key}
        read = {a for a, b in links if b == item.key}
        if readers and readers <= right and read <= right and item.key != left:
            right.add(item.key)
    return right


def links_of_column(links: Links, keys: Collection[str]) -> Links:
    """The lines that have an end in a column, those that come from elsewhere too."""
    return {(a, b): names for (a, b), names in links.items() if b in keys or (b == OUT and a in keys)}
