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
