"""Generated notebooks: whatever steps are called they run and check; they say how to write −∞."""

import contextlib
import io
import json

import nbformat
import pytest

import handcalc as hc
from handcalc.classroom.handouts.exercise_notebook import dump_notebook, make_notebook
from handcalc.practice.exercise.feedback import Feedback

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
