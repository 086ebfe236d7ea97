"""Scores and softmax, measured as keys get longer: the reason to divide by √d_k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2, sqrt

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, Point, signed_number, text_width
from handcalc.views.picture import Picture
from handcalc.views.pictures.label_room import LabelRoom

SIZES = (1, 4, 16, 64, 256)
QUERIES, KEYS = 1000, 8  # drawn anew for every d_k
MAX_D_K = 1024
NAMES, DASHES = ("not scaled", r"÷ √$d_k$"), ((0, (4, 1.6)), "-")
SLOPES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25)
WIDE_PANEL, HIGH = 0.5 * (WIDTH - 2 * MARGIN) - 12, 150.0
LEFT, ASIDE = 30.0, 17.0  # room for an axis's numbers; from the axis to the first point
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
    canvas = Canvas(WIDTH, MARGIN + 40 + HIGH + 40 + MARGIN, theme)
    variances = _Diagram(canvas, MARGIN, sizes, sorted({1, *sizes}), log2)
    variances.drawn("Variance of the scores", [m.variance for m in found])
    slopes = _Diagram(canvas, WIDTH - MARGIN - WIDE_PANEL, sizes, SLOPES, float)
    slopes.drawn("Slope of softmax (at most 0.25)", [m.slope for m in found])
    measured = "; ".join(
        f"d_k {m.d_k}: variance {signed_number(m.variance[0])}, scaled {signed_number(m.variance[1])}, "
        f"slope {signed_number(m.slope[0])}, scaled {signed_number(m.slope[1])}"
        for m in found
    )
    title = "Scores and softmax as d_k grows"
    return canvas.finished(title, f"{title}, measured on {QUERIES * KEYS} random scores each. {measured}.")


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


class _Diagram:
    """Two lines over sizes that double or more, with the number at every point."""

    def __init__(
        self,
        canvas: Canvas,
        x: float,
        sizes: Sequence[int],
        ticks: Sequence[float],
        measure: Callable[[float], float],
    ) -> None:
        self.canvas, self.x, self.sizes, self.ticks, self.measure = canvas, x, sizes, ticks, measure
        self.left, self.top = x + LEFT, MARGIN + 40
        self.wide = WIDE_PANEL - LEFT - 2 * ASIDE
        self.room = LabelRoom((self.left - 3, self.top - 16, x + WIDE_PANEL, self.top + HIGH + 3))

    def place(self, size: float, value: float) -> Point:
        """The place of a value on the canvas."""
        low, high = self.measure(self.ticks[0]), self.measure(self.ticks[-1])
        across = log2(size / self.sizes[0]) / log2(self.sizes[-1] / self.sizes[0])
        up = (self.measure(value) - low) / (high - low)
        return self.left + ASIDE + self.wide * across, self.top + HIGH * (1 - up)

    def drawn(self, head: str, values: Sequence[Pair]) -> None:
        """Draw heading, axes, legend, and the lines with their numbers."""
        self.canvas.text(self.x, MARGIN + TEXT, head, bold=True)
        self._axes()
        lines = [
            [self.place(size, pair[which]) for size, pair in zip(self.sizes, values, strict=True)]
            for which in (0, 1)
        ]
        for which, points in enumerate(lines):
            self._line(points, which)
        for pair, *points in zip(values, *lines, strict=True):
            self._numbers(points, pair)

    def _axes(self) -> None:
        canvas, quiet = self.canvas, self.canvas.theme.quiet
        faint, foot = canvas.laid(canvas.theme.ink, 0.1), self.top + HIGH
        for tick in self.ticks:
            y = self.place(self.sizes[0], tick)[1]
            ends = [(self.left, y), (self.x + WIDE_PANEL, y)]
            canvas.line(ends, faint, 0.8, stroke=False, zorder=0.7)
            canvas.middle(self.left - 8, y, signed_number(tick), size=SMALL, ink=quiet, ha="right")
        for size in self.sizes:
            x = self.place(size, self.ticks[0])[0]
            canvas.middle(x, foot + 13, str(size), size=SMALL, ink=quiet)
        canvas.middle(self.left + ASIDE + self.wide / 2, foot + 28, "$d_k$", ink=quiet, math=True)

    def _line(self, points: list[Point], which: int) -> None:
        """One line with its points, and its legend over the diagram."""
        canvas, style, ink = self.canvas, DASHES[which], self._ink(which)
        canvas.line(points, ink, 1.8, linestyle=style)
        self.room.keep_off(points)
        for point in points:
            canvas.dot(point, ink, 2.8)
            self.room.keep_clear(point, 2.8)
        key, y = self.left + which * (text_width(NAMES[0], SMALL) + 44), MARGIN + 24
        canvas.line([(key, y), (key + 18, y)], ink, 1.8, linestyle=style)
        canvas.middle(key + 22, y, NAMES[which], size=SMALL, ink=ink, ha="left", math=True)

    def _numbers(self, points: list[Point], pair: Pair) -> None:
        """Each point's number, the higher one above and the lower one below; one number if they are one."""
        if pair[0] == pair[1]:
            self._number(points[0], pair[0], self.canvas.theme.ink, 1.0)
            return
        for which, point in enumerate(points):
            self._number(point, pair[which], self._ink(which), 1.0 if pair[which] == max(pair) else -1.0)

    def _number(self, point: Point, value: float, ink: str, up: float) -> None:
        self.room.label(self.canvas, point, signed_number(value), ink, size=SMALL, away=(-0.6, up))

    def _ink(self, which: int) -> str:
        return self.canvas.theme.left if which else self.canvas.theme.chosen
