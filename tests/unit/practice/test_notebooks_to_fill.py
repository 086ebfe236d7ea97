"""Generated notebooks: whatever steps are called they run and check; they say how to write −∞."""

import contextlib
import io
import json
import math

import nbformat
import pytest

import handcalc as hc
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.practice.exercise import time_plan
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.exercise.time_plan import plan_minutes, seconds_for_steps
from handcalc.practice.topics import TOPICS
from handcalc.practice.topics.problems import TOPIC_LEVELS

NAMES = [
    "class", "hc", 'a"b', "a'b", "exercise", "answers", "____", "_", "print", "given", "inf", "self", "match",
    "In", "a\\", "\ufb01", "lambda", "None", "head_1.Q", "x y", '"); print("run"); print("', "α",
    "é" * 50, "${x}", "'''", "#",
]  # fmt: skip


def sources(made, kind="code"):
    cells = json.loads(dump_notebook(made))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def run(lines, names):
    """Run cells; returns the feedback that they show and what they print."""
    shown, printed = [], io.StringIO()
    for line in lines:
        *before, last = line.rsplit("\nexercise.check(", 1) if "\nexercise.check(" in line else [line]
        with contextlib.redirect_stdout(printed):
            exec("\n".join(before) if before else last, names)
            if before:
                shown.append(eval(f"exercise.check({last}", names))
    return shown, printed.getvalue()


def calculation(name):
    step = (hc.Matrix([[1, 2]], "A") + 1).named(name)
    return hc.Calculation((step * 2).named("B"), title=f"Twice {name}")


@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_step_is_called_the_notebook_runs_and_nothing_in_the_name_does(name):
    exercise = hc.Exercise(calculation(name))
    made = make_notebook(exercise, source="MADE")
    nbformat.validate(nbformat.from_dict(json.loads(dump_notebook(made))))
    lines = [line.replace("____ | ____", "2 | √9", 1) for line in sources(made)]
    shown, printed = run(lines, {"MADE": exercise.calculation})
    assert printed == ""
    assert isinstance(shown[0], Feedback)
    assert (shown[0].cells[exercise.blank[0]] == "correct").all()
    hints = [line for line in lines if line.startswith("# exercise.hint(")]
    names = {"MADE": exercise.calculation}
    run([lines[0], *(hint.removeprefix("# ") for hint in hints)], names)
    assert len(hints) == 2


PLAIN = ("Q", "α", "S_scaled", "match")
ODD = ("class", "hc", "exercise", "answers", "print", "inf", "self", "\ufb01", "head_1.class")


@pytest.mark.parametrize("name", [*PLAIN, *ODD])
def test_a_plain_name_is_a_variable_and_any_other_stands_in_a_dictionary(name):
    made = make_notebook(hc.Exercise(calculation(name)), source="MADE")
    first, last = (name, f"{name}={name}") if name in PLAIN else (f'answers["{name}"]', "**answers")
    assert f'{first} = """\n____ | ____\n"""\nexercise.check({last})' in sources(made)


def test_each_block_has_a_section_in_which_names_are_short():
    made = make_notebook(hc.Exercise(hc.code("multi_head_attention", 1, 1)))
    headings = [text.partition("\n")[0] for text in sources(made, "markdown")]
    blocks = [f"## Multi-head attention › Attention head {count}" for count in (1, 2)]
    assert [heading for heading in headings if "›" in heading] == blocks
    first, second = map(headings.index, blocks)
    assert sum("$Q = " in heading for heading in headings[first:second]) == 1
    assert "exercise.calculation.figure(map=True)" in sources(made)
    filled = [line for line in sources(made) if line.startswith('Q = """')]
    assert [line.rpartition('"""\n')[2] for line in filled] == [
        f'answers["head_{count}.Q"] = Q\nexercise.check(**answers)' for count in (1, 2)
    ]


def test_where_minus_infinity_is_asked_for_the_notebook_says_how_to_write_it():
    exercise = hc.Exercise(hc.code("causal_self_attention", 1))
    made = make_notebook(exercise)
    assert "Write −∞ as `-inf`." in sources(made, "markdown")[0]
    assert "-inf" not in str(make_notebook(hc.Exercise(hc.code("softmax", 1))))
    assert "-inf" not in str(make_notebook(hc.Exercise(hc.code("causal_self_attention", 1), blank=["Q"])))


def test_a_notebook_keeps_back_what_its_exercise_keeps_back():
    kept = hc.Exercise("SM1-4232", solutions=False)
    assert 'exercise = hc.Exercise("SM1-4232", solutions=False)' in sources(make_notebook(kept))[0]
    names = {"MADE": kept.calculation}
    run(sources(make_notebook(kept, source="MADE"))[:1], names)
    assert not names["exercise"].solutions


def test_what_a_shared_step_is_read_by_does_not_slow_the_notebook():
    M = hc.Matrix([[1, 2]], "A")
    for turn in range(40):
        M = (M * 0.5 + M * 0.5).named(f"M_{turn}")
    made = make_notebook(hc.Exercise(hc.Calculation(M, title="Halves")), source="MADE")
    assert len(sources(made)) == 2 + 2 * 40 + 1


@pytest.mark.parametrize("what", ["source", "title", "foot"])
def test_what_is_not_text_is_one_sentence(what):
    with pytest.raises(hc.HandcalcError, match=rf"The notebook's {what} must be text; got 3\."):
        make_notebook("SM1-4232", **{what: 3})


# How long a sheet takes, and which of its steps fit into so many minutes.
HEADS = hc.problem("multi_head_attention")
READ, FILL = time_plan.SECONDS_TO_READ_A_STEP, time_plan.SECONDS_TO_FILL_A_FIELD


def test_a_step_takes_what_its_row_of_the_table_says():
    softmax = hc.problem("softmax")  # three powers, their sum, three quotients
    key = time_plan.ON_A_CALCULATOR
    assert seconds_for_steps(softmax, ["E"]) == READ + 3 * (FILL + key)
    assert seconds_for_steps(softmax, ["E_sum"]) == READ + FILL + 3 * time_plan.SECONDS_A_TERM_ADDED
    assert seconds_for_steps(softmax, ["E", "A"]) == 2 * (READ + 3 * (FILL + key))
    product = hc.problem("matrix_product")  # (2, k) times (k, 2)
    terms = product["A"].shape[1]
    assert seconds_for_steps(product, ["C"]) == READ + 4 * (FILL + terms * time_plan.SECONDS_A_TERM)


def test_what_is_written_inline_takes_its_time_too():
    layer = hc.problem("linear_layer")
    product = layer["W"].shape[1] * time_plan.SECONDS_A_TERM
    each = FILL + product + time_plan.SECONDS[type(layer["Y"].operation)]
    assert seconds_for_steps(layer, ["Y"]) == pytest.approx(READ + layer["Y"].values.size * each)


@pytest.mark.parametrize("topic", [*TOPICS, "by_hand/rnn_small"])
@pytest.mark.parametrize("level", TOPIC_LEVELS)
def test_ten_minutes_have_at_most_36_fields_unless_the_least_step_has_more(topic, level):
    calculation = hc.problem(topic, 1, level)
    plan = plan_minutes(calculation, 10)
    exercise = hc.Exercise(calculation, minutes=10)
    assert exercise.blank == plan.blank
    if len(plan.blank) > 1:
        assert exercise.fields * plan.problems <= 36
        assert exercise.minutes <= 11
    if plan.blank == tuple(calculation.steps) and exercise.fields < 12:
        assert exercise.fields * plan.problems >= 12


def test_steps_come_from_the_end_each_kind_once_and_a_copy_shows_no_blank_number():
    assert plan_minutes(HEADS, 10).blank == ("head_2.Z", "concat", "Z")
    masked = hc.problem("causal_self_attention")
    assert plan_minutes(masked, 10).blank == ("S_masked", "E", "E_sum", "A", "Z")
    asked = ["S", "S_scaled"]
    assert plan_minutes(masked, 10, asked).blank == tuple(asked)


def test_more_minutes_ask_for_more_and_enough_of_them_for_all():
    fields = [hc.Exercise(HEADS, minutes=minutes).fields for minutes in (1, 5, 10, 20, 40, 60)]
    assert fields == sorted(fields)
    assert fields[-1] == sum(step.values.size for step in HEADS.steps.values())


def test_a_code_says_which_steps_were_chosen():
    code = hc.practise("multi_head_attention", seed=1, minutes=10).code
    assert hc.Exercise(code).blank == ("head_2.Z", "concat", "Z")
    assert hc.Exercise(hc.code("multi_head_attention"), minutes=10).code == code
    assert hc.Exercise(code, minutes=10).code == code


@pytest.mark.parametrize("minutes", [0, -5, "ten", True, math.nan, math.inf, 601, []])
def test_what_is_no_number_of_minutes_gets_one_sentence(minutes):
    with pytest.raises(hc.HandcalcError, match=r"^minutes is .*; it must be a number from 1 to 600\.$"):
        hc.Exercise(HEADS, minutes=minutes)
