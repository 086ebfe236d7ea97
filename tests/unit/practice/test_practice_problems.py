"""Fresh numbers: the same for years, small enough for a pencil, and no mistake can hide in them."""

import json
import re

import cases
import draws
import numpy as np
import paper
import pytest
from known_mistakes import PROMISED, applicable
from seeds import seeds

import handcalc as hc
from handcalc.practice.exercise import codes
from handcalc.practice.topics import TOPICS, problems
from handcalc.practice.topics.rng import Rng

every_topic = pytest.mark.parametrize("topic", paper.TOPICS)


def test_there_is_an_oracle_for_every_topic():
    assert {*paper.TOPICS} == {*problems.TOPICS}


TENTHS = {"softmax_backwards", "attention_backwards"}  # shares that are given
HALVES = {"rnn_step", "slope_chain", "lstm_cell"}  # states between −1 and 1, a weight 1.5, biases of 0.75


@every_topic
@seeds(9, 200)
def test_the_key_is_what_loops_find(seeds, topic):
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        key = paper.answered(calculation, topic)
        assert {*key} == {*calculation.steps}
        for name, step in calculation.steps.items():
            # loops add in another order: a few units in the last of 16 digits, of numbers up to 400
            np.testing.assert_allclose(step.values, key[name], rtol=1e-12, atol=1e-12)


def test_chance_is_splitmix64():
    """The first numbers of Vigna's splitmix64.c from the state 1234567."""
    rng = Rng("")
    rng.state = 1234567
    assert [rng.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    assert Rng("").state == 0xCBF29CE484222325  # FNV-1a of no bytes
    assert Rng("a").state == 0xAF63DC4C8601EC8C


def test_every_choice_comes_up_about_as_often():
    rng = Rng("fair")
    counts = np.bincount([rng.pick(range(5)) for _ in range(5000)])
    assert counts.min() > 900
    assert counts.max() < 1100


def test_numpys_chance_is_not_touched():
    np.random.seed(3)  # noqa: NPY002 - the global one, on purpose
    before = json.dumps(np.random.get_state(legacy=False), default=str)  # noqa: NPY002
    drawn = hc.problem("self_attention", 11).to_spec()
    after = json.dumps(np.random.get_state(legacy=False), default=str)  # noqa: NPY002
    assert after == before
    np.random.seed(4)  # noqa: NPY002
    assert hc.problem("self_attention", 11).to_spec() == drawn


@every_topic
def test_other_seeds_and_levels_give_other_numbers(topic):
    sheets = [json.dumps(draws.givens(paper.drawn(topic, seed))) for seed in range(9)]
    assert len(set(sheets)) >= 0.9 * len(sheets)  # of the smallest two vectors some come again


@every_topic
def test_a_topic_may_be_written_with_hyphens_spaces_or_capitals(topic):
    for written in (topic.replace("_", "-"), topic.replace("_", " "), topic.upper(), f" {topic} "):
        assert problems.read_topic(written, 5, 1) == (topic, 5, 1)


@every_topic
@seeds(9, 200)
def test_numbers_are_small_enough_for_a_pencil(seeds, topic):
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        level = seed % 3 + 1
        for given in calculation.givens.values():
            parts = 2 if given.name.endswith("A") else 100 if topic in HALVES else 1  # shares may be halves
            parts = 10 if given.name == "A" and topic in TENTHS else parts
            np.testing.assert_allclose(parts * given.values, np.round(parts * given.values), atol=1e-9)
            largest = {"y": 24, "n": 16, "d": 6, "t": 8}.get(
                given.name, 4
            )  # what comes out; what is only counted
            assert np.abs(given.values).max() <= largest
        for step in calculation.steps.values():
            seen = step.values[np.isfinite(step.values)]
            assert np.abs(seen).max() <= 400
            is_counted = "n" in calculation.givens
            if (seen == np.round(seen)).all() and not step.never_negative and not is_counted:
                assert np.abs(seen).max() <= problems.MAX_SCORES[level]


@every_topic
@seeds(9, 200)
def test_every_promised_mistake_is_far_from_right_and_from_every_other(seeds, topic):
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        key = paper.answered(calculation, topic)
        made = {}
        for step, known in applicable(paper.givens(calculation), key):
            if known in PROMISED:
                wrong = paper.answered(calculation, topic, **{step: known.make})[step]
                assert paper.apart(wrong, key[step], 0.1).any(), (seed, step, known.name)
                made[step, known.name] = wrong
        for (step, name), wrong in made.items():
            for (other_step, other), numbers in made.items():
                if step == other_step and name != other:
                    assert paper.apart(wrong, numbers, 0.02).any(), (seed, step, name, other)


@every_topic
@seeds(9, 200)
def test_every_product_has_something_in_each_row_and_no_two_projected_tokens_are_alike(seeds, topic):
    for seed in seeds:
        calculation = paper.drawn(topic, seed)
        for name, rows in paper.answered(calculation, topic).items():
            step = name.rpartition(".")[2]
            has_rows = len(rows[0]) > 1 or len(rows) == 1  # of a single column each number is a row
            if step in ("Q", "K", "V", "S", "Z", "C", "s", "known") and topic != "layer_norm" and has_rows:
                assert all(any(row) for row in rows), (seed, name)
            if step in ("Q", "K", "V") and "K_old" not in calculation:
                tokens = list(zip(*rows, strict=True))
                words = calculation[name].columns or tokens  # the same word may come twice
                assert len({*tokens}) == len({*words}), (seed, name)


@every_topic
@seeds(9, 200)
def test_shares_are_worth_looking_at(seeds, topic):
    for seed in seeds:
        for name, step in paper.drawn(topic, seed).steps.items():
            if name.rpartition(".")[2] == "A":
                columns = step.values.T.tolist()
                shared = [[a for a in column if a] for column in columns]
                assert all(max(c) - min(c) >= 0.05 and max(c) <= 0.95 for c in shared if len(c) > 1)
                assert len({tuple(np.round(column, 6)) for column in columns}) == len(columns)


@pytest.mark.parametrize("topic", ["", "poetry", "x" * 10_000, "a\nb", None, 5, ["softmax"], {}, b"softmax"])
def test_a_topic_that_there_is_not_gets_one_sentence_with_those_there_are(topic):
    sentence = cases.refusal(lambda: hc.problem(topic))
    told, _, rest = sentence.partition("; there are dot_product, ")
    assert re.fullmatch(r"There is no topic [^\n]{1,41}", told)
    assert re.fullmatch(r".* and \d+ more; `handcalc topics` lists them all\.", rest)


@pytest.mark.parametrize("level", [0, 4, -1, 10**30, "1", 1.5, None, [1], float("nan")])
def test_a_level_that_there_is_not_gets_one_sentence(level):
    with pytest.raises(
        hc.HandcalcError, match=r"^The level is [^\n]{1,60}; it must be (1, 2 or 3|a whole number)\.$"
    ):
        hc.problem("softmax", level=level)


@pytest.mark.parametrize("seed", ["7", 1.5, None, [1], float("inf"), "x" * 1000])
def test_a_seed_that_is_no_whole_number_gets_one_sentence(seed):
    with pytest.raises(hc.HandcalcError, match=r"^The seed is [^\n]{1,60}; it must be a whole number\.$"):
        hc.problem("softmax", seed)


@pytest.mark.parametrize("seed", [0, -1, 10**30, np.int64(7)])
def test_any_whole_number_is_a_seed(seed):
    assert hc.problem("self_attention", seed).to_spec() == hc.problem("self_attention", int(seed)).to_spec()


def test_with_no_good_numbers_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(
        problems.TOPICS, "softmax", lambda rng, level: hc.Calculation(hc.exp([[9.0]]).named("E"))
    )
    monkeypatch.setattr(problems, "MAX_DRAWS", 5)
    with pytest.raises(
        hc.HandcalcError, match=r"^No good numbers were found for 'softmax' with seed 77001; .*\.$"
    ):
        hc.problem("softmax", 77001)  # of which no other test keeps what was drawn


@pytest.mark.parametrize(("typed", "meant"), [("sofmax", "softmax"), ("self__attention", "self_attention")])
def test_a_topic_that_is_nearly_one_is_asked_for(typed, meant):
    with pytest.raises(hc.HandcalcError, match=f"^There is no topic '{typed}'; did you mean '{meant}'\\?$"):
        hc.problem(typed)


# Codes on paper stand for their numbers for ever; golden/draws.json keeps at least 25 of each topic.
TOPIC_OF = {code: codes.read_code(code).topic for code in draws.GOLDEN}
BY_TOPIC = {topic: [code for code in TOPIC_OF if TOPIC_OF[code] == topic] for topic in TOPICS}


def test_many_codes_of_every_topic_are_pinned():
    assert {topic: len(known) for topic, known in BY_TOPIC.items() if len(known) < 25} == {}
    assert all({codes.read_code(code).level for code in known} == {1, 2, 3} for known in BY_TOPIC.values())


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_drawn_never_changes(topic):
    assert draws.digest(topic) == draws.KEPT[topic]["digest"]


@pytest.mark.parametrize("some", [slice(3), pytest.param(slice(3, None), marks=pytest.mark.sweep)], ids=str)
@pytest.mark.parametrize("topic", TOPICS)
def test_which_draw_is_good_enough_never_changes(topic, some):
    for code in BY_TOPIC[topic][some]:
        assert draws.givens(codes.load(code)) == draws.givens(draws.accepted(code)), code


# Weights that can change places are never equal: swapped, they would give the right numbers.
PAIRS = {"rnn_step": ("W_x", "W_h"), "additive_score": ("U_a", "W_a")}


@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("topic", PAIRS)
def test_no_draw_has_equal_weights(topic, count):
    for seed in range(1, count + 1):
        one, other = (hc.problem(topic, seed=seed).givens[name].values.tolist() for name in PAIRS[topic])
        assert one != other, seed
