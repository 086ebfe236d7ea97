"""Colours: frames stand out from every fill, and marks are told apart by eyes of every kind."""

import itertools
import re

import numpy as np
import pytest
from colour_vision import SEEN_BY, Colour, apart, contrast

from handcalc.views import assets, palette
from handcalc.views.palette import ACCENTS, THEMES, rgb

PAPERS = {
    "light": ["#ffffff"],
    "dark": ["#121212", "#111111", "#15181d"],
}  # a page's, JupyterLab's, a figure's
ROLES = ["chosen", "source-a", "source-b", "source-c"]
HUES = {"plus": palette.PLUS, "minus": palette.MINUS, "never negative": palette.NEVER_NEGATIVE}
MARK = r"td\.hc-{} \{{ --hc-style: (\w+); --hc-wide: ([\d.]+)px; --hc-frame: var\(--hc-(\w+)\)"


def lines(role: str) -> tuple[str, float, str]:
    """A frame's style, its width and its accent, as the style sheet has them."""
    css = assets.styles()["marks"].read_text()
    style, wide, accent = re.findall(MARK.format(role), css)[0]
    return style, float(wide), accent


def accent(role: str, theme: str) -> Colour:
    return rgb(ACCENTS[lines(role)[2]][theme == "dark"])


def fills(paper: str) -> list[Colour]:
    """Every colour that can stand behind a number, from none to the strongest."""
    strengths = [0, *np.linspace(palette.FAINTEST, palette.STRONGEST, 15)]
    return [rgb(paper) * (1 - s) + np.array(hue) / 255 * s for hue in HUES.values() for s in strengths]


@pytest.mark.parametrize("theme", PAPERS)
@pytest.mark.parametrize("role", ROLES)
def test_a_frame_has_a_contrast_of_three_with_what_it_touches_on_every_fill(role, theme):
    """It touches the fill, or the line of paper on either side of it: the one that sets it off better."""
    css = assets.styles()["marks"].read_text()
    assert "box-shadow: 0 0 0 1px var(--hc-paper), inset 0 0 0 1px var(--hc-paper);" in css
    for paper in PAPERS[theme]:
        beside = rgb(paper)
        for fill in fills(paper):
            assert max(contrast(accent(role, theme), fill), contrast(accent(role, theme), beside)) >= 3
        assert contrast(accent(role, theme), beside) >= 4.5  # as text


@pytest.mark.parametrize("theme", PAPERS)
def test_ink_can_be_read_on_every_fill(theme):
    ink, paper = THEMES[theme].ink, THEMES[theme].paper
    assert min(contrast(rgb(ink), fill) for fill in fills(paper)) >= 4.5


@pytest.mark.parametrize("theme", PAPERS)
@pytest.mark.parametrize("eyes", SEEN_BY)
def test_frames_are_told_apart_by_their_lines_or_by_a_colour_that_these_eyes_tell_apart(eyes, theme):
    for one, other in itertools.combinations(ROLES, 2):
        differ = apart(accent(one, theme), accent(other, theme), eyes)
        assert lines(one)[0] != lines(other)[0] or differ > 0.1, (one, other, differ)


def test_the_chosen_number_has_the_widest_single_line():
    assert lines("chosen")[1] > max(lines(role)[1] for role in ROLES[1:3])


def hue(colour: Colour) -> float:
    """Degrees on the wheel of hues; of greys there is none."""
    red, green, blue = colour
    angle = np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue))
    return float(angle) % 360


def test_no_frame_has_the_hue_of_a_fill():
    """A hue says one thing: plus, minus, never negative, or which part a number has in the arithmetic."""
    for (light, dark), (name, fill) in itertools.product(ACCENTS.values(), HUES.items()):
        for colour in map(rgb, (light, dark)):
            turn = abs(hue(colour) - hue(np.array(fill) / 255))
            is_grey = np.ptp(colour) < 0.12
            assert is_grey or min(turn, 360 - turn) >= 30, (light, dark, name)


def verdicts(theme: str) -> dict[str, Colour]:
    css = "".join(assets.styles()[name].read_text() for name in ("sheet", "verdicts"))
    found = re.findall(r"--hc-(right|close|wrong): light-dark\((#\w+), (#\w+)\)", css)
    return {name: rgb((light, dark)[theme == "dark"]) for name, light, dark in found}


@pytest.mark.parametrize("theme", PAPERS)
def test_verdicts_can_be_read(theme):
    found = verdicts(theme)
    assert found.keys() == {"right", "close", "wrong"}
    assert min(contrast(ink, rgb(paper)) for ink in found.values() for paper in PAPERS[theme]) >= 4.5


@pytest.mark.parametrize("theme", PAPERS)
@pytest.mark.parametrize("eyes", SEEN_BY)
def test_verdicts_have_signs_and_lines_of_their_own_where_colours_look_alike(node, eyes, theme):
    """Some eyes see right, close and wrong in one colour, so that none of them rests on it."""
    alike = [
        {one, other}
        for (one, a), (other, b) in itertools.combinations(verdicts(theme).items(), 2)
        if apart(a, b, eyes) < 0.1
    ]
    signs = node("({ score }) => Object.entries(score.VERDICTS).map(([kind, { sign }]) => [kind, sign])")
    assert all(dict(signs)[one] != dict(signs)[other] for one, other in map(sorted, alike))
    css = assets.styles()["practice"].read_text()
    drawn = re.findall(r"input(?:\.|:is\(\.)hc-(correct|follows|wrong)[^{]*\{ border: \S+ (\w+)", css)
    assert dict(drawn) == {"correct": "solid", "follows": "dashed", "wrong": "double"}


# Marks on numbers: frames that go around what lies side by side, and what listeners are told.
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
