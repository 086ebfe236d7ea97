"""Two ways to score the same keys, side by side: each key's score, and its share as a bar."""

from __future__ import annotations

from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDE, Canvas, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.words import shares_in

LINE, BAR, BETWEEN = 20.0, 13.0, 30.0
MAX_TABLES, MAX_KEYS = 3, 12  # tables, keys


class ScoreTable(NamedTuple):
    """What one table has: scores and shares of the first query."""

    title: str
    keys: list[str]
    scores: Values
    shares: Values


def score_tables(*calculations: Calculation, theme: str = "light") -> Picture:
    """Draw a table for each calculation: of every key its score for the first query, and its share as a bar.

    Each has scores S and attention weights A. Raises HandcalcError for one that has not, or for too many.
    """
    if not 0 < len(calculations) <= MAX_TABLES:
        raise HandcalcError(f"score_tables draws 1 to {MAX_TABLES} calculations, not {len(calculations)}.")
    tables = [_read(calculation) for calculation in calculations]
    wide = (WIDE - 2 * MARGIN + BETWEEN) / len(tables) - BETWEEN
    most = max(len(table.keys) for table in tables)
    canvas = Canvas(WIDE, 2 * MARGIN + 42 + LINE * most, theme)
    for k, table in enumerate(tables):
        _table(canvas, table, MARGIN + (wide + BETWEEN) * k, wide)
    said = "; ".join(
        f"{table.title}: "
        + ", ".join(
            f"{key} scores {signed_number(s)} and gets {signed_number(a)}"
            for key, s, a in zip(table.keys, table.scores, table.shares, strict=True)
        )
        for table in tables
    )
    return canvas.finished("Scores and shares", f"Scores and shares. {said}.")


def _read(calculation: Calculation) -> ScoreTable:
    if not isinstance(calculation, Calculation) or not {"S", "A"} <= set(calculation):
        raise HandcalcError(f"score_tables draws calculations with S and A, not {short(calculation)}.")
    A, S = shares_in(calculation["A"], "score_tables", MAX_KEYS), calculation["S"]
    keys = labels(A.rows, A.shape[0], "k")
    return ScoreTable(calculation.title, keys, S.values[:, 0], A.values[:, 0])


def _table(canvas: Canvas, table: ScoreTable, x: float, wide: float) -> None:
    """Key, score and share of each line."""
    top, number, start = MARGIN + 42, x + 74, x + 88
    canvas.text(x, MARGIN + HEAD, table.title, bold=True, size=HEAD)
    for where, word, ha in ((x, "key", "left"), (number, "score", "right"), (start, "share", "left")):
        canvas.text(where, MARGIN + 31, word, size=SMALL, ha=ha, ink=canvas.theme.quiet)
    whole = wide - 88 - 34
    for i, (key, score, share) in enumerate(zip(table.keys, table.scores, table.shares, strict=True)):
        middle = top + LINE * i + BAR / 2
        canvas.middle(x, middle, key, ha="left", size=TEXT)
        canvas.middle(number, middle, signed_number(score), ha="right", size=TEXT)
        edge = canvas.laid(canvas.theme.ink, 0.25)
        canvas.box(start, middle - BAR / 2, whole, BAR, edgecolor=edge, linewidth=0.7)
        fill = canvas.tinted(share, never_negative=True)
        canvas.box(start, middle - BAR / 2, max(whole * share, 0.8), BAR, facecolor=fill)
        canvas.middle(start + whole + 5, middle, signed_number(share), ha="left", size=SMALL)
