"""The tables of one sheet in HTML: tracks of matrices, colours behind numbers, and links between cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from html import escape
from itertools import cycle
from types import MappingProxyType
from typing import NamedTuple

from handcalc.notation import numbers
from handcalc.record.calculation import Calculation
from handcalc.record.equations import meaning_in_words, meaning_of, typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import Address
from handcalc.views.cell_marks import home
from handcalc.views.number_image import alternative_text, image_address
from handcalc.views.palette import tint
from handcalc.views.sections import Section
from handcalc.views.sheet_layout import PlacedMatrix, Track
from handcalc.views.visible_window import MAX_WHOLE, STRIP_SPOTS, Window, strip, window_around

SLIM_COLUMNS = 2  # columns of a track that leave its captions too little room
LONG_ARITHMETIC = 120  # letters of arithmetic: more of them would cover the sheet
MAX_LINKS = 20_000  # beyond this, cells are not lit up: the page would be slow
SOURCE_ACCENTS = ("a", "b", "c")
VERTICAL = {  # where the parts of a step go in their track
    "left": "grid-column:1;justify-self:end;align-self:end",
    "main": "grid-column:2;justify-self:end;align-self:end",
    "right": "grid-column:3;justify-self:start;align-self:end",
}
NARROW_MAIN = "grid-column:2;justify-self:start;align-self:end"
HORIZONTAL = {
    "left": "grid-row:1;justify-self:end;align-self:end",
    "main": "grid-row:2;justify-self:end;align-self:end",
    "right": "grid-row:3;align-self:start",
}
Numbering = dict[Address, int]
VEILED = "rgba(127,127,127,.22)"  # hosts take gradients away
STRIP_WIDTH = 24  # pixels: the width of a strip that stands beside the numbers
# pixels: about how wide one above them is, and its height
ABOUT_STRIP_WIDTH, MIN_STRIP_HEIGHT, MAX_STRIP_HEIGHT = 280, 14, 96
MAX_SPOTS_ACROSS = 48  # spots along the shorter side, at most


class TableContext(NamedTuple):
    """The settings that the tables of one sheet share."""

    places: int
    numbering: Mapping[Address, int] = MappingProxyType({})
    section: Section | None = None
    repeated: Collection[Matrix] = ()  # matrices that are at home on other blocks' sheets
    hidden: Mapping[Address, str] | None = None  # for a question: the text in cells that it hides

    def address(self, matrix: Matrix, is_copy: bool) -> str:
        """The attribute that names a matrix of the whole calculation, and says whether this is a copy."""
        name = (self.section.origins[matrix] if self.section else matrix).name
        return f'data-{"copy" if is_copy or matrix in self.repeated else "step"}="{escape(name or "")}"'

    def explained(self, matrix: Matrix, row: int, column: int) -> str:
        """The arithmetic of a number; of one from another block, as it is calculated there."""
        if self.section and self.section.is_from_outside(matrix):
            matrix = self.section.origins[matrix]
        return matrix.explain(row, column, self.places).spoken


def track_of(track: Track, page: TableContext) -> str:
    """The tables of one track, set as on paper."""
    columns = max(row.main.matrix.shape[1] for row in track.rows)
    has_strips = any(_has_strip(row.main) for row in track.rows)
    rows = "".join(_row(track, k, columns, page, has_strips) for k in range(len(track.rows)))
    ems = max(_ems(row.main.matrix, page.places) for row in track.rows)
    kind = " hc-horizontal" if track.is_horizontal else " hc-slim" if columns <= SLIM_COLUMNS else ""
    return f'<div class="hc-track{kind}" style="display:grid;gap:11px 7px;--hc-ems:{ems:.2f}">{rows}</div>'


def _ems(matrix: Matrix, places: int) -> float:
    """About how wide the longest number is: one width for all columns of a track."""
    texts = {text for row in window_around(matrix.shape).texts(matrix, places) for text in row}
    return max(sum({".": 0.32, "−": 0.84}.get(c, 0.64) for c in text) for text in texts)


def _row(track: Track, place: int, columns: int, page: TableContext, has_strips: bool) -> str:
    """One step, with the operands left and right of it; above and below it in a horizontal track."""
    row = track.rows[place]
    kind = "alone" if track.is_horizontal else "main"
    if track.is_horizontal and _repeats_labels(track, place):
        kind += " hc-repeats-labels"
    if has_strips and not _has_strip(row.main):
        kind += " hc-no-strip"  # so that the columns of all line up
    parts = {"main": _block(row.main, page, kind)}
    if row.left:
        parts["left"] = _block(row.left, page, "left")
    if row.right:
        beside = "".join(_block(block, page, "right") for block in row.right)
        parts["right"] = f'<div class="hc-beside" style="display:flex;gap:9px">{beside}</div>'
    is_narrow = columns <= SLIM_COLUMNS or row.main.matrix.shape[1] < columns
    stands = HORIZONTAL if track.is_horizontal else VERTICAL | ({"main": NARROW_MAIN} if is_narrow else {})
    line = "column" if track.is_horizontal else "row"
    return "".join(
        f'<div style="grid-{line}:{place + 1};{stands[part]}">{html}</div>' for part, html in parts.items()
    )


def _has_strip(block: PlacedMatrix) -> bool:
    shown = window_around(block.matrix.shape)
    return not shown.is_whole and is_beside(shown)


def _repeats_labels(track: Track, place: int) -> bool:
    """Whether the matrix before it in the track shows the same row labels."""
    here, before = (track.rows[k].main.matrix for k in (place, place - 1))
    return place > 0 and here.rows == before.rows


def _block(block: PlacedMatrix, page: TableContext, kind: str) -> str:
    """A table for one matrix: caption, the columns' labels, a line for each row."""
    matrix, shown = block.matrix, window_around(block.matrix.shape)
    beside = _has_strip(block)
    largest = numbers.largest(matrix.values)
    lines = [_line(block, i, shown, page, largest) for i in shown.rows]
    if beside:
        lines[0] += f'<td class="hc-beside-numbers" rowspan="{len(lines)}">{strip_image(matrix, shown)}</td>'
    if shown.rows.stop < matrix.shape[0]:
        lines.append(f'{"<th></th>" if matrix.rows else ""}<td colspan="{len(shown.columns)}">⋮</td>')
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    above = "" if beside or shown.is_whole else strip_image(matrix, shown)
    kind += " hc-copy" if block.is_copy else ""
    kind += " hc-single-column" if matrix.shape[1] <= SLIM_COLUMNS else ""
    is_main = kind.startswith("main")  # as wide as its track
    ems = "" if is_main else f' style="--hc-ems:{_ems(matrix, page.places):.2f}"'
    caption = f"<caption>{_caption(matrix, shown, page)}{above}</caption>"
    head = _labels(matrix, shown)
    again = _again(matrix) if block.is_copy and matrix.name else ""
    return f'<table class="hc-matrix hc-{kind}"{again}{ems}>{caption}{head}<tbody>{body}</tbody></table>'


def _again(matrix: Matrix) -> str:
    """The name of a copy for screen readers, so that a page has no two tables of one name."""
    words = filter(
        None, ["".join(typeset_equation(matrix)["called"]), meaning_in_words(matrix), "shown again"]
    )
    return f' aria-label="{escape(", ".join(words))}"'


def _labels(matrix: Matrix, shown: Window) -> str:
    """The columns' labels."""
    if not matrix.columns:
        return ""
    corner = "<td></td>" if matrix.rows else ""
    cells = "".join(f'<th scope="col">{escape(matrix.columns[j])}</th>' for j in shown.columns)
    return f"<thead><tr>{corner}{cells}</tr></thead>"


def _line(block: PlacedMatrix, row: int, shown: Window, page: TableContext, largest: float) -> str:
    """A row's label and its numbers, with dots where columns are left out."""
    matrix = block.matrix
    label = f'<th scope="row">{escape(matrix.rows[row])}</th>' if matrix.rows else ""
    cells = [_cell(block, row, j, page, largest) for j in shown.columns]
    return label + "".join(cells) + ("<td>⋯</td>" if shown.columns.stop < matrix.shape[1] else "")


def _cell(block: PlacedMatrix, row: int, column: int, page: TableContext, largest: float) -> str:
    matrix, i, j = home(block.matrix, row, column) or (block.matrix, row, column)
    value = float(matrix.values[i, j])
    text = numbers.typeset_number(numbers.show_of(matrix.shape, value, page.places))
    colour = tint(value, largest, block.matrix)
    if page.hidden is not None:  # no more than a colour
        covered = page.hidden.get((matrix, i, j))
        if covered is None:
            return f'<td style="background:{colour}">{text}</td>'
        frame = ";outline:2px solid" if covered else ""
        return f'<td style="background:{VEILED}{frame}">{covered}</td>'
    style = f"padding:2px 4px;text-align:center;background:{colour}"
    address = page.address(matrix, block.is_copy)
    number = page.numbering.get((matrix, i, j))
    told = page.explained(matrix, i, j)
    kinds = [f"n{number}"] * (number is not None) + ["hc-long"] * (len(told) > LONG_ARITHMETIC)
    light = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<td{light} style="{style}" tabindex="0" title="{escape(told)}" '
        f'{address} data-row="{i}" data-column="{j}" data-value="{_plain(value)}">'
        f"{text}</td>"
    )


def _plain(value: float) -> str:
    """Every digit, as Python and browsers both read it: -Infinity, not -inf."""
    return repr(value).replace("inf", "Infinity")


def _caption(matrix: Matrix, shown: Window, page: TableContext) -> str:
    typeset = typeset_equation(matrix)
    formula = typeset["formula"]
    right = f"= {formula}" if matrix.name and formula else ""
    # by itself it need not be a given; beside a question stands what was calculated before
    is_start = matrix.is_given and page.section is not None and page.hidden is None
    quiet = " · ".join(filter(None, ["given" if is_start else "", right, meaning_of(matrix), shown.words]))
    return f'<b class="hc-name">{typeset["name"] or formula}</b> <span>{quiet}</span>'


def number_cells(matrices: Iterable[Matrix], start: int = 0) -> Numbering:
    """A number for every cell that is shown; its class is made of it."""
    addresses = [(m, i, j) for m in matrices for i, j in window_around(m.shape).cells()]
    return {address: number for number, address in enumerate(addresses, start)}


def highlight_rules(calculation: Calculation, numbering: Numbering) -> str:
    """For each cell the rules that highlight its sources, one accent for each operand."""
    rules: list[str] = []
    links = 0
    for step in calculation.steps.values():
        for i, j in window_around(step.shape).cells():
            me = numbering[step, i, j]
            for accent, cells in zip(cycle(SOURCE_ACCENTS), _by_operand(step, i, j), strict=False):
                lit = [f".n{numbering[c]}" for c in cells if c in numbering]
                if lit:
                    frame = f"outline:var(--hc-on-{accent});box-shadow:var(--hc-clear)"
                    rules.append(f"SCOPE:has(.n{me}:is(:hover,:focus)) :is({','.join(lit)}){{{frame}}}")
                links += len(lit)
        if links > MAX_LINKS:
            return ""
    return "".join(rules)


def _by_operand(step: Matrix, row: int, column: int) -> list[list[Address]]:
    """The cells that a cell reads, grouped by the operand and matrix that they came through."""
    groups: dict[tuple[int, Matrix], dict[Address, None]] = {}
    for cell in step.arithmetic(row, column).cells():
        group = groups.setdefault((cell.operand, cell.matrix), {})
        group[cell.matrix, cell.row, cell.column] = None
    return [list(group) for group in groups.values()]


def is_beside(window: Window) -> bool:
    """Whether the strip is beside the numbers, as high as they are, and not above them."""
    return window.shape[1] <= MAX_WHOLE


def strip_image(matrix: Matrix, window: Window) -> str:
    """HTML of the strip, with a frame around the window's part."""
    rows, columns = matrix.shape
    beside = is_beside(window)
    spots = strip(matrix.values, (STRIP_SPOTS, MAX_WHOLE) if beside else (MAX_SPOTS_ACROSS, STRIP_SPOTS))
    height = min(max(ABOUT_STRIP_WIDTH * rows // columns, MIN_STRIP_HEIGHT), MAX_STRIP_HEIGHT)
    size = f"width:{STRIP_WIDTH}px;height:100%" if beside else f"width:100%;height:{height}px"
    return (
        f'<span class="hc-strip" style="position:relative;display:block;{size}">'
        f'<img alt="{alternative_text(matrix)}" src="{image_address(spots, matrix)}" '
        'style="display:block;width:100%;height:100%;image-rendering:pixelated">'
        f'<span style="position:absolute;box-sizing:border-box;{_window_frame(window)}"></span></span>'
    )


def _window_frame(window: Window) -> str:
    """The place of the window in the whole, in hundredths."""
    sides = zip(
        ("top", "left"), ("height", "width"), (window.rows, window.columns), window.shape, strict=True
    )
    return ";".join(
        f"{start}:{100 * shown.start / count:.4g}%;{length}:{100 * len(shown) / count:.4g}%"
        for start, length, shown, count in sides
    )
