"""A change is the difference of the two numbers beside it as they are written, or ≈ says that it is not."""

from decimal import Decimal

import pytest

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
