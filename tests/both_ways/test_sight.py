"""How far a page scrolls: as little as brings a number into sight with as much of what it reads as fits."""

import itertools

import pytest

SCROLL = "({ sight }, [chosen, sources, view]) => sight.scrollFor(chosen, sources, view)"
MEANT = "({ swipe }, [right, down]) => swipe.gestureOf(right, down)"


@pytest.mark.parametrize(
    ("chosen", "sources", "by"),
    [
        ([40, 60], [], 0),  # in sight already
        ([150, 170], [], 70),  # below
        ([-30, -10], [], -30),  # above
        ([40, 60], [[[-20, 0]]], -20),  # its source above comes, too
        ([40, 60], [[[-20, 0]], [[120, 140]]], -20),  # of two that exclude each other the nearer one
        ([40, 60], [[[-300, -280], [110, 130]]], 30),  # a source stands in two places: one will do
        ([90, 110], [[[-300, -280]]], 10),  # too far away: the number alone
        ([40, 300], [], 40),  # larger than the window: its beginning
    ],
)
def test_as_little_as_needed(node, chosen, sources, by):
    assert node(SCROLL, [chosen, sources, [0, 100]]) == by


@pytest.mark.parametrize(
    ("chosen", "sources", "by"),
    [
        ([140, 160], [[[-10, 10]]], 0),  # in sight, and half of what it reads
        ([140, 160], [[[-50, -30]]], -50),  # what it reads is out of sight
        ([290, 310], [], 10),  # it cannot be seen
        ([284, 304], [], 0),  # nearly at the edge, but all of it
    ],
)
def test_what_a_hand_points_at_does_not_move_by_a_little(node, chosen, sources, by):
    assert node(SCROLL.replace("scrollFor", "calmScroll"), [chosen, sources, [0, 300]]) == by


def test_no_other_scroll_shows_more(node):
    view, height = (0, 100), 20
    for chosen, *sources in itertools.product(range(-60, 160, 44), repeat=3):
        told = node(SCROLL, [[chosen, chosen + height], [[[s, s + height]] for s in sources], view])

        def seen(by, sources=sources):
            return sum(view[0] <= s - by and s + height - by <= view[1] for s in sources)

        ways = range(chosen + height - view[1], chosen - view[0] + 1)
        best = max(map(seen, ways))
        assert told == min((by for by in ways if seen(by) == best), key=abs)


@pytest.mark.parametrize(
    ("way", "meant"),
    [((-60, 10), 1), ((60, -10), -1), ((3, 3), "tap"), ((-60, 80), None), ((30, 0), None), ((0, 90), None)],
)
def test_a_swipe_a_tap_and_a_scroll_are_told_apart(node, way, meant):
    assert node(MEANT, way) == meant
