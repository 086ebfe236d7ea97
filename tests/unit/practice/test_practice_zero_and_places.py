"""What a lone number says: a power of zero, and too few places; E of the first softmax is e², e⁰ and e¹."""

import pytest

import handcalc as hc


def told(*powers):
    feedback = hc.Exercise(hc.problem("softmax", 1)).check(E=[[power] for power in powers])
    found = feedback.mistakes + feedback.possible
    return [(str(one.where), one.name, one.is_slip) for one in found], feedback


@pytest.mark.parametrize("others", [(7.39, 2.72), (None, None), (None, 2.72)])
def test_a_power_of_zero_taken_for_zero_has_a_name_and_is_no_slip(others):
    nothing = float("nan")
    first, last = (nothing if power is None else power for power in others)
    found, feedback = told(first, 0, last)
    assert found == [("E", "power-of-zero", False)]
    assert feedback.mistakes == []  # one number says too little
    assert feedback.possible[0].sentence == "Any number to the power of 0 is 1, not 0."


def test_it_is_told_beside_another_mistake_and_not_where_all_is_e_times_the_number():
    assert told(9.5, 0, 2.72)[0] == [("E", "power-of-zero", False)]
    assert ("E", "power-of-zero", False) in told(-7.39, 0, 2.72)[0]
    assert {name for _, name, _ in told(-7.39, 0, 2.72)[0]} == {"power-of-zero", "sign-lost"}
    assert told(5.44, 0, 2.72)[0] == [("E", "times-for-power", False)]
    assert told(0, 1, 2.72)[0] == []


def test_one_zero_among_right_powers_of_zero_is_a_slip():
    calculation = hc.Calculation(hc.exp(hc.Matrix([[0.0, 2.0], [1.0, 0.0]], name="S")).named("E"))
    feedback = hc.Exercise(calculation).check(E=[[0, 7.39], [2.72, 1]])
    assert [(one.name, one.is_slip) for one in feedback.possible] == [("power-of-zero", True)]
    feedback = hc.Exercise(calculation).check(E=[[0, 7.39], [2.72, 0]])
    assert [(one.name, one.is_slip) for one in feedback.mistakes] == [("power-of-zero", False)]


def test_a_lone_number_with_fewer_places_than_asked_is_named_as_such():
    found, feedback = told(7.4, 1, 2.72)  # or 2.72 · 2.72
    assert found == [("E[1,1]", "rounded-too-early", True)]
    assert feedback.possible[0].sentence == "Rounded to one place; write 2 decimal places."
    assert [where for where, *_ in told(7.4, 1, 2.7)[0]] == ["E"]  # all of it
    assert told(7.38, 1, 2.72)[0] == [("E[1,1]", "cut-off", True)]
    assert told(7.41, 1, 2.72)[0] == told(8, 1, 2.72)[0] == []


def test_what_is_said_of_digits_that_were_cut_off_is_true_of_negative_numbers():
    calculation = hc.Calculation((hc.Matrix([[-1.0, -2.0]], name="S") / hc.constant(2.0, "d_k")).named("A"))
    thirds = hc.Calculation((hc.Matrix([[-2.0, -5.0]], name="S") / hc.constant(3.0, "n")).named("A"))
    assert hc.Exercise(calculation).check(A=[[-0.5, -1]]).mistakes == []
    (mistake,) = hc.Exercise(thirds).check(A=[[-0.66, -1.66]]).mistakes
    assert mistake.name == "cut-off"
    assert mistake.sentence == (
        "Cut off. Write 2 decimal places, rounded: "
        "if the next digit is 5 or more, the last one goes up by 1, also behind a minus sign."
    )


def test_the_size_in_a_formula_is_told_whatever_it_is_called():
    halved = (hc.Matrix([[1.0, 2.0]], name="S") / hc.sqrt(hc.constant(5.0, "width"))).named("T")
    again = (halved * hc.constant(0.1, "rate")).named("U")
    exercise = hc.Exercise(hc.Calculation(again))
    assert exercise.sizes == {"T": "width = 5", "U": "rate = 0.10"}
    assert hc.Exercise(hc.problem("scores", 1), convention="rows").sizes == {"S_scaled": "d<sub>k</sub> = 2"}
    assert hc.Exercise(hc.problem("softmax", 1)).sizes == {}
