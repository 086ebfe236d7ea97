"""Whose work a file is follows from the numbers in it, whatever code or name was written on it."""

import csv
import json

import pytest
from class_files import class_of
from filled_notebooks import Here, by_loops, filled

from handcalc.classroom.marking.class_marks import read_marks
from handcalc.classroom.marking.mark_class import mark_submissions

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
