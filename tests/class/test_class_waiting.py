"""What waits for the teacher: no work of anybody's, and what was made for one and handed in for another."""

import csv
import io
import json

import filled_notebooks
import pytest
from class_files import class_of
from filled_notebooks import Here

import handcalc as hc
from handcalc.classroom.export.gradebook import PointScheme, export_points
from handcalc.classroom.folder.students import Student
from handcalc.classroom.marking import mark_class
from handcalc.classroom.marking.results import read_results
from handcalc.cli import main

NAMES = ["Ada", "Ben", "Cy", "Di"]


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "8b", NAMES, "self_attention")


@pytest.fixture
def marked(a_class, tmp_path):
    """Marks notebooks by their names, and gives the rows of marks.csv that count, by code."""

    def mark(files=(), **options):
        for name, text in dict(files).items():
            (tmp_path / name).write_text(text, "utf-8")
        paths = [tmp_path / name for name in files]
        mark_class.mark_submissions(a_class, paths, workers=Here(a_class), again=bool(files), **options)
        with (a_class.path / "marks.csv").open(encoding="utf-8") as file:
            return {row["code"]: row for row in csv.DictReader(file) if row["right"]}

    return mark


def points(a_class, system):
    """The points of everybody in one gradebook, in the order of the register."""
    text = export_points(a_class, read_results(a_class), system, PointScheme()).text.lstrip("\ufeff")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    place = rows[0].index("Points") if system == "excel" else -1
    return [row[place] for row in rows if set(row) & set(NAMES)]


def hollow(a_class, entry, number):
    """One number in each of Q, K and V, and honest arithmetic after it."""

    def same(_, right):
        return [[number] * len(row) for row in right]

    return filled_notebooks.filled(
        a_class, entry.code, filled_notebooks.by_loops(a_class, entry, **dict.fromkeys("QKV", same))
    )


def test_one_number_everywhere_and_nothing_at_all_have_no_grade_until_the_teacher_says_so(a_class, marked):
    ada, ben, cy, di = a_class.register
    honest = filled_notebooks.by_loops(a_class, di)
    one_blank = json.loads(hollow(a_class, cy, 0.33))
    for cell in one_blank["cells"]:  # a blank among them makes it no work of anybody's, either
        cell["source"] = "".join(cell["source"]).replace("0.33 |", "____ |", 1)
    files = {
        "ada.ipynb": hollow(a_class, ada, 0),
        "ben.ipynb": filled_notebooks.filled(a_class, ben.code, {}),
        "cy.ipynb": json.dumps(one_blank),
        "di.ipynb": filled_notebooks.filled(a_class, di.code, honest),
    }
    rows = marked(files)
    fill, none = (
        "The same one or two numbers fill ",
        "what follows was computed from numbers that were not worked out",
    )
    end = "it has no grade until you accept it with --accept"
    assert [rows[entry.code]["trouble"] for entry in a_class.register] == [
        f"{fill}Q, K and V; {none}; {end} {ada.code}.",
        f"Nothing is filled in; {end} {ben.code}.",
        f"{fill}Q, K, V and S; {none}; {end} {cy.code}.",  # which follow from no number
        "",
    ]
    assert rows[ada.code]["following"] == "0"  # it was a grade of eight of ten
    for system in ("canvas", "excel"):  # Moodle knows nobody of this class
        assert points(a_class, system) == ["", "", "", "10.00"]
    told = export_points(a_class, read_results(a_class), "canvas", PointScheme()).sentences
    assert told[0] == f"No grade for Ada: {fill}Q, K and V; {none}; {end} {ada.code}."

    assert marked(accept=[ada.code.lower()])[ada.code]["trouble"] == ""
    assert 0 < float(points(a_class, "canvas")[0]) < 5
    marked()  # what comes later changes nothing in it
    assert 0 < float(points(a_class, "canvas")[0]) < 5
    with pytest.raises(hc.HandcalcError, match=rf"^{di.code} does not wait for you; marks.csv says which"):
        marked(accept=[di.code])


def test_a_fuller_file_of_nobodys_work_does_not_take_the_place_of_an_honest_one(a_class, marked):
    ada = a_class.register[0]
    part = filled_notebooks.by_loops(a_class, ada)
    rows = marked(
        {
            "1.ipynb": filled_notebooks.filled(a_class, ada.code, {"Q": part["Q"]}),
            "2.ipynb": hollow(a_class, ada, 1),
        }
    )
    assert (rows[ada.code]["right"], rows[ada.code]["trouble"]) == (str(sum(map(len, part["Q"]))), "")


def test_a_friends_file_waits_and_never_replaces_ones_own(a_class, marked, capsys):
    ada, ben, *_ = a_class.register
    everything = filled_notebooks.by_loops(a_class, ben)
    made = filled_notebooks.filled(a_class, ada.code, everything)
    friends = json.loads(made)  # Ada's, with Ben's code and all of Ben's numbers in it
    for cell in friends["cells"]:
        cell["source"] = "".join(cell["source"]).replace(ada.code, ben.code)
    mine = filled_notebooks.filled(a_class, ben.code, {"Q": everything["Q"]})
    few = str(sum(map(len, everything["Q"])))

    alone = marked({"f.ipynb": json.dumps(friends)})[ben.code]
    said = f"/f.ipynb was made for {ada.code}, but its code makes {ben.code}"
    assert alone["trouble"].endswith(f"{said}; it has no grade until you accept it with --accept {ben.code}.")
    assert points(a_class, "excel") == ["", "", "", ""]
    told = " ".join(export_points(a_class, read_results(a_class), "excel", PointScheme()).sentences)
    assert "counts as blank" not in told  # all of it was read

    for names in (("own.ipynb", "f.ipynb"), ("f.ipynb", "own.ipynb")):
        texts = {"own.ipynb": mine, "f.ipynb": json.dumps(friends)}
        rows = marked({name: texts[name] for name in names})
        assert (rows[ben.code]["right"], rows[ben.code]["trouble"]) == (few, "")
    after_ada = {"own.ipynb": mine, "Ada.ipynb": filled_notebooks.filled(a_class, ben.code, everything)}
    assert marked(after_ada)[ben.code]["right"] == few

    marked({"f.ipynb": json.dumps(friends)})
    assert main(["class", "mark", str(a_class.path), "--accept", ben.code]) == 0
    assert float(points(a_class, "excel")[1]) == 10
    assert main(["class", "mark", str(a_class.path), "--accept", hc.code("softmax", 1)]) == 2
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
