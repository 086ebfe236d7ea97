"""Marks on numbers: frames that go around what lies side by side, and what listeners are told."""

import itertools

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
