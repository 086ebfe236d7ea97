"""Where a class's numbers come from: no two classes share any, and none follows from another one."""

import csv
import json
import re
from collections import Counter
from itertools import islice, pairwise

import pytest
from live_class import Taught

import handcalc as hc
from handcalc.classroom.folder import tickets, unique_draws
from handcalc.classroom.folder.students import Student
from handcalc.classroom.folder.unique_draws import AskedSheet
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.cli import main
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions
from handcalc.practice.topics import TOPICS

COUNT = 30
SETTINGS = """{
 "title": "8b",
 "seed": 1,
 "topics": [["dot_product", 1], ["softmax", 2]],
 "paper": "a4",
 "address": "",
 "solutions": false,
 "blank": null,
 "places": 2,
 "convention": "columns",
 "keys": true,
 "halves": true,
 "secret": ""
}
"""
REGISTER = """name,code,topic,level,number,id,email
Ada,DP1-423P,dot_product,1,1,,
Ada,SM2-4235,softmax,2,1,,
Bo,DP1-4242,dot_product,1,2,,
Bo,SM2-424C,softmax,2,2,,
"""


@pytest.fixture
def unprinted(monkeypatch):
    """The commands make a class without drawing its paper, which takes long."""
    monkeypatch.setattr("handcalc.classroom.handouts.class_handouts.write_paper", lambda *_, **__: None)
    monkeypatch.setattr("handcalc.classroom.handouts.class_handouts.write_notebooks", lambda *_, **__: None)


def made(path, *more, count=COUNT):
    assert main(["class", "new", str(path), "--count", str(count), *more]) == 0
    return ClassFolder(path)


def numbers(one):
    return {
        str([given.values.tolist() for given in one.numbers.exercise(entry.code).calculation.givens.values()])
        for entry in one.register
    }


def drawn_from(one):
    return {one.numbers.drawn_from(entry.code) for entry in one.register}


@pytest.mark.slow
def test_two_classes_of_thirty_without_seeds_share_no_ticket_no_code_and_no_numbers(unprinted, tmp_path):
    one, other, third = (made(tmp_path / name, *more) for name, *more in ("a", "b", ["c", "--codes"]))
    for found in (one, other, third):
        assert len(numbers(found)) == len(drawn_from(found)) == COUNT
    assert not numbers(one) & numbers(other)
    assert not numbers(one) & numbers(third)
    assert not drawn_from(one) & (drawn_from(other) | drawn_from(third))
    assert not set(one.register.by_code) & set(other.register.by_code)
    assert all(map(tickets.is_ticket, one.register.by_code))
    assert len({one.settings.seed, other.settings.seed, third.settings.seed}) == 3
    assert min(one.settings.seed, other.settings.seed, third.settings.seed) > 2**64  # drawn, not counted
    for entry in third.register:  # what a code says is what the sheet has, wherever it is read
        right = hc.Exercise(entry.code).calculation
        kept = third.numbers.exercise(entry.code).calculation
        assert all((kept[name].values == matrix.values).all() for name, matrix in right.items())
    own = sorted(codes.read_code(code).seed for code in drawn_from(third))
    assert min(b - a for a, b in pairwise(own)) > 1  # none follows from its neighbour


def test_a_seed_gives_the_same_numbers_again_with_other_tickets_and_with_codes_the_same_codes(
    unprinted, tmp_path
):
    more = ("--seed", "7", "--topic", "dot-product")
    one, other = (made(tmp_path / name, *more, count=3) for name in "ab")
    assert (one.settings.seed, drawn_from(one)) == (7, drawn_from(other))
    assert not set(one.register.by_code) & set(other.register.by_code)
    with_codes = [made(tmp_path / name, *more, "--codes", count=3) for name in "cd"]
    assert [list(found.register.by_code) for found in with_codes] == [
        [entry.code for entry in with_codes[0].register]
    ] * 2
    assert drawn_from(with_codes[0]) == drawn_from(one)


@pytest.mark.slow
def test_a_class_that_was_made_before_goes_on(unprinted, tmp_path):
    """Its codes count up from 1, and its numbers are those that they always stood for."""
    path = tmp_path / "8b"
    path.mkdir()
    (path / "class.json").write_text(SETTINGS)
    (path / "register.csv").write_text(REGISTER)
    before = ClassFolder(path)
    assert [codes.read_code(entry.code).seed for entry in before.register] == [1, 1, 2, 2]
    class_folder.add_students(path, [Student("Cy")])
    class_folder.add_topics(path, [("scores", 1)])
    after = ClassFolder(path)
    assert [entry for entry in after.register if entry in list(before.register)] == list(before.register)
    assert {entry.topic for entry in after.register if entry.name == "Cy"} == {
        "dot_product", "softmax", "scores",
    }  # fmt: skip
    assert len(set(after.register.by_code)) == 9
    assert not any(map(tickets.is_ticket, after.register.by_code))
    assert numbers(before) < numbers(after)
    taught = Taught(after)
    try:
        ada = taught.join(0, "Ada")
        sheet = taught.ask("/api/sheet", token=ada).json
        q, k = (matrix["values"] for matrix in sheet["spec"]["matrices"][:2])
        right = sum(x * y for row, column in zip(q, k, strict=True) for x, y in zip(row, column, strict=True))
        body = {"code": sheet["code"], "answers": [[1, "s", 0, 0, str(right)]]}
        assert (sheet["code"], taught.ask("/api/answers", body, ada).status) == ("DP1-423P", 200)
    finally:
        taught.close()
    (path / "Bo.csv").write_text("code,step,row,column,answer\nDP1-4242,s,1,1,99\n")
    assert main(["class", "mark", str(path), str(path / "Bo.csv")]) == 0
    with (path / "marks.csv").open(encoding="utf-8", newline="") as file:
        marked = [(row["code"], row["right"], row["wrong"]) for row in csv.DictReader(file) if row["right"]]
    assert marked == [("DP1-423P", "1", "0"), ("DP1-4242", "0", "1")]


@pytest.mark.slow
def test_the_notebook_of_a_ticket_checks_without_a_code(tmp_path, capsys):
    """The numbers stand in it, in the convention and with the places of the sheet, and no key to another."""
    found = made(tmp_path / "c", "--rows", "--places", "3", "--blank", "S,A", count=1)
    assert (found.path / "keys.pdf").exists()
    (entry,) = found.register
    cells = json.loads((found.path / "notebooks" / f"{entry.code}.ipynb").read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    assert not any(found.numbers.drawn_from(entry.code) in source for source in sources)
    names, right = {}, found.numbers.exercise(entry.code)
    for source in [one for one in sources if "record = " in one or "exercise = " in one]:
        exec(source, names)
    exercise = names["exercise"]
    assert (exercise.places, exercise.blank, exercise.calculation.convention) == (3, ("S", "A"), "rows")
    assert not exercise.solutions
    assert exercise.check(S=right.calculation["S"].values).answers
    assert (exercise.calculation["A"].values == right.calculation["A"].values).all()
    more = ("--rows", "--places", "3", "--blank", "S,A", "--level", "2", "--codes", "--solutions")
    (entry,) = made(tmp_path / "d", *more, count=1).register  # with a code it says all that by itself
    seed = codes.read_code(entry.code).seed
    assert entry.code == hc.code("self_attention", seed, 2, blank=["S", "A"], places=3, convention="rows")
    text = (tmp_path / "d" / "notebooks" / f"{entry.code}.ipynb").read_text("utf-8")
    assert f'hc.Exercise(\\"{entry.code}\\")' in text  # with solutions


@pytest.mark.parametrize("blank", [None, ("S",)])
def test_seeds_of_a_class_are_spread_and_have_room_in_a_code(blank):
    asked = AskedSheet("self_attention", 2, SheetOptions(blank, 3, "rows"))
    found = list(islice(unique_draws.sheet_seeds(7, asked), 300))
    assert found == list(islice(unique_draws.sheet_seeds(7, asked), 300))
    assert len(set(found)) == 300
    assert not set(found) & set(islice(unique_draws.sheet_seeds(8, asked), 300))
    assert not set(found) & set(islice(unique_draws.sheet_seeds(7, asked._replace(level=1)), 300))
    left = list(islice(unique_draws.sheet_seeds(7, asked, set(found[:100])), 200))
    assert left == found[100:]
    written = hc.Exercise(
        codes.write_code(codes.code_parts("self_attention", max(found), 2)), *asked.options
    ).code
    assert re.fullmatch(r"[A-Z0-9]{3}-[A-Z0-9]{8,16}", written)


def test_where_a_code_says_much_there_are_fewer_seeds():
    for signs in range(1, 18):
        number = codes.CODE_BASE**signs - 1
        most = codes.largest_seed(number)
        found = codes.CodeParts("softmax", most, 1, number)
        if most < 0:
            with pytest.raises(hc.HandcalcError, match="The seed is"):
                codes.write_code(found._replace(seed=0))
            continue
        assert codes.read_code(codes.write_code(found)) == found
        with pytest.raises(hc.HandcalcError, match="for a code it is a whole number from 0 to"):
            codes.write_code(found._replace(seed=most + 1))


# topics with few different sheets ---------------------------------------------------------------------


def seen(topic, level, count):
    """How often each sheet comes in so many draws."""
    drawn = (
        hc.problem(topic, seed, level)
        for seed in islice(unique_draws.sheet_seeds(9, AskedSheet(topic, level)), count)
    )
    return Counter(str([given.values.tolist() for given in one.givens.values()]) for one in drawn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topic", "level"), [("softmax_base_3", 1), ("count_scores", 1), ("count_scores", 3)]
)
def test_few_different_sheets_are_as_many_as_is_said(topic, level):
    said = unique_draws.FEW_SHEETS[topic, level]
    assert len(seen(topic, level, 12 * said)) == said


def test_who_makes_a_class_is_told_of_few_different_sheets(unprinted, tmp_path, capsys):
    made(tmp_path / "a", "--topic", "softmax", "--topic", "scores", count=2)
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "Another class" in line]
    assert said.endswith(
        "may get some of the same numbers: few sheets differ in softmax at level 1 (about 117)."
    )
    made(tmp_path / "b", "--topic", "scores", count=2)
    assert "Another class" not in capsys.readouterr().out


@pytest.mark.sweep
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_with_few_different_sheets_is_known(topic, level):
    """Sheets that come twice in 150 draws say how many there are, as birthdays do."""
    times = seen(topic, level, 150).values()
    pairs = sum(n * (n - 1) // 2 for n in times)
    said = unique_draws.FEW_SHEETS.get((topic, level))
    if pairs > 5:  # else it may be by chance
        assert said is not None
        assert 150 * 149 / 2 / pairs == pytest.approx(said, rel=0.75)
    if said is not None and said < 1000:
        assert pairs > 0
