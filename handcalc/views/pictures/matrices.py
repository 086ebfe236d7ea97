"""Matrices before and after: a change, a mask, one more token in a cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from handcalc.formulas.kv_cache import CACHE
from handcalc.formulas.masks import hidden_by_kind
from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.accepted_types import MatrixLike
from handcalc.notation.validation import read_count
from handcalc.operations import Mask
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import as_matrix
from handcalc.views.canvas import CELL_GAP, SMALL, TEXT, WIDTH, Page, labels, tuple_of, widest
from handcalc.views.picture import Picture

ARROW_ROOM, MATRIX_GAP = 34.0, 26.0  # points between two matrices beside, and below one another
MAX_SIDE, MAX_KEYS, MAX_TOKENS = 8, 16, 12  # rows or columns, keys or queries, tokens
ROUNDING_ERROR = 1e-9  # what rounding may leave
CACHE_NOTE = "Lit is new; grey was kept, or is not needed again."


def changes(before: MatrixLike, after: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw two matrices of one shape side by side; what has changed has a frame, the rest is quiet.

    >>> hc.draw.changes(hc.Matrix([[1, 2]], "A"), hc.Matrix([[1, 3]], "B"))
    <Figure: A before and after: column c₁ stays (1); column c₂ goes from (2) to (3).>

    Raises HandcalcError for two shapes, or a large matrix.
    """
    one, other = as_matrix(before, "before"), as_matrix(after, "after")
    rows, columns = one.shape
    if one.shape != other.shape or max(one.shape) > MAX_SIDE:
        raise HandcalcError(
            f"changes compares two matrices of one shape, up to {MAX_SIDE} by {MAX_SIDE}, "
            f"not {shape_text(one.shape)} and {shape_text(other.shape)}."
        )
    moved = ~np.isclose(one.values, other.values, rtol=0, atol=ROUNDING_ERROR)
    # what stays is written as it was: rounding would make 10.00 of a 10
    then, now = one.values, np.where(moved, other.values, one.values)
    name, beside = one.name or "The matrix", widest(one.rows or ())
    unit = min(54.0, (WIDTH - ARROW_ROOM - 2 * beside) / 2 / columns), 28.0
    page, across = Page(theme), columns * unit[0]
    for k, (matrix, values) in enumerate([(one, then), (other, now)]):
        panel = page.panel(k * (across + beside + ARROW_ROOM), 0, unit, columns, rows)
        words, title = labels(matrix.columns, columns, "c"), f"{name} {('before', 'after')[k]}"
        framed = moved & bool(k)
        panel.cells(values, one.rows or (), words, title=title, size=TEXT, lit=moved, framed=framed)
    level = rows * unit[1] / 2
    page.sheet.arrow_through([(across + 7, level), (across + 25, level)], page.theme.quiet, 1.4)
    told = [
        f"column {word} goes from {tuple_of(then[:, j])} to {tuple_of(now[:, j])}"
        if moved[:, j].any()
        else f"column {word} stays {tuple_of(then[:, j])}"
        for j, word in enumerate(labels(one.columns, columns, "c"))
    ]
    return page.finished("Changes", f"{name} before and after: {'; '.join(told)}.")


def mask(S_masked: MatrixLike, *, theme: str = "light") -> Picture:
    """Draw scores with a mask: hidden ones are hatched and say why, the others are numbers.

    >>> hc.draw.mask(hc.examples.bird()["S_masked"])
    <Figure: Who may see whom: later keys at −∞. we sees we; saw sees we, saw; a sees we, ...>

    `S_masked` is a step that a mask has made, as calc["S_masked"] is; each column is a query that reads down
    it, or each row one that reads along it. Raises HandcalcError for a matrix that no mask has made, or a
    large one.
    """
    S = as_matrix(S_masked, "S_masked")
    if not isinstance(S.operation, Mask):
        raise HandcalcError(
            f'mask draws what a mask has made, such as calc["S_masked"], not {S.display_name}.'
        )
    if max(S.shape) > MAX_KEYS:
        raise HandcalcError(
            f"mask draws up to {MAX_KEYS} keys and queries; {S.display_name} is {shape_text(S.shape)}."
        )
    allowed = S.operation.allowed
    is_turned = not hidden_by_kind(allowed) and bool(hidden_by_kind(allowed.T))  # tokens as rows
    reasons = np.full(S.shape, "−∞", dtype=object)
    for kind, where in reversed(hidden_by_kind(allowed.T if is_turned else allowed).items()):
        reasons[where.T if is_turned else where] = kind
    rows = labels(S.rows, S.shape[0], "kq"[is_turned])
    columns = labels(S.columns, S.shape[1], "qk"[is_turned])
    page, head = Page(theme), f"Who may see whom: {S.meaning}" if S.meaning else "Who may see whom"
    unit = min(46.0, (WIDTH - widest(rows)) / len(columns)), 30.0
    panel = page.panel(0, 0, unit, len(columns), len(rows))
    line, along = ("row", "along") if is_turned else ("column", "down")
    read = f"A {line} is a reader; {along} it stands what can be read."
    left = -widest(rows) - 6
    page.sheet.write(left, -44, head, ha="left", bold=True)
    page.sheet.write(left, -28, read, ha="left", size=SMALL, ink=page.theme.quiet)
    panel.cells(S.values, rows, columns, size=TEXT)
    for i, j in np.argwhere(~np.isfinite(S.values)):
        panel.box(j, i, gap=CELL_GAP, hatch="////", edgecolor=panel.faint(0.25), linewidth=0.6)
        why = reasons[i, j] if widest([reasons[i, j]], SMALL) < unit[0] - 4 else "−∞"
        paper = {"facecolor": page.theme.paper, "linewidth": 0, "pad": 1.5}
        panel.write(j + 0.5, i + 0.5, why, size=SMALL, ink=page.theme.quiet, bbox=paper)
    queries, keys = (rows, columns) if is_turned else (columns, rows)
    sees = np.isfinite(S.values if is_turned else S.values.T)
    told = (
        f"{query} sees {', '.join(np.array(keys)[seen])}" for query, seen in zip(queries, sees, strict=True)
    )
    return page.finished("Mask", f"{head}. {'; '.join(told)}.")


def kv_cache(calculation: Calculation, token: int | None = None, *, theme: str = "light") -> Picture:
    """Draw what the cache holds when a token comes (counted from 1; the last): K and V with their new column,
    and the scores with theirs; what stands there from before is grey, and nobody calculates it again.

    >>> hc.draw.kv_cache(hc.examples.cached(), 2)
    <Figure: Token 2 comes: saw. New are the last column of K, (1), and of V, (0, 10), and ...>

    `calculation` is one with a block for each token, as `cached_attention` makes it. Raises HandcalcError for
    another calculation, or a token that is not there.
    """
    blocks = _blocks(calculation)
    at = len(blocks) if token is None else read_count(token, "token")
    if not 1 <= at <= min(MAX_TOKENS, len(blocks)):
        raise HandcalcError(f"token is {at}; it must be from 1 to {min(MAX_TOKENS, len(blocks))}.")
    here, scores = blocks[at - 1], np.full((at, at), np.nan)  # nan where a key had not come yet
    for j, block in enumerate(blocks[:at]):
        scores[: j + 1, j] = block["S"].values[:, 0]
    words = labels(here["K"].columns, at, "k")
    title = f"Token {at} comes: {words[-1]}"
    page, beside, y = Page(theme), widest([*words, "K"]) + 6, 0.0
    unit = min(46.0, (WIDTH - beside) / at), 24.0
    page.sheet.write(-beside, -50, title, ha="left", bold=True)
    page.sheet.write(-beside, -34, CACHE_NOTE, ha="left", size=SMALL, ink=page.theme.quiet)
    for name, values in (("K", here["K"].values), ("V", here["V"].values), ("S", scores)):
        page.sheet.write(-beside, y - 10, name, ha="left", bold=True)
        panel, new = page.panel(0, y, unit, at, len(values)), np.arange(at) == at - 1
        shown = words if name == "S" else (), words if name == "K" else ()
        panel.cells(values, *shown, lit=new, framed=new, size=TEXT)
        y += len(values) * unit[1] + MATRIX_GAP
    K, V, S = (tuple_of(here[name].values[:, -1]) for name in ("K", "V", "S"))
    said = f"New are the last column of K, {K}, and of V, {V}, and one column of scores, {S}"
    kept = ", ".join(words[:-1]) or "nobody"
    return page.finished("Kept", f"{title}. {said}; the columns of {kept} were kept.")


def _blocks(calculation: Any) -> list[Calculation]:
    if isinstance(calculation, Calculation):
        calculation = calculation.in_convention("columns")
    found = getattr(calculation, "blocks", {})
    blocks = [found[path] for path in found if path.rpartition(".")[2].startswith(f"{CACHE}_")]
    if not blocks or not {"K", "V", "S"} <= {*blocks[-1].steps}:
        raise HandcalcError(
            f"kv_cache draws attention with a cache, as cached_attention makes it, not {short(calculation)}."
        )
    return blocks
