"""The map: drawn from the record, nothing overlaps, no line runs through a box, whatever is calculated."""

import itertools
import json
from dataclasses import asdict

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.views.map.map_plan import plan
from handcalc.views.map.map_svg import draw_svg

HEADS = [tuple(np.ones((2, 4)) for _ in range(3))] * 2
NORM, FF = (np.ones(4), np.zeros(4)), (np.ones((8, 4)), np.zeros(8), np.ones((4, 8)), np.zeros(4))
X = hc.Matrix(cases.drawer(3)(4, 3), "X", columns="x")
MULTI = hc.multi_head_attention(X, HEADS, np.ones((4, 4)))
ENCODER = hc.encoder_layer(X, HEADS, np.ones((4, 4)), NORM, FF, NORM)
DECODER = hc.decoder_layer(
    X, np.ones((4, 5)), HEADS, np.ones((4, 4)), NORM, HEADS, np.ones((4, 4)), NORM, FF, NORM
)  # fmt: skip
SIZES = {"one head": (260, 360), "heads": (180, 185)}


def layers(count):
    """The same layer again and again, as a formula with paths would name it."""
    Y = X
    for k in range(1, count + 1):
        H = (Y @ np.eye(3)).named(f"layer_{k}.first.H")
        G = (H + 1).named(f"layer_{k}.second.G")
        Y = (Y + G).named(f"layer_{k}.R")
    return hc.Calculation(Y, title="Layers")


def encoder_decoder():
    """An encoder beside a decoder: what the first says is read in the middle of the second."""
    memory = ((X + 1).named("encoder.first.A") * 2).named("encoder.second.B")
    T = hc.Matrix(np.ones((4, 2)), "T", columns="t")
    own = (T * 3).named("decoder.self.C")
    both = (memory @ np.ones((3, 2)) + own).named("decoder.cross.D")
    return hc.Calculation((both * 2).named("P"), title="Encoder-decoder")


def drawn_at_random(seed):
    """Steps with random names in random blocks, each reading one or two of those before."""
    rng = np.random.default_rng(seed)
    paths = ["", "a.", "a.b.", "a.c.", "a.c.e.", "d.", "d.f.", "d.g.", "h_1.", "h_2.", "h_3."]
    pool = [hc.Matrix(rng.normal(size=(2, 2)), name) for name in ("G", "a.F")]
    for k in range(int(rng.integers(3, 25))):
        one, other = (pool[rng.integers(max(0, len(pool) - 6), len(pool))] for _ in range(2))
        made = (one + other, one * other, hc.tanh(one), one @ other.T)[rng.integers(4)]
        pool.append(made.named(f"{paths[rng.integers(len(paths))]}M{k}") if rng.random() < 0.9 else made)
    return hc.Calculation((pool[-1] + pool[-2]).named("out"), *(m for m in pool if m.name))


CASES = {
    "one head": hc.examples.self_attention(),
    "heads": MULTI,
    "encoder": ENCODER,
    "decoder": DECODER,
    "rows": DECODER.in_convention("rows"),
    "layers": layers(12),
    "encoder-decoder": encoder_decoder(),
} | {f"random {seed}": drawn_at_random(seed) for seed in range(8)}


@pytest.fixture(scope="module", params=itertools.product(CASES, (1180, 380)), ids=str)
def drawn(request):
    name, width = request.param
    return plan(CASES[name], width=width)


def boxes_of(drawn):
    return {box.key: box for box in drawn.boxes if box.kind != "frame"} | {
        box.key: box for box in drawn.boxes if box.kind == "frame" and not box.stack
    }


def inside(a, b):
    return b.x <= a.x and a.x + a.wide <= b.x + b.wide and b.y <= a.y and a.y + a.high <= b.y + b.high


def test_boxes_stand_apart_or_one_in_the_other(drawn):
    for a, b in itertools.combinations(drawn.boxes, 2):
        meets = a.x < b.x + b.wide and b.x < a.x + a.wide and a.y < b.y + b.high and b.y < a.y + a.high
        frames = [
            box for box, other in ((a, b), (b, a)) if box.kind in ("frame", "band") and inside(other, box)
        ]
        assert frames or not meets, (a, b)


def test_nothing_leaves_the_map(drawn):
    for box in drawn.boxes:
        assert box.x >= 0 <= box.y
        assert box.x + box.wide <= drawn.wide
        assert box.y + box.high <= drawn.high
    for x, y in (point for line in drawn.lines for point in line.points):
        assert 0 <= x <= drawn.wide
        assert 0 <= y <= drawn.high


def test_lines_are_level_or_upright_and_run_through_no_box(drawn):
    solid = [box for box in drawn.boxes if box.kind not in ("frame", "band")]
    for line in drawn.lines:
        for (x0, y0), (x1, y1) in itertools.pairwise(line.points):
            assert abs(x0 - x1) < 0.1 or abs(y0 - y1) < 0.1
            for box in solid:
                apart = (
                    max(x0, x1) <= box.x + 0.5
                    or min(x0, x1) >= box.x + box.wide - 0.5
                    or max(y0, y1) <= box.y + 0.5
                    or min(y0, y1) >= box.y + box.high - 0.5
                )
                assert apart, (line, box)


def test_every_line_with_a_head_ends_at_the_border_of_its_box(drawn):
    boxes = boxes_of(drawn) | {box.key: box for box in drawn.boxes if box.kind == "bar"}
    for line in drawn.lines:
        if line.has_head:
            box, (x, y) = boxes[line.end], line.points[-1]
            at_top = abs(y - box.y) < 0.1 and box.x < x < box.x + box.wide
            at_side = min(abs(x - box.x), abs(x - box.x - box.wide)) < 0.1 and box.y < y < box.y + box.high
            assert at_top or at_side, line


def test_a_line_that_ends_at_no_box_goes_on_as_another_one(drawn):
    borders = [box.y + box.high for box in drawn.boxes if box.kind == "frame" and box.stack]
    for line in drawn.lines:
        x, y = line.points[-1]
        others = [other for other in drawn.lines if other is not line and on_line(x, y, other)]
        assert line.has_head or others or any(abs(y - border) < 0.2 for border in borders), line


def on_line(x, y, line):
    return any(
        min(x0, x1) - 0.2 <= x <= max(x0, x1) + 0.2 and min(y0, y1) - 0.2 <= y <= max(y0, y1) + 0.2
        for (x0, y0), (x1, y1) in itertools.pairwise(line.points)
    )


@pytest.mark.parametrize("name", CASES)
def test_an_arrow_for_everything_that_a_box_reads_of_another_and_none_besides(name):
    drawn, calculation = plan(CASES[name]), CASES[name]
    at = {name: box.key for box in drawn.boxes for name in box.names}
    expected = set()
    for step in calculation.steps.values():
        for source in step.reads():
            if {source.name, step.name} <= at.keys() and at[source.name] != at[step.name]:
                expected.add((source.name, at[step.name]))
    arrows = {(name, line.end) for line in drawn.lines if line.has_head for name in line.names}
    bands = {box.key for box in drawn.boxes if box.kind == "band"} | {
        b.key for b in drawn.boxes if b.kind == "bar"
    }
    assert {pair for pair in arrows if pair[1] not in bands} == {
        pair for pair in expected if pair[1] not in bands
    }
    assert len(expected) > 1


def test_heads_stand_side_by_side_and_what_joins_them_below():
    boxes = boxes_of(plan(MULTI))
    assert boxes["head_1"].y == boxes["head_2"].y
    assert boxes["head_1"].x + boxes["head_1"].wide < boxes["head_2"].x
    assert boxes[":concat"].y > boxes["head_1"].y + boxes["head_1"].high
    assert boxes["head_1"].detail == "Z (2, 3)"
    assert boxes_of(plan(MULTI.in_convention("rows")))["head_1"].detail == "Z (3, 2)"


def test_what_is_added_again_goes_around():
    drawn = plan(layers(1))
    (line,) = [line for line in drawn.lines if line.is_residual]
    assert (line.start, line.names) == (":X", ("X",))
    assert not [line for line in plan(MULTI).lines if line.is_residual]


def test_layers_are_bars_and_the_open_one_shows_what_is_inside():
    drawn = plan(layers(12), lit="layer_7.first")
    (stack,) = drawn.stacks
    assert [box.path for box in drawn.boxes if box.kind == "bar"] == list(stack.paths)
    assert (len(stack.paths), stack.current) == (12, 6)
    assert {box.path for box in drawn.boxes if box.kind == "block"} == {"layer_7.first", "layer_7.second"}
    assert drawn.high < 840
    moved = [(b.x, b.y, b.wide, b.high) for b in plan(layers(12)).boxes]
    assert [
        (b.x, b.y, b.wide, b.high) for b in drawn.boxes
    ] == moved  # so a page can open another one by itself


def test_an_encoder_stands_beside_the_decoder_that_reads_it_and_in_a_narrow_page_above_it():
    for width, is_beside in ((1180, True), (250, False)):
        boxes = boxes_of(plan(encoder_decoder(), width=width))
        encoder, decoder = boxes["encoder"], boxes["decoder"]
        assert (encoder.x + encoder.wide < decoder.x) == is_beside
        assert (encoder.y + encoder.high < decoder.y) != is_beside


def test_it_is_the_same_again_and_json():
    for name in ("decoder", "layers"):
        first, again = (json.dumps(asdict(plan(CASES[name]))) for _ in range(2))
        assert first == again
        assert draw_svg(plan(CASES[name])) == draw_svg(plan(CASES[name]))


def test_the_map_of_a_block_begins_with_what_comes_into_it():
    boxes = {box.title: box for box in plan(DECODER.blocks["cross"]).boxes}
    assert {title for title, box in boxes.items() if box.kind == "given"} == {
        ("memory",), ("N",)
    }  # fmt: skip
    assert {box.path for box in boxes.values() if box.kind == "block"} == {"head_1", "head_2"}
