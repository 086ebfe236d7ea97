"""Sheets and matrices as plain text, laid out as on paper, for consoles and for readers who listen."""

from __future__ import annotations

from itertools import zip_longest

from handcalc import numbers
from handcalc.calculation import Calculation
from handcalc.matrix import Matrix
from handcalc.views.layout import Row, Track, tracks, where_tokens_are

MOST = 12  # rows or columns that are written in full; of larger matrices the ends are shown
GAP = "   "


def matrix(matrix: Matrix, *, places: int = 2) -> str:
    """One matrix as lines of text: a title, the columns' labels, a line for each row."""
    return "\n".join([title(matrix), *grid(matrix, places)])


def sheet(calculation: Calculation, *, convention: str | None = None, places: int = 2) -> str:
    """The whole calculation as text: left operand left, right operand above, result where they meet."""
    shown = calculation.in_convention(calculation.convention if convention is None else convention)
    drawn = [_track(track, places) for track in tracks(shown)]
    header = ", ".join(filter(None, [shown.title, where_tokens_are(shown)]))
    return "\n\n".join([header, *drawn])


def title(matrix: Matrix) -> str:
    """Name and formula, and in brackets the shape and the meaning."""
    rows, columns = matrix.shape
    words = [f"{rows} by {columns}", *(["given"] if matrix.is_given else []), matrix.meaning or ""]
    return f"{matrix.formula}  ({', '.join(filter(None, words))})"


def grid(matrix: Matrix, places: int) -> list[str]:
    """The numbers in aligned columns, with the labels that there are."""
    rows, columns = (_ends(count) for count in matrix.shape)
    lines = [[_number(matrix, i, j, places) for j in columns] for i in rows]
    if matrix.columns:
        lines.insert(0, ["…" if j is None else matrix.columns[j] for j in columns])
    if matrix.rows:
        names = ["…" if i is None else matrix.rows[i] for i in rows]
        labels = ([""] if matrix.columns else []) + names
        lines = [[label, *line] for label, line in zip(labels, lines, strict=True)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(t.rjust(w) for t, w in zip(line, widths, strict=True)).rstrip() for line in lines]


def _ends(count: int) -> list[int | None]:
    if count <= MOST:
        return list(range(count))
    return [*range(MOST // 2), None, *range(count - MOST // 2 + 1, count)]


def _number(matrix: Matrix, row: int | None, column: int | None, places: int) -> str:
    if row is None or column is None:
        return "…"
    return numbers.show(matrix.values[row, column], places)


def _track(track: Track, places: int) -> str:
    if track.is_horizontal:  # what is above a result on paper is above it here
        blocks = [part for row in track.rows for part in (_left(row, places), _middle(row, places)) if part]
        return "\n\n".join("\n".join(block) for block in blocks)
    lefts = [_left(row, places) for row in track.rows]
    width = max((len(line) for left in lefts for line in left), default=0)
    return "\n\n".join(
        _side_by_side(left, _middle(row, places), width if width else 0)
        for left, row in zip(lefts, track.rows, strict=True)
    )


def _left(row: Row, places: int) -> list[str]:
    return [row.left.matrix.display_name, *grid(row.left.matrix, places)] if row.left else []


def _middle(row: Row, places: int) -> list[str]:
    lines = [title(row.main.matrix), *grid(row.main.matrix, places)]
    for block in row.right:
        beside = [block.matrix.display_name, *grid(block.matrix, places)]
        width = max(map(len, lines))
        pairs = zip_longest([""] * (len(lines) - len(beside)) + beside, lines, fillvalue="")
        lines = [f"{main.ljust(width)}{GAP}{side}".rstrip() for side, main in pairs]
    return lines


def _side_by_side(left: list[str], main: list[str], width: int) -> str:
    """Set the left operand at the left of the result, their last rows on one line."""
    height = max(len(left), len(main))
    left, main = ([""] * (height - len(part)) + part for part in (left, main))
    gap = GAP if width else ""
    return "\n".join(f"{a.ljust(width)}{gap}{b}".rstrip() for a, b in zip(left, main, strict=True))
