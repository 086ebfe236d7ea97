"""Marks of a live class: the newest state alone, states first where many wait, and none is taken back."""

import asyncio
import threading
from typing import NamedTuple

import numpy as np
import paper
import planted
import pytest

import handcalc as hc
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.live.marking import live_marks
from handcalc.classroom.live.marking.marker import MANY_WAITING, SHEETS_AHEAD, Marker
from handcalc.classroom.marking.worker_processes import LostError
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.raw_answers import TypedText
from handcalc.practice.marking.marking import Marking

TOPICS = ("softmax", "self_attention", "layer_norm")


class Sheet(NamedTuple):
    """What a marking process is handed, as far as the queue looks at it."""

    code: str


@pytest.mark.parametrize("topic", TOPICS)
def test_without_names_the_states_of_a_planted_mistake_are_the_same(topic):
    for one in planted.planted(topic, range(1, planted.FEW + 1)):
        written = paper.answered(one.calculation, topic, 2, **{one.step: one.known.make})
        answers = {name: np.array(written[name], float) for name in one.calculation.steps}
        quick, whole = (Marking(one.calculation, answers, 2, names=names) for names in (False, True))
        assert quick.mistakes == []
        assert {step: cells.tolist() for step, cells in quick.states.items()} == {
            step: cells.tolist() for step, cells in whole.states.items()
        }


def along_the_rows():
    """Self-attention with the softmax along each row, all the rest honestly after it; all by loops."""
    code = codes.code("self_attention", 3)
    calc = hc.problem("self_attention", 3)
    written = {name: matrix.values.tolist() for name, matrix in calc.steps.items()}
    n = len(written["E"])
    sums = [sum(row) for row in written["E"]]
    written["E_sum"] = [sums]
    written["A"] = [[written["E"][i][j] / sums[i] for j in range(n)] for i in range(n)]
    written["Z"] = [
        [sum(row[k] * written["A"][k][j] for k in range(n)) for j in range(n)] for row in written["V"]
    ]
    texts = [
        TypedText(step, i, j, f"{value:.2f}")
        for step, rows in written.items()
        for i, row in enumerate(rows)
        for j, value in enumerate(row)
    ]
    return code, tuple(texts)


def test_what_only_a_mistake_explains_has_no_mark_until_it_is_looked_for(tmp_path):
    code, texts = along_the_rows()
    StoredNumbers(tmp_path).add(code)
    sheet = live_marks.LiveSheet(str(tmp_path), code, texts)
    quick, whole = live_marks.mark_sheet(sheet, names=False), live_marks.mark_sheet(sheet)
    assert [one["name"] for one in whole["standing"]["mistakes"]] == ["row-softmax"]
    assert {state for row in whole["states"]["A"] for state in row} == {"follows"}
    assert {state for row in quick["states"]["E_sum"] for state in row} == {"wrong"}
    assert {state for row in quick["states"]["A"] for state in row} == {"follows", "not attempted"}
    assert quick["messages"].keys() == {"E_sum"}
    for step, rows in quick["states"].items():  # nothing that a learner has seen is taken back
        for one, other in zip(np.ravel(rows), np.ravel(whole["states"][step]), strict=True):
            assert one in (other, "not attempted")


@pytest.fixture
def marked(monkeypatch):
    """What is handed to a process, which answers when it may: (code, whether with names)."""
    handed, may = [], threading.Semaphore(0)

    def slowly(sheet, names=True):
        handed.append((sheet.code, names))
        may.acquire()
        return {"named": names}

    monkeypatch.setattr(live_marks, "mark_sheet", slowly)
    return handed, may


def told_by(test, may=None):
    """What a marker of one process tells, (key, upto, whether mistakes are named), until the test is through.

    Where the test yields, all that it wants is marked.
    """
    told = []

    async def run():
        marker = Marker(lambda key, upto, found: told.append((key, upto, found["named"])), processes=0)
        for _ in test(marker):
            for _ in range(1000 if may else 0):
                may.release()
            while not marker.is_idle:
                await asyncio.sleep(0.002)
        marker.close()

    asyncio.run(run())
    return told


def test_of_a_sheet_that_waits_the_newest_state_alone_is_marked(marked):
    def typing(marker):
        for upto in range(1, 9):
            marker.want("Ada", upto, Sheet("SM1-2"))
        yield

    assert told_by(typing, marked[1]) == [("Ada", 1, True), ("Ada", 8, True)]


def test_where_many_wait_states_come_first_and_names_after_all_of_them(marked):
    many = [f"learner {k}" for k in range(3 * MANY_WAITING)]

    def typing(marker):
        for key in many:
            marker.want(key, 1, Sheet(key))
        yield

    told = told_by(typing, marked[1])
    named = [key for key, _, is_named in told if is_named]
    quick = [key for key, _, is_named in told if not is_named]
    assert sorted(named) == sorted(many)
    assert (
        len(quick) == len(many) - SHEETS_AHEAD - MANY_WAITING
    )  # the first did not wait, the last had few beside them
    assert {key for key, *_ in told[: len(many)]} == set(many)  # everybody once before anybody twice


def test_a_state_that_is_older_is_not_looked_at_again_for_names(marked):
    told = []

    async def run():
        def on_marks(key, upto, found):
            told.append((key, upto, found["named"]))
            if key == "learner 0" and upto == 1:  # while the next sheet is being marked, more is typed on it
                asyncio.get_running_loop().call_soon(marker.want, "learner 2", 2, Sheet("SM1-2"))

        marker = Marker(on_marks, processes=0)
        for k in range(3 * MANY_WAITING):
            marker.want(f"learner {k}", 1, Sheet(f"learner {k}"))
        marked[1].release()
        while not any(key == "learner 2" and upto == 2 for key, (upto, _) in marker._waiting.items()):
            await asyncio.sleep(0.002)
        for _ in range(1000):
            marked[1].release()
        while not marker.is_idle:
            await asyncio.sleep(0.002)
        marker.close()

    asyncio.run(run())
    mine = [(upto, named) for key, upto, named in told if key == "learner 2"]
    assert mine[0] == (1, False)
    assert {upto for upto, named in mine if named} == {2}


def test_a_sheet_that_cannot_be_marked_stops_no_other(monkeypatch):
    def mark(sheet, names=True):
        if sheet.code == "broken":
            raise KeyError("values")
        return {"named": names}

    monkeypatch.setattr(live_marks, "mark_sheet", mark)

    def wanting(marker):
        marker.want("Ada", 1, Sheet("broken"))
        marker.want("Ben", 1, Sheet("SM1-2"))
        yield
        assert marker.trouble == "broken could not be marked: KeyError('values')"

    assert [key for key, *_ in told_by(wanting)] == ["Ben"]


def test_what_was_lost_with_its_process_is_marked_when_the_room_asks_again(monkeypatch):
    failing = [True]

    def mark(sheet, names=True):
        if failing:
            failing.clear()
            raise LostError("This made its process end, twice.")
        return {"named": names}

    monkeypatch.setattr(live_marks, "mark_sheet", mark)

    def wanting(marker):
        marker.want("Ada", 3, Sheet("SM1-2"))
        for is_lost in (True, False):
            yield
            assert ("LostError" in marker.trouble) == is_lost
            marker.mark_lost()

    assert [(key, upto) for key, upto, _ in told_by(wanting)] == [("Ada", 3)]


def test_the_formula_comes_with_the_second_wrong_number_in_one_place(tmp_path):
    code = codes.code("dot_product", 3)
    StoredNumbers(tmp_path).add(code)
    step = StoredNumbers(tmp_path).exercise(code).blank[0]
    once = live_marks.LiveSheet(str(tmp_path), code, (TypedText(step, 0, 0, "1000"),))
    twice = once._replace(typed=(*once.typed, TypedText(step, 0, 0, "2000")))
    alike = once._replace(typed=(*once.typed, *once.typed))
    told = [live_marks.mark_sheet(sheet)["messages"][step][-1] for sheet in (once, alike, twice)]
    assert ["; " in line for line in told] == [False, False, True]


def test_the_second_hint_is_about_the_number_that_is_marked_wrong_and_gives_no_other_away(tmp_path):
    code = codes.code("softmax", 3)
    StoredNumbers(tmp_path).add(code)
    exercise = StoredNumbers(tmp_path).exercise(code)
    sheet = live_marks.LiveSheet(str(tmp_path), code, (TypedText("E", 2, 0, "50"),))
    first, second = (live_marks.give_hint(sheet._replace(hints={"E": count}), "E") for count in (0, 1))
    assert first == exercise.hint("E", 1).html
    assert second == exercise.in_letters("E", 2, 0).html
    assert live_marks.give_hint(sheet, "no") == ""


def test_phone_and_teacher_see_how_a_number_follows_on_the_learners_own(tmp_path):
    code = codes.code("softmax", 3)
    StoredNumbers(tmp_path).add(code)
    E = StoredNumbers(tmp_path).exercise(code).calculation["E"]
    E = [9.0, *E.values.round(2)[1:, 0].tolist()]
    typed = (
        *(TypedText("E", row, 0, str(number)) for row, number in enumerate(E)),
        TypedText("E_sum", 0, 0, str(round(sum(E), 2))),
    )
    sheet = live_marks.LiveSheet(str(tmp_path), code, typed)
    [step] = live_marks.view_sheet(sheet, "E_sum")
    assert "9 + " in step["own"]
    assert live_marks.give_hint(sheet, "E_sum") == step["own"]
    assert live_marks.view_sheet(sheet, "E")[0]["own"] == ""
