"""The path of the data through one layer: one head as recorded, then the parts around it."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.canvas import MARGIN, TEXT, WIDTH, Canvas, Point
from handcalc.views.captions import wrap_markup
from handcalc.views.map.block_tree import typeset_name
from handcalc.views.picture import Picture

PROJECTIONS = ("Q", "K", "V")
BOX, STEP, GAP = 36.0, 22.0, 15.0  # the heights of a part and of a step, and the gap between two
LEFT, RIGHT, FORMULA = 232.0, 205.0, 150.0  # the widths of the head, of the other parts, and of a step
MIDDLE, TOP = MARGIN + LEFT / 2, MARGIN + 2 * STEP + GAP  # the middle of the head; the end of its title
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
    below = TOP + STEP + (STEP + GAP) * (len(steps) + 1)  # the last step
    canvas = Canvas(WIDTH, max(below + 2 * GAP, MARGIN + (BOX + GAP) * len(rest) + GAP), theme)
    canvas.box(
        MARGIN,
        TOP - STEP,
        LEFT,
        below + GAP / 2 - TOP + STEP,
        facecolor=canvas.laid(canvas.theme.ink, 0.035),
        edgecolor=canvas.laid(canvas.theme.ink, 0.15),
        zorder=0.2,
    )
    title = "One head" if heads == 1 else f"One head of {heads}"
    canvas.text(MARGIN + 8, TOP - STEP + 16, title, bold=True, ink=canvas.theme.quiet)
    _projections(canvas, calculation, TOP + STEP + GAP)
    _chain(canvas, steps, TOP + STEP + GAP + STEP)
    _after(canvas, rest, below)
    return canvas.finished(TITLE_OF_ALL, f"{TITLE_OF_ALL}: {_said(calculation, rest)}.")


def _projections(canvas: Canvas, calculation: Calculation, y: float) -> None:
    """X, and Q, K and V at the height y."""
    X, quiet, bend = calculation["X"], canvas.theme.quiet, y - GAP / 2
    _box(canvas, (MIDDLE, MARGIN), 82, STEP, typeset_name(X), shape_text(X.shape), is_given=True)
    for k, name in enumerate(PROJECTIONS):
        matrix, x = calculation[name], MIDDLE + (k - 1) * LEFT / 3
        canvas.arrow([(MIDDLE, MARGIN + STEP), (MIDDLE, bend), (x, bend), (x, y)], quiet, 1.1)
        _box(canvas, (x, y), 68, STEP, typeset_name(matrix), shape_text(matrix.shape))


def _chain(canvas: Canvas, steps: list[Matrix], y: float) -> None:
    """Draw the steps below Q, K and V, each below the one before, with its formula."""
    quiet, places, first = canvas.theme.quiet, {}, y
    for x, enters in ((MIDDLE - LEFT / 3, MIDDLE - 4), (MIDDLE, MIDDLE + 4)):
        canvas.arrow([(x, y), (x, y + GAP / 2), (enters, y + GAP / 2), (enters, y + GAP)], quiet, 1.1)
    for matrix in steps:
        if y != first:
            canvas.arrow([(MIDDLE, y), (MIDDLE, y + GAP)], quiet, 1.1)
        places[matrix.name] = y + GAP + STEP / 2
        name = typeset_name(matrix)
        formula = f"{name} = {typeset_equation(matrix)['formula']}"
        is_long = wrap_markup(formula, WIDTH, TEXT, bold=True)[0][-1].end > FORMULA - 50
        title = name if is_long else formula
        _box(canvas, (MIDDLE, y + GAP), FORMULA, STEP, title, shape_text(matrix.shape))
        y += GAP + STEP
    for start, end, side in ((first, places["Z"], 1), (places["E"], places["A"], -1)):
        edge, lane = MIDDLE + side * FORMULA / 2, MIDDLE + side * (LEFT / 2 - 14)
        canvas.arrow(
            [(lane if side > 0 else edge, start), (lane, start), (lane, end), (edge, end)], quiet, 1.1
        )


def _after(canvas: Canvas, rest: list[Part], below: float) -> None:
    """Draw the parts after a head that ends at `below`, one under the other, and the residual path."""
    quiet, path = canvas.theme.quiet, canvas.theme.left
    x, left = WIDTH - MARGIN - RIGHT / 2 - 16, WIDTH - MARGIN - RIGHT - 16
    tops = [MARGIN + (BOX + GAP) * k for k in range(len(rest))]
    for k, (part, y) in enumerate(zip(rest, tops, strict=True)):
        if k:
            canvas.arrow([(x, y - GAP), (x, y)], quiet, 1.1)
        _box(canvas, (x, y), RIGHT, BOX, *_words(part))
    between, foot, first, third, fifth = left - 17, below + GAP + 6, *(top + BOX / 2 for top in tops[:5:2])
    canvas.arrow(
        [(MIDDLE, below), (MIDDLE, foot), (between, foot), (between, first), (left, first)], quiet, 1.1
    )
    start, aside = MARGIN + STEP + 5, left - 10
    canvas.arrow([(MIDDLE, start), (aside, start), (aside, third), (left, third)], path, 1.6)
    start, aside = tops[2] + BOX + 5, left + RIGHT + 12
    canvas.arrow([(x, start), (aside, start), (aside, fifth), (left + RIGHT, fifth)], path, 1.6)


def _box(
    canvas: Canvas, top: Point, wide: float, high: float, title: str, detail: str, *, is_given: bool = False
) -> None:
    """A box around its axis; a high one has its detail below its title, a flat one beside it."""
    x, y = top
    how = {"linestyle": (0, (3, 2))} if is_given else {}
    edge = canvas.laid(canvas.theme.ink, 0.4)
    canvas.box(x - wide / 2, y, wide, high, facecolor=canvas.theme.paper, edgecolor=edge, **how)
    lines = [wrap_markup(title, WIDTH, TEXT, bold=True)[0], wrap_markup(detail, WIDTH, TEXT - 1)[0]]
    ends = [line[-1].end for line in lines]
    is_flat = high < BOX
    starts = [x - (ends[0] + 8 + ends[1]) / 2] if is_flat else [x - ends[0] / 2]
    starts.append(starts[0] + ends[0] + 8 if is_flat else x - ends[1] / 2)
    bases = [y + high / 2 + 3.5] * 2 if is_flat else [y + 15, y + 29]
    for line, start, base, ink in zip(
        lines, starts, bases, (canvas.theme.ink, canvas.theme.quiet), strict=True
    ):
        canvas.write(line, start, base, ink)


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


def _words(part: Part) -> tuple[str, str]:
    name, what, shape = part
    return name.replace("&", "&amp;").replace("W_O", "W<sub>O</sub>"), f"{what}, {shape}"


def _said(calculation: Calculation, rest: list[Part]) -> str:
    steps = [calculation["X"], *calculation.steps.values()]
    before = "; ".join(f"{m.formula} {shape_text(m.shape)}" for m in steps)
    return f"{before}; then {'; '.join(f'{name} {shape}' for name, _, shape in rest)}"
