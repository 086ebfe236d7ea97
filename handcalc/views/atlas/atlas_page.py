"""An atlas as one file: the map, every block without its weights, and those with them that have room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handcalc.foundation.progress import with_progress
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS
from handcalc.record.calculation import Calculation
from handcalc.views.atlas import atlas_outline, block_sheets
from handcalc.views.atlas.atlas_widget import drawn_blocks, first_path

MAX_PAGE_BYTES = 9_990_000  # of a page: below 10 MB
ATLAS_NOTE = "What you move or switch changes only the block that is open."

Written = Callable[[str, Any], str]


def written_blocks(calculation: Calculation, at: str, written: Written, around: int) -> dict[str, str]:
    """Path -> block as it is `written`, from the one that is opened on: first all without weights, then with.

    `around` is how many bytes of the page are no blocks. What has no room at all says so, and how to save it
    alone.
    """
    paths = by_nearness(drawn_blocks(calculation), first_path(calculation, at))
    found = {path: written(path, {"trouble": _no_room(path)}) for path in paths}
    left = MAX_PAGE_BYTES - around - sum(map(len, found.values()))
    turns = [(has_weights, path) for has_weights in (False, True) for path in paths]
    for has_weights, path in with_progress(turns, "Writing blocks"):
        if has_weights and _least(calculation, path) > left:
            continue
        block = written(path, block_sheets.block_sheet(calculation, path, has_weights=has_weights))
        more = len(block) - len(found[path])
        if more <= left:
            left -= more
            found[path] = block
    return found


def by_nearness(paths: list[str], start: str) -> list[str]:
    """The block that is open, those beside it, those of the same layer, and so on; of equals the nearest."""
    here = paths.index(start)

    def common(path: str) -> int:
        pairs = zip(path.split("."), start.split("."), strict=False)
        return next(
            (k for k, (a, b) in enumerate(pairs) if a != b), min(path.count("."), start.count(".")) + 1
        )

    return sorted(paths, key=lambda path: (path != start, -common(path), abs(paths.index(path) - here)))


def _least(calculation: Calculation, path: str) -> int:
    """Bytes that a block's weights take at least: 4 for each number, as base64 a third more."""
    level = calculation.level(path)
    return sum(
        4 * m.values.size * 4 // 3 for m in level.givens.values() if m.values.size > block_sheets.HEAVY
    )


def _no_room(path: str) -> str:
    alone = f'calc.blocks["{path}"]' if path else 'calc.level("")'
    return f'This file has no room for this block; {alone}.save_html("block.html") saves it alone.'


def book(calculation: Calculation) -> dict[str, Any]:
    """What the page knows before a block is opened."""
    return {"book": atlas_outline.outline_spec(calculation, TOKEN_CONVENTIONS), "note": ATLAS_NOTE}
