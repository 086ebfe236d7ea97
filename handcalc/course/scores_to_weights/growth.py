"""Scores and softmax, measured as keys get longer: the reason to divide by √d_k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.views.canvas import SMALL, WIDTH, Page, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.charts import beside, chart

SIZES = (1, 4, 16, 64, 256)
QUERIES, KEYS = 1000, 8  # drawn anew for every d_k
MAX_D_K = 1024
NAMES, DASHES = ("not scaled", r"÷ √$d_k$"), ((0, (4, 1.6)), "-")
SLOPES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)
CHART, BETWEEN = ((WIDTH - 114) / 2, 150.0), 54.0  # points of a chart, and between the two
Pair = tuple[float, float]  # not scaled, scaled


@dataclass(frozen=True)
class MeasuredSlopes:
    """For one d_k: the scores' variance, and how far a share can follow its score; plain and ÷ √d_k."""

    d_k: int
    variance: Pair
    slope: Pair


def growth(sizes: Sequence[int] = SIZES, *, seed: int = 7, theme: str = "light") -> Picture:
    """Measure how scores grow with d_k and how little softmax then moves, and draw both, on log scales.

    For every size 1000 queries and 8 keys for each are drawn, each number −1 or 1 like a coin's toss:
    mean 0, variance 1. Left, the variance of s = q·k and of s / √d_k. Right, the slope of softmax: the
    largest |∂Aᵢ/∂sⱼ| of each query, averaged, s being what enters the softmax. Both after Vaswani et
    al. 2017, section 3.2.1 and its note 4. Raises HandcalcError for sizes that are not rising powers of 2.
    """
    sizes = _checked(sizes)
    seed = read_whole(seed, "seed")
    found = [measure(d_k, abs(seed)) for d_k in sizes]
    page, across = Page(theme), {float(n): str(n) for n in sizes}
    inks = page.theme.chosen, page.theme.left
    charts: list[tuple[str, dict[float, str], list[Pair]]] = [
        ("Variance of the scores", {1.0: "1"} | across, [m.variance for m in found]),
        ("Slope of softmax (at most 0.25)", {s: signed_number(s) for s in SLOPES}, [m.slope for m in found]),
    ]
    for k, (head, up, pairs) in enumerate(charts):
        corner, powers = (k * (CHART[0] + BETWEEN), 0.0), ("xy", "x")[k]
        panel = chart(page, corner, CHART, across, up, name="$d_k$", powers=powers, indent=0.2)
        page.sheet.write(corner[0] - 30, -36, head, ha="left", bold=True)
        for name, ink, dashes, line in zip(NAMES, inks, DASHES, zip(*pairs, strict=True), strict=True):
            panel.plot(sizes, line, color=ink, linewidth=1.8, linestyle=dashes, label=name)
            panel.plot(sizes, line, "o", color=ink, markersize=5.6, zorder=2.6)
        for n, pair in zip(sizes, pairs, strict=True):
            is_one = pair[0] == pair[1]
            for value, ink in [*zip(pair, inks, strict=True)][: 1 if is_one else 2]:
                away = (-0.6, 1.0 if value == max(pair) else -1.0)
                shown = page.theme.ink if is_one else ink
                beside(panel, (n, value), signed_number(value), ink=shown, size=SMALL, away=away)
        panel.key(math=True)
    measured = "; ".join(
        f"d_k {m.d_k}: variance {signed_number(m.variance[0])}, scaled {signed_number(m.variance[1])}, "
        f"slope {signed_number(m.slope[0])}, scaled {signed_number(m.slope[1])}"
        for m in found
    )
    title = "Scores and softmax as d_k grows"
    return page.finished(title, f"{title}, measured on {QUERIES * KEYS} random scores each. {measured}.")


def measure(d_k: int, seed: int = 7) -> MeasuredSlopes:
    """Draw queries and keys of d_k numbers, score them, and measure; the same seed, the same numbers."""
    coins = tossed(QUERIES * (KEYS + 1) * d_k, seed + d_k).reshape(QUERIES, KEYS + 1, d_k)
    scores = np.einsum("qkd,qd->qk", coins[:, 1:], coins[:, 0])  # (queries, keys)
    scaled = scores / sqrt(d_k)
    return MeasuredSlopes(
        d_k,
        (float(scores.var()), float(scaled.var())),
        (mean_largest_slope(scores), mean_largest_slope(scaled)),
    )


def tossed(count: int, seed: int) -> Values:
    """So many numbers −1 or 1, like tossed coins.

    Taken from the generator's raw bits: numpy promises that these, unlike what its Generator draws,
    stay the same in every version.
    """
    raw = np.random.PCG64(seed).random_raw(-(-count // 64)).astype("<u8")
    bits = np.unpackbits(raw.view(np.uint8))[:count]
    return np.asarray(bits * 2.0 - 1.0, dtype=np.float64)


def mean_largest_slope(scores: Values) -> float:
    """The largest |∂Aᵢ/∂sⱼ| of every row's softmax, averaged over the rows.  (rows, keys)

    ∂Aᵢ/∂sⱼ is Aᵢ (1 − Aᵢ) where i = j and −Aᵢ Aⱼ elsewhere, which is never larger.
    """
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    A = powers / powers.sum(axis=1, keepdims=True)
    return float((A * (1 - A)).max(axis=1).mean())


def _checked(sizes: Sequence[int]) -> list[int]:
    read = [*map(int, sizes)] if isinstance(sizes, tuple | list) and all(map(_is_whole, sizes)) else []
    powers = all(0 < size <= MAX_D_K and size & (size - 1) == 0 for size in read)
    if not 2 <= len(read) <= 6 or not powers or read != sorted(set(read)):
        raise HandcalcError(
            f"sizes is {short(sizes)}; it must be two to six rising powers of 2, at most {MAX_D_K}."
        )
    return read


def _is_whole(size: object) -> bool:
    return isinstance(size, int | np.integer) and not isinstance(size, bool)
