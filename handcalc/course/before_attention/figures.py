"""The lesson's figures: a recurrent network as a chain, its fading memory, scores beside shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.positional_encoding import bars
from handcalc.views.pictures.words import shares_in

BOX, ARC = 40.0, 40.0  # how wide a box is, and how high the arc above all of them
RADIUS = 15.0  # of the dot of a state of 1
MIN_STEPS, MAX_STEPS = 2, 10  # steps


def chain(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw the steps of a recurrent network as boxes in a line; the dot in each is as large as its state.

    Above them one arc: to look directly, as attention does, takes one step. `calculation` is one of
    `hc.rnn`; a dot is as long as the state's vector. Raises HandcalcError for another, or too many steps.
    """
    states = _states(calculation, "chain")
    sizes = [float(np.linalg.norm(h)) for h in states]
    canvas = Canvas(WIDTH, 2 * MARGIN + ARC + 22 + BOX + 46, theme)
    slot = (WIDTH - 2 * MARGIN) / len(states)
    centres, middle = [MARGIN + slot * (k + 0.5) for k in range(len(states))], MARGIN + ARC + 22 + BOX / 2
    largest = max(1.0, *sizes)
    for k, (x, size) in enumerate(zip(centres, sizes, strict=True)):
        canvas.box(x - BOX / 2, middle - BOX / 2, BOX, BOX, edgecolor=canvas.laid(canvas.theme.ink, 0.4))
        canvas.dot((x, middle), canvas.theme.right, max(0.8, RADIUS * size / largest))
        canvas.text(x, middle + BOX / 2 + 14, f"step {k + 1}", ha="center", ink=canvas.theme.quiet)
        canvas.text(x, middle + BOX / 2 + 29, signed_number(size), ha="center", size=TEXT)
        if k:
            before = centres[k - 1] + BOX / 2 + 2
            canvas.arrow([(before, middle), (x - BOX / 2 - 2, middle)], canvas.theme.ink, 1.2)
    _arc(canvas, centres[0], centres[-1], middle - BOX / 2 - 3)
    left = ", ".join(f"{signed_number(size)} after step {k + 1}" for k, size in enumerate(sizes))
    boxes = f"{len(states)} boxes in a line, an arrow from each to the next, a dot in each for its state"
    arc = "Above them one arc from the first to the last, one step"
    return canvas.finished("A chain and an arc", f"{boxes}: {left}. {arc}.")


def _arc(canvas: Canvas, start: float, end: float, foot: float) -> None:
    """Draw an arc from the first box to the last."""
    top = foot - 1.33 * ARC
    canvas.curve([(start, foot), (start, top), (end, top), (end, foot)], canvas.theme.left, 1.8)
    canvas.text((start + end) / 2, MARGIN + SMALL - 2, "directly: one step", ha="center", size=SMALL)
    for x in (start, end):
        canvas.dot((x, foot), canvas.theme.left, 2.4)


def vanishing_gradient(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw the state of every step as a bar, and below it the slope since the first state.

    `calculation` is one of `hc.rnn(…, slopes=True)` whose state is a single number; at the first step the
    slope is 1. Raises HandcalcError for another.
    """
    states = _states(calculation, "vanishing_gradient")
    names = [f"step_{k}.D" for k in range(2, len(states) + 1)]
    if states[0].size > 1 or not all(name in calculation for name in names):
        raise HandcalcError(
            "vanishing_gradient draws a network whose state is one number, written with slopes=True."
        )
    slopes = [1.0, *(float(calculation[name].values[0, 0]) for name in names)]
    rows = {"state": [float(h[0]) for h in states], "slope": slopes}
    steps = [f"step {k + 1}" for k in range(len(states))]
    return bars(list(rows.values()), list(rows), steps, "State, and slope since the first state", theme)


def _states(calculation: Calculation, function: str) -> Sequence[Values]:
    """The state of each step, in order."""
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"{function} draws a calculation of hc.rnn, not {short(calculation)}.")
    found: list[Values] = []
    while (name := f"step_{len(found) + 1}.h") in calculation:
        found.append(calculation[name].values[:, 0])
    if not MIN_STEPS <= len(found) <= MAX_STEPS:
        raise HandcalcError(
            f"{function} draws {MIN_STEPS} to {MAX_STEPS} steps of hc.rnn; here are {len(found)}."
        )
    return found


LINE, BAR, BETWEEN = 20.0, 13.0, 30.0
MAX_TABLES, MAX_KEYS = 3, 12  # tables, keys


class ScoreTable(NamedTuple):
    """The contents of one table: scores and shares of the first query."""

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
    wide = (WIDTH - 2 * MARGIN + BETWEEN) / len(tables) - BETWEEN
    most = max(len(table.keys) for table in tables)
    canvas = Canvas(WIDTH, 2 * MARGIN + 42 + LINE * most, theme)
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
