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


# Notebooks whose numbers are changed by code: that is read, or told, and never passed over.
CHANGED = [
    "for i in range(2):\n    Q[i][0] = i",
    "while True:\n    Q[0][0] = 1\n    break",
    "if x > 1:\n    Q[0][0] = 5",
    "if x > 1:\n    Q = [[9]]",
    "Q += [[5, 6]]",
    "Q[0][1] = 5",
    "Q[0:1] = [[5, 6]]",
    "del Q[0]",
    "Q.append([5, 6])",
    "Q[0].sort()",
    "K = Q.pop()",
    "K = [Q.append(i) for i in range(3)]",
    "Q.shape = (4, 1)",
    "M = Q\nM.append([5, 6])",
    "M = Q\nM[0][0] = 5",
    "answers = {'Q': Q}\nanswers['Q'][0] = 5",
    "def f():\n    Q[0][0] = 2\nf()",
    "def f():\n    global Q\n    Q = [[2]]\nf()",
    "with open('x') as file:\n    Q[0] = read(file)",
    "match x:\n    case 1:\n        Q[0][0] = 1",
    "class Net:\n    Q[0][0] = 1",
]


@pytest.mark.parametrize("source", CHANGED)
def test_numbers_that_code_changes_in_place_are_told_and_not_marked_as_they_were(source):
    found = sheet("S = [7]", "Q = [[1, 2], [3, 4]]", source, "exercise.check(Q=Q)", "Z = [[1, 2]]")
    assert found.unread["Q"] == COMPUTED
    assert (found.answers["S"], found.answers["Z"], "Q" in found.answers) == ([7], [[1, 2]], False)


HARMLESS = [
    "print(Q)",
    "len(Q), sum(Q[0]), sorted(Q), max(max(row) for row in Q)",
    "A = np.exp(Q) / np.exp(Q).sum(axis=0)",
    "A = Q.sum()",
    "A = Q.T @ Q",
    "for row in Q:\n    print(row, *row)",
    "for i in range(2):\n    for j in range(2):\n        print(Q[i][j])",
    "def f(m):\n    out = []\n    for row in m:\n        out.append(row[0])\n    return out\nf(Q)",
    "def times(A, B):\n    C = [[0] for _ in A]\n    C[0][0] = A[0][0] * B[0][0]\n    return C\ntimes(Q, Q)",
    "def helper():\n    Q = 3\n    return Q",
    "f = lambda m: m[0][0]\nf(Q)",
    "from scipy.special import softmax\nA = softmax(Q)",
    "fig, ax = plt.subplots()\nax.imshow(Q)",
    "x = [Q for Q in range(3)]",
    "M = np.array(Q)\nM[0, 0] = 5",
    "total = 0\nfor row in Q:\n    total += row[0]",
    "assert Q",
    "del Q",
    "try:\n    import numpy\nexcept ImportError as Q:\n    pass",
]


@pytest.mark.parametrize("source", HARMLESS)
def test_code_that_only_looks_at_numbers_costs_none(source):
    found = sheet("Q = [[1, 2], [3, 4]]", source)
    assert (found.answers.get("Q"), "Q" in found.unread) == ([[1, 2], [3, 4]], False)


READ = [
    'answers = {}\nanswers["Q"] = [[1, 2]]',
    'M = [[1, 2]]\nanswers = {"Q": M}',
    'answers = {"K": 1, "Q": [[1, 2]]}\nexercise.check(**answers)',
    "if True:\n    exercise.check(Q=[[1, 2]])",
    "def go():\n    exercise.check(Q=[[1, 2]])\ngo()",
    "for _ in range(1):\n    exercise.check(Q=[[1, 2]])",
]


@pytest.mark.parametrize("source", READ)
def test_answers_that_are_put_together_are_read(source):
    found = sheet(source)
    assert (found.answers["Q"], "Q" in found.unread) == ([[1, 2]], False)


WHOLE = "The answers are computed by code here; write their numbers in."
OPAQUE = [
    "answers = {}\nfor k, x in numbers.items():\n    answers[k] = x",
    "answers = {k: [[0]] for k in names}",
    "answers = {name: [[0]]}",
    "answers = {}\nanswers.update(zip(names, numbers))",
    "answers = {}\nanswers |= solve()",
    "answers = {}\nanswers[f'{name}'] = [[0]]",
    "answers = {}\nfill(answers)",
    "exercise.check(**solve())",
    "mine = solve()\nexercise.check(**mine)",
    "answers = {}\ndef fill():\n    answers[name] = 1\nfill()",
]


@pytest.mark.parametrize("source", OPAQUE)
def test_answers_that_cannot_be_told_from_the_code_are_told_and_not_silently_blank(source):
    exercise = hc.Exercise(CODE)
    standing = mark_submission(sheet(source), exercise)
    assert (standing.problems, standing.count("right")) == ((WHOLE,), 0)
    standing = mark_submission(sheet("E = [[1], [2], [3]]", source), exercise)
    assert standing.problems == (WHOLE.replace("The", "The other"),)
    every = "E = [[1], [2], [3]]\nE_sum = [[6]]\nA = [[1], [2], [3]]"
    assert mark_submission(sheet(source, every), exercise).problems == ()  # nothing is left to be told of


def test_answers_that_were_read_before_code_changes_them_are_told():
    found = sheet('answers = {"E": [[1], [2], [3]]}', "for k in answers:\n    answers[k] = solve(k)")
    assert (
        mark_submission(found, hc.Exercise(CODE)).problems[0]
        == "E is computed by code here; write its numbers in."
    )


BLANK = ['E = """\n____\n____\n____\n"""', "E = [[____], [None], [hc.____]]", "E = ____", "E = []", 'E = ""']


@pytest.mark.parametrize("blank", BLANK)
def test_a_copy_of_a_cell_without_a_number_takes_none_away(blank):
    full = 'E = """\n1\n2\n3\n"""'
    for cells in (
        [full, blank + "\nexercise.check(E=E)"],
        [blank, full],
        [full, f"{blank}\nexercise.check(E=E)"],
    ):
        assert sheet(*cells).answers["E"] == "\n1\n2\n3\n"
    found = sheet('answers = {"E": [[1]]}', f'{blank}\nanswers["E"] = E\nexercise.check(**answers)')
    assert found.answers["E"] == [[1]]
    [found] = sheets(written(full, f'hc.Exercise("{CODE}")', blank, code=""))
    assert found.answers["E"] == "\n1\n2\n3\n"
    assert sheet(full, 'E = """\n____\n5\n____\n"""').answers["E"] == "\n____\n5\n____\n"


LISTS = {
    "E = [[7.39], [f(x)], [2.72]]": "E[2,1]: This is computed by code here; write the number in.",
    "E = [7.39, W[0] * 2, 2.72]": "E[2,1]: This is computed by code here; write the number in.",
    "E = np.array([[7.39], [9**9**9], [2.72]])": "E[2,1]: “9 ** 9 ** 9” is too large to calculate with.",
    "E = [[7.39], [1j], [2.72]]": "E[2,1]: “1j” is not a number; write one such as 2.5, -1 or 1/3.",
    "E = [[7.39], [True], [2.72]]": "E[2,1]: True is not a number.",
    "row = f(x)\nE = [[7.39], row, [2.72]]": "E[2,1]: This is computed by code here; write the number in.",
    "E = [[7.39], [1 / 0], [2.72]]": "E[2,1]: “1 / 0” has no value; look for a division by 0 or the root of "
    "a negative number.",
}


@pytest.mark.parametrize("source", LISTS)
def test_a_number_in_a_list_that_cannot_be_read_costs_itself_alone(source):
    standing = mark_submission(sheet(source), hc.Exercise(CODE))  # its scores are 2, 0 and 1
    assert (standing.steps["E"]["right"], standing.steps["E"]["blank"]) == (2, 1)
    assert standing.problems == (LISTS[source],)


def test_a_list_of_another_shape_with_a_number_that_cannot_be_read_is_told():
    [sentence] = mark_submission(sheet("E = [[1, f(x)], [2, 3]]"), hc.Exercise(CODE)).problems
    assert "E is (3, 1), 3 rows of 1, but you wrote (2, 2)" in sentence
    found = sheet("import math as m\nE = [[m.sqrt(4)], [m.exp(0)]]")
    assert found.answers["E"] == [[2], [1]]


def test_a_notebook_whose_code_names_another_sheet_than_it_was_made_for_is_told_on_both():
    made = {"handcalc": {"code": OTHER}}
    found, own = sheets(written("Q = [1]", metadata=made))
    said = f"x.ipynb was made for {OTHER}, but its code makes {CODE}"
    assert (found.code, found.answers, found.foreign) == (CODE, {"Q": [1]}, f"{said}.")
    assert (own.code, own.answers, own.trouble) == (OTHER, {}, f"{said}: see that sheet.")
    assert not any(
        "made for" in told for told in mark_submission(found, hc.Exercise(CODE)).problems
    )  # it was read
    both = written("Q = [1]", f'hc.Exercise("{CODE}")', "Q = [2]", code=OTHER, metadata=made)
    mine, other = sheets(both)
    assert (mine.code, mine.foreign, other.code, other.foreign) == (OTHER, "", CODE, f"{said}.")
    [named] = sheets(written("Q = [1]"), f"{OTHER}.ipynb")
    said = f"{OTHER}.ipynb is called {OTHER}, but its code makes {CODE}."
    assert (named.code, named.foreign) == (CODE, said)
    assert not sheets(written("Q = [1]", metadata={"handcalc": {"code": CODE}}), f"{CODE}.ipynb")[0].foreign


def test_the_code_in_our_sentences_is_nobodys():
    [found] = sheets(written("Q = [1]", code=""))
    example = found.trouble.partition("such as ")[2].partition(",")[0]
    with pytest.raises(hc.HandcalcError):
        hc.load(example)
