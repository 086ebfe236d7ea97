"""What a page decides by itself: how far it scrolls, how numbers are written, what is kept for the file."""

import itertools
import json
import re
import sys
from decimal import Decimal

import pytest

# How far it scrolls: as little as shows a number, with as much of what it reads as fits.
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


# How far the slider of a given goes: its ends and its steps are numbers, however large the given.
RANGE = """({ input_control }, pairs) => pairs.map(([start, now]) => {
  const { top, step } = input_control.sliderRange(start, now);
  return [top, step, top - -top];
})"""


def test_the_slider_reaches_past_the_start_and_the_number_both_ways(node):
    found = node(RANGE, [[0, 0], [3, 2.5], [-4, 10], [30, 1], [1000, -3000]])
    assert [pair[:2] for pair in found] == [[5, 0.1], [6, 0.1], [10, 0.1], [60, 1], [3000, 1]]


@pytest.mark.parametrize("size", [1e7, 1e12, 1e20, 1e100, 1e307, 1e308, sys.float_info.max])
def test_the_ends_of_a_large_number_s_slider_are_finite_and_a_step_moves_it(node, size):
    ((top, step, span),) = node(RANGE, [[size, -size]])
    assert span <= sys.float_info.max
    assert top == min(2 * size, sys.float_info.max / 2)
    assert size + step > size
    assert 1000 <= top / step <= 10_001


@pytest.mark.parametrize(
    ("start", "now", "ends"),
    [
        (0.001, 0.001, [0, 0.01, 0.0001]),
        (0.001, 0.0305, [0, 0.031, 0.0001]),
        (0.05, 0.05, [0, 0.5, 0.001]),
        (0.001, -0.5, [-0.5, 0.01, 0.0001]),
        (0.5, 0.5, [-5, 5, 0.1]),
    ],
)
def test_a_small_number_that_is_never_negative_goes_from_nothing_to_ten_times_as_much(node, start, now, ends):
    found = node(
        """({ input_control }, [start, now]) => {
          const { bottom, top, step } = input_control.sliderRange(start, now, true);
          return [bottom, top, step];
        }""",
        [start, now],
    )
    assert found == pytest.approx(ends, rel=1e-9)


# What moves: numbers written shortly while a hand moves a given, and what is marked.
FITTED = """({ numbers, widths }, [value, places, room]) =>
  numbers.fitNumber(value, places, (text) => widths.emsOf(text) <= room)"""


@pytest.mark.parametrize(
    ("value", "places", "room", "written"),
    [
        (10.314, 2, 3.1, "10.31"),  # it fits
        (103.14, 2, 3.1, "103.1"),
        (1031.4, 2, 3.1, "1031"),
        (-103.14, 2, 3.1, "-103"),
        (46012.3, 2, 3.1, "4.6·10⁴"),
        (46012, 2, 3.1, "4.6·10⁴"),
        (-46012.3, 2, 3.1, "-5·10⁴"),
        (96000, 2, 2.3, "1·10⁵"),
        (3.2e15, 2, 3.1, "3·10¹⁵"),
        (-1.234, 2, 2.5, "-1.2"),
        (-0.04, 2, 2.5, "0.0"),
        (-321, 2, 2.3, "-321"),  # nothing shorter says as much
        (2.5, 2, 0.5, "2.5"),
    ],
)
def test_a_number_that_does_not_fit_is_written_more_shortly(node, value, places, room, written):
    assert node(FITTED, [value, places, room]) == written


def test_a_power_of_ten_is_the_number_to_its_digits(node):
    shortest = (
        "({ numbers }, [value, isFirst]) => numbers.fitNumber(value, 2, (text) => isFirst && /·/.test(text))"
    )
    for value in [1e3, 12345.6, 9.96e5, 1.5e10, 2e20, 1e300]:
        for digits in (2, 1):
            digit, power = re.fullmatch(r"([\d.]+)·10(.+)", node(shortest, [value, digits == 2])).groups()
            exponent = int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(c)) for c in power))
            assert float(digit) * 10.0**exponent == pytest.approx(value, rel=0.5 * 10 ** (1 - digits))


def test_a_number_is_marked_where_it_is_written_differently_and_as_larger_or_smaller(node):
    turns = """({ change_marks }, pairs) => pairs.map(([was, now]) =>
      change_marks.turnOf({ text: was[0], value: was[1] }, { text: now[0], value: now[1] }))"""
    pairs = [
        (["2", 2], ["2.10", 2.1]),
        (["0.26", 0.261], ["0.25", 0.254]),
        (["0.26", 0.261], ["0.26", 0.264]),  # nobody sees that
        (["-1", -1], ["-2", -2]),
        (["2", 2], ["", float("nan")]),
    ]
    assert node(turns, pairs) == [1, -1, 0, -1, 0]


# A change is the difference of the two numbers beside it as they are written, or ≈ says that it is not.
CHANGE = "({ comparison }, [was, now, places]) => Object.values(comparison.changeOf(was, now, places))"


@pytest.mark.parametrize(
    ("was", "now", "places", "told"),
    [
        (0.77, 0.95, 2, ["0.77", "0.95", "+0.18"]),
        (1.534, 1.6163, 2, ["1.534", "1.616", "+0.082"]),  # 1.53 → 1.62 is neither +0.08 nor +0.09
        (3, -5, 2, ["3", "−5", "−8"]),
        (1.001, 1.002, 2, ["1.001", "1.002", "+0.001"]),
        (1 / 3, 2 / 3, 2, ["0.33", "0.67", "≈ +0.33"]),  # no number of places adds up
        (1e-9, 2e-9, 2, ["0.00", "0.00", "less than 0.01"]),
        (2, float("-inf"), 2, ["2", "−∞", "−∞"]),
    ],
)
def test_a_change_has_the_fewest_decimals_that_add_up(node, was, now, places, told):
    assert node(CHANGE, [was, now, places]) == told


def test_a_change_without_an_approximate_sign_adds_up(node):
    pairs = [(k * 0.37 % 1.91, k * 0.73 % 2.03) for k in range(1, 200)]
    told = node(
        "({ comparison }, all) => all.map(([was, now]) => Object.values(comparison.changeOf(was, now, 2)))",
        pairs,
    )
    assert sum("≈" in change for *_, change in told) < len(told) / 3
    for (was, now), (before, after, change) in zip(pairs, told, strict=True):
        if change[0] in "+−":
            first, second, by = (Decimal(text.replace("−", "-")) for text in (before, after, change))
            assert second - first == by
        assert abs(float(before) - was) <= 0.005
        assert abs(float(after) - now) <= 0.005


# What the browser keeps until it is in the file: rubbish under the same name does not stop practice.
OPENED = """({ outbox }, stored) => {
  const kept = { text: stored };
  globalThis.localStorage = {
    getItem: () => kept.text,
    setItem: (_, text) => { kept.text = text; },
    removeItem: () => { kept.text = null; },
  };
  try {
    const box = new outbox.Outbox("file", "code");
    const found = box.entries;
    box.add("E", 1, 0, "2");
    box.confirm({ E: { "0,0": "1" } });
    return [found, kept.text];
  } finally {
    delete globalThis.localStorage;
  }
}"""


@pytest.mark.parametrize(
    "rubbish", ["null", "3", '"x"', "[]", "[1]", "{", '{"a": "1"}', '{"E,0": "1"}', '{"E,0,0": 5}', None]
)
def test_rubbish_is_passed_over(node, rubbish):
    assert node(OPENED, rubbish) == [[], json.dumps({"E,1,0": "2"}, separators=(",", ":"))]


def test_what_waits_is_there_again_until_the_file_has_it(node):
    stored = {"E,0,0": "1", "a,b\u2028,2,3": "x", "bad": "4", "__proto__,0,0": "7"}
    found, kept = node(OPENED, json.dumps(stored))
    assert found == [["E", 0, 0, "1"], ["a,b\u2028", 2, 3, "x"], ["__proto__", 0, 0, "7"]]
    assert json.loads(kept) == {"a,b\u2028,2,3": "x", "__proto__,0,0": "7", "E,1,0": "2"}
