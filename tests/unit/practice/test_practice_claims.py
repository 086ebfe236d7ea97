"""A name is a claim: chance slips get none, planted mistakes get theirs, and what is possible is asked."""

import math
from collections import Counter

import draws
import loops
import numpy as np
import paper
import pytest
from planted import FEW, planted
from seeds import seeds
from test_practice_mistakes import TOPICS, check, is_even, named

import handcalc as hc
from handcalc.classroom.insight.sheet_progress import find_standing
from handcalc.classroom.live.marking.live_marks import view_steps
from handcalc.practice.exercise import raw_answers

AT_MOST, AT_LEAST = 0.05, 0.99
NONE = ("softmax", "layer_norm")  # of which hardly any number is what a mistake leads to
SPELLINGS = ("{:.2f}", "{:.5f}", "{:.12f}", "{:+.2f}", "{:.8e}", " {:.4f} ")


def rounded_key(calculation):
    return {name: np.array(paper.rounded(M.values.tolist(), 2)) for name, M in calculation.steps.items()}


def off_by_one(topic, steps, some):
    """Feedback on each single number of these steps, one more and one less."""
    for calculation in (draws.problem(topic, seed) for seed in some):
        key = rounded_key(calculation)
        for step in steps or [*calculation.steps]:
            for cell in np.ndindex(*key[step].shape):
                for off in (1, -1) if topic not in NONE else (1, -1, 0.1, -0.1):
                    answer = key[step].copy()
                    answer[cell] += off
                    yield hc.Exercise(calculation).check(**key | {step: answer})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topic", "steps"),
    [
        *(("self_attention", "QKVS"), ("projections", ""), ("scores", ""), ("matrix_product", "")),
        *(("softmax", ""), ("layer_norm", "")),
    ],
)
@seeds(3, 10)
def test_a_number_that_is_off_by_one_is_hardly_ever_put_down_to_a_mistake(seeds, topic, steps):
    found = [*off_by_one(topic, steps, [seed + 1 for seed in seeds])]
    named = [feedback for feedback in found if feedback.mistakes]
    asked = sum(bool(feedback.possible) for feedback in found)
    print(f"{topic}: {len(named)} of {len(found)} claimed, {asked} asked about")  # noqa: T201
    assert len(named) <= (0.003 if topic in NONE else AT_MOST) * len(found)
    assert not [feedback for feedback in named if len(feedback.mistakes) > 1]
    assert max(sum(line.count("?") for line in feedback.messages()) for feedback in found) <= 1


@pytest.mark.sweep
@pytest.mark.parametrize("seeds", [range(FEW, 2 * FEW)])
def test_of_mistakes_in_whole_steps_of_all_topics_hardly_any_goes_unclaimed(seeds):
    """The first seeds: test_practice_mistakes.py. Of one number everywhere nothing may be said."""
    counts: Counter[str] = Counter()
    for one in (one for topic in TOPICS for one in planted(topic, seeds)):
        feedback = check(one.calculation, one.topic, one.step, one.known, one.convention)
        wanted, claimed = one.known.called(one.convention), named(feedback, one.step)
        kind = (
            "even"
            if is_even(feedback, one.step)
            else "many"
            if feedback.count("wrong", one.step) > 1
            else "one"
        )
        asked = {mistake.name for mistake in feedback.possible if mistake.step == one.step}
        counts[kind] += 1
        counts[f"{kind} told"] += wanted in (claimed if kind == "many" else claimed | asked)
        counts["two claims"] += len(claimed) > 1
    print(dict(counts))  # noqa: T201
    assert counts["many told"] >= AT_LEAST * counts["many"] > 250
    assert counts["one told"] >= AT_LEAST * counts["one"] > 25
    assert counts["even told"] == 0


def guesses(right, rng):
    """One number everywhere, and numbers at random, most of which are not right by chance."""
    yield from (np.full(right.shape, number) for number in (0, 1, right[0, 0], 1 / 3))
    chance = np.round(rng.uniform(right.min() - 1, right.max() + 1, right.shape), rng.integers(3))
    if 2 * np.sum(chance == right) < right.size:
        yield chance


@pytest.mark.parametrize("topic", ["self_attention", "layer_norm", "block", "additive_score"])
@seeds(1, 12)
def test_one_number_everywhere_and_numbers_at_random_get_no_name(seeds, topic):
    rng = np.random.default_rng(23)
    for calculation in (draws.problem(topic, seed) for seed in seeds):
        key = rounded_key(calculation)
        steps = [name for name, M in key.items() if M.size > 3 and np.isfinite(M).all() and np.ptp(M)]
        assert steps
        for step in steps:
            for answer in guesses(key[step], rng):
                feedback = hc.Exercise(calculation).check(**key | {step: answer})
                told = [one for one in feedback.mistakes + feedback.possible if one.step == step]
                assert told == [], (step, answer)


@pytest.mark.parametrize("line", ["row", "column"])
def test_a_line_that_was_copied_is_no_slip_inside_one_of_its_numbers(line):
    """3 is 5 without its second term, too, which says nothing of 7 and 4: all three are those of line 1."""
    a, b = np.array([[3, 7, 4], [3, 1, 6]]), np.array([[0, 0, 0], [2, 4, 1]])
    if line == "column":
        a, b = a.T, b.T
    total = hc.Matrix(a.tolist(), "a") + hc.Matrix(b.tolist(), "b")
    answer = np.array([[3, 7, 4]] * 2)
    feedback = hc.Exercise(hc.Calculation(total.named("t"), title="Sums")).check(
        t=answer.T if line == "column" else answer
    )
    assert [one.name for one in feedback.mistakes] == ["wrong-line"]
    assert f"{line.capitalize()} 2 holds the numbers of {line} 1." in str(feedback.mistakes[0].sentence)


def test_a_number_rounded_to_one_place_is_not_put_down_to_what_it_was_made_of():
    """-0.67 as -0.7, and 1.25 as 1.2, as computers round a half: the inputs may have been as rough."""
    X, mean = hc.Matrix([[-0.42, 2.5], [1, 3]], "X"), hc.Matrix([[0.25, 1.25]], "mean")
    exercise = hc.Exercise(hc.Calculation((X - mean).named("C"), title="Centred"))
    for wrong in ([[-0.7, 1.25], [0.75, 1.75]], [[-0.67, 1.2], [0.75, 1.75]]):
        feedback = exercise.again().check(C=wrong)
        told = {str(one.sentence) for one in feedback.mistakes}
        assert told <= {"Rounded to one place; write 2 decimal places."}
        asked = {str(one.asked) for one in feedback.possible}
        assert told or "Did you round to one place?" in asked


@pytest.mark.parametrize("topic", TOPICS)
def test_right_answers_get_no_name_in_any_spelling(topic):
    calculation = draws.problem(topic)
    for spelling in SPELLINGS:
        texts = {
            name: "\n".join("|".join(map(spelling.format, row)) for row in step.values.tolist())
            for name, step in calculation.steps.items()
        }
        feedback = hc.Exercise(calculation).check(**texts)
        assert (feedback.mistakes, feedback.possible) == ([], []), (spelling, feedback)
        assert feedback.count("wrong") == 0


def test_what_is_possible_is_one_question_in_a_notebook_and_on_the_page_and_no_mistake_of_the_sheet():
    calculation = hc.examples.self_attention()
    Q = calculation["Q"].values.copy()
    Q[2, 0] = 2  # without its last product, or with another row, or with another column
    exercise = hc.Exercise(calculation, ["Q"])
    line = "Q[3,1]: Did you leave out W_Q[3,6]·X[6,1]?"
    texts = {"Q": {f"{i},{j}": f"{Q[i, j]:g}" for i, j in np.ndindex(*Q.shape)}}
    assert line in repr(exercise.check(Q=Q)).splitlines()
    marked = raw_answers.mark_texts(exercise.again(), texts)
    assert line in marked.messages["Q"]
    assert marked.feedback.mistakes == []
    assert [one.where for one in marked.feedback.possible] == ["Q[3,1]"] * 4


def test_in_class_what_is_possible_is_worded_as_that_and_counts_nowhere():
    calculation = hc.examples.self_attention()
    Q = calculation["Q"].values.copy()
    Q[2, 0] = 2
    exercise = hc.Exercise(calculation, ["Q"])
    history = [raw_answers.TypedText("Q", i, j, f"{Q[i, j]:g}") for i, j in np.ndindex(*Q.shape)]
    assert (
        find_standing("", exercise, exercise.check(Q=Q)).mistakes == ()
    )  # of marks.csv, the grid and the report
    [told] = view_steps(exercise.again(), history, ["Q"])
    assert (told["seen"], told["possible"]) == ([], ["product-left-out"])
    assert sum("Did you leave out" in line for line in told["messages"]) == 1


def test_a_mistake_in_all_of_a_step_is_claimed_from_two_numbers_on_and_asked_about_from_one():
    calculation = hc.examples.self_attention()
    S, nothing = calculation["S"].values, np.full((4, 4), np.nan)
    for cells, is_claimed in (([(0, 0), (1, 3)], True), ([(1, 3)], False)):
        answer = nothing.copy()
        for cell in cells:
            answer[cell] = S[cell]
        feedback = hc.Exercise(calculation, ["S_scaled"]).check(S_scaled=answer)
        found, others = (feedback.mistakes, feedback.possible)[:: 1 if is_claimed else -1]
        assert "not-scaled" in [one.name for one in found]
        assert others == []


# A claim needs more than one unit, a whole step speaks as one, and exact work is never punished.
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
