"""Notebooks whose numbers are changed by code: that is read, or told, and never passed over."""

import pytest
from class_files import CODE, OTHER, sheet, sheets, written

import handcalc as hc
from handcalc.classroom.submissions.submission import mark_submission

COMPUTED = "Q is computed by code here; write its numbers in."
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
