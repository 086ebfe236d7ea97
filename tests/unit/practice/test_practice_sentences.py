"""A sentence says what a learner did."""

import math
import re

import cases
import loops
import paper
import pytest

import handcalc as hc
from handcalc.foundation import errors
from handcalc.notation import sentences
from handcalc.practice.mistakes.mal_rule import wrong_operations
from handcalc.practice.replay.error_carried_forward import LearnerReplay, StepParts


@cases.each_convention
@pytest.mark.parametrize(
    ("step", "make", "said"),
    [
        ("Q", lambda M: [M[0], M[2], M[1]], "Q: Rows 2 and 3 are swapped. (entries-swapped)"),
        ("K", lambda M: [*M[:2], [-k for k in M[2]]], "K: Every sign in row 3 is flipped. (sign-lost)"),
        ("V", lambda M: [[row[k] for k in (2, 1, 0, 3)] for row in M],
         "V: Columns 1 and 3 are swapped. (entries-swapped)"),
        ("S_scaled", lambda M: [M[0], [s / 3**0.5 for s in M[1]], *M[2:]],
         "S_scaled: In row 2: Divided by d_k itself, not by its root. (divided-by-d_k)"),
        ("S_scaled", lambda M: loops.each(lambda s: s * 3, M),
         "S_scaled: Multiplied by √d_k, not divided by it. (upside-down)"),
        ("A", lambda M: loops.each(lambda a: 100 * a, M),
         "A: These are percentages; write shares that add up to 1, not to 100. (in-percent)"),
        ("E", lambda M: loops.each(lambda e: 2.7 ** math.log(e), M),
         "E: e was rounded to 2.7: use e^x on a calculator, or more digits of e. (rounded-too-early)"),
        ("E", lambda M: loops.each(lambda e: 2.72 * math.log(e), M),
         "E: e to the power of a number is not 2.72 times it. (times-for-power)"),
        ("E", lambda M: loops.each(lambda e: 2 ** math.log(e), M),
         "E: These are powers of 2, not of e. (wrong-base)"),
    ],
)  # fmt: skip
def test_a_sentence_says_what_the_learner_did(step, make, said, convention):
    calculation = hc.examples.self_attention()
    answers = paper.answered(calculation, "self_attention")
    exercise = hc.Exercise(calculation, convention=convention)
    feedback = exercise.check(**paper.turned({step: make(answers[step])}, convention))
    if convention == "rows":
        turned = {"Row": "Column", "row": "column", "Column": "Row", "column": "row"}
        said = re.sub(r"\b([Rr]ow|[Cc]olumn)", lambda word: turned[word[0]], said)
    assert [str(mistake) for mistake in feedback.mistakes] == [said]


def test_another_base_is_never_the_one_of_the_formula():
    calculation = hc.problem("softmax_base_3")
    known = wrong_operations(StepParts(calculation["E"]), LearnerReplay.right(calculation))
    told = [one.sentence for one in known if one.name == "wrong-base"]
    assert sorted(told) == [f"These are powers of {base}, not of 3." for base in ("10", "2", "e")]


def test_a_sentence_is_typeset_from_what_it_is_made_of():
    calculation = hc.examples.self_attention()
    exercise = hc.Exercise(calculation, blank=["S_scaled", "E"])
    told = exercise.check(S_scaled=calculation["S"], E=2.7 ** calculation["S"].values)
    assert [line.html for line in told.messages()][:2] == [
        "S<sub>scaled</sub>: The numbers were not divided by √d<sub>k</sub>.",
        "E: e was rounded to 2.7: use e<sup>x</sup> on a calculator, or more digits of e.",
    ]
    assert (
        exercise.check(S_scaled=[[1, 2]]).lines()[0].html.startswith("S<sub>scaled</sub> is (4, 4), 4 rows")
    )
    hints = [exercise.hint("S_scaled", level).html for level in (2, 3)]
    assert hints == ["S<sub>scaled</sub> = S ÷ √d<sub>k</sub>", "S<sub>scaled</sub>[2,4] = 5 ÷ √3 = 2.89"]
    assert str(exercise.hint("E", 2)) == "E = e^S_scaled"


class Speechless:
    """An object whose repr raises."""

    def __repr__(self):
        raise RuntimeError


UNQUOTABLE = {"no repr": Speechless(), "in a list": [Speechless()], "long": "Q" * 100_000, "large": 10**5000}


@pytest.mark.parametrize("thing", UNQUOTABLE.values(), ids=UNQUOTABLE)
def test_whatever_stands_in_the_place_of_a_code_or_a_seed_is_told_in_one_short_sentence(thing):
    for call in (lambda: hc.load(thing), lambda: hc.code(thing), lambda: hc.problem("scores", thing)):
        assert len(cases.refusal(call)) < 350  # 40 characters of it, and some topics


def test_where_there_is_no_minus_sign_none_is_said_to_be_lost():
    """√2 as 1.4 moves e^(5 / √2) by more than rounding may; it is positive either way."""
    S = hc.Matrix([[5.0, 4.0], [3.0, 1.0]], "S")
    E = hc.exp(S / hc.sqrt(hc.constant(2, "d"))).named("E")
    rough = loops.each(lambda s: math.exp(round(s / 1.4, 1)), S.values.tolist())
    feedback = hc.Exercise(hc.Calculation(E), places=1).check(E=paper.rounded(rough, 1))
    assert feedback.count("wrong") > 0
    assert {mistake.name for mistake in feedback.mistakes} == {"rounded-too-early"}


def test_names_with_a_comma_do_not_stand_in_a_list_of_commas():
    names = ["layer 1, head 1", "Z", "N"]
    assert str(sentences.list_things(names)) == "layer 1, head 1; Z; N"
    assert errors.listed(names) == "layer 1, head 1; Z; N"
    assert str(sentences.list_things(names[1:])) == errors.listed(names[1:]) == "Z and N"
