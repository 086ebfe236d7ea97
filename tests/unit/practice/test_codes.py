"""Codes on paper: each stands for exactly one sheet, every slip is noticed; and faded examples."""

import itertools
import random
import string

import numpy as np
import pytest

import handcalc as hc
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.faded_examples import milestones, shuffle_givens
from handcalc.practice.topics.problems import TOPICS
from handcalc.practice.topics.topic_registry import EXAMPLES, TOPIC_LETTERS, TOPIC_NUMBERS, Example


def test_a_code_loads_exactly_these_numbers():
    assert all(codes.read_code(hc.code(topic, 41, 2))[:3] == (topic, 41, 2) for topic in TOPICS)
    for topic in ("softmax", "projections", "layer_norm"):  # test_practice_problems.py loads some of each
        sign = hc.code(topic, 41, 2)
        loaded, meant = hc.load(sign), hc.problem(topic, 41, 2)
        assert all((loaded[name].values == meant[name].values).all() for name in meant)


@pytest.mark.parametrize("places", [None, 0, 1, 2, 3, 20])
@pytest.mark.parametrize("convention", [None, "columns", "rows"])
@pytest.mark.parametrize("blank", [None, (), ("Z",), ("concat", "head_1.Q"), "head_2.E_sum"])
def test_a_code_says_how_the_sheet_asks_too(blank, places, convention):
    sign = hc.code("multi_head_attention", 10**6)
    meant = hc.Exercise(hc.problem("multi_head_attention", 10**6), blank, places, convention)
    made = hc.Exercise(hc.Exercise(sign, blank, places, convention).code)
    assert (made.blank, made.places) == (meant.blank, meant.places)
    assert made.calculation.convention == meant.calculation.convention == hc.load(made.code).convention
    assert (made.code == sign) == (made.blank == hc.Exercise(sign).blank and made.places == 2
                                   and made.calculation.convention == "columns")  # fmt: skip
    assert all(
        (made.calculation[name].values == meant.calculation[name].values).all() for name in meant.blank
    )


def test_the_worked_example_has_a_code_whatever_the_seed():
    sign = hc.code("worked-example", blank=["Z"])
    assert sign == hc.code("worked_example", 5, 3, blank=["Z"])
    assert (hc.load(sign)["Z"].values == hc.examples.self_attention()["Z"].values).all()
    assert hc.Exercise(sign).blank == ("Z",)
    assert codes.read_code(codes.following_code(sign))[:3] == ("self_attention", 1, 2)
    assert hc.Exercise(codes.following_code(sign)).blank == ("Z",)


def test_an_exercise_of_a_calculation_has_no_code():
    assert hc.Exercise(hc.problem("softmax")).code == ""


def test_every_topic_has_a_code_of_its_own_and_no_sign_looks_like_another():
    assert set(TOPIC_LETTERS) == {*TOPICS, *EXAMPLES}
    letters = [word.translate(codes.MISTAKEN_SIGNS) for word in TOPIC_LETTERS.values()]
    assert len(set(letters)) == len(letters)
    assert len(codes.CODE_SIGNS) == len(set(codes.CODE_SIGNS)) == 23
    for alike in ("0OQD", "1ILJ7"[:3], "2Z", "5S", "6G", "8B", "UV"):
        assert len(set(alike) & set(codes.CODE_SIGNS)) <= 1, alike


def test_letters_of_which_one_is_mistyped_or_that_are_swapped_are_never_those_of_another_topic():
    """Where they could be, the numbers of the two differ in the check sign."""
    letters = {
        word.translate(codes.MISTAKEN_SIGNS): TOPIC_NUMBERS[name] for name, word in TOPIC_LETTERS.items()
    }
    for (a, b), (c, d) in itertools.combinations(letters, 2):
        if a == c or b == d or (a, b) == (d, c):
            assert (letters[a + b] - letters[c + d]) % codes.CODE_BASE, (a + b, c + d)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_sheet_with_a_code_and_fresh_numbers_follow(name):
    example = EXAMPLES[name]
    sign = hc.code(name, places=3, convention="rows")
    made, meant = hc.load(sign), example.make().in_convention("rows")
    assert all((made[step].values == meant[step].values).all() for step in meant)
    following = hc.Exercise(codes.following_code(sign))
    assert codes.read_code(following.code)[:3] == example.after
    assert (following.places, following.calculation.convention) == (3, "rows")
    assert following.blank == tuple(following.calculation.steps)


def test_where_other_steps_follow_an_example_all_of_them_are_blank(monkeypatch):
    other = Example(hc.examples.self_attention, ("softmax", 1, 1))
    monkeypatch.setitem(EXAMPLES, "worked_example", other)
    assert codes.following_code(hc.code("worked_example", blank=["Z"])) == hc.code("softmax")


@pytest.mark.parametrize("typed", ["sa1-4292", " SA1 4292 ", "SA14292", "s a 1–4 2 9 2", "5A1-4Z9Z"])
def test_case_spaces_and_hyphens_are_forgiven(typed):
    assert codes.read_code(typed) == ("self_attention", 7, 1, 0)


@pytest.mark.parametrize("options", [{}, {"blank": ["Z"], "convention": "rows"}])
def test_every_slip_of_one_sign_and_every_swap_is_noticed(options):
    sign = hc.code("self_attention", 90210, 2, **options).replace("-", "")
    places = range(len(sign))
    typed = [
        sign[:k] + other + sign[k + 1 :] for k in places for other in string.ascii_uppercase + "0123456789"
    ]
    typed += [sign[:k] + sign[k + 1] + sign[k] + sign[k + 2 :] for k in places[:-1]]
    typed += [sign[:k] + sign[k + 1 :] for k in (0, 1, 2)]
    alike = [
        word for word in typed if word.translate(codes.MISTAKEN_SIGNS) == sign.translate(codes.MISTAKEN_SIGNS)
    ]
    for word in set(typed) - set(alike):
        with pytest.raises(hc.HandcalcError, match="is not a code"):
            hc.load(word)


def test_any_seed_comes_back():
    chosen = random.Random(1)
    for seed in [
        0,
        1,
        22,
        23,
        528,
        529,
        *(chosen.randrange(codes.CODE_BASE**codes.MAX_CODE_SEED_SIGNS) for _ in range(40)),
    ]:
        assert codes.read_code(hc.code("layer_norm", seed, 3)) == ("layer_norm", seed, 3, 0)


@pytest.mark.parametrize("version", [codes.DRAW_VERSION - 1, codes.DRAW_VERSION + 1])
def test_a_code_of_another_version_says_so(version, monkeypatch):
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(codes, "DRAW_VERSION", version)
        sign = codes.write_code(codes.CodeParts("scores", 5, 1))
    with pytest.raises(hc.HandcalcError, match=f"version {version}, but .* of version {codes.DRAW_VERSION};"):
        hc.load(sign)


@pytest.mark.parametrize("typed", ["", "SA1", "ZZ1-3297", "SA4-329T", "SA1-32", "SA1-0OUV", 7, None, "☃"])
def test_what_is_no_code_gets_one_plain_sentence(typed):
    with pytest.raises(hc.HandcalcError, match="code") as error:
        hc.load(typed)
    assert str(error.value).count(". ") == 0


@pytest.mark.parametrize("arguments", [("nothing",), ("softmax", -1), ("softmax", 1, 4), ("softmax", 10**20)])
def test_what_has_no_code_gets_one_plain_sentence(arguments):
    with pytest.raises(hc.HandcalcError):
        hc.code(*arguments)


# the ladder ---------------------------------------------------------------------------------------


def test_a_ladder_fades_the_last_step_of_each_stage_and_ends_in_fresh_numbers():
    worked, some, every, fresh = hc.faded_examples(hc.examples.self_attention(), convention="rows")
    assert worked.blank == ()
    assert some.blank == ("V", "S_scaled", "A", "Z")  # the last step of each stage
    assert every.blank == fresh.blank == tuple(every.calculation.steps)
    assert (worked.calculation["X"].values == every.calculation["X"].values).all()
    assert (fresh.calculation["X"].values != every.calculation["X"].values).any()
    assert sorted(fresh.calculation["X"].values.flat) == sorted(every.calculation["X"].values.flat)
    assert {rung.calculation.convention for rung in (worked, some, every, fresh)} == {"rows"}


def test_a_ladder_climbs_on_a_topic_with_chosen_blanks():
    rungs = hc.faded_examples("softmax", ["E", "A"], seed=3)
    assert rungs[1].blank == ("E", "A")
    assert (rungs[2].calculation["S"].values == hc.problem("softmax", 3)["S"].values).all()
    assert (rungs[3].calculation["S"].values == hc.problem("softmax", 4)["S"].values).all()
    assert milestones(hc.problem("projections")) == ["Q", "K", "V"]  # all that it comes to
    heads = milestones(hc.problem("multi_head_attention"))
    assert heads == ["head_1.Z", "head_2.Z", "concat", "Z"]  # the last of each block, and the stack of them


def test_a_ladder_of_nothing_gets_one_plain_sentence():
    with pytest.raises(hc.HandcalcError, match="start from a calculation or a topic's name"):
        hc.faded_examples(7)
    with pytest.raises(hc.HandcalcError, match="'P' is not a step here"):
        hc.faded_examples("softmax", ["P"])
    given = hc.Matrix(np.zeros((2, 2)), "A")
    with pytest.raises(hc.HandcalcError, match="No good fresh numbers were found for 'Nothing'"):
        hc.faded_examples(hc.Calculation((given @ given).named("B"), title="Nothing"))


def own(scale: float) -> hc.Calculation:
    """Numbers of one's own: prices, say, that are neither small nor whole."""
    X = hc.Matrix([[19.9, 5.5, 7], [30, 12.25, 8], [1, 2, 3]], "X") * scale
    W = hc.Matrix([[1, 2, 0.5], [3, 1, 2]], "W")
    return hc.Calculation((W @ hc.Matrix(X.values, "X")).named("total"), title="Prices")


@pytest.mark.parametrize("scale", [1, 1000])
def test_large_numbers_of_ones_own_are_shuffled_all_the_same(scale):
    *_, fresh = hc.faded_examples(own(scale))
    before, after = own(scale).givens, fresh.calculation.givens
    assert any((after[name].values != before[name].values).any() for name in before)
    for name in before:
        assert sorted(after[name].values.ravel()) == sorted(before[name].values.ravel())


def test_an_attention_of_ones_own_keeps_what_was_good_about_it():
    rng = np.random.default_rng(3)
    X, W = rng.integers(0, 3, (4, 3)) * 0.5, rng.integers(-1, 2, (2, 4))
    fresh = shuffle_givens(hc.self_attention(X, W, W[::-1], W))
    assert sorted(fresh["X"].values.ravel()) == sorted(X.ravel())
    assert (fresh["X"].values != X).any()


@pytest.mark.parametrize("values", [[[2]], [[1, 1], [1, 1]]])
def test_where_there_is_nothing_to_shuffle_it_is_said(values):
    A = hc.Matrix(values, "A")
    with pytest.raises(
        hc.HandcalcError, match=r"^No good fresh numbers .*: mostly they are the same as before; "
    ):
        hc.faded_examples(hc.Calculation((A @ A).named("B")))
