"""Practice logs, tables, folders and .zip files: each sheet in them, put together; or a sentence."""

import errno
import math
import os
import zipfile

import filled_notebooks
import pytest
from class_files import CODE, OTHER, STRANGE, class_of, line, log, read_all, sheets, written
from filled_notebooks import Here

import handcalc as hc
from handcalc.classroom.folder.register import plain_name
from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.class_marks import read_marks
from handcalc.classroom.submissions.submission import mark_submission

NAN = math.nan


def test_a_practice_log_is_each_sheet_of_the_class_in_it_with_its_history():
    data = log({"code": STRANGE}, line(STRANGE, 0, "9"), {"code": CODE}, line(CODE.lower(), 0, "1"))
    data += b"[[[\n" + log(line(CODE, 0, "2"), line(OTHER, 1, "3")) + b'{"code": "' + CODE.encode()
    assert [(one.code, one.typed) for one in sheets(data, "handcalc-log.jsonl")] == [
        (CODE, (("E", 0, 0, "1"), ("E", 0, 0, "2"))),
        (OTHER, (("E", 1, 0, "3"),)),
    ]
    [found] = sheets(log(line(STRANGE, 0, "1")), "log.jsonl")
    assert found.trouble == f"log.jsonl has the code {STRANGE}, which no sheet in this class has."


def test_hints_on_the_page_are_in_the_log_and_count_no_further_than_there_are_hints(tmp_path):
    practice = hc.practise("softmax", seed=1, folder=tmp_path)
    practice.on_message({"typed": ["E", 0, 0, "1"]})
    for _ in range(5):
        practice.on_message({"ask": "hint", "step": "E"})
    practice.on_message({"ask": "hint", "step": "A"})
    practice.on_message({"ask": "hint", "step": "no"})
    assert hc.practise("softmax", seed=1, folder=tmp_path).texts == {"E": {"0,0": "1"}}
    [found] = read_all(practice.path)
    assert (found.hints, found.typed) == ({"E": 2, "A": 1}, (("E", 0, 0, "1"),))
    assert mark_submission(found, hc.Exercise(CODE)).hints == {"E": 2, "A": 1}


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
    standing = mark_submission(found, exercise)
    assert (standing.count("right"), standing.count("wrong"), standing.count("close")) == (
        len(right) - 1,
        0,
        0,
    )


def table(text, name="answers.csv", **more):
    return sheets(text if isinstance(text, bytes) else text.encode(), name, **more)


TABLES = [
    '\r\n\r\n"Code"; "Step";Row;Column;Answer;;\r\n{};E;1;1;"2.72";;\r\n{};E;2;1;1/3;;',
    "code,step,row,column,answer\r{},E,1,1,2.72\r{},E,2,1,1/3",
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


def nobody_is(who, number):
    where = f"line {number} of answers.csv"
    return f"'{who}' in {where} is neither the code of a sheet in this class nor a student with one sheet."


def test_a_line_of_a_table_that_cannot_be_read_is_told_and_costs_no_other():
    found = table(
        f"code,step,row,column,answer\n{CODE},E,0,1,7\n{CODE},E,x,1,7\n{CODE},E,1,1,1,73\n{STRANGE},E,1,1,1\n"
        f",E,1,1,7\n{CODE},E,1,1,2\n{CODE},E,9,1,2\n"
    )
    mine, strange = found
    assert [*mine.unread.values()] == [
        "In line 2 of answers.csv '0' is not a row or column; they are counted 1, 2, 3.",
        "In line 3 of answers.csv 'x' is not a row or column; they are counted 1, 2, 3.",
        "In line 4 of answers.csv there are more cells than columns; write decimals with a point.",
    ]
    assert mine.typed == (("E", 0, 0, "2"), ("E", 8, 0, "2"))
    assert (strange.code, strange.trouble) == (
        STRANGE,
        nobody_is(STRANGE, 5).removesuffix(".") + "; 1 more line is nobody's, either.",
    )
    [nobody] = table("code,step,row,column,answer\n,E,1,1,7\n")
    assert nobody.trouble == "There is neither a code nor a name in line 2 of answers.csv."
    problems = mark_submission(mine, hc.Exercise(CODE)).problems
    assert "There is no blank at E[9,1]; answers without a blank: 1." in problems


def test_a_table_may_have_names_in_the_place_of_codes():
    text = "name,step,row,column,answer\nAda  BYRON,E,1,1,2\nBen,E,1,1,2\n"
    mine, nobody = table(text, names={plain_name("Ada Byron"): [CODE]})
    assert (mine.code, len(mine.typed)) == (CODE, 1)
    assert nobody.trouble == nobody_is("Ben", 3)
    [two] = table("name,step,row,column,answer\nADA Byron,E,1,1,2\n", names={"ada byron": [CODE, OTHER]})
    why = "has 2 sheets; write the code of one in place of the name."
    assert two.trouble == f"'ADA Byron' in line 2 of answers.csv {why}"


def test_a_code_beside_the_name_of_somebody_else_is_told():
    text = f"code,name,step,row,column,answer\n{OTHER},Ada Byron,E,1,1,2\n{OTHER},ada byron,E,2,1,2\n"
    [found] = table(text + f"{OTHER},Who,E,3,1,2\n", names={"ada byron": [CODE]})
    assert (found.code, len(found.typed)) == (OTHER, 3)
    said = f"'Ada Byron' stands beside {OTHER}, the sheet of somebody else; it counts for {OTHER}."
    assert next(iter(found.unread.values())) == f"In line 2 of answers.csv {said}"


TORN = [
    ("answer,", "7,39,"), ("answer,", "7,39"), ("answer,", "-7,39,"), ("answer,comment", "7,39"),
    ("answer,comment", "1,00"), ("answer,comment", "7,39,mine"), ("answer", "7,39"), ("answer", "7,39,"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "line"), TORN)
def test_an_answer_that_a_decimal_comma_may_have_torn_is_told_and_not_read(head, line):
    [found] = table(f"code,step,row,column,{head}\n{CODE},E,1,1,{line}\n{CODE},E,2,1,1,\n")
    [sentence] = found.unread.values()
    assert sentence.startswith("In line 2 of answers.csv ")
    assert sentence.endswith("write decimals with a point.")
    assert found.typed == (("E", 1, 0, "1"),)


@pytest.mark.parametrize(
    ("head", "line"), [("answer,comment", "7.39,5"), ("answer,", "7,"), ('answer,"9"', '"7,39",x')]
)
def test_an_answer_that_no_comma_has_torn_is_read(head, line):
    [found] = table(f"code,step,row,column,{head}\n{CODE},E,1,1,{line}\n")
    assert (len(found.typed), found.unread) == (1, {})
    [found] = table(f"code;step;row;column;answer;points\n{CODE};E;1;1;7;5\n")
    assert (found.typed[0].text, found.unread) == ("7", {})


def test_a_thousand_lines_of_nobody_are_one_sentence():
    [found] = table("code,step,row,column,answer\n" + "".join(f"X{k},E,1,1,2\n" for k in range(1000)))
    assert found.trouble == nobody_is("X0", 2).removesuffix(".") + "; 999 more lines are nobody's, either."


def test_a_folder_that_cannot_be_looked_into_and_one_with_nothing_in_it_are_told(tmp_path, monkeypatch):
    (tmp_path / "in" / "locked").mkdir(parents=True)
    [empty] = read_all(tmp_path / "in" / "locked")
    assert empty.trouble.endswith("locked is a folder with nothing in it; check its name.")
    (tmp_path / "in" / "a.ipynb").write_bytes(written("Q = [1]"))
    scan, begin = os.scandir, os.open
    locked = str(tmp_path / "in" / "locked")

    def refused(call, path, *more):  # chmod would not do: root may read everything
        if str(path) == locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        return call(path, *more)

    monkeypatch.setattr(os, "scandir", lambda path: refused(scan, path))
    monkeypatch.setattr(os, "open", lambda path, flags: refused(begin, path, flags))
    told = {one.source.rpartition("/")[2]: one.trouble for one in read_all(tmp_path / "in")}
    assert told["a.ipynb"] == ""
    assert "cannot be opened: permission was denied" in told["locked"]
    [found] = read_all(locked)
    assert "locked cannot be opened: permission was denied" in found.trouble
    assert table("code,step,answer\n")[0].trouble.startswith("answers.csv lacks row and column; ")


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
    found = {one.source.removeprefix(f"{inbox}/"): one.answers or one.trouble for one in read_all(inbox)}
    assert list(found) == ["a.ipynb", "all/../../b.ipynb", "all//etc/passwd", "all/Ada/inner.zip/c.ipynb"]
    assert [found[name]["Q"] for name in list(found) if isinstance(found[name], dict)] == [[1], [2], [3]]
    assert "is not a notebook, a practice log or a table of answers." in found["all//etc/passwd"]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", ["Ada", "Ben"], "softmax")


def test_a_sheet_in_several_tables_is_put_together_where_they_do_not_contradict(a_class, tmp_path):
    entry = a_class.register[1]
    code, right = entry.code, filled_notebooks.by_loops(a_class, entry)
    head = "code,step,row,column,answer\n"

    def lines(*steps, off=0):
        return head + "".join(
            f"{code},{step},{i + 1},{j + 1},{number + off}\n"
            for step in steps
            for i, row in enumerate(right[step])
            for j, number in enumerate(row)
        )

    def rights(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.csv").write_text(text)
        paths = [tmp_path / f"{name}.csv" for name in files]
        marks = mark_class.mark_submissions(a_class, paths, workers=Here(a_class), again=True)
        return [result.standing.count("right") for result in marks.every], marks.counting()[code]

    counts, counting = rights(
        one=lines("E") + f"{code},E,x,1,1\n", two=lines("E_sum", "A") + f"{code},E,y,1,1\n"
    )
    assert counts == [7, 7]
    assert counting.source.endswith("two.csv")
    marks = read_marks(a_class.path / "marks.json", a_class.register)
    [said] = [told.trouble for told in marks.told() if not told.counts]
    assert "one.csv is counted with " in said
    counts, counting = rights(one=lines("E"), two=lines("E_sum", "A"), three=lines("E", off=50))
    assert counts[0] == 7
    assert counting.standing.count("right") == 7
    counts, counting = rights(one=lines("E"), two=lines("E", "A", off=50))  # nothing is mixed
    assert counts == [3, 0]
