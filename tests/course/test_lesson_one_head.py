"""The answers to the questions of the first four notebooks and of practice, worked out by loops."""

import math
from itertools import product
from statistics import pvariance

import lesson_answers
import loops

import handcalc as hc

CALC, SENTENCE = hc.examples.self_attention(), hc.examples.animal()


def worked(calculation):
    """All steps of a calculation of one head, by loops."""
    return loops.attention(*(calculation[name].values.tolist() for name in ("X", "X", "W_Q", "W_K", "W_V")))


GIVEN = {name: given.values.tolist() for name, given in CALC.givens.items()}
STEPS, IT = worked(CALC), worked(SENTENCE)


def column(M, j):
    return [row[j] for row in M]


def of_largest(numbers, names):
    return names[numbers.index(max(numbers))]


TOKENS = [f"token {k}" for k in range(1, 5)]
WORDS = SENTENCE["X"].columns


def shares_of_it(calculation):
    return dict(zip(calculation["X"].columns, column(worked(calculation)["A"], 5), strict=True))


def test_start_here():
    key, query = column(STEPS["K"], 1), column(STEPS["Q"], 3)
    assert sum(k * q for k, q in zip(key, query, strict=True)) == 5
    lesson_answers.assert_answered("start", {"first_score": STEPS["S"][1][3]})


def test_queries_keys_values():
    K, V, S = (STEPS[name] for name in "KVS")
    ((row, negative),) = [(i, j) for i in range(3) for j in range(4) if K[i][j] < 0]
    (zero,) = [j for j in range(4) if column(V, j)[:2] == [0, 0] and V[2][j]]
    corners = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    best = max(corners, key=lambda k: 2 * k[0] + k[1])
    wide = shares_of_it(hc.examples.animal("wide"))
    lesson_answers.assert_answered(
        "queries_keys_values",
        {
            "it": of_largest(list(shares_of_it(SENTENCE).values()), WORDS),
            "take_home": "the value",
            "wide": max(wide, key=wide.get),
            "row_of_W_Q": f"3 by {len(GIVEN['X'])}",
            "q31": STEPS["Q"][2][0],
            "negative_key": f"K[{row + 1},{negative + 1}]",
            "zero_value": TOKENS[zero],
            "best_k": str(best),
            "right_angle": math.cos(math.pi / 2),
            "s21": S[1][0],
            "no_weights": "token 4 scores token 1 as token 1 scores token 4",
        },
    )


def test_scored_as_they_are_tokens_mirror_each_other_and_like_themselves_most():
    own = loops.product(loops.transposed(GIVEN["X"]), GIVEN["X"])
    assert own == loops.transposed(own)
    assert all(max(column(own, j)) == own[j][j] for j in range(4))
    assert own[0][3] == 5
    assert STEPS["S"] != loops.transposed(STEPS["S"])


def test_the_other_ending_gives_the_street_as_much_as_the_first_gives_the_animal():
    first, wide = shares_of_it(SENTENCE), shares_of_it(hc.examples.animal("wide"))
    assert wide["street"] == first["animal"]
    assert f"{wide['street']:.2f}" == "0.85"
    assert hc.examples.animal("wide")["A"].columns[-1] == "wide"
    changed = SENTENCE["X"].values != hc.examples.animal("wide")["X"].values
    assert changed[:, :8].sum() == 1  # X[5,6], and the last word


def spread(d_k, divisor=1):
    return pvariance([sum(tosses) / divisor for tosses in product([-1, 1], repeat=d_k)])


def test_scores_to_weights():
    A, E_sum, V = STEPS["A"], STEPS["E_sum"][0], STEPS["V"]
    unscaled = loops.attention(GIVEN["X"], *(GIVEN[n] for n in ("X", "W_Q", "W_K", "W_V")), scaled=False)["A"]
    before, after = (loops.softmax([[s], [1], [0]])[0][0] for s in (2, 4))
    negative = [math.exp(s) for row in STEPS["S_scaled"] for s in row if s < 0]
    assert len(negative) == 3
    assert all(0 < power < 1 for power in negative)
    assert before < after < 2 * before
    assert V[0] == [20, 0, 0, 20]
    assert unscaled[1][3] > A[1][3]
    lesson_answers.assert_answered(
        "scores_to_weights",
        {
            "two_products": spread(2),
            "five_over_root_3": f"about {round(5 / math.sqrt(3))}",
            "divided_by_d_k": spread(4, 4),
            "negative_powers": "between 0 and 1",
            "e_by_hand": math.exp(1.15),
            "largest_sum": f"column {E_sum.index(max(E_sum)) + 1}",
            "favourite_of_4": of_largest(column(A, 3), TOKENS),
            "from_2_to_4": "no, it grows by less",
            "slope": "hardly",
            "not_divided": "more",
            "above_20": "no" if max(STEPS["Z"][0]) <= 20 else "yes",
            "unseen_arrow": f"in these two rows it is ({V[0][1]:g}, {V[1][1]:g})",
        },
    )


def test_divided_by_d_k_the_variance_is_one_over_d_k_and_by_its_root_1():
    for d_k in (1, 2, 4, 8):
        assert spread(d_k) == d_k
        assert spread(d_k, d_k) == 1 / d_k
        assert abs(spread(d_k, math.sqrt(d_k)) - 1) < 1e-12


def test_whole_sheet():
    order = [1, 0, 2, 3]
    swapped = [column(GIVEN["X"], j) for j in order]
    Z = loops.attention(*([loops.transposed(swapped)] * 2), *(GIVEN[n] for n in ("W_Q", "W_K", "W_V")))["Z"]
    for j, place in enumerate(order):
        assert all(abs(a - b) < 1e-12 for a, b in zip(column(Z, j), column(STEPS["Z"], place), strict=True))
    raised = {**GIVEN, "X": [list(row) for row in GIVEN["X"]]}
    raised["X"][1][3] += 1
    moved = loops.attention(raised["X"], *(raised[n] for n in ("X", "W_Q", "W_K", "W_V")))["Z"]
    columns = {j for j in range(4) if column(moved, j) != column(STEPS["Z"], j)}
    thirds = [math.floor(STEPS["S"][i][1] / 2) for i in (0, 1, 3)]
    assert thirds == [1, 1, 1]
    lesson_answers.assert_answered(
        "whole_sheet",
        {
            "dot_products": len(STEPS["S"]) * len(STEPS["S"][0]),
            "every_digit": "in about 15",
            "how_many": sum(len(M) * len(M[0]) for M in STEPS.values()),
            "only_column_4": "yes" if columns == {3} else "no",
            "it_moves": IT["Z"][1][5],
            "swapped": "its first two columns swap, nothing else",
            "rows": f"{len(STEPS['Z'][0])} by {len(STEPS['Z'])}",
            "favourite": "it is lost: all three are equal",
            "shape_of_X": "so that it can be added to X, and the next layer can take it as its own X",
        },
    )


def test_practice():
    exponentials = [2.72, 0.37, 7.39]
    assert [j + 1 for j, x in enumerate(GIVEN["X"][0]) if x == 0] == [2, 3]
    lesson_answers.assert_answered(
        "practice",
        {
            "blanks": "not attempted",
            "zeros": "tokens 2 and 3",
            "first_blank": STEPS["Q"][0][0],
            "marked_wrong": 0,
            "swapped": "it transposes S: rows and columns change places",
            "cost": "nothing",
            "all_equal": "many mistakes would give the right answer",
            "first": "E, E_sum, A",
            "third_share": exponentials[2] / sum(exponentials),
        },
    )
