"""The path of the data through one layer: one head as recorded, then what is around it, as a map."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.notation.validation import read_whole
from handcalc.record.calculation import Calculation
from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.map import map_figure
from handcalc.views.map.block_tree import Item, one_by_one, tree
from handcalc.views.map.box_sizes import MAX_FLAT_TITLE, TITLE_PX, label_width
from handcalc.views.map.map_layout import Layout
from handcalc.views.map.map_plan import finish_map
from handcalc.views.map.siblings import OUT, Links, item_links
from handcalc.views.picture import Picture

PROJECTIONS = ("Q", "K", "V")
WORDS = 262.0  # room for what is said of a part
TITLE_OF_ALL = "The path of the data through one layer"
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
    rest = _rest(X, Z, heads, has_tokens_as_rows=calculation.convention == "rows")
    around = [Item(f"after:{k}", "block", "", *_words(part)) for k, part in enumerate(rest)]
    head, ways = _head(calculation, heads)
    given = [item for item in head.items if item.kind == "given"]
    head = replace(head, items=[item for item in head.items if item.kind != "given"])
    return _drawn(
        Item("", "block", "", "", items=[*given, head, *around]), ways, theme, _said(calculation, rest)
    )


def _drawn(root: Item, ways: dict[str, Links], theme: str, said: str) -> Picture:
    """The head at the left, what follows at the right, the residual path around both."""
    after = [item.key for item in root.items if item.key.startswith("after:")]
    start = next(item.key for item in root.items if item.kind == "given" and item.title == "X")
    chain = dict.fromkeys(pairwise(["head", *after]), ("Z",))
    kept = {(start, after[2]): ("X",), (after[2], after[4]): ("N",)}
    ways = ways | {"": ways.get("", {}) | chain | kept}
    layout = Layout(ways, frozenset(kept), words=WORDS, beside=frozenset(after))
    found = finish_map(TITLE_OF_ALL, layout.whole(root, 0.0))
    picture = map_figure.draw_map(found, theme=theme)
    picture.title, picture.alt = TITLE_OF_ALL, f"{TITLE_OF_ALL}: {said}."
    return picture


def _head(calculation: Calculation, heads: int) -> tuple[Item, dict[str, Links]]:
    """The recorded steps with their formulas in a frame, and the lines between them."""
    root, read = tree(calculation)
    root = one_by_one(root)
    steps = [_with_formula(item) if item.kind == "steps" else item for item in root.items]
    words = "One head" if heads == 1 else f"One head of {heads}"
    head = replace(root, key="head", title=words, items=steps)
    inside = [item for item in steps if item.kind != "given"]
    given = [item for item in steps if item.kind == "given"]
    whole = replace(root, items=[*given, replace(head, items=inside)])
    ways = item_links(whole, read)
    last = next(item.key for item in inside if item.matrices[0] is calculation["Z"])
    return head, ways | {"head": ways["head"] | {(last, OUT): ("Z",)}}


def _with_formula(item: Item) -> Item:
    """`S = Kᵀ Q`, unless it is long or one of three that stand side by side."""
    (matrix,) = item.matrices
    title = f"{item.title} = {typeset_equation(matrix)['formula']}"
    is_long = matrix.name in PROJECTIONS or label_width(title, TITLE_PX, bold=True) > MAX_FLAT_TITLE
    return item if is_long else replace(item, title=title)


def _rest(X: Matrix, Z: Matrix, heads: int, *, has_tokens_as_rows: bool) -> list[Part]:
    """What follows a head: name, what it does, and the shape of what leaves it."""
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
