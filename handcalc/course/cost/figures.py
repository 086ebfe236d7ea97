"""How many scores a text needs: what each mask leaves, counted, and how the counts grow with the text."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import Any

import numpy as np

from handcalc.formulas.masks import Allowed, causal_mask, hidden_by_kind, sliding_window
from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_count
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, Point
from handcalc.views.picture import Picture
from handcalc.views.pictures.chart import Axis, Chart

MAX_TOKENS = 16  # tokens whose scores are drawn one by one
BETWEEN = 30.0  # two squares
LENGTHS = (10, 100, 1000, 10_000, 100_000)
HIGH, LEFT = 210.0, 46.0  # of the log paper; room for its numbers
NAMES = {"": "every pair", "later": "causal", "far": "a window of {}"}
NOTE = "Both axes go up in powers of ten."
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (2, 1.4)))


def counts(n: int = 6, width: int = 3, *, theme: str = "light") -> Picture:
    """Draw n by n scores three times, each with its count: every pair, a causal mask, a causal window.

    n² (a square), n (n + 1) / 2 (a triangle) and w n − w (w − 1) / 2 (a band), for a width of w ≤ n, oneself
    counted. Raises HandcalcError for a text or a window that is too long.
    """
    n, wide = _checked(n, width)
    masks = [np.ones((n, n), dtype=bool), causal_mask(n), sliding_window(n, wide)]
    side = min(150.0, (WIDTH - 2 * MARGIN - 2 * BETWEEN) / 3)
    canvas = Canvas(2 * MARGIN + 3 * side + 2 * BETWEEN, MARGIN + 44 + side + MARGIN, theme)
    told = []
    for k, allowed in enumerate(masks):
        x, name, count = MARGIN + k * (side + BETWEEN), _name(allowed, wide), int(allowed.sum())
        canvas.text(x, MARGIN + TEXT, f"{count} scores", bold=True)
        canvas.text(x, MARGIN + TEXT + 16, name, size=SMALL, ink=canvas.theme.quiet)
        _square(canvas, allowed, (x, MARGIN + 44), side / n)
        told.append(f"{name}: {count}")
    return canvas.finished("Counts", f"Scores of {n} tokens. {'; '.join(told)}.")


def _checked(n: Any, wide: Any) -> tuple[int, int]:
    n, wide = read_count(n, "n"), read_count(wide, "The width of the window")
    if not 2 <= n <= MAX_TOKENS or not 1 <= wide <= n:
        raise HandcalcError(
            f"counts draws 2 to {MAX_TOKENS} tokens and a window up to all of them, not {n} and {wide}."
        )
    return n, wide


def _name(allowed: Allowed, wide: int) -> str:
    kinds = hidden_by_kind(allowed)
    return NAMES["far" if "far" in kinds else "later" if kinds else ""].format(wide)


def _square(canvas: Canvas, allowed: Allowed, corner: Point, cell: float) -> None:
    """A box for each score, filled where it is needed."""
    gap = min(1.5, 0.1 * cell)
    for i, j in np.ndindex(*allowed.shape):
        x, y = corner[0] + j * cell + gap / 2, corner[1] + i * cell + gap / 2
        fill = canvas.tinted(0.6, never_negative=True) if allowed[i, j] else "none"
        edge = canvas.laid(canvas.theme.ink, 0.3 if allowed[i, j] else 0.12)
        canvas.box(x, y, cell - gap, cell - gap, facecolor=fill, edgecolor=edge, linewidth=0.6)


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
    canvas = Canvas(WIDTH, MARGIN + 44 + HIGH + 40 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, "Scores of a head", bold=True)
    canvas.text(MARGIN, MARGIN + TEXT + 16, NOTE, size=SMALL, ink=canvas.theme.quiet)
    decades = ceil(log10(max(map(max, lines.values()))))
    counted = {10.0**power: f"$10^{{{power}}}$" for power in range(0, decades + 1, 2)}
    axes = (
        Axis(sizes[0], sizes[-1], {n: f"{n:,}" for n in sizes}, in_powers=True),
        Axis(1, 10.0**decades, counted, in_powers=True),
    )
    chart = Chart(canvas, (MARGIN + LEFT, MARGIN + 44), (WIDTH - 2 * MARGIN - LEFT - 96, HIGH), axes)
    chart.grid("tokens, n")
    inks, lowest = (canvas.theme.chosen, canvas.theme.right, canvas.theme.left), 0.0
    for (name, line), ink, dashes in zip(lines.items(), inks, DASHES, strict=True):
        x, y = chart.line([*zip(sizes, line, strict=True)], ink, dashes, 2.6)[-1]
        lowest = max(y, lowest + 15)  # names of two lines that end close together keep apart
        canvas.middle(x + 9, lowest, name.partition(",")[0], ha="left", size=SMALL, ink=ink)
    told = "; ".join(f"{name}: " + ", ".join(f"{m:,}" for m in line) for name, line in lines.items())
    title = "Scores of a head as the text grows"
    return canvas.finished(title, f"{title}, n = {', '.join(f'{n:,}' for n in sizes)}. {told}.")
