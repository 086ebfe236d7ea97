"""Which items of a map belong together: equal ones side by side, and equal ones in a row.

Items that read the same and are read by the same (the heads) are a group; blocks of the same shape of which
each feeds only the next (the layers) are a stack.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from handcalc.record.matrix import Matrix
from handcalc.views.map.block_tree import Item, Sources, shape_of

OUT = "<out>"  # where the lines go that leave a block
Links = dict[tuple[str, str], tuple[str, ...]]  # (from, to) -> what goes along; both are keys


def item_links(root: Item, read: Sources) -> dict[str, Links]:
    """The lines of each item that has items inside, by its key.

    A line begins at an item or, under the same key, at the border where it came from outside; it ends at
    an item or at OUT.
    """
    found: dict[str, dict[tuple[str, str], dict[str, None]]] = {}
    pairs = [(source, reader) for reader in read for source in read[reader]]
    for source, level, start, end in _along(root, pairs):
        found.setdefault(level, {}).setdefault((start, end), {})[source.name or ""] = None
    return {level: {pair: tuple(names) for pair, names in lines.items()} for level, lines in found.items()}


def skip_lines(root: Item, summands: Iterable[tuple[Matrix, Matrix]]) -> frozenset[tuple[str, str]]:
    """The lines along which something is added as it is."""
    return frozenset((start, end) for _, _, start, end in _along(root, summands))


def _along(root: Item, pairs: Iterable[tuple[Matrix, Matrix]]) -> Iterator[tuple[Matrix, str, str, str]]:
    """What goes from each source to its reader, in pieces: in which item, from where, to where."""
    ways = {matrix: way for way in _ways(root, ()) for matrix in way[-1].matrices}
    for source, reader in pairs:
        here, there = ways.get(source), ways.get(reader)
        if here and there and here[-1] is not there[-1]:
            for level, start, end in _pieces(root, here, there):
                yield source, level, start, end


def _ways(item: Item, way: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """For everything in which nothing else is drawn, the items that lead there."""
    for inner in item.items:
        if inner.items:
            yield from _ways(inner, (*way, inner))
        else:
            yield (*way, inner)


def _pieces(root: Item, here: Sequence[Item], there: Sequence[Item]) -> Iterator[tuple[str, str, str]]:
    """A way from one item to another as lines, one for each frame that it crosses or is in."""
    same = next(k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a is not b)
    start, level = here[same].key, here[same - 1] if same else root
    for outer, inner in zip(here[same:], here[same + 1 :], strict=False):
        yield outer.key, inner.key, OUT
    yield level.key, start, there[same].key
    for outer, inner in zip(there[same:], there[same + 1 :], strict=False):
        yield outer.key, start, inner.key


def gathered(item: Item, lines: dict[str, Links]) -> Item:
    """The same tree with groups and stacks in it."""
    items = [gathered(inner, lines) if inner.items else inner for inner in item.items]
    inside = lines.get(item.key, {})
    reads, feeds = _neighbours(inside)
    chains = _stacks(items, feeds)
    stacked = {member.key for chain in chains for member in chain}
    alike: dict[object, list[Item]] = {}
    for inner in items:
        if inner.kind == "block" and inner.key not in stacked:
            who = (frozenset(reads.get(inner.key, ())), frozenset(feeds.get(inner.key, ())))
            alike.setdefault(who, []).append(inner)
    groups = [found for found in alike.values() if len(found) > 1]
    for kind, members in [("stack", c) for c in chains] + [("group", g) for g in groups]:
        items = _together(items, kind, members, item.path)
    return replace(item, items=items)


def _neighbours(lines: Links) -> tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]:
    reads: dict[str, dict[str, None]] = {}
    feeds: dict[str, dict[str, None]] = {}
    for start, end in lines:
        reads.setdefault(end, {})[start] = None
        feeds.setdefault(start, {})[end] = None
    return reads, feeds


def _stacks(items: list[Item], feeds: dict[str, dict[str, None]]) -> list[list[Item]]:
    """Chains of blocks that look the same inside, each read by the next one alone."""
    blocks = {item.key: item for item in items if item.kind == "block"}
    follower: dict[str, str] = {}
    for key, block in blocks.items():
        after = list(feeds.get(key, ()))
        if len(after) == 1 and after[0] in blocks and shape_of(block) == shape_of(blocks[after[0]]):
            follower.setdefault(after[0], key)
    before = {key: end for end, key in follower.items()}
    chains = []
    for key in blocks:
        if key in before and key not in follower:
            chain = [blocks[key]]
            while chain[-1].key in before:
                chain.append(blocks[before[chain[-1].key]])
            chains.append(chain)
    return chains


def _together(items: list[Item], kind: str, members: list[Item], path: str) -> list[Item]:
    first = members[0]
    made = Item(f"{kind}:{first.key}", kind, path, "", items=_told_apart(members))
    return [made if item is first else item for item in items if item is first or item not in members]


def _told_apart(members: list[Item]) -> list[Item]:
    """Those that are called the same get the number that their name ends in."""
    if len({member.title for member in members}) > 1:
        return members
    numbers = [re.search(r"\d*$", member.path)[0] for member in members]  # type: ignore[index]
    return [replace(m, title=f"{m.title} {n}".strip()) for m, n in zip(members, numbers, strict=True)]


def pruned(item: Item, depth: int, chosen: str) -> Item:
    """The tree down to a depth; what is deeper, has no parts or is not the open layer is a plain box."""
    items: list[Item] = []
    current = open_member(item, chosen) if item.kind == "stack" else None
    for inner in item.items:
        if inner.kind in ("group", "stack"):
            items.append(pruned(inner, depth, chosen))
        elif inner.has_parts and depth > 0 and (current is None or inner is current):
            items.append(pruned(inner, depth - 1, chosen))
        else:
            items.append(_closed(inner))
    return replace(item, items=items)


def open_member(stack: Item, chosen: str) -> Item:
    """The one that is shown with what is inside: the one that is asked for, or the first."""
    inside = (m for m in stack.items if chosen == m.path or chosen.startswith(f"{m.path}."))
    return next(inside, stack.items[0])


def _closed(item: Item) -> Item:
    return replace(item, items=[], matrices=[m for inner in item.walk() for m in inner.matrices])


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
