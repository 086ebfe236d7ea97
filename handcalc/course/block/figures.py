"""The lesson's figures: which tokens a block reads, and what a layer norm does to one token."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, signed_number, tuple_of
from handcalc.views.picture import Picture

CELL = 40.0, 26.0
CELL_INKS = 0.07, 0.35  # of its fill and its edge, which is seen on dark paper, too
MAX_TOKENS = 5  # tokens
BETWEEN_BLOCKS = 40.0
Reads = np.ndarray[Any, np.dtype[np.bool_]]


def directions(*blocks: Calculation, theme: str = "light") -> Picture:
    """Draw for each block which column of what goes in can move which column of what comes out.

    It is tried out: each column is changed in turn, and the block is calculated again. Blocks have up to 5
    tokens. Raises HandcalcError for a block that reads no tokens, or more.
    """
    if not blocks:
        raise HandcalcError('directions draws at least one block, such as calc.blocks["attention"].')
    read = [find_token_reads(block) for block in blocks]
    given = [_tokens(block) for block in blocks]
    across = (WIDTH - 2 * MARGIN - BETWEEN_BLOCKS * (len(blocks) - 1)) / len(blocks)
    high = max(CELL[1] * m.shape[0] for m in given)
    canvas = Canvas(WIDTH, MARGIN + 52 + high + 34 + MARGIN, theme)
    told = []
    for k, (block, matrix, which) in enumerate(zip(blocks, given, read, strict=True)):
        wide = CELL[0] * matrix.shape[1] + 30 * (matrix.shape[1] - 1)
        x = MARGIN + k * (across + BETWEEN_BLOCKS)
        canvas.text(x, MARGIN + TEXT, block.title, bold=True)
        said = _said(which, labels(matrix.columns, matrix.shape[1], "x"))
        canvas.text(x, MARGIN + 52 + high + 24, said, size=SMALL, ink=canvas.theme.quiet)
        _drawn(canvas, (x + (across - wide) / 2, MARGIN + 52), matrix, which)
        told.append(f"{block.title}: {said}")
    return canvas.finished("Which tokens are read", f"Which tokens are read. {'; '.join(told)}.")


def find_token_reads(block: Calculation) -> Reads:
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


def _drawn(canvas: Canvas, corner: tuple[float, float], matrix: Matrix, read: Reads) -> None:
    x, y = corner
    wide, high = CELL
    step = wide + 30
    words = labels(matrix.columns, matrix.shape[1], "x")
    for i, j in np.ndindex(*matrix.shape):
        place = (x + j * step, y + i * high, wide, high - 3)
        fill, edge = (canvas.laid(canvas.theme.ink, strength) for strength in CELL_INKS)
        canvas.box(*place, facecolor=fill, edgecolor=edge)
    for j, word in enumerate(words):
        canvas.middle(x + j * step + wide / 2, y - 10, word, size=SMALL)
    rows = matrix.shape[0]
    if not (read & ~np.eye(len(read), dtype=bool)).any():
        for j in range(len(words)):
            middle = x + j * step + wide / 2
            canvas.arrow([(middle, y + 4), (middle, y + rows * high - 6)], canvas.theme.right, 2.0)
        return
    pairs = [(i, j) for i, j in np.ndindex(*read.shape) if i != j and read[i, j]]
    for k, (i, j) in enumerate(pairs):
        level = y + (k + 0.5) * rows * high / len(pairs)
        start, end = (x + place * step + wide / 2 for place in (i, j))
        canvas.dot((start, level), canvas.theme.left, 2.6)
        canvas.arrow([(start, level), (end, level)], canvas.theme.left, 2.0)


def _said(read: Reads, words: list[str]) -> str:
    first = [word for i, word in enumerate(words) if read[i, 0]]
    listed = " and ".join([", ".join(first[:-1]), first[-1]] if len(first) > 1 else first)
    return f"{words[0]} reads {listed}{' alone' if len(first) == 1 else ''}"


HIGH = 96.0  # of the bars, from the lowest to the highest
BETWEEN_PANELS = 22.0  # two panels
MAX_FEATURES = 8  # features
HEAD = 46.0


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
    word = labels(N.columns, N.shape[1], "x")[token]
    title = f"{word} on its way through a layer norm"
    canvas = Canvas(WIDTH, HEAD + HIGH + 44 + MARGIN, theme)
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    across = (WIDTH - 2 * MARGIN - 3 * BETWEEN_PANELS) / 4
    names = labels(N.rows, len(bars[0]), "f")
    low, high = min(0.0, *(b.min() for b in bars)), max(0.0, *(b.max() for b in bars))
    for k, (head, values) in enumerate(zip(heads, bars, strict=True)):
        x = MARGIN + k * (across + BETWEEN_PANELS)
        canvas.text(x, HEAD - 6, head, bold=True)
        _panel(canvas, (x, HEAD + 14, across), values, names, (float(low), float(high)))
    told = "; ".join(f"{head}: {tuple_of(values)}" for head, values in zip(heads, bars, strict=True))
    return canvas.finished(title, f"{title}, four times as bars. {told}.")


def _panel(
    canvas: Canvas,
    place: tuple[float, float, float],
    values: Values,
    names: list[str],
    reach: tuple[float, float],
) -> None:
    x, top, across = place
    low, high = reach
    scale = HIGH / ((high - low) or 1)
    zero, wide = top + high * scale, across / len(values)
    canvas.line([(x, zero), (x + across, zero)], canvas.theme.quiet, 0.8, stroke=False)
    for k, (value, name) in enumerate(zip(values.tolist(), names, strict=True)):
        long, middle = abs(value) * scale, x + (k + 0.5) * wide
        up = value >= 0
        box = (x + k * wide + 0.16 * wide, zero - long if up else zero, 0.68 * wide, long)
        largest = max(-low, high)
        edge = canvas.tinted(math.copysign(largest, value), largest)  # as strong for small bars
        canvas.box(*box, facecolor=canvas.tinted(value, largest), edgecolor=edge)
        canvas.middle(middle, zero - long - 6 if up else zero + long + 7, signed_number(value, 1), size=SMALL)
        canvas.middle(middle, top + HIGH + 22, name, size=SMALL, ink=canvas.theme.quiet)


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
