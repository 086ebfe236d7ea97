"""A live class when something fails: nothing happens by half, nobody loses work, and the class goes on."""

import asyncio
import sqlite3
from contextlib import closing, contextmanager

import pytest
from live_room import all_marked, code_of, open_room, right, seat, taught

from handcalc.classroom.folder.register import Register
from handcalc.classroom.handouts import class_folder
from handcalc.classroom.live.state.people import IN, WAITING
from handcalc.classroom.live.state.refusals import UnstoredError
from handcalc.classroom.store.database import DatabaseError
from handcalc.foundation.errors import HandcalcError


@contextmanager
def held(room):
    """Another program writes into the database, and does not end."""
    with closing(sqlite3.connect(room.store.database.url.database, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield
        other.execute("rollback")


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr("handcalc.classroom.store.database.DATABASE_PATIENCE", 0.05)


@taught
async def test_what_came_last_counts_though_another_page_counts_behind(room):
    code, other = code_of(room), code_of(room, 1, "softmax")
    _, learner = await room.join(code, "Ada")
    (_, step, row, column, text), *_ = right(room, code)
    await room.store_answers(learner, code, [[20, step, row, column, "1000"]])
    await room.store_answers(learner, code, [[12, step, row, column, text]])
    await all_marked(room)

    async def is_right(room):
        sheet = await room.sheet(learner, code)
        assert sheet["texts"][step] == {f"{row},{column}": text}
        assert sheet["states"][step][row][column] == "correct"
        assert (sheet["last"], (await room.sheet(learner, other))["last"]) == (20, 20)

    await is_right(room)
    await room.close()
    async with open_room(room.folder, str(room.store.database.url)) as again:
        await is_right(again)


@taught
async def test_a_page_or_a_database_that_fails_stops_no_marking(room):
    code = code_of(room)
    _, learner = await room.join(code, "Ada")
    answers, keep = list(right(room, code)), room.store.keep_marks

    def fails(*_):
        raise ValueError("no page")

    stop = room.listeners.add(learner.id, fails)
    room.store.keep_marks = fails
    for answer in answers:
        await room.store_answers(learner, code, [answer])
    await all_marked(room)
    assert "no page" in room.trouble
    await room._keep_marks()
    assert room.trouble == "Marks cannot be stored: ValueError('no page'); answers are."
    stop()
    room.store.keep_marks = keep
    await room.store_answers(learner, code, [[99, *answers[0][1:]]])
    await all_marked(room)
    await room._keep_marks()
    assert room.trouble == ""
    assert [one.upto for one in room.store.load().marks] == [len(answers) + 1]


@taught
async def test_marks_of_somebody_who_is_forgotten_meanwhile_keep_nobody_elses_from_being_stored(room):
    joined = [(await room.join(code_of(room, k), "Ada"))[1] for k in (1, 2)]
    for learner in joined:
        await room.store_answers(learner, learner.code, list(right(room, learner.code)))
    await all_marked(room)
    keep, failed = room.store.keep_marks, asyncio.Event()

    async def once(_):
        room.store.keep_marks = keep
        await failed.wait()
        raise DatabaseError("Somebody holds it.")

    room.store.keep_marks = once
    keeping = asyncio.create_task(room._keep_marks())
    await asyncio.sleep(0)
    await room.controls.decide("forget", learner=joined[0].id)
    failed.set()
    await keeping
    await room._keep_marks()
    assert [one.learner for one in room.store.load().marks] == [joined[1].id]


@pytest.mark.usefixtures("impatient")
@taught
async def test_what_is_decided_while_the_database_is_held_has_not_happened(room):
    code = code_of(room)
    token, learner = await room.join(code, "Ada")
    await room.store_answers(learner, code, list(right(room, code)))
    newcomers = [(await room.join(code, "Eve"))[0]]
    eve = room.people.by_token(newcomers[0])
    with held(room):
        for what, who in (("approve", eve), ("forget", learner)):
            with pytest.raises(DatabaseError, match="another program holds it"):
                await room.controls.decide(what, learner=who.id)
        with pytest.raises(UnstoredError) as refused:
            await room.join(code_of(room, 2), "Ben")
        with pytest.raises(UnstoredError):
            await room.hint(learner, code, next(iter(right(room, code)))[1])
    assert "class.db" not in str(refused.value)
    assert room.people.waiting == [eve]
    assert room.people.by_token(newcomers[0]) is eve
    assert room.people.by_token(token) is learner
    assert (await room.sheet(learner, code))["n"] == len(list(right(room, code)))
    await room.controls.decide("approve", learner=eve.id)
    assert room.people.by_token(newcomers[0]) is learner


@taught
async def test_who_is_forgotten_is_out_though_a_reader_keeps_traces_and_nobody_gets_their_number(room):
    code = code_of(room)
    token, learner = await room.join(code, "Ada")
    await room.store_answers(learner, code, list(right(room, code)))
    room.store.database.clear_away = fails = lambda _: (_ for _ in ()).throw(DatabaseError("Traces stay."))
    assert fails
    with pytest.raises(DatabaseError, match="Traces stay"):
        await room.controls.decide("forget", learner=learner.id)
    await all_marked(room)
    left = seat(room, code)
    assert (room.people.by_token(token), left.learner, left.standing.count("right")) == (None, 0, 0)
    _, other = await room.join(code, "Ben")
    assert other.id > learner.id


@taught
async def test_who_comes_back_with_the_same_ticket_waits_like_others_and_goes_on_where_they_were(room):
    code, ticket = code_of(room), "ab" * 16
    _, learner = await room.join(code, "Ada", ticket)
    await room.store_answers(learner, code, list(right(room, code)))
    await room.controls.decide("release", code=code)
    await room.controls.decide("closed")
    for _ in range(2):
        assert (await room.join(code, "", ticket))[1] is learner
    assert (learner.state, room.people.waiting) == (WAITING, [learner])
    assert room.people.why_waiting(learner) == "Your teacher has to let you in. Please wait."
    await room.controls.decide("approve", learner=learner.id)
    assert (room.people.by_token(ticket), learner.state, room.people.holder(code)) == (learner, IN, learner)
    kept = room.store.load()
    assert [(one.id, one.state) for one in kept.learners] == [(learner.id, IN)]
    assert {one.learner for one in kept.seats} == {learner.id}
    await room.controls.decide("release", code=code)
    await room.controls.decide("open")
    assert (await room.join(code, "", ticket))[1].state == IN


@taught
async def test_who_is_let_in_with_all_takes_over_nobodys_work(room):
    await room.join(code_of(room), "Ada")
    await room.controls.decide("closed")
    waiting = [
        (await room.join(code_of(room, k), nick))[1] for k, nick in ((1, "Eve"), (2, "Ben"), (2, "Mo"))
    ]
    for one in waiting:
        await room.controls.decide("let_in", learner=one.id)
    assert [one.nick for one in room.people.waiting] == ["Eve", "Mo"]
    assert [room.people.holder(code_of(room, k)).nick for k in (1, 2)] == ["Ada", "Ben"]


@taught
async def test_latecomers_at_once_get_codes_of_their_own(room):
    before = (room.folder.path / "register.csv").read_text("utf-8")
    try:
        told = await asyncio.gather(*(room.controls.decide("add", name=f"Late {k}") for k in range(3)))
        codes = [code for one in told for code in one["codes"]]
        assert len(set(codes)) == len(codes) == 6
        assert set(codes) <= set(room.folder.register.by_code)
    finally:
        (room.folder.path / "register.csv").write_text(before, "utf-8")


@taught
async def test_marks_of_another_time_are_made_again_and_a_sheet_that_is_gone_stops_no_class(room):
    code, gone = code_of(room), code_of(room, 2)
    for one in (code, gone):
        _, learner = await room.join(one, "Ada")
        await room.store_answers(learner, one, list(right(room, one)))
    await all_marked(room)
    await room.close()
    with closing(sqlite3.connect(room.store.database.url.database)) as connection, connection:
        connection.execute("""update mark set json = '{"named": true}'""")
    fewer = class_folder.ClassFolder(room.folder.path)
    fewer.register = Register(entry for entry in fewer.register if entry.number != 2)
    async with open_room(fewer, str(room.store.database.url)) as again:
        await all_marked(again)
        assert seat(again, code).standing.count("blank") == 0
        assert seat(again, code).standing.count("right") > 0
        assert gone not in {one.entry.code for one in again.seats.all()}


@taught
async def test_a_step_of_one_topic_closes_no_other_topic(room):
    code, softmax = code_of(room), code_of(room, 1, "softmax")
    _, learner = await room.join(code, "Ada")
    first, *_ = room.sheet_states.outline(softmax).blank
    await room.controls.decide("until", step=first, topic="softmax", level=1)
    assert [(await room.sheet(learner, one))["until"] for one in (code, softmax)] == [None, first]
    for one in (code, softmax):
        await room.store_answers(
            learner, one, [[n + 1000 * (one == code), *rest] for n, *rest in right(room, one)]
        )
    await all_marked(room)
    assert seat(room, code).standing.count("blank") == 0
    assert {step for step, found in seat(room, softmax).standing.steps.items() if found["right"]} == {first}
    with pytest.raises(HandcalcError, match="No sheet of this class"):
        await room.controls.decide("until", step=first, topic="dot_product", level=1)
