"""What is handed in, read without running it: every form of a notebook's answers, logs, tables, folders."""

import json
import math

import pytest

import handcalc as hc
from handcalc.classroom import reading

CODE = hc.code("softmax", 1)
OTHER = hc.code("dot_product", 2)
STRANGE = hc.code("softmax", 99)
OURS = {CODE, OTHER}
NAN = math.nan


def cell(source, kind="code", **more):
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def written(*cells, code=CODE, **more):
    """A notebook as a file, its exercise made in the first cell."""
    first = [cell(f'import handcalc as hc\nexercise = hc.Exercise("{code}")')] if code else []
    found = {"cells": [*first, *(one if isinstance(one, dict) else cell(one) for one in cells)]}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, **found, **more}).encode()


def sheets(data, name="x.ipynb", **more):
    return reading.read_bytes(data, name, OURS, **more)


def sheet(*cells, **more):
    [found] = sheets(written(*cells, **more))
    return found


FORMS = {
    'Q = """\n1 | 2\n3 | ____\n"""': "\n1 | 2\n3 | ____\n",
    "Q = [[1, 2],\n     [3, 4]]": [[1, 2], [3, 4]],
    "Q = ((1, 2), (3, 4))": [[1, 2], [3, 4]],
    "Q = 3": 3,
    "Q: list = [1, 2]": [1, 2],
    "K = Q = [1]": [1],
    "Q, K = [[1, 2]], [[3]]": [[1, 2]],
    "import numpy as np\nQ = np.array([[1, 2], [3, 4]], dtype=float)": [[1, 2], [3, 4]],
    "Q = numpy.array([1, 2])": [1, 2],
    "Q = np.matrix([[1]])": [[1]],
    'Q = hc.Matrix([[1, 2]], "Q")': [[1, 2]],
    "Q = [[hc.____, ____, 1]]": [[NAN, NAN, 1]],
    "Q = ____": NAN,
    "Q = ...": NAN,
    'Q = [[float("nan"), float("-inf"), np.nan, -math.inf]]': [[NAN, -math.inf, NAN, -math.inf]],
    "Q = [[1/3, -2, +5, 2*3+1, (1 + 2) * 3, 7 // 2, 7 % 4]]": [[1 / 3, -2, 5, 7, 9, 3, 3]],
    "Q = [[math.sqrt(3), np.exp(2), exp(0), 2**0.5, -2**2]]": [[3**0.5, math.exp(2), 1, 2**0.5, -4]],
    "Q = [[e**2, math.e, hc.e, math.pi]]": [[math.e**2, math.e, math.e, math.pi]],
    'Q = [[Fraction(1, 3), Fraction("1/3"), round(1.2345, 2), abs(-1), int(2.9)]]': [
        [1 / 3, 1 / 3, 1.23, 1, 2]
    ],
    'Q = [["1,73", "√3", "____"]]': [["1,73", "√3", "____"]],
    'answers["Q"] = [[1, 2]]': [[1, 2]],
    'answers = {"Q": [[1, 2]], "K": W @ X}': [[1, 2]],
    "answers = dict(Q=[[1, 2]])": [[1, 2]],
    'answers = {}\nanswers["Q"] = [1]\nexercise.check(**answers)': [1],
    'more = {"Q": [1]}\nexercise.check(**{**more, "K": 2})': [1],
    "row = [1, 2]\nQ = [row, [3, 4]]": [[1, 2], [3, 4]],
    "a = 1/2\nQ = [a, 2*a]": [0.5, 1],
    "rows = [[1, 2], [3, 4]]\nQ = [rows[1], rows[-2]]": [[3, 4], [1, 2]],
    "Q = [[0] * 2] * 2": [[0, 0], [0, 0]],
    "Q = [[1, 2]] + [[3, 4]]": [[1, 2], [3, 4]],
    "Q = [[1, 2], [3, 4]]\nQ[0][1] = 5\nQ[1, 0] = 6\nQ[-1][1] = 7": [[1, 5], [6, 7]],
    "exercise.check(Q=[[1, 2], [3, 4]])": [[1, 2], [3, 4]],
    "feedback = exercise.check(Q=[1], K=K)": [1],
    "print(exercise.check(Q=[1]))": [1],
    "mine = [2]\nexercise.check(Q=mine)": [2],
    "Q = [1]\nQ = [2]": [2],
    "Q = W @ X\nQ = [2]": [2],
    "%matplotlib inline\n!touch x\nQ = [1]\nQ?\n": [1],
    "%%time\nQ = [1]": [1],
    "  Q = [1]": [1],
    "Q = [1]\r\nK = [2]\r\n": [1],
    "Q = [1]\nprint('x' 2 3\nK = [2]": [1],
    "print 'x'\nQ = [1]": [1],
    "def f(:\n  pass\n\nQ = [1]": [1],
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
LARGE = "Q holds a number that is too large to calculate with."
NO_VALUE = "Q holds a sum that has no value; look for a division by 0 or the root of a negative number."
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
    "Q = 9**9**9": LARGE,
    "Q = [10**400]": LARGE,
    f"Q = [{'9' * 400}]": LARGE,
    "Q = [exp(1000)]": LARGE,
    "Q = [1/0]": NO_VALUE,
    "Q = [[1]] * 10**9": "Q is too much to read; write its numbers in.",
    "Q = [[[[[[1]]]]]]": "Q is too much to read; write its numbers in.",
}


@pytest.mark.parametrize("source", UNREAD)
def test_what_cannot_be_read_is_one_sentence_and_the_rest_is_read(source):
    found = sheet("S = [7]", source, "Z = [[1, 2]]")
    assert found.unread["Q"] == UNREAD[source]
    assert (found.answers["S"], found.answers["Z"], "Q" in found.answers) == ([7], [[1, 2]], False)
