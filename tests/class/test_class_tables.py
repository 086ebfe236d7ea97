"""Tables of a class: no cell is a formula to a spreadsheet, and files are read however they were saved."""

import csv
import json

import pytest
from class_files import class_of
from hypothesis import given
from hypothesis import strategies as st

import handcalc as hc
from handcalc.classroom.folder.csv_tables import guard_cell, read_table, unguard_cell, write_csv
from handcalc.classroom.folder.register import Register, RegisterEntry, read_register
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_folder

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
