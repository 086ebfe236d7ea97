"""The residual stream: a straight road from which layers branch off, and to which their results are added."""

from __future__ import annotations

from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.validation import read_whole
from handcalc.operations import Add
from handcalc.record.calculation import Calculation
from handcalc.record.graph import depends_on
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, WIDTH, Page, Panel, labels, tuple_of
from handcalc.views.picture import Picture

SIDE_ROAD, BLOCK_HIGH = 58.0, 26.0  # points from the road up to a side road; of a block on it
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
    page, across = Page(theme), (WIDTH - 60) / len(roads)
    road, title = page.sheet, f"The residual stream of {words[column]}"
    top = SIDE_ROAD + BLOCK_HIGH * max(len(side.through) for side in roads) + 14
    road.write(0, -top, title, ha="left", ink=page.theme.quiet)
    road.arrow_through([(0, 0), (WIDTH, 0)], page.theme.left, 3.0, zorder=0.9)
    road.write(30, 20, _numbers(roads[0].kept, column), size=SMALL)
    told = [f"{roads[0].kept.display_name} {_numbers(roads[0].kept, column)}"]
    told += [_side_road(road, 26 + k * across, across, side, column) for k, side in enumerate(roads)]
    return page.finished(title, f"{title}: {'; '.join(told)}.")


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


def _side_road(road: Panel, x: float, across: float, side: SideRoad, column: int) -> str:
    """Draw one side road, the sum, and the block on the road after it; returns its description."""
    leaves, joins, ink = x + 14, x + across * (0.6 if side.on else 0.88), road.theme.right
    wide, high, middle = joins - leaves - 24, BLOCK_HIGH * len(side.through), (leaves + joins) / 2
    road.dot(leaves, 0, ink, 7)
    road.arrow_through(
        [(leaves, 0), (leaves, -SIDE_ROAD), (joins, -SIDE_ROAD), (joins, -9)], ink, zorder=0.95
    )
    fill = {"facecolor": road.faint(0.1, ink), "edgecolor": ink}
    road.box(leaves + 12, -SIDE_ROAD - high / 2, wide, high, **fill)
    for k, title in enumerate(side.through):
        road.write(middle, -SIDE_ROAD - high / 2 + BLOCK_HIGH * (k + 0.5), title, size=SMALL)
    found = _numbers(side.found, column)
    road.write(middle, -SIDE_ROAD + high / 2 + 10, found, size=SMALL, ink=ink)
    paper = {"facecolor": road.theme.paper, "edgecolor": road.theme.ink}
    road.write(joins, 0, "+", bbox=paper | {"boxstyle": "circle,pad=0.15"})
    told = f"{' then '.join(side.through)} finds {found}, added {_numbers(side.added, column)}"
    if not side.on:
        road.write(joins, 20, _numbers(side.added, column), size=SMALL)
        return told
    road.write(x + across - 30, 0, side.on, size=SMALL, bbox=paper | {"pad": 5})
    on = _numbers(side.goes_on, column)
    road.write(joins - 6, 20, _numbers(side.added, column), size=SMALL)
    road.write(x + across - 30, 35, on, size=SMALL)
    return f"{told}, {side.on} {on}"


def _numbers(matrix: Matrix, column: int) -> str:
    return tuple_of(matrix.values[:, column])
