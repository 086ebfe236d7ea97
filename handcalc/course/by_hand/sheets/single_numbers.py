"""Softmax, temperature and ReLU: functions of single numbers, and of a column of them."""

from __future__ import annotations

from handcalc.course.by_hand.parts import Sheet, noted, sheet, worded
from handcalc.operations import Sample, Step
from handcalc.record.blocks import block
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import (
    column_sums,
    concat,
    cumulative_sum,
    exp,
    rank,
    relu,
    round,
    rows,
    sort,
)


def shares(scores: Matrix) -> list[Matrix]:
    """A softmax in its three steps: E, E_sum, P."""
    E = worded("E", exp(scores))
    E_sum = worded("E_sum", column_sums(E))
    return [E, E_sum, worded("P", E / E_sum)]


@sheet("softmax")
def six_softmaxes(g: Sheet) -> list[Matrix]:
    """Six columns of scores, and the shares of each."""
    found = []
    for key in g.givens:
        with block(f"ex_{key[2:]}", f"Exercise {key[2:]}", why="A column of scores becomes shares."):
            *steps, P = shares(g(key, "x", "scores"))
            found += [*steps, P, noted("check", column_sums(P), "the sum", "Shares add up to 1.")]
    return found


@sheet("leaky_relu")
def two_relus(g: Sheet) -> list[Matrix]:
    """Both as a slope times the number: 1 or 0, and 1 or alpha."""
    x, alpha = g("x", "x", "numbers to bend"), g("alpha", "alpha", "what is left of a negative number")
    with block("relu", "ReLU", why="Negative numbers become 0."):
        y = noted("y", relu(x), "ReLU", "A positive number stays, a negative one becomes 0.")
    with block(
        "leaky", "Leaky ReLU", why="Of a negative number a little is left, so that it can still learn."
    ):
        scaled = noted("scaled", alpha * x, "a little of each", "What would be left of a negative number.")
        slope = Step()(x) + alpha * (1 - Step()(x))
        slope = noted("slope", slope, "how much counts", "1 for a positive number, alpha for any other.")
        leaky = noted(
            "y", slope * x, "leaky ReLU", "A positive number stays, of a negative one alpha is left."
        )
    return [y, scaled, slope, leaky]


@sheet("temperature_small", "temperature_medium")
def temperature(g: Sheet) -> list[Matrix]:
    """Scores cooled or warmed, shares of two places, sorted, added up, and one word picked by r."""
    Z, T = g("Z", "Z", "a score for each word", rows="w"), g("T", "T", "the temperature")
    r = g("r", "r", "a random number from 0 to 1")
    warm = noted("Z_warm", Z / T, "divided by T", "A high temperature brings the scores closer together.")
    *steps, P = shares(warm)
    why = "The sheet goes on with two decimal places; what is lost, the last bound will lack."
    short = noted("P_rounded", round(P, 2), "shares of two places", why)
    place = noted("rank", rank(short), "place from the largest", "How many shares are larger, and 1.")
    order = noted("P_sorted", sort(short), "from the largest on", "The words go with their shares.", "Pick")
    upper = cumulative_sum(order)
    if g.is_published:
        upper = concat([rows(upper, 0, upper.shape[0] - 1), constant(1)])
    upper = noted("right", upper, "upper bounds", "Where the stretch of each word ends.", "Pick")
    lower = concat([constant(0), rows(upper, 0, upper.shape[0] - 1)])
    lower = noted("left", lower, "lower bounds", "Where the stretch of each word begins.", "Pick")
    picked = Matrix.computed(Sample(0, order.rows), upper, r)  # the bounds are added up already
    picked = noted("word", picked, "the word that r falls on", "A long stretch is hit often.", "Pick")
    return [*steps, P, short, place, order, upper, lower, picked]
