"""Whose work a file is, which files are marked, and what waits for the teacher."""

import csv
import io
import json
import shutil

import filled_notebooks
import pytest
from class_files import class_of
from filled_notebooks import Here, by_loops, filled

import handcalc as hc
from handcalc.classroom.export import gradebook
from handcalc.classroom.export.gradebook import PointScheme, export_points
from handcalc.classroom.folder import folder_layout
from handcalc.classroom.folder.students import Student
from handcalc.classroom.handouts import class_handouts
from handcalc.classroom.insight.sheet_progress import Standing
from handcalc.classroom.marking import mark_class, sources
from handcalc.classroom.marking.class_marks import ClassMarks, read_marks
from handcalc.classroom.marking.mark_class import mark_submissions
from handcalc.classroom.marking.results import read_results
from handcalc.cli import main

# Whose work it is follows from its numbers, whatever code or name was written on it.
NAMES = ("Dora", "Emil", "Fay")


@pytest.fixture(scope="module", params=[True, False], ids=["checks", "bare"])
def school(request, tmp_path_factory):
    made = class_of(
        tmp_path_factory.mktemp("whose") / "8b", NAMES, "scores", seed=5, keys=request.param, secret="ab" * 16
    )
    assert len({entry.code for entry in made.register}) == len(NAMES)
    return made


def files(school, path, **texts):
    """A folder beside the class, of which sentences name no more than the file."""
    path = school.path.parent / path.name
    path.mkdir()
    for name, text in texts.items():
        (path / f"{name}.ipynb").write_text(text, "utf-8")
    return path


def marked(school, path):
    """The rows of marks.csv by code, those that count first."""
    mark_submissions(school, [path], workers=Here(school), again=True)
    rows = {}
    for row in csv.DictReader((school.path / "marks.csv").read_text("utf-8-sig").splitlines()):
        rows.setdefault(row["code"], []).append(row)
    return rows


def own(school, entry, **slips):
    return filled(school, entry.code, by_loops(school, entry, **slips))


def forged(school, entry, code):
    """A notebook made for somebody, all right, with another code everywhere."""
    return own(school, entry).replace(entry.code, code)


def test_a_notebook_with_another_code_all_over_it_waits_under_whose_numbers_it_has(school, tmp_path):
    dora, emil, _ = school.register
    wrong = own(school, emil, S=lambda see, right: [[x + 3 for x in row] for row in right])
    handed = files(school, tmp_path, emil=wrong, dora=own(school, dora), x=forged(school, dora, emil.code))
    rows = marked(school, handed)
    told = f"{handed.name}/x.ipynb was made for sheet {dora.code}, and handed in with Emil’s code {emil.code}"
    mine, other = rows[emil.code]
    assert int(mine["wrong"]) > 0
    assert other["trouble"] == f"{told}: see that sheet."
    first, second = rows[dora.code]
    assert (first["wrong"], first["trouble"]) == ("0", "")
    assert told in second["trouble"]


def test_without_an_own_file_it_waits_for_the_teacher(school, tmp_path):
    dora, emil, fay = school.register
    rows = marked(school, files(school, tmp_path, x=forged(school, dora, emil.code)))
    (hers,) = rows[dora.code]
    assert f"no grade until you accept it with --accept {dora.code}" in hers["trouble"]
    (his,) = rows[emil.code]
    assert (his["right"], "see that sheet" in his["trouble"]) == ("", True)
    assert [row["trouble"] for row in rows[fay.code]] == ["Nothing was handed in."]


def test_a_forged_file_of_the_same_name_takes_nothing_away(school, tmp_path):
    dora, emil, _ = school.register
    handed = files(school, tmp_path, homework=own(school, emil))
    before = marked(school, handed)[emil.code][0]
    (handed / "homework.ipynb").write_text(forged(school, dora, emil.code), "utf-8")
    mark_submissions(school, [handed], workers=Here(school))
    after = read_marks(school.path / "marks.json", school.register).counting()[emil.code].standing
    assert str(after.count("right")) == before["right"] != "0"


def test_numbers_of_no_sheet_are_told_and_marked_all_the_same(school, tmp_path):
    emil = school.register[1]
    text = own(school, emil)
    changed = json.dumps(json.loads(text))
    first = school.numbers.exercise(emil.code).calculation.givens["Q"].values[0]
    for old, new in (
        (str(first.tolist()), str([x + 50 for x in first.tolist()])),
        (" & ".join(f"{x:g}" for x in first), " & ".join(f"{x + 50:g}" for x in first)),
    ):
        changed = changed.replace(old, new, 1)
    handed = files(school, tmp_path, x=changed)
    (row,) = marked(school, handed)[emil.code]
    assert row["trouble"] == f"The numbers that {handed.name}/x.ipynb gives are not those of {emil.code}."
    assert row["wrong"] == "0"


# Which files of a folder are marked: those that were handed in, not those that a class keeps there.
@pytest.fixture(scope="module")
def full_folder(tmp_path_factory):
    """A class with all that our commands write into its folder."""
    path = tmp_path_factory.mktemp("class") / "8b"
    made = class_of(path, printed=True)
    assert main(["class", "add", str(path), "--name", "Ben"]) == 0
    code = made.register[0].code
    counts = {"s": {"right": 0, "close": 0, "following": 0, "wrong": 1, "blank": 0}}
    marks = [{"source": "a", "code": code, "standing": Standing(code, counts).to_json(), "trouble": ""}]
    (path / folder_layout.MARKS_FILE).write_text(json.dumps(marks))
    ClassMarks(made.register).save(made.path.parent)  # elsewhere: what marks.csv is called
    shutil.copy(made.path.parent / folder_layout.MARKS_TABLE, path)
    assert main(["class", "report", str(path), "--next"]) == 0
    for system in gradebook.WRITERS:
        if system != "moodle":  # which wants school ids
            assert main(["class", "export", str(path), system]) == 0
    for name in ("class.db", "class.db-wal", "class.db-shm", "serving.lock"):
        (path / name).touch()
    return made


def names(path, beside):
    return [source.name for source in sources.list_sources([path], beside)]


@pytest.mark.slow
def test_of_the_folder_of_a_class_only_what_was_put_there_is_marked(full_folder):
    assert names(full_folder.path, full_folder.path.parent) == ["8b"]
    (said,) = [source.trouble for source in sources.list_sources([full_folder.path], full_folder.path.parent)]
    assert said == "8b holds the files of a class and nothing that was handed in; name another folder."
    inbox = full_folder.path / "in"
    inbox.mkdir()
    (inbox / "register.csv").write_text("x")  # of this name, but nobody's class
    (full_folder.path / "sheets-by-ada.ipynb").write_text("x")
    found = ["8b/sheets-by-ada.ipynb", "8b/in/register.csv"]
    above = full_folder.path.parent
    assert names(full_folder.path, above) == found
    assert [name for name in names(above, above.parent) if "/8b/" in name] == [
        f"{above.name}/{name}" for name in found
    ]
    shutil.rmtree(inbox)
    (full_folder.path / "sheets-by-ada.ipynb").unlink()


def test_every_name_has_one_place():
    assert tuple(gradebook.WRITERS) == folder_layout.GRADEBOOKS
    assert all(
        folder_layout.is_ours(name) for number in (1, 2, 30) for name in class_handouts.printed_names(number)
    )
    assert not any(
        folder_layout.is_ours(name) for name in ("sheets.csv", "keys-x.pdf", "in", "a.ipynb", "next.ipynb")
    )


# What waits for the teacher: no work of anybody's, and what was made for one and handed in for another.
FOUR = ["Ada", "Ben", "Cy", "Di"]


@pytest.fixture(scope="module")
def class_of_four(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", FOUR, "self_attention")


@pytest.fixture
def rows_of(class_of_four, tmp_path):
    """Marks notebooks by their names, and gives the rows of marks.csv that count, by code."""

    def mark(files=(), **options):
        for name, text in dict(files).items():
            (tmp_path / name).write_text(text, "utf-8")
        paths = [tmp_path / name for name in files]
        mark_class.mark_submissions(
            class_of_four, paths, workers=Here(class_of_four), again=bool(files), **options
        )
        with (class_of_four.path / "marks.csv").open(encoding="utf-8") as file:
            return {row["code"]: row for row in csv.DictReader(file) if row["right"]}

    return mark


def points(class_of_four, system):
    """The points of everybody in one gradebook, in the order of the register."""
    text = export_points(class_of_four, read_results(class_of_four), system, PointScheme()).text.lstrip(
        "\ufeff"
    )
    rows = list(csv.reader(io.StringIO(text, newline="")))
    place = rows[0].index("Points") if system == "excel" else -1
    return [row[place] for row in rows if set(row) & set(FOUR)]


def hollow(class_of_four, entry, number):
    """One number in each of Q, K and V, and honest arithmetic after it."""

    def same(_, right):
        return [[number] * len(row) for row in right]

    return filled_notebooks.filled(
        class_of_four,
        entry.code,
        filled_notebooks.by_loops(class_of_four, entry, **dict.fromkeys("QKV", same)),
    )


def test_one_number_everywhere_and_nothing_at_all_have_no_grade_until_the_teacher_says_so(
    class_of_four, rows_of
):
    ada, ben, cy, di = class_of_four.register
    honest = filled_notebooks.by_loops(class_of_four, di)
    one_blank = json.loads(hollow(class_of_four, cy, 0.33))
    for cell in one_blank["cells"]:  # a blank among them makes it no work of anybody's, either
        cell["source"] = "".join(cell["source"]).replace("0.33 |", "____ |", 1)
    files = {
        "ada.ipynb": hollow(class_of_four, ada, 0),
        "ben.ipynb": filled_notebooks.filled(class_of_four, ben.code, {}),
        "cy.ipynb": json.dumps(one_blank),
        "di.ipynb": filled_notebooks.filled(class_of_four, di.code, honest),
    }
    rows = rows_of(files)
    fill, none = (
        "The same one or two numbers fill ",
        "what follows was computed from numbers that were not worked out",
    )
    end = "it has no grade until you accept it with --accept"
    assert [rows[entry.code]["trouble"] for entry in class_of_four.register] == [
        f"{fill}Q, K and V; {none}; {end} {ada.code}.",
        f"Nothing is filled in; {end} {ben.code}.",
        f"{fill}Q, K, V and S; {none}; {end} {cy.code}.",  # which follow from no number
        "",
    ]
    assert rows[ada.code]["following"] == "0"  # it was a grade of eight of ten
    for system in ("canvas", "excel"):  # Moodle knows nobody of this class
        assert points(class_of_four, system) == ["", "", "", "10.00"]
    told = export_points(class_of_four, read_results(class_of_four), "canvas", PointScheme()).sentences
    assert told[0] == f"No grade for Ada: {fill}Q, K and V; {none}; {end} {ada.code}."

    assert rows_of(accept=[ada.code.lower()])[ada.code]["trouble"] == ""
    assert 0 < float(points(class_of_four, "canvas")[0]) < 5
    rows_of()  # what comes later changes nothing in it
    assert 0 < float(points(class_of_four, "canvas")[0]) < 5
    with pytest.raises(hc.HandcalcError, match=rf"^{di.code} does not wait for you; marks.csv says which"):
        rows_of(accept=[di.code])


def test_a_fuller_file_of_nobodys_work_does_not_take_the_place_of_an_honest_one(class_of_four, rows_of):
    ada = class_of_four.register[0]
    part = filled_notebooks.by_loops(class_of_four, ada)
    rows = rows_of(
        {
            "1.ipynb": filled_notebooks.filled(class_of_four, ada.code, {"Q": part["Q"]}),
            "2.ipynb": hollow(class_of_four, ada, 1),
        }
    )
    assert (rows[ada.code]["right"], rows[ada.code]["trouble"]) == (str(sum(map(len, part["Q"]))), "")


def test_a_friends_file_waits_and_never_replaces_ones_own(class_of_four, rows_of, capsys):
    ada, ben, *_ = class_of_four.register
    everything = filled_notebooks.by_loops(class_of_four, ben)
    made = filled_notebooks.filled(class_of_four, ada.code, everything)
    friends = json.loads(made)  # Ada's, with Ben's code and all of Ben's numbers in it
    for cell in friends["cells"]:
        cell["source"] = "".join(cell["source"]).replace(ada.code, ben.code)
    mine = filled_notebooks.filled(class_of_four, ben.code, {"Q": everything["Q"]})
    few = str(sum(map(len, everything["Q"])))

    alone = rows_of({"f.ipynb": json.dumps(friends)})[ben.code]
    said = f"/f.ipynb was made for {ada.code}, but its code makes {ben.code}"
    assert alone["trouble"].endswith(f"{said}; it has no grade until you accept it with --accept {ben.code}.")
    assert points(class_of_four, "excel") == ["", "", "", ""]
    told = " ".join(
        export_points(class_of_four, read_results(class_of_four), "excel", PointScheme()).sentences
    )
    assert "counts as blank" not in told  # all of it was read

    for names in (("own.ipynb", "f.ipynb"), ("f.ipynb", "own.ipynb")):
        texts = {"own.ipynb": mine, "f.ipynb": json.dumps(friends)}
        rows = rows_of({name: texts[name] for name in names})
        assert (rows[ben.code]["right"], rows[ben.code]["trouble"]) == (few, "")
    after_ada = {"own.ipynb": mine, "Ada.ipynb": filled_notebooks.filled(class_of_four, ben.code, everything)}
    assert rows_of(after_ada)[ben.code]["right"] == few

    rows_of({"f.ipynb": json.dumps(friends)})
    assert main(["class", "mark", str(class_of_four.path), "--accept", ben.code]) == 0
    assert float(points(class_of_four, "excel")[1]) == 10
    assert main(["class", "mark", str(class_of_four.path), "--accept", hc.code("softmax", 1)]) == 2
    assert capsys.readouterr().err.endswith("is not the code of a sheet in this class; please check it.\n")


def test_two_of_one_name_are_told_apart_by_id_or_code(tmp_path):
    people = [Student("Jan Novák", id="s1"), Student("jan  novák"), Student("Eva")]
    made = class_of(tmp_path / "8b", people)
    first, second, _ = made.register
    called = ["Jan Novák (s1)", f"jan novák ({second.code})", "Eva"]
    assert [" ".join(label.split()) for label in made.register.labels.values()] == called
    mark_class.mark_submissions(made, [], workers=Here(made))
    with (made.path / "marks.csv").open(encoding="utf-8") as file:
        assert [" ".join(row["name"].split()) for row in csv.DictReader(file)] == called
    told = export_points(made, read_results(made), "excel", PointScheme()).sentences
    assert called[0] in told[0]
    assert first.code not in told[0]
