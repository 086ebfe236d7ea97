"""Points for Canvas, Moodle and Excel, read as these programs do, counted again from what was planted."""

import csv
import io
import json
from dataclasses import replace

import planted_class
import pytest
from class_files import class_of
from hypothesis import given
from hypothesis import strategies as st
from planted_class import ADA, FORMULA, LATE, NAMES, PLANTED

import handcalc as hc
from handcalc.classroom.export.gradebook import PointScheme, export_points
from handcalc.classroom.folder.csv_tables import guard_cell, read_table, unguard_cell, write_csv
from handcalc.classroom.folder.register import Register, RegisterEntry, read_register
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.handouts import class_folder as folders
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.marking.results import read_results
from handcalc.cli import main
from handcalc.foundation.errors import HandcalcError

POINTS = 10


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """The class; those of even number have a school id, some an email address."""
    made = planted_class.made(tmp_path_factory.mktemp("class") / "8b")
    entries = [
        replace(
            entry,
            id=f"00{entry.number}" if entry.number % 2 == 0 else "",
            email="ada@school.example" if entry.number == 1 else "",
        )
        for entry in made.folder.register
    ]
    Register(entries).save(made.folder.path / "register.csv")
    made.folder = folders.ClassFolder(made.folder.path)
    return made


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def exported(planted, system, **counted):
    made = export_points(planted.folder, read_results(planted.folder), system, PointScheme(**counted))
    return made, read(made.text.removeprefix("\ufeff"))


def expected(planted, name, topic, *states):
    """The points of a sheet, counted from what marking said of each of its steps."""
    code = next(e.code for e in planted.folder.register if e.name == name and e.topic == topic)
    steps = next(m["standing"]["steps"] for m in planted.marks if m["code"] == code)
    earned = total = 0
    for counts in steps.values():
        for state, count in counts.items():
            total += count
            earned += count if state in states else 0
    return f"{POINTS * earned / total:.2f}"


def one_line(name):
    """As a gradebook shows it."""
    return " ".join(name.split())


def test_canvas_has_its_own_head_the_points_possible_and_a_column_for_each_topic(planted):
    _, (head, possible, *rows) = exported(planted, "canvas")
    assert head == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "8b: Scores",
        "8b: Softmax",
    ]
    assert possible == ["Points Possible", "", "", "", "", "10.00", "10.00"]
    assert [row[0].lstrip("'") for row in rows] == [one_line(name) for name in NAMES]
    for row in rows:
        name = next(name for name in NAMES if one_line(name) == row[0].lstrip("'"))
        if name in planted_class.AWAY:
            assert row[5:] == ["", ""]  # not 0
            continue
        credit = [expected(planted, name, topic, "right", "following") for topic in ("scores", "softmax")]
        assert row[5:] == credit


def test_in_canvas_a_school_id_is_never_in_the_column_of_canvas_own_numbers(planted):
    _, (_, _, *rows) = exported(planted, "canvas")
    assert all(row[1] == "" for row in rows)
    assert [row[2] for row in rows] == [f"00{k}" if k % 2 == 0 else "" for k in range(1, len(rows) + 1)]


def test_in_canvas_no_title_is_taken_for_something_else(planted):
    settings = replace(planted.folder.settings, title="Final Score")
    other = folders.ClassFolder(planted.folder.path)
    other.settings = settings
    made = export_points(other, read_results(other), "canvas", PointScheme())
    assert read(made.text)[0][5] == "Final-Score: Scores"


def test_following_counts_unless_only_right_numbers_are_asked_for(planted):
    both, right = (
        {row[0]: row[5] for row in exported(planted, "canvas", following=following)[1][2:]}
        for following in (True, False)
    )
    assert right["Gus"] == expected(planted, "Gus", "scores", "right")
    assert both["Gus"] == expected(planted, "Gus", "scores", "right", "following")
    assert float(right["Gus"]) < float(both["Gus"])


def test_points_are_scaled(planted):
    _, (_, possible, ada, *_) = exported(planted, "canvas", points=6.5)
    assert possible[5] == ada[5] == "6.50"


def test_moodle_has_nobody_whom_it_could_not_find(planted):
    made, (head, *rows) = exported(planted, "moodle")
    assert head == ["ID number", "Name", "8b: Scores", "8b: Softmax"]
    assert [row[0] for row in rows] == [f"00{k}" for k in range(1, len(PLANTED) + 1) if k % 2 == 0]
    assert all(row[0] for row in rows)
    left = next(line for line in made.sentences if line.startswith("Left out"))
    assert ADA in left
    assert FORMULA not in left  # number 2 has an id
    late = next(row for row in rows if row[1] == one_line(LATE))
    assert late[2:] == ["-", "-"]  # which Moodle reads as no grade


def test_moodle_refuses_what_would_end_the_whole_import(planted):
    with pytest.raises(HandcalcError, match="at most 100"):
        exported(planted, "moodle", points=200)
    found = read_results(planted.folder)
    same = [replace(sheet, entry=replace(sheet.entry, id="7")) for sheet in found.sheets]
    with pytest.raises(HandcalcError, match="7 belongs to two students"):
        export_points(planted.folder, replace(found, sheets=same), "moodle", PointScheme())
    nobody = [replace(sheet, entry=replace(sheet.entry, id="", email="")) for sheet in found.sheets]
    with pytest.raises(HandcalcError, match="fill in the columns id or email"):
        export_points(planted.folder, replace(found, sheets=nobody), "moodle", PointScheme())


def test_excel_has_a_row_for_each_sheet_in_utf_8_that_it_recognises(planted, tmp_path):
    path = tmp_path / "8b.csv"
    assert main(["class", "export", str(planted.folder.path), "excel", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(planted.folder.register)
    for row in rows:
        if row["Name"] == one_line(LATE):
            assert [row[name] for name in ("Points", "right", "following", "wrong", "blank")] == [""] * 5
    assert sum(int(row["right"] or 0) for row in rows) == sum(
        counts["right"]
        for mark in planted.marks
        if mark["standing"]
        for counts in mark["standing"]["steps"].values()
    )


def test_where_decimals_have_commas_cells_have_semicolons(planted):
    made, _ = exported(planted, "excel", semicolons=True)
    rows = list(csv.reader(io.StringIO(made.text, newline=""), delimiter=";"))
    assert {len(row) for row in rows} == {9}
    assert rows[1][3:5] == ["10,00", "10,00"]


@pytest.mark.parametrize("system", ["canvas", "moodle", "excel"])
def test_no_cell_is_a_formula_and_no_row_is_torn(planted, system):
    _, rows = exported(planted, system)
    assert len({len(row) for row in rows}) == 1
    cells = [cell for row in rows for cell in row if cell != "-"]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\n", "\r")) for cell in cells)
    assert not any("\n" in cell for cell in cells)
    assert f"'{FORMULA}" in cells


def test_points_for_what_follows_from_one_number_everywhere_are_told(planted):
    found = read_results(planted.folder)
    zeros = dict.fromkeys(("right", "close", "following", "wrong", "blank"), 0)
    steps = {"S": zeros | {"wrong": 9}, "S_scaled": zeros | {"following": 9}}
    hollow = Standing("", steps, even=("S",))
    sheets = [replace(found.sheets[0], standing=hollow), *found.sheets[1:]]
    made = export_points(planted.folder, replace(found, sheets=sheets), "canvas", PointScheme())
    assert made.sentences[-1].startswith("One or two numbers fill a whole step: Ada (S);")
    right = export_points(
        planted.folder, replace(found, sheets=sheets), "canvas", PointScheme(following=False)
    )
    assert not any("One or two" in sentence for sentence in right.sentences)


@pytest.mark.parametrize(
    ("system", "place", "none"), [("canvas", 5, ""), ("moodle", 2, "-"), ("excel", 3, "")]
)
def test_of_what_could_not_be_read_or_did_not_come_there_is_no_grade_but_a_sentence(
    planted, system, place, none
):
    found = read_results(planted.folder)
    entry = next(one for one in planted.folder.register if one.name == FORMULA)
    sheets = [
        replace(sheet, standing=None, trouble="a.ipynb is a picture.") if sheet.entry == entry else sheet
        for sheet in found.sheets
    ]
    made = export_points(planted.folder, replace(found, sheets=sheets), system, PointScheme())
    row = next(row for row in read(made.text) if f"'{FORMULA}" in row)
    assert row[place] == none
    told = [line for line in made.sentences if line.startswith("No grade")]
    assert told[0] == f"No grade for {FORMULA} ({entry.code}): a.ipynb is a picture."
    assert told[1].endswith(": nothing was handed in.")


def test_bad_options_get_one_sentence(planted, capsys):
    for options in (
        ["canvas", "--points", "ten"],
        ["canvas", "--points", "0"],
        ["canvas", "--points", "nan"],
    ):
        assert main_or_exit(["class", "export", str(planted.folder.path), *options]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def main_or_exit(arguments):
    try:
        return main(arguments)
    except SystemExit as ended:
        return ended.code


# Tables of a class: no cell is a formula to a spreadsheet, and files are read however they were saved.
HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0", "＝1", " =1", "'=1", "''=1"]


@pytest.mark.slow
@given(st.one_of(st.sampled_from(HOSTILE), st.text()))
def test_what_is_guarded_comes_back_and_is_no_formula(text):
    cell = guard_cell(text)
    assert unguard_cell(cell) == text
    assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("name", ["O'Brien", "'t Hooft", "Ada", "<b>x</b>", "3.5", "a=b"])
def test_ordinary_cells_are_left_alone(name):
    assert guard_cell(name) == name


def test_numbers_stay_numbers_and_nothing_stays_empty():
    assert write_csv(["a", "b", "c"], [{"a": -1, "b": None, "c": "-1"}]) == "a,b,c\n-1,,'-1\n"


@pytest.mark.parametrize(
    "data",
    [
        "name,id\nZoë,7\n\nBob,8\n".encode(),
        "\ufeffname;id\r\nZoë;7\r\n;\r\nBob;8\r\n".encode(),
        "name\tid\rZoë\t7\rBob\t8".encode("utf-16"),
        "name;id\nZoë;7\n\n\nBob;8\n".encode("cp1252"),
        "sep=;\r\nname;id\r\n Zoë ;7\r\nBob;8".encode(),
        'name,id\n"Zoë",7\n"Bob","8"'.encode(),
    ],
    ids=["utf-8", "excel", "utf-16", "windows", "sep", "quoted"],
)
def test_a_table_is_read_however_it_was_saved(tmp_path, data):
    (tmp_path / "t.csv").write_bytes(data)
    assert read_table(tmp_path / "t.csv").rows == [["name", "id"], ["Zoë", "7"], ["Bob", "8"]]


def test_what_is_no_table_gets_one_sentence(tmp_path):
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04\0\0")
    (tmp_path / "long.csv").write_bytes(b"name\n" + b"a" * 200_000)
    for path, sentence in {
        "none.csv": "there is no such file",
        "": "it is a folder",
        "book.xlsx": "is not a table of text; save it as CSV",
        "long.csv": "is not a table of text",
    }.items():
        with pytest.raises(hc.HandcalcError, match=sentence):
            read_table(tmp_path / path)


def test_a_register_comes_back_with_every_name(tmp_path):
    names = [*HOSTILE[:6], "<script>alert(1)</script>", 'quo"te', "a, b; c", "O'Brien"]
    entries = [
        RegisterEntry(name, hc.code("softmax", k), "softmax", 1, k, id=str(k))
        for k, name in enumerate(names, start=1)
    ]
    Register(entries).save(tmp_path / "register.csv")
    with (tmp_path / "register.csv").open(newline="") as file:
        assert not [row for row in csv.reader(file) if row[0].startswith(("=", "+", "-", "@", "\t"))]
    read = list(read_register(tmp_path / "register.csv"))
    assert [one.name for one in read] == names
    assert [one.code for one in read] == [one.code for one in entries]


def test_a_register_that_went_through_a_spreadsheet_is_read(tmp_path):
    code = hc.code("self_attention", 7, 2)
    typed = code.lower().replace("-", " ")
    table = f"\ufeffNUMBER;Code;Name;topic;level;remark\r\n3;{typed};'=Ada;rubbish;;late\r\n;;;;;\r\n"
    (tmp_path / "register.csv").write_text(table, "utf-8")
    assert list(read_register(tmp_path / "register.csv")) == [
        RegisterEntry("=Ada", code, "self_attention", 2, 3)
    ]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("", "its columns are not those of a register"),
        ("name,code\nAda,SM1-3\n", "its columns are not those of a register"),
        ("name,code,number\nAda,SM1-3,1\n", "the line of 'Ada': 'SM1-3' is not a code"),
        ("name,code,number\nAda,SM1-4232,one\n", "the line of 'Ada': its number is not a whole number"),
        ("name,code,number\nAda\n", "the line of 'Ada': '' is not a code"),
        ("name,code,number\nAda,SM1-4232,1\nBo,sm1 4232,2\n", "has SM1-4232 twice"),
    ],
)
def test_a_register_that_cannot_be_read_says_so(tmp_path, table, sentence):
    (tmp_path / "register.csv").write_text(table)
    with pytest.raises(hc.HandcalcError, match=sentence):
        read_register(tmp_path / "register.csv")


def test_a_folder_without_a_register_is_no_class(tmp_path):
    with pytest.raises(hc.HandcalcError, match="is not a class: it has no register"):
        read_register(tmp_path / "register.csv")


def test_columns_of_the_teacher_and_their_separator_stay(tmp_path):
    made = class_of(tmp_path / "c", ["Ada", "Bo"])
    ada, bo = made.register
    table = f"Code;Group;Name;number;Notes\n{bo.code};blue;Çelik;2;\n{ada.code};red;Ada;1;=late, again\n"
    (made.path / "register.csv").write_text(table, "utf-8-sig")
    class_folder.add_students(made.path, [Student("Cy", "7")])
    class_folder.add_topics(made.path, [("softmax", 1)])
    text = (made.path / "register.csv").read_text("utf-8")
    assert text.startswith("\ufeffCode;Group;Name;number;Notes;topic;level;id;email\n")
    rows = [dict(row) for row in csv.DictReader(text[1:].splitlines(), delimiter=";")]
    assert [row["Name"] for row in rows] == ["Çelik", "Çelik", "Ada", "Ada", "Cy", "Cy"]
    assert [row["Group"] for row in rows] == ["blue", "blue", "red", "red", "", ""]
    assert [row["Notes"] for row in rows] == ["", "", "'=late, again", "'=late, again", "", ""]
    assert rows[-1]["id"] == "7"
    assert [one.who for one in read_register(made.path / "register.csv")][::2] == ["Çelik", "Ada", "Cy"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"topics": [["dot_product", float("inf")]]}, "class.json cannot be read"),
        ({"title": 5}, "its title is 5"),
        ({"title": None}, "its title is None"),
        ({"blank": 7}, "its blank is 7"),
        ({"blank": [7]}, "its blank is"),
        ({"seed": "x"}, "its seed is 'x'"),
        ({"address": 5}, "its address is 5"),
        ({"strange": 5}, "class.json cannot be read"),
        ("[" * 100_000, "class.json cannot be read"),
        ("null", "class.json cannot be read"),
        ("", "class.json cannot be read"),
        ("[]", "class.json cannot be read"),
        ("{", "class.json cannot be read"),
        ('{"title": 3}', "class.json cannot be read"),
        ('{"title": "c", "topics": [1]}', "class.json cannot be read"),
        ('{"title": "c", "topics": [], "x": 1}', "class.json cannot be read"),
    ],
)
def test_settings_that_are_damaged_get_one_sentence(tmp_path, change, said):
    made = class_of(tmp_path / "c")
    path = made.path / "class.json"
    facts = json.loads(path.read_text())
    path.write_text(change if isinstance(change, str) else json.dumps(facts | change))
    with pytest.raises(hc.HandcalcError, match=said):
        class_folder.add_students(made.path, [Student("Bo")])


def test_a_register_of_its_header_alone_is_told(tmp_path):
    made = class_of(tmp_path / "c")
    (made.path / "register.csv").write_text("name,code,topic,level,number,id,email\n")
    with pytest.raises(hc.HandcalcError, match="has no sheet in it; restore the original file"):
        class_folder.add_students(made.path, [Student("Bo")])
