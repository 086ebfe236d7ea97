"""A live class without the web: who is in, what is stored, marked and told, and all of it after a restart."""

import asyncio

import pytest
from live_room import all_marked, code_of, open_room, right, seat, taught

from handcalc.classroom.live.state.class_grid import ClassGrid
from handcalc.classroom.live.state.listeners import TEACHER_NUMBER
from handcalc.classroom.live.state.live_class import LiveClass
from handcalc.classroom.live.state.people import IN, LEFT, WAITING
from handcalc.classroom.live.state.refusals import UnstoredError
from handcalc.classroom.store.answer_store import AnswerStore
from handcalc.foundation.errors import HandcalcError


@taught
async def test_what_is_typed_is_marked_and_both_hear_of_it(room):
    code, heard = code_of(room), {"learner": [], "teacher": []}
    token, learner = await room.join(code.lower(), " Ada  L. ")
    assert (learner.state, learner.nick, room.people.by_token(token)) == (IN, "Ada L.", learner)
    room.listeners.add(learner.id, heard["learner"].append)
    room.listeners.add(TEACHER_NUMBER, heard["teacher"].append)
    sheet = await room.sheet(learner)
    assert (sheet["state"], sheet["n"]) == (IN, 0)
    assert {state for cells in sheet["states"].values() for row in cells for state in row} == {
        "not attempted"
    }
    assert [one["code"] for one in sheet["sheets"]] == [code, code_of(room, 1, "softmax")]
    (n, step, row, column, _), *_ = answers = list(right(room, code))
    await room.store_answers(learner, code, [[n + 1000, step, row, column, "1000"]])
    await all_marked(room)
    sheet = await room.sheet(learner, code)  # it goes on where it was
    assert sheet["texts"] == {step: {f"{row},{column}": "1000"}}
    assert (sheet["states"][step][row][column], sheet["n"]) == ("wrong", n + 1000)
    assert await room.store_answers(learner, code, answers) == [n for n, *_ in answers]
    await all_marked(room)
    marks = heard["learner"][-1]["marks"]
    assert (marks["finished"], marks["score"]) == (True, f"{len(answers)} of {len(answers)} right")
    assert heard["teacher"]
    assert seat(room, code).standing.count("right") == len(answers)


@taught
async def test_only_the_sheets_of_ones_own_are_open(room):
    _, learner = await room.join(code_of(room), "Ada")
    other = code_of(room, 2)
    with pytest.raises(HandcalcError, match="is not one of your sheets"):
        await room.sheet(learner, other)
    with pytest.raises(HandcalcError, match="is not one of your sheets"):
        await room.store_answers(learner, other, list(right(room, other)))


@taught
async def test_an_answer_that_cannot_be_one_is_refused_and_nothing_of_its_post_is_kept(room):
    code = code_of(room)
    _, learner = await room.join(code, "Ada")
    good, *_ = right(room, code)
    _, step, row, column, text = good
    bad = [
        [0, step, row, column, text], [-1, step, row, column, text], [2**60, step, row, column, text],
        [True, step, row, column, text], ["2", step, row, column, text], [2, step, row, column, 7],
        [2, step, 99, column, text], [2, step, row, -1, text], [2, "no such step", row, column, text],
        [2, None, row, column, text], [2, step, row], "12345", None, {}, [2, step, 0.0, column, text],
    ]  # fmt: skip
    for answer in bad:
        with pytest.raises(HandcalcError):
            await room.store_answers(learner, code, [good, answer])
    assert room.store.load().answers == []


@taught
async def test_nobody_gets_a_sheet_that_somebody_has_and_two_at_once_share_none(room):
    code = code_of(room)
    joined = await asyncio.gather(*(room.join(code, name) for name in ("Ada", "Eve")))
    assert sorted(learner.state for _, learner in joined) == [IN, WAITING]
    waiting = next(learner for _, learner in joined if learner.state == WAITING)
    told = await room.sheet(waiting)
    assert told.keys() == {"state", "nick", "paused", "over", "until", "sentence"}
    assert told["sentence"] == "Somebody is already working with this code. Your teacher can let you in."
    with pytest.raises(HandcalcError, match="let you in"):
        await room.store_answers(waiting, code, list(right(room, code)))


@taught
async def test_who_is_let_in_with_a_code_that_is_taken_goes_on_where_the_other_was(room):
    code = code_of(room)
    old_token, old = await room.join(code, "Ada")
    new_token, new = await room.join(code, "Ada again")
    heard = {"old": [], "new": []}
    room.listeners.add(old.id, heard["old"].append)
    stop = room.listeners.add(new.id, heard["new"].append)
    answers = list(right(room, code))
    await room.store_answers(old, code, answers[:1])
    await all_marked(room)  # so that its marks are told to the old one, however busy the computer is
    await room.controls.decide("approve", learner=new.id)
    assert room.people.by_token(old_token) is None
    now = room.people.by_token(new_token)
    assert (await room.sheet(now))["n"] == 1
    assert (heard["old"][-1], heard["new"][:1]) == ({"state": LEFT}, [{"state": IN}])
    await room.store_answers(now, code, [[99, *answers[0][1:]]])
    await all_marked(room)
    assert "marks" in heard["new"][-1]
    stop()
    assert len(room.store.load().learners) == 1


@taught
async def test_a_lost_phone_finds_back_once_the_sheet_is_released(room):
    code = code_of(room)
    lost, learner = await room.join(code, "Ada")
    await room.store_answers(learner, code, list(right(room, code))[:1])
    await room.controls.decide("release", code=code)
    assert room.people.by_token(lost) is None
    token, back = await room.join(code, "")
    assert (back.state, back.nick, (await room.sheet(room.people.by_token(token)))["n"]) == (IN, "Ada", 1)


@taught
async def test_who_comes_after_the_wrong_person_begins_afresh_and_gets_none_of_their_numbers(room):
    code = code_of(room)
    wrong_token, wrong = await room.join(code, "Eve")
    await room.store_answers(wrong, code, list(right(room, code))[:1])
    _, ada = await room.join(code, "Ada")
    await room.controls.decide("afresh", learner=ada.id)
    assert (ada.state, room.people.holder(code), (await room.sheet(ada))["n"]) == (IN, ada, 0)
    await room.store_answers(ada, code, list(right(room, code))[:1])

    await room.controls.decide("vacate", code=code)  # and once more, before anybody waits
    assert room.people.by_token(wrong_token) is None
    token, dan = await room.join(code, "Dan")
    assert (dan.state, (await room.sheet(dan))["n"]) == (IN, 0)
    _, back = await room.join(code, "Eve", wrong_token)
    assert back.state == WAITING  # a ticket of before is no way past the teacher
    kept = room.store.load()
    assert [(seat.code, seat.learner) for seat in kept.seats if seat.code == code] == [(code, dan.id)]
    assert len(kept.answers) == 2  # nothing is lost
    assert room.people.by_token(token) is dan


@taught
async def test_newcomers_wait_while_the_class_is_closed_and_who_is_refused_is_out(room):
    await room.controls.decide("closed")
    token, learner = await room.join(code_of(room), "Eve")
    assert [one.nick for one in room.people.waiting] == ["Eve"]
    await room.controls.decide("refuse", learner=learner.id)
    assert (room.people.by_token(token), room.people.waiting) == (None, [])
    _, ada = await room.join(code_of(room), "Ada")
    await room.controls.decide("approve", learner=ada.id)
    assert (ada.state, room.people.holder(code_of(room, 1, "softmax"))) == (IN, ada)


@taught
async def test_steps_that_are_not_open_are_stored_but_not_marked_until_they_are(room):
    code = code_of(room, 1, "softmax")
    _, learner = await room.join(code, "Ada")
    answers = list(right(room, code))
    first = answers[0][1]
    await room.controls.decide("until", step=first)
    await room.store_answers(learner, code, answers)
    await all_marked(room)
    states = (await room.sheet(learner, code))["states"]
    marked = {
        step for step, cells in states.items() if any(state == "correct" for row in cells for state in row)
    }
    assert marked == {first}
    later = next(step for _, step, *_ in answers if step != first)
    with pytest.raises(HandcalcError, match="is not open"):
        await room.hint(learner, code, later)
    await room.controls.decide("until", step=None)
    await all_marked(room)
    assert seat(room, code).standing.count("right") == len(answers)


@taught
async def test_after_a_restart_all_is_as_it_was(room):
    code, softmax = code_of(room), code_of(room, 1, "softmax")
    token, learner = await room.join(code, "Ada")
    await room.join(code_of(room, 2), "Ben")
    waiting, _ = await room.join(code, "Eve")
    answers = list(right(room, code, shift=7))
    await room.store_answers(learner, code, answers)
    asked = [await room.hint(learner, code, answers[0][1]) for _ in range(3)]
    assert [one["spent"] for one in asked] == [[], [answers[0][1]], [answers[0][1]]]
    assert sum(seat(room, code).standing.hints.values()) == 2  # the last one again is no hint
    await room.controls.decide("until", step=answers[0][1])
    await room.controls.decide("show", kind="join")
    await all_marked(room)
    before = [(one.entry, one.nick, one.standing) for one in room.seats.all()]
    sheet = await room.sheet(learner, code)
    await room.close()
    async with open_room(room.folder, str(room.store.database.url)) as again:
        await all_marked(again)
        assert [(one.entry, one.nick, one.standing) for one in again.seats.all()] == before
        assert {
            **await again.sheet(again.people.by_token(token), code),
            "hints": sheet["hints"],
            "spent": sheet["spent"],
        } == sheet
        assert again.people.by_token(waiting).state == WAITING
        assert [again.controls.state[name] for name in ("until", "of", "shown")] == [
            answers[0][1],
            None,
            {"kind": "join"},
        ]
        assert softmax in again.sheets(again.people.by_token(token))


@taught
async def test_what_could_not_be_stored_is_not_acknowledged_and_the_teacher_reads_why(room):
    code = code_of(room)
    _, learner = await room.join(code, "Ada")
    await room.store._do(
        lambda c: (
            c.exec_driver_sql(
                "create trigger full before insert on answer begin select raise(fail, 'no room'); end"
            )
            and None
        )
    )
    with pytest.raises(UnstoredError, match="this page keeps it"):
        await room.store_answers(learner, code, list(right(room, code)))
    assert "cannot be used" in room.trouble
    assert (await room.sheet(learner, code))["texts"] == {}


def test_after_a_break_nobody_was_quiet_meanwhile_and_an_ended_class_is_open(class_of_three, tmp_path):
    now = [1000.0]

    def opened():
        store = AnswerStore(f"sqlite:///{tmp_path / 'break.db'}", class_of_three.settings.title)
        return LiveClass(class_of_three, store, processes=0, clock=lambda: now[0])

    async def lesson():
        room = opened()
        await room.join(code_of(room), "Ada")  # and types nothing
        now[0] = 1300.0
        await room.controls.decide("pause")
        now[0] = 1900.0
        grid = ClassGrid(room, lambda: now[0])
        assert [one["reason"] for one in grid.whole()["needs"]] == ["quiet for 5 min, nothing typed"]
        await room.controls.decide("end")
        await room.close()
        now[0] = 500_000.0
        room = opened()
        assert room.controls.was_over
        assert not room.controls.state["paused"]
        grid = ClassGrid(room, lambda: now[0])
        assert [one["reason"] for one in grid.whole()["needs"]] == ["quiet for 5 min, nothing typed"]
        assert not any(row["connected"] for row in grid.whole()["rows"])
        await room.close()

    asyncio.run(lesson())
