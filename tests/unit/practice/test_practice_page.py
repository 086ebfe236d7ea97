"""Practising on the page: what is typed is marked, kept in a file, and there again the next time."""

import pytest

import handcalc as hc
from handcalc.notation import numbers
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.practise import AttemptLog


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


def test_a_hint_says_what_to_do_and_then_works_one_number_and_no_more(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    said = []
    for _ in range(3):
        practice.on_message({"ask": "hint", "step": "E_sum"})
        said.append(practice.widget.hint)
    assert practice.widget.hints == {"E_sum": said[-1]}
    assert practice.widget.spent == ["E_sum"]  # the button says so
    assert said == [practice.exercise.hint("E_sum", level).html for level in (1, 3, 3)]


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


def test_a_half_written_line_loses_only_itself(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    practice.on_message({"typed": ["E", 0, 0, "1"]})
    with practice.path.open("a") as file:
        file.write('{"code": "SM1-')
    assert hc.practise("softmax", folder=tmp_path).texts == {"E": {"0,0": "1"}}
    assert list(AttemptLog(practice.path).opened) == [practice.code]
    practice.on_message({"typed": ["E", 1, 0, "2"]})
    assert hc.practise("softmax", folder=tmp_path).texts == {"E": {"0,0": "1", "1,0": "2"}}


def test_where_nothing_is_blank_there_is_nothing_to_practise(tmp_path):
    with pytest.raises(hc.HandcalcError, match=r"^There is nothing to fill in: no step is blank\.$"):
        hc.practise("softmax", blank=[], folder=tmp_path)


def test_back_goes_to_the_problem_before_and_what_was_typed_is_there(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    assert not practice.widget.back
    practice.on_message({"ask": "back"})
    practice.on_message({"typed": ["E", 0, 0, "1"]})
    for _ in range(2):
        practice.on_message({"ask": "next"})
    for seed in (2, 1):
        assert practice.widget.back
        practice.on_message({"ask": "back"})
        assert practice.code == hc.code("softmax", seed)
    assert not practice.widget.back
    assert practice.widget.texts == {"E": {"0,0": "1"}}


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


@pytest.mark.parametrize("topic", [3, "poetry", None])
def test_a_topic_that_there_is_not_gets_one_plain_sentence(tmp_path, topic):
    with pytest.raises(hc.HandcalcError, match=r"topic .*[.']$"):
        hc.practise(topic, folder=tmp_path)
