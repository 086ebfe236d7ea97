"""Exercises by block: a block is blank as a whole, and feedback says which block it speaks of."""

import inspect
import re

import cases
import draws
import numpy as np
import paper
import pytest

import handcalc as hc

____ = hc.____
HEADS = draws.problem("multi_head_attention", 1)
STEPS = ("Q", "K", "V", "S", "S_scaled", "E", "E_sum", "A", "Z")


def right(calculation, path=""):
    return {name: step.values for name, step in calculation.steps.items() if name.startswith(path)}


def lines(feedback):
    return repr(feedback).splitlines()


# what is blank ------------------------------------------------------------------------------------------


def test_a_block_stands_for_all_its_steps():
    assert hc.Exercise(HEADS, blank=["head_2"]).blank == tuple(f"head_2.{name}" for name in STEPS)
    assert hc.Exercise(HEADS, blank="head_1").blank == tuple(f"head_1.{name}" for name in STEPS)
    assert hc.Exercise(HEADS, blank=["Z", "head_2.Q", "head_1"]).blank == (
        *(f"head_1.{name}" for name in STEPS),
        "head_2.Q",
        "Z",
    )


def test_a_block_has_the_steps_of_the_blocks_in_it():
    layer = cases.build("encoder_layer")
    attention = hc.Exercise(layer, blank=["attention"]).blank
    inner = [f"attention.head_{k}.{name}" for k in (1, 2) for name in STEPS]
    assert attention == (*inner, "attention.concat", "attention.Z")
    assert hc.Exercise(layer, blank=["attention.head_2"]).blank == tuple(inner[9:])


@pytest.mark.parametrize("name", ["head_3", "head", "head_1.", ""])
def test_an_unknown_block_gets_a_sentence_with_those_there_are(name):
    with pytest.raises(
        hc.HandcalcError, match=r"is not a step here; .*; the blocks are head_1 and head_2\.$"
    ):
        hc.Exercise(HEADS, blank=[name])


# what is handed in --------------------------------------------------------------------------------------


def test_answers_to_a_block_may_come_together_or_by_their_short_names():
    exercise = hc.Exercise(HEADS, blank=["head_1"])
    short = {name.removeprefix("head_1."): values for name, values in right(HEADS, "head_1.").items()}
    for answers in (short, {"head_1": short}, {"head_1": HEADS.blocks["head_1"]}, right(HEADS, "head_1.")):
        feedback = exercise.check(**answers)
        assert feedback.is_complete
        assert list(feedback.cells) == [f"head_1.{name}" for name in STEPS]
        assert feedback.problems == {}


def test_blocks_in_blocks_may_be_handed_in_as_such():
    layer = cases.build("encoder_layer")
    exercise = hc.Exercise(layer, blank=["attention"])
    feedback = exercise.check(attention={"head_1": layer.blocks["attention.head_1"], "Z": [[1]]})
    assert feedback.count("correct") == sum(layer[f"attention.head_1.{name}"].values.size for name in STEPS)
    assert list(feedback.problems) == ["attention.Z"]


def test_a_short_name_that_several_blocks_have_is_asked_for_again():
    feedback = hc.Exercise(HEADS).check(Q=HEADS["head_1.Q"])
    sentence = "There is 'Q' in several blocks; say which you mean: head_1.Q and head_2.Q."
    assert feedback.problems == {"Q": sentence}
    assert feedback.count("not attempted") == sum(step.values.size for step in HEADS.steps.values())


def test_hints_and_solutions_are_asked_for_by_path_or_by_a_name_of_ones_own():
    exercise = hc.Exercise(HEADS)
    assert exercise.hint("head_2.S") == f"head_2.S: {HEADS['head_2.S'].why}"
    assert exercise.hint("head_2.S") == "head_2.S = head_2.Kᵀ head_2.Q"
    assert exercise.solution("head_2.S") is exercise.calculation["head_2.S"]
    assert exercise.hint("concat", 2) == exercise.calculation["concat"].formula
    block = hc.Exercise(HEADS.blocks["head_2"])
    assert [block.hint("S") for _ in range(2)] == [f"S: {HEADS['head_2.S'].why}", "S = Kᵀ Q"]


# what is said -------------------------------------------------------------------------------------------


def test_feedback_goes_block_by_block_and_says_which_it_means():
    answers = right(HEADS) | {"head_2.S": HEADS["head_2.S"].values.T, "Z": np.full(HEADS["Z"].shape, ____)}
    counts = [(HEADS["head_2.S"].values == HEADS["head_2.S"].values.T).sum()]
    cells = [sum(values.size for values in right(HEADS, path).values()) for path in ("head_1.", "head_2.")]
    found = lines(hc.Exercise(HEADS).check(**answers))
    wrong = HEADS["head_2.S"].values.size - counts[0]
    assert found[:3] == [
        f"In head 2: ✓ {cells[1] - wrong} correct, ✗ {wrong} wrong in S",
        f"head 1 and concat: ✓ {cells[0] + HEADS['concat'].values.size} correct",
        "Z: · not attempted",
    ]
    assert found[3].startswith("In head 2, S: The product is the wrong way round: this is Qᵀ K.")
    assert re.fullmatch(r"In head 2, first look at S\[1,2\]: you wrote -?\d+\.", found[4])


def test_what_follows_is_said_with_its_steps_and_later_wrong_steps_with_their_block():
    answers = paper.answered(
        HEADS, "multi_head_attention", 2, **{"head_1.Q": lambda see, M: [[9.0] * 3, *M[1:]]}
    )
    answers["head_2.E"] = np.array(answers["head_2.E"]) + 50
    answers["Z"] = np.array(answers["Z"]) - 77
    found = lines(hc.Exercise(HEADS).check(**answers))
    assert re.search(r"In head 1: .*→ \d+ follow from your own earlier numbers in S, S_scaled, E, ", found[0])
    assert found[-1] == "Then look at head 2 (E, E_sum and A); Z."
    assert any(line.startswith("In head 1, first look at Q[1,1]: you wrote 9") for line in found)


def test_a_slip_made_in_one_head_follows_through_the_others_blocks():
    slip = {"head_1.Z": lambda see, M: [[M[0][0] + 4, *M[0][1:]], *M[1:]]}
    answers = paper.answered(HEADS, "multi_head_attention", 2, **slip)
    feedback = hc.Exercise(HEADS).check(**answers)
    assert feedback.count("wrong") == feedback.count("wrong", "head_1.Z") == 1
    assert feedback.count("follows", "concat") == 1
    assert feedback.count("follows", "Z") > 0
    assert all(mistake.step == "head_1.Z" for mistake in feedback.mistakes)


def test_blocks_of_which_all_is_right_or_nothing_begun_are_not_taken_apart():
    layer = cases.build("encoder_layer")
    size = sum(values.size for values in right(layer, "attention.").values())
    found = lines(hc.Exercise(layer).check(**right(layer, "attention.")))
    assert found[0] == f"attention: ✓ {size} correct"
    assert found[1] == "add norm 1, ff and add norm 2: · not attempted"
    assert len(found) == 2
    answers = right(layer, "attention.") | {"attention.head_1.Z": layer["attention.head_1.Z"].values + 3}
    found = lines(hc.Exercise(layer).check(**answers))
    assert [line.partition(":")[0] for line in found[:3]] == [
        "In attention, head 1",
        "attention, head 2; attention (concat and Z)",
        "add norm 1, ff and add norm 2",
    ]
    assert found[3].startswith("In attention, head 1, first look at Z[1,1]: you wrote ")


def test_one_block_alone_is_not_named_and_its_steps_go_by_their_short_names():
    feedback = hc.Exercise(HEADS, blank=["head_2"]).check(Q=HEADS["head_2.Q"].values + 1)
    found = lines(feedback)
    assert found[0] == "Q: ✗ 6 wrong"
    assert found[1] == "K, V, S, S_scaled, E, E_sum, A and Z: · not attempted"
    assert found[-1].startswith("First look at Q[1,1]: you wrote ")
    assert "head" not in repr(feedback) + feedback._repr_html_().replace("handcalc", "")


def test_a_problem_with_an_answer_says_its_block():
    feedback = hc.Exercise(HEADS).check(head_1={"Q": [[1]], "K": HEADS["head_1.K"]})
    assert lines(feedback)[1].startswith("In head 1, Q is (2, 3), 2 rows of 3, but you wrote one number")


def test_the_tables_of_a_block_are_behind_its_heading_which_is_open_where_there_is_something_to_see():
    answers = right(HEADS) | {"head_2.S": HEADS["head_2.S"].values + 1}
    page = hc.Exercise(HEADS).check(**answers)._repr_html_()
    first, second = re.findall(r"<details(.*?)><summary>(.*?)</summary>(.*?)</details>", page)
    assert (first[0], second[0]) == (" open", "")
    assert first[1].startswith("In head 2: ✓ ")
    assert second[1].startswith("head 1, concat and Z: ✓ ")
    names = ["Q", "K", "V", "S", "S<sub>scaled</sub>", "E", "E<sub>sum</sub>", "A", "Z"]
    assert re.findall(r"<b>(.*?)</b>", first[2]) == names
    others = re.findall(r"<b>(.*?)</b>", second[2])
    assert (others[0], others[-2:]) == ("Q<sub>head 1</sub>", ["concat", "Z"])


# a block alone ------------------------------------------------------------------------------------------


@cases.each_convention
def test_a_block_alone_is_marked_as_it_is_in_the_whole(convention):
    """Slips and known mistakes: each number gets the same mark, each mistake the same name."""
    rng = np.random.default_rng(8)
    whole = hc.Exercise(HEADS, blank=["head_2"], convention=convention).calculation
    block = HEADS.in_convention(convention).blocks["head_2"]
    for step in STEPS:
        key = block[step].values
        for wrong in (
            key.T if key.shape[0] == key.shape[1] else -key,
            np.round(key, 1),
            key + rng.integers(-1, 3, key.shape),
        ):
            answers = {name: matrix.values for name, matrix in block.steps.items()} | {step: wrong}
            alone = hc.Exercise(block).check(**answers)
            inside = hc.Exercise(whole, blank=["head_2"]).check(head_2=answers)
            for name, cells in alone.cells.items():
                assert cells.tolist() == inside.cells[f"head_2.{name}"].tolist()
            assert [f"head_2.{one.step} {one.name}" for one in alone.mistakes] == [
                f"{one.step} {one.name}" for one in inside.mistakes if "wrong-weights" not in one.name
            ]


def test_a_block_in_a_block_is_an_exercise():
    head = cases.build("decoder_layer").blocks["cross"].blocks["head_2"]
    exercise = hc.Exercise(head, places=3)
    assert exercise.blank == STEPS
    assert exercise.check(**{name: step.values.round(3) for name, step in head.steps.items()}).is_complete
    assert exercise.hint("Z", 2) == "Z = V A"


def test_a_calculation_is_faded_block_by_block_the_last_one_first():
    stages = hc.faded_examples(HEADS, by_block=True, fresh=draws.problem("multi_head_attention", 2))
    heads = [tuple(f"head_{k}.{name}" for name in STEPS) for k in (1, 2)]
    assert [stage.blank for stage in stages] == [(), heads[1], heads[0] + heads[1], *2 * [tuple(HEADS.steps)]]
    assert len(hc.faded_examples("self_attention", by_block=True)) == 4


# Every example as an exercise: whatever is wrong in a step, the check says so and never breaks.
MOST = 40  # steps; more take seconds
EXAMPLES = [name for name in hc.examples.__all__ if name.islower()]
WIDE = ("cached", "gpt_writing", "sorting_gpt", "sorting_gpt_writing", "translation")  # more than MOST steps


def made(name):
    """An example that is a calculation and needs nothing handed in; of others none."""
    make = getattr(hc.examples, name)
    needs = [one for one in inspect.signature(make).parameters.values() if one.default is one.empty]
    found = None if needs else make()
    return found if isinstance(found, hc.Calculation) else None


def assert_each_step_is_checked(calculation, names):
    exercise = hc.Exercise(calculation)
    right = {name: step.values for name, step in calculation.steps.items()}
    for name in names:
        finite = np.where(np.isfinite(right[name]), right[name], 0.0)
        for wrong in (finite + 1, finite[::-1] * 2 + 0.37):
            assert exercise.check(**{**right, name: wrong}).cells[name].size == right[name].size, name


@pytest.mark.parametrize("example", [name for name in EXAMPLES if name not in WIDE])
def test_a_wrong_step_is_told_and_nothing_breaks(example):
    if calculation := made(example):
        assert len(calculation.steps) <= MOST
        assert_each_step_is_checked(calculation, calculation.steps)


def test_queries_of_words_side_by_side_are_no_stack_of_heads():
    """The words so far stand side by side: a product with weights reads each of them, none of their rows."""
    assert_each_step_is_checked(hc.examples.translation(), ["word_2.self.Q", "word_2.X", "word_2.logits"])


@pytest.mark.sweep
@pytest.mark.parametrize("name", WIDE)
def test_a_wrong_step_of_a_wide_example_is_told_and_nothing_breaks(name):
    calculation = made(name)
    steps = list(calculation.steps)
    assert len(steps) > MOST
    assert_each_step_is_checked(calculation, steps[:: 1 + len(steps) // 25])
