"""How far the slider of a given goes: both its ends and its steps are numbers, however large the given."""

import sys

import pytest

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
