"""The lesson's figures: which tokens a block reads, and what a layer norm does to one token."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, WIDTH, Mask, Page, labels, signed_number, tuple_of
from handcalc.views.picture import Picture

CELL, TOKEN = (40.0, 26.0), 70.0  # points of a number; from token to token
MAX_TOKENS, MAX_FEATURES = 5, 8
HIGH, BETWEEN_PANELS = 96.0, 22.0  # points of the bars, from the lowest to the highest; between two panels


def directions(*blocks: Calculation, theme: str = "light") -> Picture:
    """Draw for each block which column of what goes in can move which column of what comes out.

    It is tried out: each column is changed in turn, and the block is calculated again. Blocks have up to 5
    tokens. Raises HandcalcError for a block that reads no tokens, or more.
    """
    if not blocks:
        raise HandcalcError('directions draws at least one block, such as calc.blocks["attention"].')
    read = [find_token_reads(block) for block in blocks]
    given = [_tokens(block) for block in blocks]
    page, told, across, below = Page(theme), [], WIDTH / len(blocks), max(m.shape[0] for m in given)
    for k, (block, tokens, which) in enumerate(zip(blocks, given, read, strict=True)):
        rows, count = tokens.shape
        words = labels(tokens.columns, count, "x")
        panel = page.panel(k * across + (across - TOKEN * count) / 2, 0, (TOKEN, CELL[1]), count, rows)
        panel.name_columns(words)
        for i, j in np.ndindex(rows, count):
            side = CELL[0] / TOKEN
            fill, edge = panel.faint(0.07), panel.faint(0.35)
            panel.box(j + (1 - side) / 2, i, side, 0.88, facecolor=fill, edgecolor=edge)
        pairs = [(i, j) for i, j in np.argwhere(which).tolist() if i != j]
        for count_, (i, j) in enumerate(pairs):
            level = (count_ + 0.5) * rows / len(pairs) - 0.06
            panel.dot(i + 0.5, level, page.theme.left)
            panel.arrow_through([(i + 0.5, level), (j + 0.5, level)], page.theme.left)
        for j in range(0 if pairs else count):
            panel.arrow_through([(j + 0.5, 0.2), (j + 0.5, rows - 0.3)], page.theme.right)
        first = [word for i, word in enumerate(words) if which[i, 0]]
        said = f"{words[0]} reads {listed(first)}{' alone' if len(first) == 1 else ''}"
        page.sheet.write(k * across, -34, block.title, ha="left", bold=True)
        foot = below * CELL[1] + 16
        page.sheet.write(k * across, foot, said, ha="left", size=SMALL, ink=page.theme.quiet)
        told.append(f"{block.title}: {said}")
    return page.finished("Which tokens are read", f"Which tokens are read. {'; '.join(told)}.")


def find_token_reads(block: Calculation) -> Mask:
    """[i, j]: whether token i, changed, moves token j of the block's result."""
    tokens = _tokens(block)
    if block.result.shape[1] != tokens.shape[1] or tokens.shape[1] > MAX_TOKENS:
        raise HandcalcError(
            f"directions draws blocks of up to {MAX_TOKENS} tokens, of which as many come out."
        )
    before = block.result.values
    found = []
    for token in range(tokens.shape[1]):
        values = tokens.values.copy()
        values[:, token] += np.sqrt(np.arange(2, len(values) + 2))
        after = block.with_givens(**{str(tokens.name): values}).result.values
        found.append(~np.isclose(before, after, rtol=0, atol=1e-9).all(axis=0))
    return np.array(found)


def _tokens(block: Calculation) -> Matrix:
    """The tokens that the block works on: the given whose columns are tokens."""
    if not isinstance(block, Calculation):
        raise HandcalcError(f"directions draws blocks of a calculation, not {short(block)}.")
    found = [m for m in block.givens.values() if m.columns]
    if not found:
        raise HandcalcError(f"{block.title} has no given whose columns are tokens.")
    return found[0]


def normalisation(N: Matrix, column: int = 0, *, theme: str = "light") -> Picture:
    """Draw one token before, within and after a layer norm, N = γ · (x − mean) / spread + β.

    N (d_model, n) is the end of a layer norm, up to 8 features; the record has what it was made from.
    `column` is the token, counted from 0. Raises HandcalcError if N is no layer norm.
    """
    raw, centred, scaled = _stages(N)
    token = read_whole(column, "The column")
    if not 0 <= token < N.shape[1]:
        raise HandcalcError(f"{N.display_name} has {N.shape[1]} columns, counted from 0; {token} is not one.")
    bars = [m.values[:, token] for m in (raw, centred, scaled, N)]
    mean, spread = float(bars[0].mean()), float(bars[1].std())
    heads = ["as it is", f"− mean {signed_number(mean)}", f"÷ spread {signed_number(spread)}", "· γ + β"]
    title = f"{labels(N.columns, N.shape[1], 'x')[token]} on its way through a layer norm"
    low, high = min(0.0, *map(np.min, bars)), max(0.0, *map(np.max, bars))
    page, largest, wide = Page(theme), max(-low, high), (WIDTH - 3 * BETWEEN_PANELS) / 4
    scale, names = HIGH / ((high - low) or 1), labels(N.rows, len(bars[0]), "f")
    page.sheet.write(0, -52, title, ha="left", ink=page.theme.quiet)
    for k, (head, values) in enumerate(zip(heads, bars, strict=True)):
        panel = page.panel(k * (wide + BETWEEN_PANELS), 0, (wide / len(values), 1), len(values), HIGH)
        panel.write(0, 0, head, shift=(0, 28), ha="left", bold=True)
        xs, zero = np.arange(len(values)) + 0.5, high * scale
        panel.plot([0, len(values)], [zero, zero], color=page.theme.quiet, linewidth=0.8, zorder=0.8)
        edges = [
            panel.tinted(np.copysign(largest, value), largest) for value in values
        ]  # as strong for small bars
        look: dict[str, Any] = {"largest": largest, "places": 1, "width": 0.68, "edgecolor": edges}
        panel.columns(xs.tolist(), zero, values.tolist(), scale, **look)
        for x, name in zip(xs, names, strict=True):
            panel.write(x, HIGH, name, shift=(0, -22), size=SMALL, ink=page.theme.quiet)
    told = "; ".join(f"{head}: {tuple_of(values)}" for head, values in zip(heads, bars, strict=True))
    return page.finished(title, f"{title}, four times as bars. {told}.")


def _stages(N: Any) -> tuple[Matrix, Matrix, Matrix]:
    """The input of a layer norm, that less its mean, and that divided by its spread."""
    chain: list[Matrix] = [N] if isinstance(N, Matrix) else []
    while chain and len(chain) < 5:
        before = [m for m in chain[-1].inputs if m.shape == N.shape and not (m.is_given and len(chain) < 4)]
        if len(before) != 1:
            break
        chain += before
    if len(chain) < 5 or len(N.values) > MAX_FEATURES or not _is_norm(*chain[:1:-1]):
        name = N.display_name if isinstance(N, Matrix) else short(N)
        raise HandcalcError(
            f"normalisation draws the end of a layer norm of up to {MAX_FEATURES} features; "
            f"{name} is not one."
        )
    return chain[4], chain[3], chain[2]


def _is_norm(raw: Matrix, centred: Matrix, scaled: Matrix) -> bool:
    """Whether the second is the first less its means, and the third has the spread 1, or nearly."""
    less = raw.values - raw.values.mean(axis=0)
    return np.allclose(centred.values, less) and np.allclose(scaled.values.std(axis=0), 1, atol=0.1)
