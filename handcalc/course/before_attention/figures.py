"""The lesson's figures: a recurrent network as a chain, its fading memory, scores beside shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.views.canvas import HEAD, SMALL, TEXT, WIDTH, Page, labels, signed_number
from handcalc.views.picture import Picture
from handcalc.views.pictures.positional_encoding import bars
from handcalc.views.pictures.shares import shares_in

BOX, ARC, DOT = 40.0, 40.0, 30.0  # points of a box, of the arc above all of them, of a state of 1
MIN_STEPS, MAX_STEPS = 2, 10  # steps
LINE, BETWEEN = 20.0, 44.0  # points of a line of a table; between two tables, with a share's number
MAX_TABLES, MAX_KEYS = 3, 12  # tables, keys


def chain(calculation: Calculation, *, theme: str = "light") -> Picture:
    """Draw the steps of a recurrent network as boxes in a line; the dot in each is as large as its state.

    Above them one arc: to look directly, as attention does, takes one step. `calculation` is one of
    `hc.rnn`; a dot is as long as the state's vector. Raises HandcalcError for another, or too many steps.
    """
    states = _states(calculation, "chain")
    sizes = [float(np.linalg.norm(h)) for h in states]
    page, slot, largest = Page(theme), WIDTH / len(states), max(1.0, *sizes)
    line = page.panel(0, 0, (slot, BOX), len(states))
    edge = BOX / 2 / slot
    for k, size in enumerate(sizes):
        x = k + 0.5
        line.box(x - edge, 0, 2 * edge, edgecolor=line.faint(0.4))
        line.dot(x, 0.5, page.theme.right, max(1.6, DOT * size / largest))
        line.write(x, 1, f"step {k + 1}", shift=(0, -12), ink=page.theme.quiet)
        line.write(x, 1, signed_number(size), shift=(0, -27))
        if k:
            line.arrow_through([(x - 1 + 1.1 * edge, 0.5), (x - 1.1 * edge, 0.5)], page.theme.ink, 1.2)
    ends = (0.5, -0.08), (len(states) - 0.5, -0.08)
    line.arc(*ends, ARC / BOX, page.theme.left, 1.8)
    for end in ends:
        line.dot(*end, page.theme.left)
    line.write(len(states) / 2, -0.08, "directly: one step", shift=(0, ARC + 9), size=SMALL)
    left = ", ".join(f"{signed_number(size)} after step {k + 1}" for k, size in enumerate(sizes))
    boxes = f"{len(states)} boxes in a line, an arrow from each to the next, a dot in each for its state"
    arc = "Above them one arc from the first to the last, one step"
    return page.finished("A chain and an arc", f"{boxes}: {left}. {arc}.")


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


def score_tables(*calculations: Calculation, theme: str = "light") -> Picture:
    """Draw a table for each calculation: of every key its score for the first query, and its share as a bar.

    Each has scores S and attention weights A. Raises HandcalcError for one that has not, or for too many.
    """
    if not 0 < len(calculations) <= MAX_TABLES:
        raise HandcalcError(f"score_tables draws 1 to {MAX_TABLES} calculations, not {len(calculations)}.")
    tables = [(calculation.title, *_read(calculation)) for calculation in calculations]
    page, slot, told = Page(theme), (WIDTH + BETWEEN - 30) / len(tables), []
    for k, (title, keys, scores, shares) in enumerate(tables):
        panel = page.panel(slot * k, 0, (slot - BETWEEN - 88, LINE), 1, len(keys))
        panel.write(0, 0, title, shift=(-88, 34), ha="left", bold=True, size=HEAD)
        for x, word, ha in ((-88, "key", "left"), (-14, "score", "right"), (0, "share", "left")):
            panel.write(0, 0, word, shift=(x, 12), size=SMALL, ha=ha, ink=page.theme.quiet)
        for i, (key, score) in enumerate(zip(keys, scores, strict=True)):
            panel.write(0, i + 0.5, key, shift=(-88, 0), ha="left", size=TEXT)
            panel.write(0, i + 0.5, signed_number(score), shift=(-14, 0), ha="right")
        panel.bars(shares.tolist(), whole=1)
        rows = zip(keys, scores, shares, strict=True)
        said = (f"{key} scores {signed_number(s)} and gets {signed_number(a)}" for key, s, a in rows)
        told.append(f"{title}: {', '.join(said)}")
    return page.finished("Scores and shares", f"Scores and shares. {'; '.join(told)}.")


def _read(calculation: Calculation) -> tuple[list[str], Values, Values]:
    """The keys, with their scores and shares for the first query."""
    if not isinstance(calculation, Calculation) or not {"S", "A"} <= set(calculation):
        raise HandcalcError(f"score_tables draws calculations with S and A, not {short(calculation)}.")
    A, S = shares_in(calculation["A"], "score_tables", MAX_KEYS), calculation["S"]
    return labels(A.rows, A.shape[0], "k"), S.values[:, 0], A.values[:, 0]
