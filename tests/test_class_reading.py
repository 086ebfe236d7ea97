"""What is handed in, read without running it: every form of a notebook's answers, logs, tables, folders."""

import json
import math
import zipfile

import pytest

import handcalc as hc
from handcalc.classroom import reading
from handcalc.classroom.handed_in import marked
from handcalc.classroom.notebook import notebook
from handcalc.classroom.reading.tables import plain_name

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


def test_a_cell_that_was_deleted_is_blank_and_one_that_is_there_twice_counts_as_it_runs():
    assert sheet("exercise.check(Q=Q)", "K = [1]").answers == {"K": [1]}
    assert sheet("Q = [1]", "Q = [2]", "K = [1]").answers == {"Q": [2], "K": [1]}
    assert sheet("exercise.check(Q=[3])", "Q = [2]").answers["Q"] == [2]
    assert sheet("Q = [2]", "exercise.check(Q=[3])").answers["Q"] == [3]


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
        (written("Q = [1]", metadata={"handcalc": {"code": OTHER}}), "x"),  # the exercise that marks it
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


def test_a_notebook_with_several_sheets_is_several():
    both = written("Q = [1]", f'other = hc.Exercise("{OTHER}")', "Q = [2]", "exercise.check(K=[3])")
    assert [(one.code, one.answers) for one in sheets(both)] == [
        (CODE, {"Q": [1], "K": [3]}),
        (OTHER, {"Q": [2]}),
    ]


def test_a_code_that_is_not_of_the_class_is_told():
    said = f"{STRANGE} in x.ipynb is not the code of a sheet of this class."
    assert sheet("Q = [1]", code=STRANGE).trouble == said
    mine = sheet("Q = [1]", code=STRANGE, metadata={"handcalc": {"code": CODE}})
    assert (mine.code, mine.trouble) == (CODE, said)  # the numbers are those of another sheet
    assert sheet("Q = [1]", f'hc.Exercise("{STRANGE}").hint("Q")').answers == {"Q": [1]}
    none = sheet("Q = [1]", code="")
    assert none.trouble == (
        "x.ipynb does not say which sheet it is: put the sheet's code, such as SA1-4292, into its name."
    )
    [found] = sheets(written("Q = [1]", code=""), f"{STRANGE}.ipynb")
    assert f"has the code {STRANGE}, which is not that of a sheet of this class." in found.trouble


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


def log(*lines):
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def line(code, row, text, step="E", **more):
    return {"code": code, "step": step, "row": row, "column": 0, "text": text} | more


def test_a_practice_log_is_each_sheet_of_the_class_in_it_with_its_history():
    data = log({"code": STRANGE}, line(STRANGE, 0, "9"), {"code": CODE}, line(CODE.lower(), 0, "1"))
    data += b"[[[\n" + log(line(CODE, 0, "2"), line(OTHER, 1, "3")) + b'{"code": "' + CODE.encode()
    assert [(one.code, one.typed) for one in sheets(data, "practice-softmax-1.jsonl")] == [
        (CODE, (("E", 0, 0, "1"), ("E", 0, 0, "2"))),
        (OTHER, (("E", 1, 0, "3"),)),
    ]
    [found] = sheets(log(line(STRANGE, 0, "1")), "log.jsonl")
    assert found.trouble == f"log.jsonl has the code {STRANGE}, which is not that of a sheet of this class."


FORGED = [
    line(CODE, -1, "1"), line(CODE, 10**9, "1"), line(CODE, 1e999, "1"), line(CODE, NAN, "1"),
    line(CODE, True, "1"), line(CODE, "0", "1"), line(CODE, 0, 7), line(CODE, 0, None), line(CODE, 0, ["1"]),
    line(CODE, 0, "1", step="no"), line(CODE, 0, "1", step=["E"]), line(["x"], 0, "1"), line(NAN, 0, "1"),
    line(CODE, 0, "9" * 3000), line(CODE, 0, "9" * 9000), line(CODE, 0, "\ud800"), [1], 7, None,
    {"code": CODE, "finished": True, "score": 10**9}, {"code": CODE, "hint": ["E"]},
]  # fmt: skip


@pytest.mark.parametrize("forged", FORGED, ids=lambda one: str(one)[:50])
def test_a_forged_line_gives_no_marks_and_costs_none(forged):
    exercise = hc.Exercise(CODE)
    right = [f"{value:.2f}" for value in exercise.calculation["E"].values[:, 0]]
    data = log(*(line(CODE, k, text) for k, text in enumerate(right[1:], 1)), forged)
    [found] = sheets(data, "log.jsonl")
    standing = marked(found, exercise)
    assert (standing.count("right"), standing.count("wrong"), standing.count("close")) == (
        len(right) - 1,
        0,
        0,
    )


def table(text, name="answers.csv", **more):
    return sheets(text if isinstance(text, bytes) else text.encode(), name, **more)


TABLES = [
    "code,step,row,column,answer\n{},E,1,1,2.72\n{},E,2,1,1/3\n",
    "\ufeffCode;Step;Row;Column;Answer\n{};E;1;1;2.72\n{};E;2;1;1/3\n",
    "sep=;\ncode;step;row;column;answer\n{};E;1;1;2.72\n{};E;2;1;1/3",
    'code\tstep\trow\tcolumn\tanswer\tname\n{}\tE\t1.0\t1\t="2.72"\tAda\n{}\tE\t2\t1\t\'1/3\n',
    "answer,column,row,step,code\n2.72,1,1, E ,{}\n1/3,1,2,E,{}\n\n,,,,\n",
]


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_table_is_each_sheet_in_it_however_a_spreadsheet_saves_it(text, encoding):
    data = text.format(CODE, OTHER).encode(encoding, "ignore")
    assert [(one.code, one.typed) for one in table(data)] == [
        (CODE, (("E", 0, 0, "2.72"),)),
        (OTHER, (("E", 1, 0, "1/3"),)),
    ]


def test_a_line_of_a_table_that_cannot_be_read_is_told_and_costs_no_other():
    found = table(
        f"code,step,row,column,answer\n{CODE},E,0,1,7\n{CODE},E,x,1,7\n{CODE},E,1,1,1,73\n{STRANGE},E,1,1,1\n"
        f",E,1,1,7\n{CODE},E,1,1,2\n{CODE},E,9,1,2\n"
    )
    mine, strange, nobody = found
    assert [*mine.unread.values()] == [
        "In line 2 of the table '0' is not a row or column; they are counted 1, 2, 3.",
        "In line 3 of the table 'x' is not a row or column; they are counted 1, 2, 3.",
        "In line 4 of the table there are more columns than names of columns; write decimals with a point.",
    ]
    assert mine.typed == (("E", 0, 0, "2"), ("E", 8, 0, "2"))
    assert strange.trouble == f"'{STRANGE}' in line 5 of the table is not the code of a sheet of this class."
    assert nobody.trouble == "Line 6 of the table has neither a code nor a name."
    problems = marked(mine, hc.Exercise(CODE)).problems
    assert "There is no blank at E[9,1]; answers without a blank: 1." in problems


def test_a_table_may_have_names_in_the_place_of_codes():
    text = "name,step,row,column,answer\nAda  BYRON,E,1,1,2\nBen,E,1,1,2\n"
    mine, nobody = table(text, names={plain_name("Ada Byron"): CODE})
    assert (mine.code, len(mine.typed)) == (CODE, 1)
    assert nobody.trouble == "'Ben' in line 3 of the table is not the code of a sheet of this class."
    assert table("code,step,answer\n")[0].trouble.startswith("answers.csv has no column row and column; ")


def test_our_own_notebooks_are_read_and_marked_like_the_fields():
    """The numbers of the softmax come from a loop."""
    exercise = hc.Exercise(CODE)
    [scores] = [given.values[:, 0].tolist() for given in exercise.calculation.givens.values()]
    powers = [math.exp(score) for score in scores]
    right = {"E": powers, "E_sum": [sum(powers)], "A": [power / sum(powers) for power in powers]}
    found = notebook(exercise)
    for one in found["cells"]:
        source = "".join(one["source"])
        for name, numbers in right.items():
            if source.startswith(f"{name} = "):
                _, _, rest = source.rpartition('"""\n')
                texts = "\n".join(f"{number:.2f}" for number in numbers)
                one["source"] = f'{name} = """\n{texts}\n"""\n{rest}'.splitlines(keepends=True)
    [read] = sheets(json.dumps(found).encode())
    standing = marked(read, hc.Exercise(CODE))
    count = sum(map(len, right.values()))
    assert (standing.count("right"), standing.problems) == (count, ())
    [empty] = sheets(json.dumps(notebook(exercise)).encode())
    assert marked(empty, exercise).count("blank") == count
    [nothing] = sheets(written("x = 1"))
    assert marked(nothing, exercise).problems == ("No answer to any step of this sheet was found.",)


def test_a_step_in_a_block_is_read_by_its_whole_name_and_by_its_short_one_where_there_is_one():
    exercise = hc.Exercise(hc.code("rnn_step", 1))
    step = "step_1.h"
    rows, columns = exercise.calculation[step].shape
    numbers = [[0] * columns] * rows
    for answer in (f'h = {numbers}\nanswers["{step}"] = h', f'answers = {{"step_1": {{"h": {numbers}}}}}',
                   f"step_1 = {{'h': {numbers}}}\nexercise.check(step_1=step_1)"):  # fmt: skip
        standing = marked(sheet(answer), exercise)
        assert sum(standing.steps[step].values()) - standing.steps[step]["blank"] == rows * columns
        assert standing.problems == ()
    assert "in several blocks" in marked(sheet(f"h = {numbers}"), exercise).problems[0]
    assert marked(sheet(f'answers["{step}"] = W @ X'), exercise).problems == (
        f"{step} is computed by code here; write its numbers in.",
    )


def test_folders_and_zips_are_read_file_by_file_and_nothing_is_unpacked_to_disk(tmp_path):
    inbox = tmp_path / "in"
    (inbox / ".ipynb_checkpoints").mkdir(parents=True)
    (inbox / ".ipynb_checkpoints" / "x.ipynb").write_bytes(written("Q = [9]"))
    (inbox / "a.ipynb").write_bytes(written("Q = [1]"))
    inner = tmp_path / "inner"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("c.ipynb", written("Q = [3]"))
    with zipfile.ZipFile(inbox / "all", "w") as archive:  # by what it is, not by its name
        archive.writestr("../../b.ipynb", written("Q = [2]"))
        archive.writestr("/etc/passwd", b"root")
        archive.writestr("__MACOSX/b.ipynb", b"")
        archive.writestr("Ada/inner.zip", inner.read_bytes())
    before = sorted(tmp_path.rglob("*"))
    found = {
        one.source.removeprefix(f"{inbox}/"): one.answers or one.trouble for one in reading.read(inbox, OURS)
    }
    assert list(found) == ["a.ipynb", "all/../../b.ipynb", "all//etc/passwd", "all/Ada/inner.zip/c.ipynb"]
    assert [found[name]["Q"] for name in list(found) if isinstance(found[name], dict)] == [[1], [2], [3]]
    assert "has no column step, row, column, answer and code" in found["all//etc/passwd"]
    assert sorted(tmp_path.rglob("*")) == before
