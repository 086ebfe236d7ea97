"""What moves on the page, as data: numbers written shortly while a hand moves a given, and what is marked."""

import re

import pytest

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
