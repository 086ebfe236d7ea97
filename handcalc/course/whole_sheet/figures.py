"""The path of the data through one layer: one head as recorded, then the parts around it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import SMALL, TEXT, WIDTH, Page, Panel, line_width, widest
from handcalc.views.captions import wrap_markup
from handcalc.views.map.map_plan import typeset_name
from handcalc.views.picture import Picture

PROJECTIONS = ("Q", "K", "V")
BOX, STEP, GAP = 36.0, 22.0, 15.0  # points of a part and of a step downwards, and of the gap between two
LEFT, RIGHT, FORMULA = 232.0, 205.0, 150.0  # points of the head, of the other parts, and of a step across
MIDDLE, TOP = LEFT / 2, 2 * STEP + GAP  # the middle of the head; the end of its title
PART, LANE = WIDTH - RIGHT / 2 - 16, WIDTH - RIGHT - 16  # the middle and the left edge of the other parts
TITLE_OF_ALL = "The path of the data through one layer"
Part = tuple[str, str, str]  # name, what it does, the shape of its result


def layer(calculation: Calculation, *, heads: int = 2, theme: str = "light") -> Picture:
    """Draw the way of the data: X, one head's steps, heads joined, add & norm, feed-forward, next layer.

    `calculation` is one head as `self_attention` records it; its steps bring their own formulas and
    shapes. What follows has the shapes that the layer of Vaswani et al. 2017 (section 3.1) would give
    it: `heads` heads joined, brought back to X's shape, a feed-forward four times as high.
    Raises HandcalcError if a step of a head is missing, or for fewer than one head.
    """
    heads = read_whole(heads, "heads")
    if heads < 1:
        raise HandcalcError(f"heads is {heads}; a layer has one head or more.")
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"layer draws a calculation, not {short(calculation)}.")
    X, Z = calculation["X"], calculation["Z"]
    rest = _rest(X, Z, heads, has_tokens_as_rows=calculation.convention == "rows")
    steps = [m for m in calculation.steps.values() if m.name not in PROJECTIONS]
    page = Page(theme)
    sheet, below = page.sheet, TOP + STEP + (STEP + GAP) * (len(steps) + 1)  # the last step
    head = {"facecolor": sheet.faint(0.035), "edgecolor": sheet.faint(0.15), "zorder": 0.2}
    sheet.box(0, TOP - STEP, LEFT, below + GAP / 2 - TOP + STEP, **head)
    title = "One head" if heads == 1 else f"One head of {heads}"
    sheet.write(8, TOP - STEP + 12, title, ha="left", bold=True, ink=page.theme.quiet)
    _head(sheet, calculation, steps)
    _after(sheet, rest, below)
    before = "; ".join(f"{m.formula} {shape_text(m.shape)}" for m in [X, *calculation.steps.values()])
    after = "; ".join(f"{name} {shape}" for name, _, shape in rest)
    return page.finished(TITLE_OF_ALL, f"{TITLE_OF_ALL}: {before}; then {after}.")


def _head(sheet: Panel, calculation: Calculation, steps: list[Matrix]) -> None:
    """X, below it Q, K and V, and below these the steps, each with its formula."""
    X, y, quiet = calculation["X"], TOP + STEP + GAP, sheet.theme.quiet
    _step(sheet, MIDDLE, 0, 82, X, linestyle=(0, (3, 2)))
    for k, name in enumerate(PROJECTIONS):
        x, bend = MIDDLE + (k - 1) * LEFT / 3, y - GAP / 2
        sheet.arrow_through([(MIDDLE, STEP), (MIDDLE, bend), (x, bend), (x, y)], quiet, 1.1)
        _step(sheet, x, y, 68, calculation[name])
    y += STEP
    places = {matrix.name: y + GAP + (STEP + GAP) * k for k, matrix in enumerate(steps)}
    for x, enters in ((MIDDLE - LEFT / 3, MIDDLE - 4), (MIDDLE, MIDDLE + 4)):
        turns = [(x, y + GAP / 2), (enters, y + GAP / 2)]
        sheet.arrow_through([(x, y), *turns, (enters, y + GAP)], quiet, 1.1)
    for matrix in steps:
        _step(sheet, MIDDLE, places[matrix.name], FORMULA, matrix, typeset_equation(matrix)["formula"])
    for upper, lower in pairwise(places.values()):
        sheet.arrow_through([(MIDDLE, upper + STEP), (MIDDLE, lower)], quiet, 1.1)
    middle = STEP / 2
    for start, end, side in ((y, places["Z"] + middle, 1), (places["E"] + middle, places["A"] + middle, -1)):
        edge, lane = MIDDLE + side * FORMULA / 2, MIDDLE + side * (LEFT / 2 - 14)
        ends = (lane if side > 0 else edge, start), (edge, end)
        sheet.arrow_through([ends[0], (lane, start), (lane, end), ends[1]], quiet, 1.1)


def _step(sheet: Panel, x: float, y: float, wide: float, matrix: Matrix, right: str = "", **how: Any) -> None:
    """A box with a name, a formula, if it has room, and a shape."""
    name, shape = typeset_name(matrix), shape_text(matrix.shape)
    rest = widest([shape], SMALL) + 8
    (line,) = wrap_markup(f"{name} = {right}" if right else name, WIDTH, TEXT, bold=True)
    if right and line_width(line) + rest > wide - 8:
        (line,) = wrap_markup(name, WIDTH, TEXT, bold=True)
    sheet.box(x - wide / 2, y, wide, STEP, facecolor=sheet.theme.paper, edgecolor=sheet.faint(0.4), **how)
    half = (line_width(line) + rest) / 2
    sheet.write_line(x - half, y + STEP / 2, line)
    sheet.write(x + half, y + STEP / 2, shape, ha="right", size=SMALL, ink=sheet.theme.quiet)


def _after(sheet: Panel, rest: list[Part], below: float) -> None:
    """Draw the parts after a head that ends at `below`, one under the other, and the residual path."""
    quiet, path = sheet.theme.quiet, sheet.theme.left
    tops = [(BOX + GAP) * k for k in range(len(rest))]
    for (name, what, shape), y in zip(rest, tops, strict=True):
        if y:
            sheet.arrow_through([(PART, y - GAP), (PART, y)], quiet, 1.1)
        sheet.box(LANE, y, RIGHT, BOX, facecolor=sheet.theme.paper, edgecolor=sheet.faint(0.4))
        html = name.replace("&", "&amp;").replace("W_O", "W<sub>O</sub>")
        (line,) = wrap_markup(html, WIDTH, TEXT, bold=True)
        sheet.write_line(PART, y + 11, line, ha="center")
        sheet.write(PART, y + 26, f"{what}, {shape}", size=SMALL, ink=quiet)
    between, foot, first, third, fifth = LANE - 17, below + GAP + 6, *(top + BOX / 2 for top in tops[:5:2])
    turns = [(MIDDLE, foot), (between, foot), (between, first)]
    sheet.arrow_through([(MIDDLE, below), *turns, (LANE, first)], quiet, 1.1)
    start, aside = STEP + 5, LANE - 10
    sheet.arrow_through([(MIDDLE, start), (aside, start), (aside, third), (LANE, third)], path, 1.6)
    start, aside = tops[2] + BOX + 5, LANE + RIGHT + 12
    sheet.arrow_through([(PART, start), (aside, start), (aside, fifth), (LANE + RIGHT, fifth)], path, 1.6)


def _rest(X: Matrix, Z: Matrix, heads: int, *, has_tokens_as_rows: bool) -> list[Part]:
    """The parts that follow a head: name, what each does, and the shape of its result."""
    features = 1 if has_tokens_as_rows else 0  # the axis along which they are joined
    model, shape = X.shape[features], shape_text(X.shape)
    (d_v, n), line = (Z.shape[features], Z.shape[1 - features]), ("rows", "columns")[features]
    joined = shape_text((n, heads * d_v) if has_tokens_as_rows else (heads * d_v, n))
    count = (
        "one head" if heads == 1 else f"{heads} heads, {'side by side' if has_tokens_as_rows else 'stacked'}"
    )
    return [
        ("heads joined", count, joined),
        ("mixed by W_O", f"back to {model} {line}", shape),
        ("add & norm", "+ X, normalised", shape),
        ("feed-forward", f"each token alone, {4 * model} inside", shape),
        ("add & norm", "+ what entered", shape),
        ("next layer", "its X", shape),
    ]
