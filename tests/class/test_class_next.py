"""Sheets for the steps that went wrong: fresh numbers, just these steps blank, a class of their own."""

import planted_class
import pytest
from planted_class import PLANTED, number

from handcalc.classroom.folder import unique_draws
from handcalc.classroom.handouts import class_folder as folders
from handcalc.classroom.marking import results
from handcalc.classroom.report import next_sheets
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.exercise import Exercise

pytestmark = pytest.mark.slow  # it makes a whole class

WEAK = {  # by student and topic: the planted mistakes; these two topics are the smallest that have the steps
    (number(name), topic): {step for at, step in mistakes if at == topic}
    for name, mistakes, *_ in PLANTED
    for topic in {at for at, _ in mistakes}
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    made = planted_class.made(tmp_path_factory.mktemp("class") / "8b")
    made.lines = next_sheets.save_next_sheets(made.folder, results.read_results(made.folder))
    made.next = folders.ClassFolder(made.folder.path / "next")
    return made


def test_everyone_with_wrong_numbers_has_a_sheet_with_just_these_steps_blank(planted):
    blank = {
        (entry.number, entry.topic): set(planted.next.numbers.exercise(entry.code).blank)
        for entry in planted.next.register
    }
    assert blank == WEAK
    assert planted.lines[0].endswith("7 sheets for 6 students; the other 4 get none")
    before = {entry.number: (entry.name, entry.id) for entry in planted.folder.register}
    assert all(before[entry.number] == (entry.name, entry.id) for entry in planted.next.register)


def givens(exercise):
    return [matrix.values.tolist() for matrix in exercise.calculation.givens.values()]


def test_no_numbers_come_twice_and_no_seed_follows_from_another(planted):
    for topic in ("scores", "softmax"):
        made = [
            (of, one.code)
            for of in (planted.folder, planted.next)
            for one in of.register
            if one.topic == topic
        ]
        seen = [givens(of.numbers.exercise(code)) for of, code in made]
        assert not [one for place, one in enumerate(seen) if one in seen[:place]]
        seeds = [codes.read_code(code).seed for _, code in made]
        assert len(set(seeds)) == len(seeds)
        assert not {seed + 1 for seed in seeds} & set(seeds)


def test_numbers_that_were_used_are_passed_over_whatever_the_seed(planted, monkeypatch):
    monkeypatch.setattr(
        next_sheets, "sheet_seeds", lambda seed, asked, used: unique_draws.sheet_seeds(seed, asked)
    )
    wanted = [
        one
        for one in next_sheets._wanted(planted.folder, results.read_results(planted.folder).sheets)
        if one.training.topic == "softmax"
    ]
    used = [givens(planted.folder.numbers.exercise(entry.code)) for entry in planted.folder.register]
    for one in next_sheets._drawn(planted.folder, wanted, map):
        assert givens(Exercise(one.code)) not in used


def test_it_is_a_class_of_its_own_with_sheets_keys_and_notebooks(planted):
    path = planted.next.path
    assert (path / "sheets.pdf").read_bytes().startswith(b"%PDF")
    assert (path / "keys.pdf").read_bytes().startswith(b"%PDF")
    assert {one.stem for one in (path / "notebooks").iterdir()} == set(planted.next.register.by_code)
    assert planted.next.settings.title == "8b, next"


def test_nothing_is_overwritten(planted):
    with pytest.raises(HandcalcError, match="already has sheets; hand these out"):
        next_sheets.save_next_sheets(planted.folder, results.read_results(planted.folder))


def test_after_the_next_sheets_come_others_still(planted):
    used = {entry.code for entry, _ in next_sheets._used(planted.next)}
    assert used == set(planted.folder.register.by_code) | set(planted.next.register.by_code)


def test_where_nothing_went_wrong_nobody_needs_a_sheet(planted):
    found = results.read_results(planted.folder)
    right = [sheet for sheet in found.sheets if sheet.entry.number == number(planted_class.ADA)]
    other = type("Folder", (), {"path": planted.folder.path / "other"})()
    told = next_sheets.save_next_sheets(other, results.ClassResults(right, [], found.records))
    assert told == ["Nobody needs another sheet: no step went wrong."]
