"""Marks on numbers: frames that go around what lies side by side, and what listeners are told."""

import itertools
import random

import pytest

FRAMES = """({ frames: { frameSides } }, { marks, width }) =>
  [...frameSides(new Map(marks), width)].map(([place, sides]) => [place, [...sides].sort().join("")])"""


def beside(place: int, other: int, width: int) -> str:
    """On which side of a place another one is, if they touch; row and column by long division."""
    (i, j), (k, m) = divmod(place, width), divmod(other, width)
    return {(-1, 0): "t", (1, 0): "b", (0, -1): "l", (0, 1): "r"}.get((k - i, m - j), "")


@pytest.mark.parametrize(
    ("width", "marks"),
    [
        (4, {4: "a", 5: "a", 6: "a", 7: "a", 8: "b"}),  # a row, and below it another mark
        (4, {0: "b", 4: "b", 8: "b", 12: "b"}),  # a column
        (3, {2: "a", 3: "a"}),  # the end of a row and the beginning of the next do not touch
        (3, {0: "a", 1: "a", 3: "a"}),  # an angle, as a mask leaves it
        (5, {12: "a"}),
        (1, {0: "a", 1: "a", 2: "b"}),
    ],
)
def test_numbers_of_one_mark_that_touch_share_a_frame(node, width, marks):
    found = dict(node(FRAMES, {"marks": list(marks.items()), "width": width}))
    expected = dict.fromkeys(marks, "")
    for one, other in itertools.permutations(marks, 2):
        if marks[one] == marks[other]:
            expected[one] += beside(one, other, width)
    assert found == {place: "".join(sorted(sides)) for place, sides in expected.items()}


SIDES = "({ frames }, { goesOn }) => frames.sidesOf({ x: 10, y: 20, width: 30, height: 20 }, goesOn, 2, 2)"


def test_a_picture_has_the_sides_of_a_frame_and_no_others(node):
    """Lines lie inside the number's box, half a line from its edge, and meet in the gap between numbers."""
    whole = node(SIDES, {"goesOn": ""})
    assert whole == {"path": "M11 21L39 21L39 39L11 39L11 21Z", "length": 2 * 28 + 2 * 18}
    first = node(SIDES, {"goesOn": "r"})
    assert first == {"path": "M41 39L11 39L11 21L41 21", "length": 30 + 18 + 30}
    middle = node(SIDES, {"goesOn": "lr"})
    assert middle == {"path": "M9 21L41 21M41 39L9 39", "length": 32 + 32}
    assert node(SIDES, {"goesOn": "trbl"}) == {"path": "", "length": 0}


SEAT = (
    "({ free_place: { nearestFreePlace } }, { size, at, obstacles, within, reach }) =>"
    " nearestFreePlace(size, at, obstacles, within, reach)"
)


def box(left: float, top: float, width: float, height: float) -> dict[str, float]:
    return {"left": left, "top": top, "width": width, "height": height}


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["left"] + one["width"] <= other["left"]
        or other["left"] + other["width"] <= one["left"]
        or one["top"] + one["height"] <= other["top"]
        or other["top"] + other["height"] <= one["top"]
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_arithmetic_beside_a_number_covers_nothing_or_stays_away(node, seed):
    draw = random.Random(seed)
    obstacles = [
        box(draw.randrange(600), draw.randrange(400), draw.randrange(20, 150), draw.randrange(20, 120))
        for _ in range(draw.randrange(2, 30))
    ]
    table = obstacles[0]
    at = box(table["left"] + 4, table["top"] + 4, 16, 16)
    within = box(0, 0, 800, 560)
    size = {"width": draw.randrange(40, 240), "height": draw.randrange(20, 60)}
    found = node(SEAT, {"size": size, "at": at, "obstacles": obstacles, "within": within, "reach": 150})
    free = [
        place
        for place in (box(x, y, **size) for x in range(0, 800, 20) for y in range(0, 560, 20))
        if all(apart(place, {**o, "left": o["left"] - 6, "width": o["width"] + 12}) for o in obstacles)
    ]
    if found:
        assert all(apart(found, other) for other in obstacles)
        assert 0 <= found["left"] <= 800 - size["width"]
        assert 0 <= found["top"] <= 560 - size["height"]
    assert found or not any(abs(p["left"] - at["left"]) + abs(p["top"] - at["top"]) < 40 for p in free)


def test_with_all_free_the_arithmetic_stands_just_below_or_above_its_number(node):
    at = box(300, 200, 40, 22)
    case = {"size": {"width": 180, "height": 28}, "at": at, "within": box(0, 0, 900, 600), "reach": 100}
    found = node(SEAT, {**case, "obstacles": [at]})
    assert min(abs(found["top"] - 222), abs(found["top"] + 28 - 200)) <= 6
    blocked = [at, box(100, 225, 600, 300), box(100, 0, 600, 198)]  # beside it is room
    beside = node(SEAT, {**case, "obstacles": blocked})
    assert beside is None or all(apart(beside, other) for other in blocked)
    assert node(SEAT, {**case, "obstacles": [box(0, 0, 900, 600)]}) is None
