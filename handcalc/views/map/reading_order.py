"""The order of a map's parts: each to the right of all that it reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from handcalc.record.matrix import Matrix
from handcalc.views.map.block_tree import Item, Sources

Links = set[tuple[str, str]]  # (from, to), keys of items that stand side by side


def links_inside(root: Item, read: Sources) -> dict[str, Links]:
    """The links between the items inside each item, by its key."""
    found: dict[str, Links] = {}
    ways = {matrix: way for way in _ways(root, (root,)) for matrix in way[-1].matrices}
    for reader, sources in read.items():
        for source in sources:
            for level, start, end in _meeting(ways.get(source), ways.get(reader)):
                found.setdefault(level, set()).add((start, end))
    return found


def _ways(item: Item, way: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """For everything in which nothing else is drawn, the items that lead there."""
    for inner in item.items:
        yield from _ways(inner, (*way, inner)) if inner.items else [(*way, inner)]


def _meeting(here: Sequence[Item] | None, there: Sequence[Item] | None) -> Iterable[tuple[str, str, str]]:
    """The item in which two ways part, and the two items there."""
    if not here or not there:
        return
    for around, one, other in zip(here, here[1:], there[1:], strict=False):
        if one is not other:
            yield around.key, one.key, other.key
            return


def columns_of(items: Sequence[Item], links: Links) -> list[list[Item]]:
    """Items in columns; of those that read in a circle, the first one comes first."""
    keys = {item.key for item in items}
    before: dict[str, set[str]] = {key: set() for key in keys}
    for start, end in links:
        before[end].add(start)
    rank: dict[str, int] = {}
    waiting = list(items)
    while waiting:
        ready = next((i for i in waiting if before[i.key] <= rank.keys()), waiting[0])
        rank[ready.key] = max((rank[key] + 1 for key in before[ready.key] if key in rank), default=0)
        waiting.remove(ready)
    for item in items:  # what reads nothing stands just before its first reader
        readers = [rank[end] for start, end in links if start == item.key]
        if not before[item.key] and readers:
            rank[item.key] = max(0, min(readers) - 1)
    return [[i for i in items if rank[i.key] == r] for r in sorted(set(rank.values()))]


def told_apart(items: list[Item]) -> list[Item]:
    """Give blocks with equal titles the number that their path ends in."""
    count = Counter(item.title for item in items if item.kind == "block")

    def told(item: Item) -> Item:
        number = re.search(r"\d*$", item.path)
        if item.kind != "block" or count[item.title] < 2 or not number:
            return item
        return replace(item, title=f"{item.title} {number[0]}".strip())

    return [told(item) for item in items]


def part_around(root: Item, is_frame: Callable[[Item], bool]) -> dict[Matrix, Item]:
    """For each matrix the outermost item around it that is no frame."""
    found = {}
    for way in _ways(root, (root,)):
        home = next(item for item in way if not is_frame(item))
        found.update(dict.fromkeys(way[-1].matrices, home))
    return found
