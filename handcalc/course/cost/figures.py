"""The number of scores that a text needs: counted under each mask, and as the text grows."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import Any

import numpy as np

from handcalc.formulas.masks import Allowed, causal_mask, hidden_by_kind, sliding_window
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_count
from handcalc.views.canvas import SMALL, WIDTH, Page
from handcalc.views.palette import shades
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import chart

MAX_TOKENS = 16  # tokens whose scores are drawn one by one
SIDE, BETWEEN = 150.0, 30.0  # points of a square, and between two
LENGTHS = (10, 100, 1000, 10_000, 100_000)
NAMES = {"": "every pair", "later": "causal", "far": "a window of {}"}
NOTE = "Both axes go up in powers of ten."
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (2, 1.4)))


def counts(n: int = 6, width: int = 3, *, theme: str = "light") -> Picture:
    """Draw n by n scores three times, each with its count: every pair, a causal mask, a causal window.

    n² (a square), n (n + 1) / 2 (a triangle) and w n − w (w − 1) / 2 (a band), for a width of w ≤ n, oneself
    counted. Raises HandcalcError for a text or a window that is too long.
    """
    n, wide = read_count(n, "n"), read_count(width, "The width of the window")
    if not 2 <= n <= MAX_TOKENS or not 1 <= wide <= n:
        raise HandcalcError(
            f"counts draws 2 to {MAX_TOKENS} tokens and a window up to all of them, not {n} and {wide}."
        )
    page, told = Page(theme), []
    for k, allowed in enumerate((np.ones((n, n), dtype=bool), causal_mask(n), sliding_window(n, wide))):
        panel = page.panel(k * (SIDE + BETWEEN), 0, (SIDE / n, SIDE / n), n, n)
        x = k * (SIDE + BETWEEN)
        page.sheet.write(x, -30, f"{allowed.sum()} scores", ha="left", bold=True)
        page.sheet.write(x, -14, _name(allowed, wide), ha="left", size=SMALL, ink=page.theme.quiet)
        fills = shades(0.6 * allowed, page.theme, never_negative=True, largest=1)
        panel.pcolormesh(fills, edgecolors=panel.faint(0.25), linewidth=0.6)
        told.append(f"{_name(allowed, wide)}: {allowed.sum()}")
    return page.finished("Counts", f"Scores of {n} tokens. {'; '.join(told)}.")


def _name(allowed: Allowed, wide: int) -> str:
    kinds = hidden_by_kind(allowed)
    return NAMES["far" if "far" in kinds else "later" if kinds else ""].format(wide)


def lengths(sizes: Sequence[int] = LENGTHS, width: int = 3, *, theme: str = "light") -> Picture:
    """Draw how many scores texts of these lengths need, on log paper.

    Raises HandcalcError for lengths that are not rising, or shorter than the window.
    """
    sizes = [read_count(n, "A length") for n in sizes]
    wide = read_count(width, "The width of the window")
    if len(sizes) < 2 or sizes != sorted(set(sizes)) or not 1 <= wide <= sizes[0] or sizes[-1] > 10**6:
        raise HandcalcError(
            f"sizes is {short(sizes)}; it must be rising lengths from the window's {wide} up to a million."
        )
    lines = {
        "every pair, n²": [n * n for n in sizes],
        "causal, n (n + 1) ÷ 2": [n * (n + 1) // 2 for n in sizes],
        f"a window of {wide}": [wide * n - wide * (wide - 1) // 2 for n in sizes],
    }
    decades = range(0, 2 + ceil(log10(sizes[-1] ** 2)), 2)
    up = {10.0**power: f"$10^{{{power}}}$" for power in decades}
    page = Page(theme)
    size = (WIDTH - 142, 210.0)
    panel = chart(page, (0, 0), size, {n: f"{n:,}" for n in sizes}, up, name="tokens, n", powers="xy")
    page.sheet.write(-46, -36, "Scores of a head", ha="left", bold=True)
    page.sheet.write(-46, -20, NOTE, ha="left", size=SMALL, ink=page.theme.quiet)
    inks = page.theme.chosen, page.theme.right, page.theme.left
    for k, ((name, line), ink, dashes) in enumerate(zip(lines.items(), inks, DASHES, strict=True)):
        panel.plot(sizes, line, color=ink, linewidth=1.8, linestyle=dashes)
        panel.plot(sizes, line, "o", color=ink, markersize=5)
        down = -8 if k == 1 else 0  # two lines that end close together keep their names apart
        panel.write(
            sizes[-1], line[-1], name.partition(",")[0], shift=(9, down), ha="left", size=SMALL, ink=ink
        )
    told = "; ".join(f"{name}: " + ", ".join(f"{m:,}" for m in line) for name, line in lines.items())
    title = "Scores of a head as the text grows"
    return page.finished(title, f"{title}, n = {', '.join(f'{n:,}' for n in sizes)}. {told}.")
