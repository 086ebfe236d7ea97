"""The path of the data through one layer: one head as recorded, then what is around it."""

from __future__ import annotations

from itertools import pairwise

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short, size
from handcalc.matrix import Matrix
from handcalc.reading import read_whole
from handcalc.views import captions
from handcalc.views.canvas import MARGIN, SMALL, WIDE, Canvas, Point, width
from handcalc.views.picture import Picture

LETTER = 1.08  # captions are a little larger here: none below 9 points
HIGH, STEP = 34.0, 48.0  # of a box; from box to box
GUTTER = 46.0  # between the head and the rest of the layer
PROJECTIONS = ("Q", "K", "V")
Part = tuple[str, str, str]  # name, what it does, the shape of what leaves it


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
    row = [calculation[name] for name in PROJECTIONS]
    chain = [m for name, m in calculation.steps.items() if name not in PROJECTIONS]
    rest = _rest(X, Z, heads, has_tokens_as_rows=calculation.convention == "rows")
    return _drawn(X, row, chain, rest, heads, theme)


def _drawn(
    X: Matrix, row: list[Matrix], chain: list[Matrix], rest: list[Part], heads: int, theme: str
) -> Picture:
    left, top = 0.56 * (WIDE - 2 * MARGIN - GUTTER), MARGIN + STEP + 20
    high = top + STEP * (len(chain) + 1) + 18
    canvas = Canvas(WIDE, high + MARGIN, theme)
    x0, inner = MARGIN + 10, left - 20
    _frame(canvas, left, top - 22, high - top + 16, heads)
    _matrix(canvas, X, x0, MARGIN, inner)
    third = (inner - 16) / 3
    for count, matrix in enumerate(row):
        x = x0 + count * (third + 8)
        canvas.arrow([(x + third / 2, MARGIN + HIGH), (x + third / 2, top)], canvas.theme.quiet, 1.2)
        _matrix(canvas, matrix, x, top, third, formula=False)
    _chain(canvas, chain, x0, top + STEP, third)
    _around(canvas, rest, MARGIN + left + GUTTER, top + STEP * len(chain), inner, x0)
    steps = "; ".join(f"{m.formula} {size(m.shape)}" for m in [X, *row, *chain])
    after = "; ".join(f"{name} {shape}" for name, _, shape in rest)
    title = "The path of the data through one layer"
    return canvas.finished(title, f"{title}: {steps}; then {after}.")


def _rest(X: Matrix, Z: Matrix, heads: int, *, has_tokens_as_rows: bool) -> list[Part]:
    """What follows a head: name, what it does, and the shape of what leaves it."""
    features = 1 if has_tokens_as_rows else 0  # the axis along which they are joined
    model, shape = X.shape[features], size(X.shape)
    (d_v, n), line = (Z.shape[features], Z.shape[1 - features]), ("rows", "columns")[features]
    joined = size((n, heads * d_v) if has_tokens_as_rows else (heads * d_v, n))
    count = (
        "one head" if heads == 1 else f"{heads} heads, {'side by side' if has_tokens_as_rows else 'stacked'}"
    )
    return [
        ("heads joined", count, joined),
        ("mixed by W_O", f"back to {model} {line}", shape),
        ("add & norm", "+ X, normalized", shape),
        ("feed-forward", f"each token alone, {4 * model} inside", shape),
        ("add & norm", "+ what entered", shape),
        ("next layer", "its X", shape),
    ]


def _frame(canvas: Canvas, wide: float, top: float, high: float, heads: int) -> None:
    """The frame of one head, before those of the others."""
    for shift in range(min(heads, 3) - 1, -1, -1):
        edge = canvas.laid(canvas.theme.ink, 0.3)
        canvas.box(
            MARGIN + 4 * shift, top - 4 * shift, wide, high,
            facecolor=canvas.theme.paper, edgecolor=edge, zorder=0.3 + 0.01 * (3 - shift),
            label="behind" if shift else "_",
        )  # fmt: skip
    words = "one head" if heads == 1 else f"one head of {heads}, each with weights of its own"
    canvas.text(MARGIN + 10, top + high - 6, words, size=SMALL, ink=canvas.theme.quiet)


def _matrix(canvas: Canvas, matrix: Matrix, x: float, y: float, wide: float, *, formula: bool = True) -> None:
    """A box with a matrix's name, its formula where there is room, and its shape."""
    hue = canvas.theme.right if matrix.never_negative else canvas.theme.left
    canvas.box(x, y, wide, HIGH, facecolor=canvas.laid(hue, 0.12), edgecolor=hue, zorder=1.5)
    (line, *_) = captions.caption(matrix, 1000, brief=not formula)
    shape, room = size(matrix.shape), wide - 16
    pieces = [p for p in line if LETTER * p.end + width(shape, SMALL) + 8 <= room]
    for piece in pieces:
        ink = canvas.theme.ink if piece.is_name else canvas.theme.quiet
        label = "raised" if piece.rise else ""
        at = x + 8 + LETTER * piece.x, y + HIGH / 2 + 4 - piece.rise
        canvas.text(*at, piece.text, size=LETTER * piece.size, ink=ink, bold=piece.bold, label=label)
    canvas.text(x + wide - 8, y + HIGH / 2 + 4, shape, size=SMALL, ink=canvas.theme.ink, ha="right")


def _chain(canvas: Canvas, chain: list[Matrix], x: float, y: float, third: float) -> None:
    """The steps of a head below one another; V goes past them to where it is mixed."""
    wide = 2 * third + 8
    for count, matrix in enumerate(chain):
        top = y + STEP * count
        last = count == len(chain) - 1
        from_above = [x + third / 2, x + 1.5 * third + 8] if count == 0 else [x + wide / 2]
        for middle in from_above:
            canvas.arrow([(middle, top - STEP + HIGH), (middle, top)], canvas.theme.quiet, 1.2)
        _matrix(canvas, matrix, x, top, wide + (third + 8) * last)
    V = x + 2.5 * third + 16
    canvas.arrow([(V, y - STEP + HIGH), (V, y + STEP * (len(chain) - 1))], canvas.theme.quiet, 1.2)


def _around(canvas: Canvas, rest: list[Part], x: float, foot: float, inner: float, x0: float) -> None:
    """The rest of the layer, upwards from beside Z; the residual path goes around."""
    wide, step = WIDE - MARGIN - 22 - x, (foot - MARGIN) / (len(rest) - 1)
    places = [foot - step * count for count in range(len(rest))]
    quiet, green = canvas.theme.quiet, canvas.theme.left
    for part, y in zip(rest, places, strict=True):
        _part(canvas, part, x, y, wide)
    for below, above in pairwise(places):
        canvas.arrow([(x + wide / 2, below), (x + wide / 2, above + HIGH)], quiet, 1.2)
    canvas.arrow([(x0 + inner, foot + HIGH / 2), (x, foot + HIGH / 2)], quiet, 1.2)
    first, second = (places[place] + HIGH / 2 for place in (2, 4))  # where it is added
    canvas.arrow(_bent((x0 + inner, MARGIN + HIGH / 2), x - GUTTER / 2 + 6, (x, first)), green, 1.4)
    canvas.arrow(_bent((x + wide, first), x + wide + 14, (x + wide, second)), green, 1.4)


def _part(canvas: Canvas, part: Part, x: float, y: float, wide: float) -> None:
    """A box with what is done, how, and the shape of what leaves it."""
    (name, what, shape), hue = part, canvas.theme.chosen
    canvas.box(x, y, wide, HIGH, facecolor=canvas.laid(hue, 0.08), edgecolor=hue, zorder=1.5)
    canvas.text(x + 8, y + 14, _name(name), bold=True, math=True)
    canvas.text(x + wide - 8, y + 14, shape, size=SMALL, ha="right")
    canvas.text(x + 8, y + 27, what, size=SMALL, ink=canvas.theme.quiet)


def _bent(start: Point, lane: float, end: Point) -> list[Point]:
    """A way that leaves sideways, follows a lane and comes back."""
    return [start, (lane, start[1]), (lane, end[1]), end]


def _name(words: str) -> str:
    return words.replace("W_O", r"$\mathbf{W}_{\mathrm{O}}$")
