"""Practising on the page: what is typed is marked, kept in a file, and there again the next time."""

import pytest

import handcalc as hc
from handcalc.notation import numbers
from handcalc.practice.exercise import codes


def fill(practice, calculation, *, but=()):
    """Type every right number of a calculation, as the page sends it."""
    for step, matrix in calculation.steps.items():
        for row in range(matrix.shape[0]):
            for column in range(matrix.shape[1]):
                if (step, row, column) not in but:
                    text = numbers.show(matrix.values[row, column])
                    practice.on_message({"typed": [step, row, column, text]})


def test_a_problem_is_filled_marked_and_followed_by_the_next(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    first = hc.problem("softmax", 1)
    assert practice.widget.done == 0
    assert practice.widget.messages == {}
    fill(practice, first, but=[("A", 0, 0)])
    assert not practice.widget.finished
    assert practice.widget.states["A"][0] == ["not attempted"]
    practice.on_message({"typed": ["A", 0, 0, "0.99"]})
    assert practice.widget.states["A"][0] == ["wrong"]
    assert practice.widget.messages["A"][-1].startswith("First look at A[1,1]: you wrote 0.99.")
    practice.on_message({"typed": ["A", 0, 0, numbers.show(first["A"].values[0, 0])]})
    assert practice.widget.finished
    assert practice.widget.done == 1
    practice.on_message({"ask": "next", "step": None})
    assert practice.code != hc.code("softmax", 1)
    assert practice.exercise.calculation["S"].values.tolist() == hc.problem("softmax", 2)["S"].values.tolist()
    assert practice.widget.done == 1


def test_what_is_not_a_number_is_told_and_kept_and_costs_nothing_else(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    practice.on_message({"typed": ["E", 0, 0, "seven"]})
    assert practice.widget.states["E"][0] == ["unread"]
    assert practice.widget.messages["E"][0] == "“seven” is not a number; write one such as 2.5, -1 or 1/3."
    assert practice.texts == {"E": {"0,0": "seven"}}


def asked(practice, step, times):
    """The hints that come, one after the other, as a page shows them."""
    said = []
    for _ in range(times):
        practice.on_message({"ask": "hint", "step": step})
        said.append(practice.widget.hint)
    return said


def test_a_hint_says_what_to_do_then_which_numbers_go_in_and_gives_none_away(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    said = asked(practice, "E_sum", 3)
    assert practice.widget.hints == {"E_sum": said[-1]}
    assert practice.widget.spent == ["E_sum"]  # the button says so
    exercise = practice.exercise
    assert said[0] == exercise.hint("E_sum", 1).html
    assert said[1] == said[2] == exercise.in_letters("E_sum", 0, 0).html
    assert "11.11" not in said[1]


def test_a_hint_serves_the_number_that_is_marked_wrong_in_the_learners_own_numbers(tmp_path):
    """E is e² and so on; the sum is that of what was typed, and no other number is given away."""
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    for row, text in enumerate(("7", "1", "3")):  # e² = 7.39, e⁰ = 1, e¹ = 2.72
        practice.on_message({"typed": ["E", row, 0, text]})
    practice.on_message({"typed": ["E_sum", 0, 0, "5"]})
    _, worked, spent = asked(practice, "E_sum", 3)
    assert worked == "E<sub>sum</sub>[1,1] = 7 + 1 + 3 = 11"
    assert spent == worked
    assert asked(practice, "A", 2)[1] == "E[1,1] = e<sup>2</sup> = 7.39"  # in A nothing is wrong yet
    assert asked(practice, "A", 1) == ["E[3,1] = e<sup>1</sup> = 2.72"]  # the next one that is marked
    assert {*practice.widget.spent} == {"E", "E_sum"}  # now A itself can be asked about
    practice.on_message({"typed": ["E", 0, 0, "6"]})
    practice.on_message({"typed": ["E", 0, 0, "8"]})
    assert "= 7.39" not in " ".join(practice.widget.messages["E"])  # however often it is wrong


def test_in_ten_minutes_a_part_is_asked_all_of_it_is_one_click_further_and_back_comes_back(tmp_path):
    practice = hc.practise("self_attention", seed=1, minutes=10, folder=tmp_path)
    part, blank = practice.code, practice.widget.blank
    assert practice.widget.plan == {"number": 1, "of": 1, "part": True, "hiding": {}}
    practice.on_message({"typed": [blank[0], 0, 0, "4"]})
    practice.on_message({"ask": "whole"})
    assert practice.widget.blank == list(practice.exercise.calculation.steps)
    assert practice.widget.texts == {blank[0]: {"0,0": "4"}}
    assert not practice.widget.plan["part"]
    practice.on_message({"typed": ["Q", 0, 0, "1"]})
    practice.on_message({"ask": "back"})
    assert (practice.code, practice.widget.blank) == (part, blank)
    practice.on_message({"ask": "whole"})
    assert practice.widget.texts == {blank[0]: {"0,0": "4"}, "Q": {"0,0": "1"}}
    practice.on_message({"ask": "next"})
    assert (practice.widget.blank, practice.widget.plan["part"]) == (blank, True)


def test_all_of_ones_own_calculation_is_one_click_further_too(tmp_path):
    practice = hc.practise(hc.examples.heads(), minutes=10, folder=tmp_path)
    few = practice.exercise.fields
    practice.on_message({"ask": "whole"})
    assert practice.exercise.fields > few
    practice.on_message({"ask": "back"})
    assert practice.exercise.fields == few
    practice.on_message({"ask": "next"})
    assert practice.widget.plan["part"]


def test_small_problems_are_counted(tmp_path):
    practice = hc.practise("softmax", minutes=10, folder=tmp_path)
    seen = []
    for _ in range(5):
        seen.append((practice.widget.plan["number"], practice.widget.plan["of"]))
        practice.on_message({"ask": "next"})
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 4)]


def hide(practice, *cells):
    for row, column in cells:
        practice.on_message({"typed": ["S_masked", row, column, "−∞"]})


def test_what_a_mask_leaves_is_copied_and_what_it_hides_is_clicked(tmp_path):
    practice = hc.practise("causal_self_attention", seed=1, blank=["S_masked"], folder=tmp_path)
    assert practice.widget.plan["hiding"] == {"S_masked": 3}
    assert {state for row in practice.widget.states["S_masked"] for state in row} == {"not attempted"}
    hide(practice, (1, 0), (0, 1))
    states = practice.widget.states["S_masked"]
    assert (states[1][0], states[0][1]) == ("correct", "wrong")
    assert sum(row.count("not attempted") for row in states) == 7  # nothing tells what else is to be hidden
    practice.on_message({"typed": ["S_masked", 0, 1, ""]})
    hide(practice, (2, 0), (2, 1))
    assert practice.widget.finished


def test_copies_are_those_of_the_learners_own_scores(tmp_path):
    steps = ["S_scaled", "S_masked", "E"]
    practice = hc.practise("causal_self_attention", seed=1, blank=steps, folder=tmp_path)
    hide(practice, (1, 0), (2, 0), (2, 1))
    assert not practice.widget.finished
    assert practice.widget.states["S_masked"][0][0] == "not attempted"
    practice.on_message({"typed": ["S_scaled", 0, 0, "1"]})
    practice.on_message({"typed": ["E", 0, 0, "2.72"]})
    right = practice.exercise.calculation["S_scaled"].values[0, 0]
    assert right != 1
    assert practice.widget.states["E"][0][0] == "follows"


def test_it_goes_on_where_it_ended_and_two_tabs_lose_nothing(tmp_path):
    one, two = (hc.practise("softmax", folder=tmp_path) for _ in range(2))
    one.on_message({"typed": ["E", 0, 0, "1"]})
    two.on_message({"typed": ["E", 1, 0, "2"]})
    one.on_message({"typed": ["E", 2, 0, "3"]})
    assert one.texts == {"E": {"0,0": "1", "1,0": "2", "2,0": "3"}}
    two.on_message({"ask": "next", "step": None})
    again = hc.practise("softmax", folder=tmp_path)
    assert again.code == two.code
    assert hc.practise(one.code, folder=tmp_path).texts == one.texts


def test_where_nothing_is_blank_there_is_nothing_to_practise(tmp_path):
    with pytest.raises(hc.HandcalcError, match=r"^There is nothing to fill in: no step is blank\.$"):
        hc.practise("softmax", blank=[], folder=tmp_path)


def test_back_goes_to_the_problem_before_and_what_was_typed_and_asked_is_there(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    assert not practice.widget.back
    practice.on_message({"ask": "back"})
    asked(practice, "A", 2)  # before anything is wrong elsewhere
    practice.on_message({"typed": ["E", 0, 0, "1"]})
    asked(practice, "E", 2)
    hints, spent = practice.widget.hints, practice.widget.spent
    for _ in range(2):
        practice.on_message({"ask": "next"})
        assert practice.widget.hints == {}
    for seed in (2, 1):
        assert practice.widget.back
        practice.on_message({"ask": "back"})
        assert practice.code == hc.code("softmax", seed)
    assert not practice.widget.back
    assert practice.widget.texts == {"E": {"0,0": "1"}}
    assert (practice.widget.hints, practice.widget.spent) == (hints, spent)


def test_messages_are_kept_step_by_step(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    fill(practice, hc.problem("softmax", 1))
    assert practice.widget.messages == {"E": ["All of it is right."]}
    practice.on_message({"typed": ["E", 0, 0, "9"]})
    practice.on_message({"typed": ["A", 1, 0, "7"]})
    assert list(practice.widget.messages) == ["E", "A"]
    assert practice.widget.messages["A"][-1].startswith("Then look at A[2,1]: you wrote 7.")


def test_options_are_kept_and_each_way_to_ask_goes_on_where_it_ended(tmp_path):
    rows = {"blank": ["A"], "places": 3, "convention": "rows", "folder": tmp_path}
    practice = hc.practise("softmax", seed=1, **rows)
    assert practice.widget.blank == ["A"]
    assert practice.widget.places == 3
    assert practice.widget.spec["convention"] == "rows"
    practice.on_message({"ask": "next"})
    asked = practice.code
    assert codes.read_code(asked)[:3] == ("softmax", 2, 1)
    plain = hc.practise("softmax", folder=tmp_path)
    assert plain.code not in (practice.code, asked)
    plain.on_message({"ask": "next"})
    assert hc.practise("softmax", **rows).code == asked


def test_the_sheet_on_paper_is_opened_by_its_code(tmp_path):
    sign = hc.code("worked_example", blank=["Z"])
    practice = hc.practise(sign.lower().replace("-", " "), folder=tmp_path)
    assert practice.code == sign
    assert practice.widget.blank == ["Z"]
    fill(practice, hc.examples.self_attention())
    assert practice.widget.finished
    practice.on_message({"ask": "next"})
    assert practice.code == hc.code("self_attention", 1, 2, blank=["Z"])
    with pytest.raises(hc.HandcalcError, match="is not a code"):
        hc.practise("SA1-329U", folder=tmp_path)


@pytest.mark.parametrize(
    "message",
    [
        {},
        None,
        3,
        {"typed": ["E", "0", 0, "1"]},
        {"typed": 7},
        {"typed": ["X", 0, 0, "1"]},
        {"typed": ["E", 9, 0, "1"]},
        {"ask": "hint"},
    ],
)
def test_a_message_that_makes_no_sense_changes_nothing(tmp_path, message):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    practice.on_message(message)
    assert practice.texts == {}
    assert not practice.path.exists()
