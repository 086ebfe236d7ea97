"""Notebooks, read without running them: every form in which people write answers, and whose sheet it is."""

import json
import math

import pytest
from class_files import CODE, OTHER, STRANGE, cell, sheet, sheets, written

import handcalc as hc
from handcalc.classroom.submissions.submission import mark_submission

NAN = math.nan


FORMS = {
    'Q = """\n1 | 2\n3 | ____\n"""': "\n1 | 2\n3 | ____\n",
    "Q = [[1, 2],\n     [3, 4]]": [[1, 2], [3, 4]],
    "Q = ((1, 2), (3, 4))": [[1, 2], [3, 4]],
    "Q = 3": 3,
    "Q: list = [1, 2]": [1, 2],
    "K = Q = [1]": [1],
    "import numpy as np\nQ = np.array([[1, 2], [3, 4]], dtype=float)": [[1, 2], [3, 4]],
    "Q = numpy.array([1, 2])": [1, 2],
    "Q = np.matrix([[1]])": [[1]],
    'Q = hc.Matrix([[1, 2]], "Q")': [[1, 2]],
    "Q = [[hc.____, ____, 1]]": [[NAN, NAN, 1]],
    "Q = ____": NAN,
    "Q = ...": NAN,
    "Q = [[1/3, -2, +5, 2*3+1, (1 + 2) * 3, Fraction(1, 3)]]": [[1 / 3, -2, 5, 7, 9, 1 / 3]],
    "Q = [[math.sqrt(3), np.exp(2), exp(0), 2**0.5, -2**2]]": [[3**0.5, math.exp(2), 1, 2**0.5, -4]],
    "Q = [[e**2, math.e, hc.e, np.nan, -math.inf]]": [[math.e**2, math.e, math.e, NAN, -math.inf]],
    'Q = [["1,73", "√3", "____"]]': [["1,73", "√3", "____"]],
    'answers["Q"] = [[1, 2]]': [[1, 2]],
    'answers = {"Q": [[1, 2]], "K": W @ X}': [[1, 2]],
    'answers = {}\nanswers["Q"] = [1]\nexercise.check(**answers)': [1],
    "exercise.check(Q=[[1, 2], [3, 4]])": [[1, 2], [3, 4]],
    "feedback = exercise.check(Q=[1], K=K)": [1],
    "print(exercise.check(Q=[1]))": [1],
    f'hc.Exercise("{CODE}").check(Q=[[1, 2]])': [[1, 2]],
    f'K = [1]\nhc.Exercise("{CODE}", solutions=False).check(Q=K)': [1],
    "mine = [2]\nexercise.check(Q=mine)": [2],
    "Q = [1]\nQ = [2]": [2],
    "Q = W @ X\nQ = [2]": [2],
    "%matplotlib inline\n!touch x\nQ = [1]\nQ?\n": [1],
    "%%time\nQ = [1]": [1],
    "  Q = [1]": [1],
    "Q = [1]\r\nK = [2]\r\n": [1],
}


def same(found, expected):
    if isinstance(expected, list):
        return type(found) is list and len(found) == len(expected) and all(map(same, found, expected))
    return found == expected or (isinstance(found, float) and math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("source", FORMS)
def test_an_answer_is_read_in_every_form_in_which_people_write_it(source):
    found = sheet(source)
    assert (found.code, found.trouble, found.unread.get("Q")) == (CODE, "", None)
    assert same(found.answers["Q"], FORMS[source]), found.answers["Q"]


COMPUTED = "Q is computed by code here; write its numbers in."
SLIP = "Q cannot be read; look at the brackets, commas and quotation marks in its cell."
UNREAD = {
    "Q = W_Q @ X": COMPUTED,
    "Q = [[W[0, 0] * X[0, 0]]]": COMPUTED,
    "Q = [x for x in range(3)]": COMPUTED,
    "Q = np.array([1, 2]) * 2": COMPUTED,
    "Q = [1]\nQ += [2]": COMPUTED,
    "for i in range(3):\n    Q = [i]": COMPUTED,
    "print(Q := [1])": COMPUTED,
    "sqrt = abs\nQ = sqrt(4)": COMPUTED,
    "def sqrt(x): return 0\nQ = sqrt(4)": COMPUTED,
    "Q = f'{1}'": COMPUTED,
    "Q = exercise.solution('Q')": COMPUTED,
    "Q = exercise": COMPUTED,
    "Q, K = both": COMPUTED,
    "Q = [[1, 2], [3 4]]": SLIP,
    'Q = """1 | 2': SLIP,
    "Q = [[1, 2],\n [3, 4]\nexercise.check(Q=Q)": SLIP,
    'answers["Q"] = [1, 2': SLIP,
    "exercise.check(Q=[1 2])": SLIP,
    "Q = [1]\nexercise.check(Q=Q, K=K": SLIP,
    "print 'x'\nQ = [1]": SLIP,
    "Q, K = [[1, 2]], [[3]]": COMPUTED,
    "e = 2\nQ = [e / 2]": COMPUTED,
    "Q = [[0] * 2] * 2": COMPUTED,
    "if x > 1:\n    Q = [1]": COMPUTED,
    "def go():\n    Q = [1]\n    exercise.check(Q=Q)": COMPUTED,
    "math = W\nQ = math.sqrt(4)": COMPUTED,
    "Q = [[[[[[1]]]]]]": "Q is too much to read; write its numbers in.",
}


@pytest.mark.parametrize("source", UNREAD)
def test_what_cannot_be_read_is_one_sentence_and_the_rest_is_read(source):
    found = sheet("S = [7]", source, "Z = [[1, 2]]")
    assert found.unread["Q"] == UNREAD[source]
    assert (found.answers["S"], found.answers["Z"], "Q" in found.answers) == ([7], [[1, 2]], False)


def test_a_cell_that_was_deleted_is_blank_and_one_that_is_there_twice_counts_as_it_runs():
    assert sheet("exercise.check(Q=Q)", "K = [1]").answers == {"K": [1]}
    assert sheet("Q = [1]", "Q = [2]", "K = [1]").answers == {"Q": [2], "K": [1]}
    assert sheet("exercise.check(Q=[3])", "Q = [2]").answers["Q"] == [2]
    assert sheet("Q = [2]", "exercise.check(Q=[3])").answers["Q"] == [3]
    nothing = mark_submission(sheet("x = 1"), hc.Exercise(CODE))
    assert nothing.problems == ("No answer to any step of this sheet was found.",)


def test_text_that_is_no_code_and_outputs_are_not_read():
    shown = [{"output_type": "stream", "text": "Q = [9]"}]
    found = sheet(cell("Q = [1]", "markdown"), cell("Q = [2]", "raw"), cell("K = [3]", outputs=shown))
    assert found.answers == {"K": [3]}
    assert sheet("%%bash\nQ=[1]", "%%html\n<b>\nQ = [2]", "S = [1]").answers == {"S": [1]}


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (written("Q = [1]", code=CODE.lower().replace("-", " ")), "x"),
        (written("Q = [1]", code="", metadata={"handcalc": {"code": CODE}}), "x"),
        (written(f'code = "{CODE}"\nex = hc.Exercise(code)\nQ = [1]', code=""), "x"),
        (written("Q = [1]", cell(f"# Softmax\n\nSheet {CODE}.", "markdown"), code=""), "x"),
        (written("Q = [1]", code=""), f"in/{CODE}.ipynb"),
        (written("Q = [1]", code=""), f"Ada Byron_12345_assignsubmission_file_{CODE}.ipynb"),
        (written("Q = [1]", code=""), f"byronada_LATE_871_99123_{CODE}-1.ipynb"),
        (written("Q = [1]", code=""), f"{CODE.replace('-', '')} (2) - Copy.ipynb"),
        (written("Q = [1]", cell(OTHER, "markdown")), f"{OTHER}.ipynb"),
        (written(cell("Q = [1]", metadata=None), worksheets=None), "x.json"),
        (json.dumps({"nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "code", "input": [f'exercise = hc.Exercise("{CODE}")\n', "Q = [1]"]}
        ]}]}).encode(), "old.ipynb"),
        (f'exercise = hc.Exercise("{CODE}")\n# %%\nQ = [1]'.encode(), "saved as.py"),
        (b"\xef\xbb\xbf" + written("Q = [1]"), "with a mark.ipynb"),
        (written("Q = [1]").decode().encode("utf-16"), "as Windows saves it.ipynb"),
    ],
)  # fmt: skip
def test_whose_sheet_it_is_stands_in_the_code_in_the_text_or_in_the_name(data, name):
    [found] = sheets(data, name)
    assert (found.code, found.answers["Q"], found.source) == (CODE, [1], name)


def test_a_slip_in_one_cell_of_a_script_costs_the_others_nothing():
    script = f'exercise = hc.Exercise("{CODE}")\n# In[1]:\nQ = [1\n# %%\nK = [2]\n'
    [found] = sheets(script.encode(), "saved as.py")
    assert (found.answers, found.unread) == ({"K": [2]}, {"Q": SLIP})


def test_a_notebook_with_several_sheets_is_several():
    both = written("Q = [1]", f'other = hc.Exercise("{OTHER}")', "Q = [2]", "exercise.check(K=[3])")
    assert [(one.code, one.answers) for one in sheets(both)] == [
        (CODE, {"Q": [1], "K": [3]}),
        (OTHER, {"Q": [2]}),
    ]


def test_an_exercise_that_is_checked_in_its_own_line_takes_nothing_else():
    found = sheets(written("Q = [1]", f'hc.Exercise("{OTHER}").check(K=[3])', "K = [4]", "S = [5]"))
    assert [(one.code, one.answers) for one in found] == [
        (CODE, {"Q": [1], "K": [4], "S": [5]}),
        (OTHER, {"K": [3]}),
    ]


def test_a_code_that_is_not_of_the_class_is_told():
    said = f"{STRANGE} in x.ipynb is not the code of a sheet in this class."
    assert sheet("Q = [1]", code=STRANGE).trouble == said
    mine = sheet("Q = [1]", code=STRANGE, metadata={"handcalc": {"code": CODE}})
    assert (mine.code, mine.trouble) == (CODE, said)  # the numbers are those of another sheet
    assert sheet("Q = [1]", f'hc.Exercise("{STRANGE}").hint("Q")').answers == {"Q": [1]}
    none = sheet("Q = [1]", code="")
    assert none.trouble == (
        "x.ipynb does not say which sheet it is: put the sheet's code, such as SA1-0000, in its name."
    )
    [found] = sheets(written("Q = [1]", code=""), f"{STRANGE}.ipynb")
    assert f"has the code {STRANGE}, which no sheet in this class has." in found.trouble


@pytest.mark.parametrize(
    "form", ['"""\n| 2,7 |\n| one |\n\n| ____ |"""', '[["2.7"], ["one"], [____]]', '[[2.7], ["one"], [None]]']
)
def test_a_number_that_cannot_be_read_costs_none_of_the_others(form):
    standing = mark_submission(sheet(f"E = {form}"), hc.Exercise(CODE))
    assert standing.problems == ("E[2,1]: “one” is not a number; write one such as 2.5, -1 or 1/3.",)
    assert (standing.steps["E"]["blank"], sum(standing.steps["E"].values())) == (2, 3)


def test_a_notebook_that_was_filled_in_on_its_page_says_which_file_to_hand_in():
    assert sheet(f'hc.practise("{CODE}")', code="").trouble == (
        "x.ipynb was filled in on its page: hand in the file practice-….jsonl beside it."
    )


def test_hints_that_were_asked_for_count_with_their_level():
    def shown(text):
        return [{"output_type": "execute_result", "data": {"text/plain": [text]}}]

    found = sheet(
        '# exercise.hint("K")',
        'exercise.hint("Q")',
        'exercise.hint("S", 2)',
        cell('exercise.hint("E")', outputs=shown("E[1,1] = e^2 = 7.39")),
        cell('exercise.hint("A")', outputs=shown("A = E / E_sum")),
        cell('exercise.hint("Z")', outputs=shown("Z: What is it?")),
        'exercise.hint("Z")',
    )
    assert found.hints == {"Q": 1, "S": 2, "E": 3, "A": 2, "Z": 2}


def test_a_step_in_a_block_is_read_by_its_whole_name_and_by_its_short_one_where_there_is_one():
    exercise = hc.Exercise(hc.code("rnn_step", 1))
    step = "step_1.h"
    rows, columns = exercise.calculation[step].shape
    numbers = [[0] * columns] * rows
    for answer in (f'h = {numbers}\nanswers["{step}"] = h', f'answers = {{"step_1": {{"h": {numbers}}}}}',
                   f"step_1 = {{'h': {numbers}}}\nexercise.check(step_1=step_1)"):  # fmt: skip
        standing = mark_submission(sheet(answer), exercise)
        assert sum(standing.steps[step].values()) - standing.steps[step]["blank"] == rows * columns
        assert standing.problems == ()
    assert "in several blocks" in mark_submission(sheet(f"h = {numbers}"), exercise).problems[0]
    assert mark_submission(sheet(f'answers["{step}"] = W @ X'), exercise).problems == (
        f"{step} is computed by code here; write its numbers in.",
    )
