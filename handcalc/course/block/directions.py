"""Which tokens a block reads: arrows from column to column, or down each column alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDE, Canvas, labels
from handcalc.views.picture import Picture

CELL = 40.0, 26.0
CELL_INKS = 0.07, 0.35  # of its fill and its edge, which is seen on dark paper, too
MAX_TOKENS = 5  # tokens
BETWEEN = 40.0
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
    across = (WIDE - 2 * MARGIN - BETWEEN * (len(blocks) - 1)) / len(blocks)
    high = max(CELL[1] * m.shape[0] for m in given)
    canvas = Canvas(WIDE, MARGIN + 52 + high + 34 + MARGIN, theme)
    told = []
    for k, (block, matrix, which) in enumerate(zip(blocks, given, read, strict=True)):
        wide = CELL[0] * matrix.shape[1] + 30 * (matrix.shape[1] - 1)
        x = MARGIN + k * (across + BETWEEN)
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
    """What the block works on: the given whose columns are tokens."""
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
