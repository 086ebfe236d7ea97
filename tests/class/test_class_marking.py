"""The marks of a class: the same sheet twice, files marked again, what phones sent, the table."""

import asyncio
import csv
import json
import zipfile
from contextlib import closing
from pathlib import Path

import filled_notebooks
import pytest
from class_files import class_of, result
from filled_notebooks import Here

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.marking import class_marks, mark_class, results, sources
from handcalc.classroom.marking.class_marks import ClassMarks, read_marks
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.ownership import FileNames
from handcalc.classroom.marking.sources import KnownCodes
from handcalc.classroom.store.answer_store import Answer, AnswerStore
from handcalc.classroom.store.database import file_address
from handcalc.cli import main

NAMES = ["Ada Byron", "Ben", "=cmd|' /C calc'!A0", ""]
HEAD = "name,code,right,following,wrong,blank,mistakes,trouble"


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", NAMES, "dot_product", "softmax")


@pytest.fixture(scope="module")
def right(a_class):
    """Everybody's right answers, from loops."""
    return {entry.code: filled_notebooks.by_loops(a_class, entry) for entry in a_class.register}


def table(marks, path):
    marks.save(path)
    text = (path / "marks.csv").read_text("utf-8")
    assert text.splitlines()[0] == HEAD
    return list(csv.DictReader(text.splitlines()))


def test_of_a_sheet_handed_in_twice_the_fullest_counts_then_the_latest(a_class, tmp_path):
    code = a_class.register[0].code
    marks = ClassMarks(a_class.register, [result(code, "a", 3), result(code, "b", 5), result(code, "c", 5)])
    first, *others = [row for row in table(marks, tmp_path) if row["code"] == code]
    assert [first[name] for name in ("right", "following", "wrong", "blank")] == ["5", "1", "1", "2"]
    assert first["trouble"] == ""
    assert len(others) == 2
    assert [row["trouble"] for row in others] == [
        "a does not count: c was handed in for the same sheet and counts instead.",
        "b is counted with c, which is of the same sheet.",
    ]
    for row in others:
        assert {row[name] for name in ("right", "following", "wrong", "blank", "mistakes")} == {""}
    standings = [one["standing"] for one in json.loads((tmp_path / "marks.json").read_text("utf-8"))]
    assert [bool(standing) for standing in standings] == [False, False, True]

    again = read_marks(tmp_path / "marks.json", a_class.register)
    again.add([result(code, "c", 1)])  # now b has most
    assert [row["right"] for row in table(again, tmp_path) if row["code"] == code] == ["5", "", ""]
    assert again.counting()[code].source == "b"


def test_nothing_is_a_silent_zero(a_class, tmp_path):
    code = a_class.register[1].code
    marks = ClassMarks(
        a_class.register,
        [
            result(code, "x.ipynb", problems=("Q is (2, 3).", "K is (2, 3).")),
            SheetResult("no.ipynb", "", trouble="no.ipynb is not a notebook."),
        ],
    )
    rows = table(marks, tmp_path)
    empty = [row for row in rows if row["trouble"] == "Nothing was handed in."]
    assert len(empty) == len(a_class.register) - 1
    assert {row[name] for row in empty for name in HEAD.split(",")[2:7]} == {""}
    assert [row["trouble"] for row in rows if row["code"] == code] == [
        "Q is (2, 3). (1 more could not be read.)"
    ]
    assert rows[-1] == dict.fromkeys(HEAD.split(","), "") | {"trouble": "no.ipynb is not a notebook."}
    assert [row["name"] for row in rows[4:8]] == ["'=cmd|' /C calc'!A0"] * 2 + ["Student 4"] * 2


PUPILS = ["Zoe", "Pupil 14", "Pupil 15", "Ann", "Ann Lee", "Ada Byron"]


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("Pupil 14.ipynb", ["Pupil 14"]), ("pupil_15 (2).ipynb", ["Pupil 15"]), ("Pupil 1.ipynb", []),
        ("Pupil 141.ipynb", []), ("Ann Lee.ipynb", ["Ann Lee"]), ("AnnLee-3.ipynb", ["Ann Lee"]),
        ("ann.ipynb", ["Ann"]), ("Ann, Pupil 14.ipynb", ["Pupil 14", "Ann"]), ("byron ádA.ipynb", []),
        ("in/Ann_123_assignsubmission/x.ipynb", ["Ann"]), ("in/ADA_byron-2.ipynb", ["Ada Byron"]),
    ],
)  # fmt: skip
def test_a_file_called_after_somebody_else_is_told_and_names_are_compared_whole(source, named):
    register = Register([RegisterEntry(name, f"C{k}", "softmax", 1, k) for k, name in enumerate(PUPILS)])
    for entry in register:
        (told, *_) = ClassMarks(register, [result(entry.code, source)]).told()
        others = named if entry.name not in named else []
        sentences = [
            f"{source} is called after {one}, but {entry.code} is the sheet of {entry.name}" for one in others
        ]
        assert told.trouble.partition(";")[0] == "".join(sentences[:1]), entry.name


def test_a_table_without_codes_knows_everybody_by_name():
    entries = [
        RegisterEntry(name, f"C{place}", "softmax", 1, place)
        for place, name in enumerate(["Ada  Byron", "Ben", "Ben", "", "Cy", "Cy"])
    ]
    assert KnownCodes.of(Register(entries)).names == {
        "ada byron": ["C0"],
        "ben": ["C1", "C2"],
        "cy": ["C4", "C5"],
    }


def test_the_terminal_is_told_how_much_came_and_what_waits(a_class):
    first, second = (entry.code for entry in a_class.register[:2])
    even = result(second, "b", 2, 3, even=("s",))
    marks = ClassMarks(a_class.register, [result(first, "a", 4), even, result(first, "c")])
    assert class_marks.summarise_marks(marks, Path("8b")) == [
        "8b/marks.csv: 2 of 8 sheets marked",
        "  ✓ 6 right, → 2 following, ✗ 5 wrong, · 4 blank",
        f"  The same one or two numbers fill s; it has no grade until you accept it with --accept {second}.",
        "  c does not count: a was handed in for the same sheet and counts instead.",
    ]
    many = [SheetResult(f"{k}.ipynb", trouble=f"{k}.ipynb is empty.") for k in range(12)]
    assert class_marks.summarise_marks(ClassMarks(a_class.register, many), Path("8b"))[-1] == (
        "  … and 2 more in the column trouble"
    )


def test_folders_and_zips_are_their_files_and_a_damaged_one_is_one_sentence(tmp_path):
    inbox = tmp_path / "in"
    (inbox / ".ipynb_checkpoints").mkdir(parents=True)
    for name in (".ipynb_checkpoints/a.ipynb", "b.ipynb", ".hidden"):
        (inbox / name).write_text("x")
    (inbox / "damaged.zip").write_bytes(b"PK\x03\x04")
    with zipfile.ZipFile(inbox / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Ada/c.ipynb", "inside")
        archive.writestr("c.ipynb", "first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("c.ipynb", "second")
        archive.writestr("__MACOSX/c.ipynb", "")
        archive.writestr("bomb.ipynb", bytes(5_000_000))
    found = list(sources.list_sources([inbox], tmp_path))
    inside = [f"in/all.zip/{name}.ipynb" for name in ("Ada/c", "c", "c", "bomb")]
    assert [one.name for one in found] == [*inside, "in/b.ipynb", "in/damaged.zip"]
    assert [one.bytes() for one in found[:3]] == [b"inside", b"first", b"second"]
    assert found[4].bytes() == b"x"
    with pytest.raises(ValueError, match=r"^in/all.zip/bomb.ipynb unpacks from [0-9,]+ bytes to 5 MB; .*\.$"):
        found[3].bytes()
    assert found[5].trouble == "in/damaged.zip is a .zip that cannot be opened; download it again."


def test_marking_twice_adds_to_what_was_marked_and_again_starts_afresh(a_class, right, tmp_path):
    first, second = (entry.code for entry in a_class.register[:2])
    files = {code: tmp_path / f"{code}.ipynb" for code in (first, second)}
    for code, path in files.items():
        path.write_text(filled_notebooks.filled(a_class, code, right[code]), "utf-8")

    def marked(*paths, **options):
        mark_class.mark_submissions(a_class, paths, workers=Here(a_class), **options)
        with (a_class.path / "marks.csv").open(encoding="utf-8") as file:
            return {row["code"]: row["right"] for row in csv.DictReader(file) if row["right"]}

    assert marked(files[first]) == {first: "1"}
    assert marked(files[second]) == {first: "1", second: "7"}
    files[second].write_text(filled_notebooks.filled(a_class, second, {"E": right[second]["E"]}), "utf-8")
    assert marked(files[second]) == {first: "1", second: "3"}  # the same file again, and less in it
    assert marked(files[second], again=True) == {second: "3"}
    assert marked(tmp_path, files[second], tmp_path / "." / files[first].name) == {first: "1", second: "3"}
    assert "does not count" not in (a_class.path / "marks.csv").read_text("utf-8")


def test_a_file_has_one_name_from_wherever_it_is_marked(a_class, right, monkeypatch):
    code = a_class.register[0].code
    path = a_class.path.parent / "one.ipynb"
    path.write_text(filled_notebooks.filled(a_class, code, right[code]), "utf-8")
    for folder_of_work, mine, theirs in (
        (a_class.path.parent, "8b", "one.ipynb"),
        (a_class.path, ".", "../one.ipynb"),
        (Path("/"), str(a_class.path), str(path)),
    ):
        monkeypatch.chdir(folder_of_work)
        marks = mark_class.mark_submissions(
            class_folder.ClassFolder(mine), [theirs], workers=Here(a_class), again=True
        )
        assert [result.source for result in marks.every] == ["one.ipynb"]


def test_what_phones_sent_is_marked_too_and_whoever_waits_is_not(a_class, right):
    code, other = (entry.code for entry in a_class.register[2:4])
    with closing(AnswerStore(file_address(a_class.path / "class.db"), a_class.settings.title)) as store:
        asyncio.run(play_live(store, code, right[code], other))
    (a_class.path / "marks.json").unlink(missing_ok=True)
    marks = mark_class.mark_submissions(a_class, [], workers=Here(a_class))
    only, stored = marks.every
    assert (stored.code, stored.standing.count("blank")) == (other, 6)
    told = next(told for told in marks.told() if told.result is stored)
    assert told.waits.startswith("This seat was emptied on the teacher’s page; it has no grade until")
    assert (only.source, only.code) == ("phone of Ada (1)", code)
    assert only.standing.steps["s"]["right"] == 1
    assert only.standing.hints == {"s": 2}
    with closing(AnswerStore(file_address(a_class.path / "class.db"), a_class.settings.title)) as store:
        asyncio.run(store.forget(1))
    assert list(mark_class.mark_submissions(a_class, [], workers=Here(a_class)).every) == [stored]
    (a_class.path / "marks.json").unlink()
    (a_class.path / "class.db").unlink()


def test_again_without_files_forgets_nothing(a_class, right, capsys):
    code = a_class.register[0].code
    path = a_class.path.parent / "again.ipynb"
    path.write_text(filled_notebooks.filled(a_class, code, right[code]), "utf-8")
    mark_class.mark_submissions(a_class, [path], workers=Here(a_class))
    kept = (a_class.path / "marks.json").read_bytes()
    assert main(["class", "mark", str(a_class.path), "--again"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("--again forgets every mark: name all files")
    assert said.count("\n") == 1
    assert (a_class.path / "marks.json").read_bytes() == kept


def test_a_file_of_which_nothing_could_be_read_has_no_counts_but_a_sentence(a_class, right, tmp_path):
    """An untouched notebook is a row of blanks; one whose numbers cannot be read is none."""
    one, other, third, fourth = (entry.code for entry in a_class.register if entry.topic == "softmax")
    notebook = json.loads(filled_notebooks.filled(a_class, one, {}))
    cells = [cell for cell in notebook["cells"] if "".join(cell["source"]).startswith("E = ")]
    for cell in cells:
        cell["source"] = "E = make()"
    (tmp_path / "computed.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "untouched.ipynb").write_text(filled_notebooks.filled(a_class, other, {}))
    (tmp_path / "typed.csv").write_text(f"code,step,row,column,answer\n{third},E,one,1,2\n")
    (tmp_path / "log.jsonl").write_text(
        json.dumps({"code": fourth, "step": "nowhere", "row": 0, "column": 0, "text": "1"}) + "\n"
    )
    found = mark_class.mark_submissions(a_class, [tmp_path], workers=Here(a_class), again=True)
    rows = {row["code"]: row for row in table(found, tmp_path) if row["trouble"] != "Nothing was handed in."}
    counts = {code: [row[name] for name in HEAD.split(",")[2:6]] for code, row in rows.items()}
    assert counts == {code: ["", "", "", ""] for code in (one, third, fourth)} | {other: ["0", "0", "0", "7"]}
    assert "/computed.ipynb has nothing that can be read: E is computed by code" in rows[one]["trouble"]
    assert "'one' is not a row or column" in rows[third]["trouble"]
    assert "There is no blank at nowhere[1,1]" in rows[fourth]["trouble"]
    assert list(found.counting()) == [other]


def test_a_file_that_cannot_be_read_is_that_of_whom_it_is_called_after_if_they_have_one_sheet():
    register = Register(
        [RegisterEntry(name, f"C{k}", "softmax", 1, k) for k, name in enumerate(["Ada", "Ben", "Ben"])]
    )
    sentence = "it is a picture."
    found = [SheetResult(f"in/{name}/a.ipynb", trouble=sentence) for name in ("Ada", "Ben", "Ada Ben", "x")]
    known = KnownCodes.of(register)
    assert [one.code for one in mark_class.find_owners(found, known, FileNames(register))] == [
        "C0",
        "",
        "",
        "",
    ]


async def play_live(store, code, answers, other):
    learner = await store.add_learner("Ada", "hash", "in", code, [code], 0.0)
    waiting = await store.add_learner("Eve", "other", "waiting", other, [], 0.0)
    await store.hint(learner, code, "s", 1, 0.0)
    await store.hint(learner, code, "s", 2, 0.0)
    texts = ["99", str(answers["s"][0][0])]
    sent = [Answer(learner, code, n, "s", 0, 0, text, 0.0) for n, text in enumerate(texts)]
    await store.append([*sent, Answer(waiting, other, 0, "E", 0, 0, "1", 0.0)])


def test_a_file_that_is_not_there_is_one_sentence(a_class, capsys):
    for options in (["nowhere.ipynb"], ["--again", "nowhere.ipynb"], ["nowhere.ipynb", "--again"]):
        assert main(["class", "mark", str(a_class.path), *options]) == 2
        assert capsys.readouterr().err == "There is no file or folder nowhere.ipynb; check its name.\n"


@pytest.mark.slow
def test_a_zip_of_files_that_are_nobodys_has_one_row(tmp_path):
    made = class_folder.make_class(
        tmp_path / "8b", ["Ada", "Ben"], class_folder.ClassSettings("8b", 1, [("dot_product", 1)])
    )
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for k in range(300):
            archive.writestr(f"photos/{k}.png", b"\x89PNG")
        archive.writestr("Ada/sheet.ipynb", b"{}")  # one that is called after somebody stays with them
    marks = mark_class.mark_submissions(made, [tmp_path / "all.zip"])
    rows = list(marks.rows())
    assert [row["name"] for row in rows] == ["Ada", "Ben", ""]
    assert rows[2]["trouble"].startswith("all.zip holds 300 files that are nobody’s, such as: ")
    assert rows[2]["trouble"].endswith(
        "all.zip/photos/0.png is a picture; hand in the notebook (.ipynb), "
        "the practice log (.jsonl) or a table (.csv)."
    )
    assert [one.sentence for one in results.read_results(made).troubles][-1] == rows[2]["trouble"]
