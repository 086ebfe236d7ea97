"""The residual stream: a straight road from which layers branch off, and to which their results are added."""

from __future__ import annotations

from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_whole
from handcalc.operations import Add
from handcalc.record.calculation import Calculation
from handcalc.record.graph import depends_on
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas, labels, text_width, tuple_of
from handcalc.views.picture import Picture

SIDE_ROAD, RADIUS = 58.0, 8.0  # height of the side road above the road; radius of a sum
BLOCK_HIGH = 26.0
STOP_STEP = 15.0
MAX_ROADS = 3


class SideRoad(NamedTuple):
    """A side road: its start, the blocks on it, their result, the sum, and the road after it."""

    kept: Matrix
    through: list[str]
    found: Matrix
    added: Matrix
    on: str  # the block on the road after the sum, or nothing
    goes_on: Matrix


def residual_stream(calculation: Calculation, column: int = 0, *, theme: str = "light") -> Picture:
    """Draw the residual connections of a calculation as a straight road with a side road for each.

    >>> hc.draw.residual_stream(hc.examples.transformer_block())
    <Figure: The residual stream of x₁: X (8, 0, 1, 0); Multi-head attention finds (0, 2, 1, ...>

    One token's numbers stand at every stop; `column` is the token, counted from 0. Raises HandcalcError for
    a calculation without residual connections, or with more than three.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"residual_stream draws a calculation, not {short(calculation)}.")
    roads = side_roads(calculation)
    if not 1 <= len(roads) <= MAX_ROADS:
        raise HandcalcError(
            f"residual_stream draws up to {MAX_ROADS} residual connections; "
            f"{calculation.title} has {len(roads)}."
        )
    words = labels(roads[0].kept.columns, roads[0].kept.shape[1], "x")
    if not 0 <= read_whole(column, "The column") < len(words):
        raise HandcalcError(f"There are {len(words)} columns, counted from 0; {column} is not one.")
    high = max(len(r.through) for r in roads) * BLOCK_HIGH
    y = MARGIN + 28 + high + SIDE_ROAD
    canvas = Canvas(WIDTH, y + 34 + MARGIN, theme)
    title = f"The residual stream of {words[column]}"
    canvas.text(MARGIN, MARGIN + TEXT, title, ink=canvas.theme.quiet)
    across = (WIDTH - 2 * MARGIN - 46) / len(roads)
    canvas.line([(MARGIN, y), (MARGIN + 26, y)], canvas.theme.left, 3.0)
    canvas.arrow([(MARGIN + 26 + across * len(roads), y), (WIDTH - MARGIN, y)], canvas.theme.left, 3.0)
    _stop(canvas, MARGIN + 34, y, roads[0].kept, column)
    told = [f"{roads[0].kept.display_name} {_numbers(roads[0].kept, column)}"]
    for k, side in enumerate(roads):
        told.append(_side_road(canvas, (MARGIN + 26 + k * across, y, across), side, column))
    return canvas.finished(title, f"{title}: {'; '.join(told)}.")


def side_roads(calculation: Calculation) -> list[SideRoad]:
    """The residual connections of a record, in order: sums of a matrix and one that was made from it."""
    sums = [parts for m in calculation.steps.values() if (parts := _parts(m))]
    roads = []
    for place, (kept, found, added) in enumerate(sums):
        goes_on = sums[place + 1][0] if place + 1 < len(sums) else calculation.result
        on = "" if goes_on is added else title_of_source(calculation, goes_on)
        roads.append(SideRoad(kept, _through(calculation, kept, found), found, added, on, goes_on))
    return roads


def _parts(step: Matrix) -> tuple[Matrix, Matrix, Matrix] | None:
    """The input, the block's result, and their sum."""
    if not isinstance(step.operation, Add) or step.inputs[0].shape != step.inputs[1].shape:
        return None
    for kept, found in (step.inputs, step.inputs[::-1]):
        if kept.name and found.name and kept.columns and depends_on(found, kept.name):
            return kept, found, step
    return None


def _through(calculation: Calculation, kept: Matrix, found: Matrix) -> list[str]:
    """The titles of the blocks, not those inside others, between input and result."""
    inside = [
        name.partition(".")[0]
        for name, m in calculation.steps.items()
        if m is not kept and depends_on(m, kept.name or "") and depends_on(found, name)
    ]
    blocks = [path for path in dict.fromkeys(inside) if path in calculation.blocks]
    return [calculation.blocks[path].title for path in blocks] or [found.display_name]


def title_of_source(calculation: Calculation, matrix: Matrix) -> str:
    """The title of the block that a matrix belongs to, or else the matrix's name."""
    path = (matrix.name or "").rpartition(".")[0]
    return calculation.blocks[path].title if path in calculation.blocks else matrix.display_name


def _side_road(canvas: Canvas, place: tuple[float, float, float], side: SideRoad, column: int) -> str:
    """Draw one side road, the sum, and the block on the road after it; returns its description."""
    x, y, across = place
    leaves, joins = x + 14, x + across * (0.6 if side.on else 0.88)
    top = y - SIDE_ROAD
    ink = canvas.theme.right
    canvas.dot((leaves, y), ink, 3.4)
    canvas.line([(leaves, y), (leaves, top), (leaves + 12, top)], ink, 1.8)
    wide = joins - leaves - 24
    high = BLOCK_HIGH * len(side.through)
    canvas.box(
        leaves + 12, top - high / 2, wide, high, facecolor=canvas.laid(ink, 0.1), edgecolor=ink, linewidth=1.0
    )
    for k, title in enumerate(side.through):
        canvas.middle(leaves + 12 + wide / 2, top - high / 2 + BLOCK_HIGH * (k + 0.5), title, size=SMALL)
    found = _numbers(side.found, column)
    canvas.middle(leaves + 12 + wide / 2, top + high / 2 + 10, found, size=SMALL, ink=ink)
    canvas.arrow([(joins - 12, top), (joins, top), (joins, y - RADIUS)], ink, 1.8)
    canvas.dot((joins, y), canvas.theme.paper, RADIUS)
    _plus(canvas, joins, y)
    told = f"{' then '.join(side.through)} finds {found}, added {_numbers(side.added, column)}"
    if not side.on:
        canvas.line([(x, y), (x + across, y)], canvas.theme.left, 3.0, zorder=1.9)
        _stop(canvas, joins, y, side.added, column)
        return told
    middle = x + across - 30
    half = text_width(side.on, SMALL) / 2 + 5
    canvas.line([(x, y), (middle - half, y)], canvas.theme.left, 3.0, zorder=1.9)
    canvas.line([(middle + half, y), (x + across, y)], canvas.theme.left, 3.0, zorder=1.9)
    canvas.box(
        middle - half,
        y - 11,
        2 * half,
        22,
        facecolor=canvas.theme.paper,
        edgecolor=canvas.theme.ink,
        zorder=2.4,
    )
    canvas.middle(middle, y, side.on, size=SMALL, zorder=3)
    _stop(canvas, joins, y, side.added, column, away=-6.0)
    _stop(canvas, middle, y, side.goes_on, column, down=STOP_STEP)
    return f"{told}, {side.on} {_numbers(side.goes_on, column)}"


def _plus(canvas: Canvas, x: float, y: float) -> None:
    ink = canvas.theme.ink
    for bow in (y - 1.33 * RADIUS, y + 1.33 * RADIUS):
        canvas.curve([(x - RADIUS, y), (x - RADIUS, bow), (x + RADIUS, bow), (x + RADIUS, y)], ink, 1.0)
    canvas.line([(x - 4, y), (x + 4, y)], ink, 1.2, zorder=3)
    canvas.line([(x, y - 4), (x, y + 4)], ink, 1.2, zorder=3)


def _stop(
    canvas: Canvas, x: float, y: float, matrix: Matrix, column: int, *, away: float = 0.0, down: float = 0.0
) -> None:
    """A token's numbers, below the road."""
    text = _numbers(matrix, column)
    half = text_width(text, SMALL) / 2
    middle = min(max(x + away, MARGIN + half), WIDTH - MARGIN - half)
    canvas.middle(middle, y + 20 + down, text, size=SMALL)


def _numbers(matrix: Matrix, column: int) -> str:
    return tuple_of(matrix.values[:, column])
