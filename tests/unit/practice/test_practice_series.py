"""Which numbers come: other ones for everybody, those that a seed or a code names, or one's own."""

import re

import hostile
import numpy as np
import pytest

import handcalc as hc
from handcalc.practice.exercise import practice_file


def layer():
    W, x, b = (
        hc.Matrix([[1, -2, 3], [2, 0, -1]], "W"),
        hc.Matrix([[2], [1], [4]], "x"),
        hc.Matrix([[3], [-1]], "b"),
    )
    return hc.Calculation((W @ x + b).named("y"), title="My layer")


def numbers_of(practice):
    return {name: matrix.values.tolist() for name, matrix in practice.exercise.calculation.givens.items()}


def test_everybody_gets_other_numbers_and_finds_them_again(tmp_path):
    folders = [tmp_path / str(learner) for learner in range(4)]
    first = [hc.practise("dot_product", folder=folder).code for folder in folders]
    assert len({*first}) == 4
    assert [hc.practise("dot_product", folder=folder).code for folder in folders] == first


def test_what_a_reader_without_a_kernel_sees_is_the_same_for_everybody(tmp_path):
    said = {repr(hc.practise("dot_product", folder=tmp_path / str(learner))) for learner in range(3)}
    assert said == {"Practice: Dot product. Run this cell to fill it in."}


def test_a_calculation_of_ones_own_is_practised_kept_and_followed_by_its_numbers_in_other_places(tmp_path):
    practice = hc.practise(layer(), folder=tmp_path)
    assert re.fullmatch(r"own-[0-9a-f]{10}", practice.code)
    assert practice.widget.blank == ["y"]
    practice.on_message({"typed": ["y", 0, 0, "15"]})  # 1·2 − 2·1 + 3·4 + 3
    practice.on_message({"typed": ["y", 1, 0, "-1"]})  # 2·2 + 0·1 − 1·4 − 1
    assert practice.widget.finished
    first = numbers_of(practice)
    practice.on_message({"ask": "next"})
    assert numbers_of(practice) != first
    assert [sorted(np.ravel(given)) for given in numbers_of(practice).values()] == [
        sorted(np.ravel(given)) for given in first.values()
    ]
    again = hc.practise(layer(), folder=tmp_path)
    assert numbers_of(again) == numbers_of(practice)
    again.on_message({"ask": "back"})
    assert again.widget.texts == {"y": {"0,0": "15", "1,0": "-1"}}


def test_each_kind_of_practice_goes_on_with_its_own_in_the_one_file(tmp_path):
    """Other numbers of one's own, another topic and another level are something else."""
    other = layer().with_givens(b=[[0], [0]])
    asked = [(layer(),), (other,), (layer().in_convention("rows"),), ("dot_product",), ("dot_product", 2)]
    asked += [("softmax",)]
    first = [hc.practise(*one, folder=tmp_path).code for one in asked]
    assert len({*first}) == len(asked)
    assert [hc.practise(*one, folder=tmp_path).code for one in asked] == first
    assert [path.name for path in tmp_path.iterdir()] == ["handcalc-log.jsonl"]
    assert not hc.practise("softmax", folder=tmp_path).widget.back


def test_where_mistakes_would_not_show_other_numbers_come_all_the_same(tmp_path):
    S = hc.Matrix([[0, 0, 1]], "S")
    same = hc.Calculation((S * 0).named("N"), title="Nothing")
    practice = hc.practise(same, folder=tmp_path)
    for _ in range(4):
        practice.on_message({"ask": "next"})
        (numbers,) = numbers_of(practice)["S"]
        assert sorted(numbers) == [0, 0, 1]
        assert numbers != [0, 0, 1]


def test_where_no_other_place_would_do_the_same_numbers_come_again(tmp_path):
    same = hc.Calculation((hc.Matrix([[2]], "a") * hc.Matrix([[2]], "b")).named("c"), title="Four")
    practice = hc.practise(same, folder=tmp_path)
    practice.on_message({"typed": ["c", 0, 0, "4"]})
    practice.on_message({"ask": "next"})
    assert numbers_of(practice) == {"a": [[2]], "b": [[2]]}
    assert practice.widget.texts == {}
    assert practice.widget.hint == "These are the same numbers again: no other suitable ones were found."


def test_options_are_those_of_an_exercise(tmp_path):
    calc = hc.examples.self_attention()
    practice = hc.practise(calc, blank=["A"], places=1, convention="rows", folder=tmp_path)
    assert (practice.widget.blank, practice.widget.places) == (["A"], 1)
    assert practice.exercise.calculation.convention == "rows"
    for bad in ({"blank": ["P"]}, {"blank": 3}, {"places": -1}, {"convention": "diagonals"}):
        with pytest.raises(hc.HandcalcError):
            hc.practise(calc, folder=tmp_path, **bad)


@pytest.mark.parametrize("option", ["seed", "level", "blank", "places", "convention", "folder"])
def test_hostile_options_work_or_get_one_sentence(option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"seed": 1, "folder": tmp_path}
    for name, make in hostile.HOSTILE.items():
        said = hostile.complaint(lambda make=make: hc.practise("dot_product", **options | {option: make()}))
        assert said is None, (name, said)


def test_a_page_of_problems_has_their_givens_and_no_key(tmp_path):
    practice = hc.practise("softmax", seeds=3, folder=tmp_path)
    page = practice_file.page_problems(practice.series, practice.code)
    found = page["problems"]
    assert [problem["code"] for problem in found] == [hc.code("softmax", seed) for seed in (1, 2, 3)]
    for problem in found:
        assert [m["name"] for m in problem["spec"]["matrices"] if "values" in m] == ["S"]
    constants = {number for kind, *rest in page["nodes"] if kind == "constant" for number in rest[0]}
    for seed in (1, 2, 3):
        key = {float(x) for step in hc.problem("softmax", seed).steps.values() for x in step.values.flat}
        assert not constants & {x for x in key if x not in (round(x), np.e)}


def test_twenty_problems_are_a_file_of_less_than_100_kilobytes(tmp_path):
    path = tmp_path / "practice.html"
    hc.practise("softmax", seeds=20, folder=tmp_path).save_html(path)
    assert path.stat().st_size < 100_000


def test_a_page_of_so_many_minutes_knows_the_whole_problem_as_well(tmp_path):
    practice = hc.practise("self_attention", seed=1, minutes=10, folder=tmp_path)
    (problem,) = practice_file.page_problems(practice.series, practice.code)["problems"]
    assert len(problem["blank"]) < len(problem["hints"]) == len(practice.exercise.calculation.steps)
    assert problem["whole"] == hc.code("self_attention", 1)


@pytest.mark.parametrize(
    ("count", "told"), [(0, "1 to 200 problems"), (201, "1 to 200"), ("3", "whole number")]
)
def test_a_page_of_too_many_problems_is_refused(count, told):
    with pytest.raises(hc.HandcalcError, match=told):
        hc.practise("softmax", seeds=count)
