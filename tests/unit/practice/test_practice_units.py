"""A claim needs more than one unit, a whole step speaks as one, and exact work is never punished."""

import math

import loops
import paper
import pytest

import handcalc as hc


def right_scores(see, right):
    """e^S for e^S_scaled, and 0 where it is hidden."""
    powers = loops.each(lambda s: math.exp(s) if s < 30 else 1e9, see("S"))
    return loops.each(lambda power, e: power if e else 0.0, powers, right)


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("topic", ["self_attention", "causal_self_attention", "cross_attention"])
def test_after_a_slip_exact_work_that_is_rounded_on_paper_alone_follows(topic, count):
    for seed in range(1, count + 1):
        calculation = hc.problem(topic, seed=seed)
        in_full = paper.answered(calculation, topic, None, E=right_scores)
        told = hc.Exercise(calculation).check(**{s: paper.rounded(M, 2) for s, M in in_full.items()})
        wrong = [step for step in told.cells if told.count("wrong", step)]
        assert (seed, wrong) in ((seed, ["E"]), (seed, []))
        assert not [one for one in told.mistakes + told.possible if one.step != "E"]


def test_of_a_column_of_nothing_a_share_of_0_follows():
    calculation = hc.problem("padding_mask", seed=1)
    hidden = calculation["S_masked"].values
    keys = [not math.isfinite(row[0]) for row in hidden.tolist()]
    rows = zip(keys, calculation.givens["S"].values.tolist(), strict=True)
    masked = [[-math.inf if a or b else s for b, s in zip(keys, row, strict=True)] for a, row in rows]
    E = loops.each(lambda s: round(math.exp(s), 2), masked)
    sums = [sum(row[j] for row in E) for j in range(len(E))]
    A = [[e / total if total else 0.0 for e, total in zip(row, sums, strict=True)] for row in E]
    told = hc.Exercise(calculation).check(S_masked=masked, E=E, E_sum=[sums], A=paper.rounded(A, 2))
    assert [(one.step, one.name) for one in told.mistakes] == [("S_masked", "padding-hidden-both-ways")]
    assert (told.possible, told.count("wrong", "E", "E_sum", "A")) == ([], 0)


def test_words_that_a_name_could_turn_round():
    calculation = hc.problem("count_scores", seed=1)
    w, n = (calculation.givens[name].values[0, 0] for name in "wn")
    told = str(hc.Exercise(calculation, blank=["window"]).check(window=[[w * n]]))
    assert "missing" in told
    assert "missing was left out" not in told


def test_a_norm_without_its_eps_is_named_where_it_shows():
    X = [[1.0, 2.0], [1.5, 2.5], [2.5, 2.0]]
    calculation = hc.Calculation(
        hc.layer_norm(hc.Matrix(X, "X"), [[2.0]] * 3, [[1.0]] * 3, eps=0.1).named("N")
    )
    mean = [sum(column) / 3 for column in zip(*X, strict=True)]
    var = [sum((row[j] - mean[j]) ** 2 for row in X) / 3 for j in range(2)]
    N = [[2 * (row[j] - mean[j]) / math.sqrt(var[j]) + 1 for j in range(2)] for row in X]
    told = hc.Exercise(calculation, blank=["N"]).check(N=paper.rounded(N, 2))
    assert [one.name for one in told.mistakes] == ["eps-left-out"]


def test_a_factor_of_minus_one_that_was_left_out_is_told_before_a_lost_sign():
    calculation = hc.problem("layer_norm", 9006)
    X, beta = ([*map(list, calculation[name].values.tolist())] for name in ("X", "beta"))
    mean = [sum(column) / len(X) for column in zip(*X, strict=True)]
    spread = [sum((row[j] - mean[j]) ** 2 for row in X) / len(X) for j in range(len(mean))]
    N = [
        [(x - mean[j]) / math.sqrt(spread[j]) + b for j, x in enumerate(row)]
        for row, (b,) in zip(X, beta, strict=True)
    ]
    told = hc.Exercise(calculation, blank=["N"]).check(N=paper.rounded(N, 2))
    assert next((one.name, one.instead) for one in told.mistakes) == ("factor-left-out", False)
