"""The map of a calculation with slopes: forward down at the left, the same way back up at the right."""

import itertools
from functools import cache

import cases
import pytest

import handcalc as hc
from handcalc.views.map import map_plan
from handcalc.views.map.both_ways import BACK_KEY
from handcalc.views.sections import sections


def with_loss(name):
    made = cases.build(name)
    return hc.Calculation(hc.half_squared_distance(made.result, made.result.values + 1), title=name)


def with_layers(count):
    """Encoder layers, which a map stacks."""
    given = cases.givens(1)
    X = given.X
    for _ in range(count):
        X = hc.encoder_layer(X, given.heads, given.W_O, given.norms[0], given.ff, given.norms[1]).result
    return hc.Calculation(hc.half_squared_distance(X, X.values + 1), title="layers")


RECORDS = {
    "worked example": hc.examples.backwards,
    "gpt": hc.examples.gpt_loss,
    "layers": lambda: with_layers(3),
    **{
        name: (lambda name=name: with_loss(name))
        for name in ("multi_head_attention", "encoder_layer", "decoder_layer")
    },
}
everywhere = pytest.mark.parametrize("record", RECORDS)


@cache
def slopes(record):
    return hc.gradients(RECORDS[record](), "L")


@cache
def sketch(record):
    return map_plan.Sketch(slopes(record))


def drawn(record, width=map_plan.MAX_MAP_WIDTH):
    return sketch(record).fitted(width)


def halves(found):
    right = {box.key: box for box in found.boxes if box.key.startswith(BACK_KEY) and box.key != BACK_KEY}
    left = {box.key: box for box in found.boxes if not box.key.startswith(BACK_KEY)}
    return left, right


@everywhere
def test_each_box_of_slopes_stands_level_with_what_they_belong_to(record):
    left, right = halves(drawn(record))
    assert right
    for key, box in right.items():
        forward = left[key.removeprefix(BACK_KEY)]
        assert (box.y, box.high) == (forward.y, forward.high)
        assert box.path == ".".join(filter(None, ("backward", forward.path)))
        for name in box.names:
            path, _, last = name.removeprefix("backward.").rpartition(".")
            assert ".".join(filter(None, (path, last.removeprefix("d")))) in forward.names


@everywhere
def test_every_line_forward_is_a_line_back(record):
    found = drawn(record)
    _, right = halves(found)
    there = {(line.start, line.end): line for line in found.lines}
    for (start, end), line in there.items():
        if {BACK_KEY + start, BACK_KEY + end} <= right.keys():
            back = there[BACK_KEY + end, BACK_KEY + start]
            assert len(back.points) == len(line.points)
            assert [y for _, y in back.points] == [y for _, y in reversed(line.points)]


@everywhere
@pytest.mark.parametrize("width", map_plan.MAP_WIDTHS)
def test_no_box_touches_another_or_leaves_the_map(record, width):
    found = drawn(record, width)
    flat = [box for box in found.boxes if box.kind not in ("frame", "band")]
    for box in found.boxes:
        assert box.x >= -0.01
        assert box.x + box.wide <= found.wide + 0.01
        assert box.y + box.high <= found.high + 0.01
    for one, other in itertools.combinations(flat, 2):
        apart = one.x + one.wide < other.x or other.x + other.wide < one.x
        assert apart or one.y + one.high < other.y or other.y + other.high < one.y, (one.key, other.key)


@everywhere
def test_every_box_of_a_block_has_one_beside_it(record):
    found = drawn(record)
    blocks = [box for box in found.boxes if box.path and box.kind in ("block", "bar", "frame")]
    ahead = [(box.kind, box.path, box.y) for box in blocks if not box.path.startswith("backward")]
    back = [(box.kind, box.path.removeprefix("backward."), box.y) for box in blocks if box.key != BACK_KEY]
    assert sorted(ahead * 2) == sorted(back)


@everywhere
def test_on_a_phone_the_way_back_is_one_box_below(record):
    found = drawn(record, 356.0)
    assert found.wide <= 400
    assert "backward" in {box.path for box in found.boxes}


def test_at_the_loss_it_turns_round_and_a_step_of_learning_closes_the_circle():
    step = hc.gradients(hc.examples.backwards(), "L").learning_step(of=["W_Q"])
    found = map_plan.plan(step)
    ways = {(line.start, line.end) for line in found.lines}
    assert {(":L", "<:L"), (BACK_KEY, "learning"), ("learning", "after")} <= ways
    assert "L goes to dL" in map_plan.describe_map(found)
    steps = [box.title for box in found.boxes if box.key.startswith("<:")]
    assert ("dW<sub>Q</sub>",) not in steps  # weights are not drawn, and neither are their slopes
    assert ("dA",) in steps


def test_to_readers_who_listen_a_block_on_the_way_back_is_another_than_that_forward():
    W_1, W_2, X = (hc.Matrix([[k, 1], [2, k]], name) for k, name in ((1, "W_1"), (2, "W_2"), (3, "X")))
    with hc.block("one"):
        H = hc.tanh(W_1 @ X).named("H")
    with hc.block("two"):
        Y = (W_2 @ H).named("Y")
    slopes = hc.gradients(hc.Calculation(hc.half_squared_distance(Y, X.values)), "L")
    told = map_plan.describe_map(map_plan.plan(slopes)).rstrip(".").split("; ")
    ways = dict(way.split(" goes to ") for way in told)
    assert ways["One"] == "Two"
    assert "One backwards" in ways["Two backwards"]
    assert ways["One backwards"] == "dX"
    narrow = map_plan.describe_map(map_plan.plan(slopes, width=356.0))
    assert "backwards backwards" not in narrow


@everywhere
def test_sheets_of_slopes_follow_from_the_loss_to_the_givens(record):
    back = [section for section in sections(slopes(record)) if section.path.startswith("backward")]
    assert back[0].steps[0].name == "dL"
    places = {matrix: k for k, matrix in enumerate(slopes(record).record)}
    begins = [min(places[section.origins[step]] for step in section.steps) for section in back]
    assert begins == sorted(begins)
