"""Sheets and matrices as plain text, laid out as on paper, for consoles and for readers who listen."""

from __future__ import annotations

from itertools import zip_longest

from handcalc.notation import numbers
from handcalc.notation.accepted_types import Convention
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.sections import Section, fit_sections, left_out, sections
from handcalc.views.sheet_layout import SheetRow, Track, where_tokens_are
from handcalc.views.visible_window import Window, window_around

OPERAND_SPACES = "   "
MAX_LISTED_BLOCKS = 60  # blocks in an outline


def matrix_text(matrix: Matrix, *, places: int = 2) -> str:
    """One matrix as lines of text: a title, the columns' labels, a line for each row."""
    return "\n".join([title(matrix, places), *text_grid(matrix, places)])


def sheet_text(calculation: Calculation, *, convention: Convention | None = None, places: int = 2) -> str:
    """The whole calculation as text: left operand left, right operand above, result where they meet.

    Blocks come one after the other, below an outline of all of them.
    """
    whole = calculation.in_convention(calculation.convention if convention is None else convention)
    found = sections(whole)
    here = fit_sections(found)
    header = ", ".join(filter(None, [whole.title, where_tokens_are(whole)]))
    parts = [_tracks(found[0], places)]
    if len(found) > 1:
        parts = [_outline(whole), *(_section(section, places) for section in here), left_out(found, here)]
    slips = f"Slips of the sheet:\n{whole.slips!r}" if whole.slips else ""
    return "\n\n".join(filter(None, [header, *parts, slips]))


def _outline(calculation: Calculation) -> str:
    """The blocks, one a line: name, title, outputs; of equal layers only those of the first are listed."""
    lines: list[tuple[str, str]] = []
    repeated: list[str] = []
    for path, block in calculation.blocks.items():
        if not path.startswith(tuple(repeated)):
            *around, name = path.split(".")
            outcome = ", ".join(f"{name} {m.shape}" for name, m in block.outputs.items())
            lines.append((f"{'  ' * (len(around) + 1)}{name}", f"{calculation.way(path)[-1]}: {outcome}"))
        if calculation.numbered(path) and not path.endswith("_1"):
            repeated.append(f"{path}.")
    wide = max(len(name) for name, _ in lines)
    rest = len(lines) - MAX_LISTED_BLOCKS
    told = [f"{name:{wide}}  {what}" for name, what in lines[:MAX_LISTED_BLOCKS]]
    return "\n".join([*told, *([f"  and {rest} more blocks"] if rest > 0 else [])])


def _section(section: Section, places: int) -> str:
    """A block's own sheet below the way to it."""
    way = " › ".join(section.way)
    return f"{way}\n{'─' * len(way)}\n\n{_tracks(section, places)}"


def _tracks(section: Section, places: int) -> str:
    return "\n\n".join(_track(track, places) for track in section.towers)


def title(matrix: Matrix, places: int = 2) -> str:
    """Name and formula, and in brackets the shape, the meaning, and the rows and columns shown."""
    rows, columns = matrix.shape
    words = [f"{rows} by {columns}", *(["given"] if matrix.is_given else []), matrix.meaning or ""]
    left_out = _left_out(matrix, places)
    return f"{matrix.formula}  ({'; '.join(filter(None, [', '.join(filter(None, words)), left_out]))})"


def _name(matrix: Matrix) -> str:
    """The heading of an operand: its name, and the part of it that is shown."""
    shown = window_around(matrix.shape)
    return f"{matrix.display_name}  ({shown.words})" if shown.words else matrix.display_name


def _left_out(matrix: Matrix, places: int) -> str:
    """`rows 1 to 12 of 384, from -3.21 to 3.40` of a large matrix."""
    shown = window_around(matrix.shape)
    least, most = (numbers.show(end, places) for end in (matrix.values.min(), matrix.values.max()))
    return "" if shown.is_whole else f"{shown.words}, from {least} to {most}"


def text_grid(matrix: Matrix, places: int) -> list[str]:
    """The numbers in aligned columns, with the labels that there are."""
    shown = window_around(matrix.shape)
    rows = matrix.values[shown.values].tolist()
    lines = [[numbers.show_of(matrix.shape, value, places) for value in row] for row in rows]
    if matrix.columns:
        lines.insert(0, [matrix.columns[j] for j in shown.columns])
    if matrix.rows:
        names = [matrix.rows[i] for i in shown.rows]
        labels = ([""] if matrix.columns else []) + names
        lines = [[label, *line] for label, line in zip(labels, lines, strict=True)]
    lines = _open_ended(lines, shown)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(t.rjust(w) for t, w in zip(line, widths, strict=True)).rstrip() for line in lines]


def _open_ended(lines: list[list[str]], shown: Window) -> list[list[str]]:
    """Add dots where rows or columns continue."""
    rows, columns = shown.shape
    if shown.columns.stop < columns:
        lines = [[*line, "…"] for line in lines]
    return [*lines, ["…"] * len(lines[0])] if shown.rows.stop < rows else lines


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


def _left(row: SheetRow, places: int) -> list[str]:
    return [_name(row.left.matrix), *text_grid(row.left.matrix, places)] if row.left else []


def _middle(row: SheetRow, places: int) -> list[str]:
    lines = [title(row.main.matrix, places), *text_grid(row.main.matrix, places)]
    for block in row.right:
        beside = [_name(block.matrix), *text_grid(block.matrix, places)]
        width = max(map(len, lines))
        pairs = zip_longest([""] * (len(lines) - len(beside)) + beside, lines, fillvalue="")
        lines = [f"{main.ljust(width)}{OPERAND_SPACES}{side}".rstrip() for side, main in pairs]
    return lines


def _side_by_side(left: list[str], main: list[str], width: int) -> str:
    """Set the left operand at the left of the result, their last rows on one line."""
    height = max(len(left), len(main))
    left, main = ([""] * (height - len(part)) + part for part in (left, main))
    gap = OPERAND_SPACES if width else ""
    return "\n".join(f"{a.ljust(width)}{gap}{b}".rstrip() for a, b in zip(left, main, strict=True))
