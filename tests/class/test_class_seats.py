"""Seats that are taken in number, by HTTP: the teacher is told at once, and one click settles it."""

import json
import shutil
from contextlib import closing

import live_class
import pytest
from live_class import TEACHER, is_plain

from handcalc.classroom.marking import sources

COUNT = 30
PHONE = "b" * 32


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return live_class.make(tmp_path_factory.mktemp("seats") / "8b", names=[f"S{k}" for k in range(COUNT)])


@pytest.fixture
def taught(made, tmp_path):
    path = shutil.copytree(made.path, tmp_path / "8b")
    with closing(live_class.Taught(type(made)(path))) as taught:
        taught.live.watch.clock = taught.clock
        yield taught


def take(taught, place, nick="", browser=""):
    asked = {"code": taught.code(place), "nick": nick or f"N{place}", "browser": browser or f"phone {place}"}
    return taught.ask("/api/join", asked).json


def alarms(taught):
    return taught.ask("/api/class", token=TEACHER).json["alarms"]


def decide(taught, what, alarm):
    return taught.ask("/api/class/do", {"do": what, "alarm": alarm}, TEACHER)


def free(taught):
    return [row["code"] for row in taught.ask("/api/class", token=TEACHER).json["rows"] if not row["learner"]]


@pytest.mark.slow
def test_one_device_that_tries_to_take_all_thirty_seats_gets_three_and_one_click_empties_them(taught):
    taken = [take(taught, place, f"Nobody {place}", PHONE) for place in range(COUNT)]
    assert [one["state"] for one in taken] == ["in"] * 3 + ["waiting"] * (COUNT - 3)
    (alarm,) = alarms(taught)
    assert (alarm["kind"], alarm["codes"]) == ("browser", [taught.code(place) for place in range(3)])
    owner = take(taught, 1)
    assert owner["state"] == "waiting"  # for one click, and no longer
    others = [take(taught, place) for place in range(3, COUNT)]
    assert {one["state"] for one in others} == {"in"}  # whom nobody has taken anything from
    thief = taken[1]["token"]
    sheet = taught.ask("/api/sheet", token=thief).json
    taught.ask("/api/answers", live_class.answers_with(sheet, text="77"), thief)
    assert decide(taught, "empty", alarm["alarm"]).status == 200
    found = taught.ask("/api/sheet", token=owner["token"]).json
    assert (found["state"], found["code"], found["texts"]) == ("in", taught.code(1), {})
    assert set(free(taught)) == {taught.code(0), taught.code(2)}
    assert is_plain(taught.ask("/api/sheet", token=thief), 403)
    assert take(taught, 0, "Again", PHONE)["state"] == "waiting"  # the device waits for the teacher's word
    assert take(taught, 0)["state"] == "in"
    assert is_plain(decide(taught, "empty", alarm["alarm"]), 400)  # it is settled


def test_a_whole_class_behind_one_address_comes_in_and_all_is_well_settles_it(taught):
    states = [take(taught, place)["state"] for place in range(20)]
    assert states == ["in"] * 20
    (alarm,) = alarms(taught)
    assert (alarm["kind"], len(alarm["codes"])) == ("address", 20)
    assert decide(taught, "well", alarm["alarm"]).status == 200
    assert {take(taught, place)["state"] for place in range(20, COUNT)} == {"in"}
    assert not alarms(taught)
    assert len(free(taught)) == 0


def open_page(taught, token):
    """As if a page of theirs were open."""
    learner = taught.live.room.people.by_token(token)
    return taught.do(listen(taught.live.room.listeners, learner.id))


async def listen(listeners, learner):
    return listeners.add(learner, lambda message: None)


async def stop(closing_page):
    closing_page()


def test_few_at_a_time_from_one_address_with_their_pages_open_are_nothing_to_tell(taught):
    for place in range(12):
        open_page(taught, take(taught, place)["token"])
        taught.now += 2.1
    assert not alarms(taught)


def test_seats_of_one_address_whose_pages_are_never_open_together_are_told(taught):
    for place in range(6):
        assert not alarms(taught)
        close_page = open_page(taught, take(taught, place)["token"])
        taught.now += 60
        taught.do(stop(close_page))
    (alarm,) = alarms(taught)
    assert (alarm["kind"], alarm["apart"]) == ("address", True)
    assert alarm["codes"] == [taught.code(place) for place in range(6)]
    assert [(one["nick"], one["device"], one["open"]) for one in alarm["seats"]] == [
        (f"N{place}", place + 1, False) for place in range(6)
    ]


def type_numbers(taught, token, text="77"):
    sheet = taught.ask("/api/sheet", token=token).json
    assert taught.ask("/api/answers", live_class.answers_with(sheet, text=text), token).status == 200
    return sheet


def texts(taught, token):
    return [*taught.ask("/api/sheet", token=token).json["texts"].values()]


def orphans(taught):
    return taught.ask("/api/class", token=TEACHER).json["orphans"]


def test_an_honest_seat_of_an_alarm_keeps_what_was_typed_and_the_others_can_be_given_back(taught):
    tokens = [take(taught, place)["token"] for place in range(8)]
    for token in tokens[:3]:
        type_numbers(taught, token)
    (alarm,) = alarms(taught)
    honest = [one["learner"] for one in alarm["seats"] if one["code"] == taught.code(0)]
    taught.ask("/api/class/do", {"do": "empty", "alarm": alarm["alarm"], "keep": honest}, TEACHER)
    assert texts(taught, tokens[0]) == [{"0,0": "77"}]
    assert is_plain(taught.ask("/api/sheet", token=tokens[1]), 403)
    left = orphans(taught)
    assert [(one["code"], one["numbers"]) for one in left] == [(taught.code(1), 1), (taught.code(2), 1)]
    taught.stop()
    taught.start()  # it is stored, and can be undone later
    assert orphans(taught) == left
    back = {"do": "give_back", "learner": left[0]["learner"]}
    assert taught.ask("/api/class/do", back, TEACHER).status == 200
    assert texts(taught, tokens[1]) == [{"0,0": "77"}]
    assert [one["code"] for one in orphans(taught)] == [taught.code(2)]
    assert is_plain(taught.ask("/api/class/do", back, TEACHER), 400)  # it has been given back


def test_who_sits_in_a_seat_that_is_given_back_leaves_it_and_nothing_is_lost(taught):
    first = take(taught, 0)["token"]
    type_numbers(taught, first, "1")
    taught.ask("/api/class/do", {"do": "vacate", "code": taught.code(0)}, TEACHER)
    second = take(taught, 0, browser="another")["token"]
    assert texts(taught, second) == []
    type_numbers(taught, second, "2")
    for token, other in ((first, second), (second, first)):
        (orphan,) = orphans(taught)
        assert orphan["taken"]
        taught.ask("/api/class/do", {"do": "give_back", "learner": orphan["learner"]}, TEACHER)
        assert texts(taught, token) == [{"0,0": "1" if token is first else "2"}]
        assert is_plain(taught.ask("/api/sheet", token=other), 403)


def test_who_joins_again_on_the_same_device_gets_their_answers_back_when_they_are_let_in(taught):
    tokens = [take(taught, place)["token"] for place in range(8)]
    type_numbers(taught, tokens[4])
    (alarm,) = alarms(taught)
    decide(taught, "empty", alarm["alarm"])
    strange = take(taught, 5, browser="another phone")
    assert (strange["state"], texts(taught, strange["token"])) == ("in", [])
    again = take(taught, 4)
    assert again["state"] == "waiting"  # the seat had an alarm
    (waiting,) = taught.ask("/api/class", token=TEACHER).json["waiting"]
    taught.ask("/api/class/do", {"do": "let_in", "learner": waiting["learner"]}, TEACHER)
    assert texts(taught, again["token"]) == [{"0,0": "77"}]
    assert orphans(taught) == []


def test_a_nickname_that_takes_more_than_two_seats_is_told_and_two_friends_of_one_name_are_not(taught):
    for place in range(2):
        take(taught, place, "Anna")
    assert not alarms(taught)
    assert take(taught, 2, " aNNA ")["state"] == "in"
    (alarm,) = alarms(taught)
    assert (alarm["kind"], len(alarm["codes"])) == ("nick", 3)
    assert "alarm" not in json.dumps(taught.live.grid.nameless())  # what the projector shows
    assert decide(taught, "well", alarm["alarm"]).status == 200
    take(taught, 3, "Anna")
    assert not alarms(taught)


def test_a_tablet_that_several_share_goes_on_when_the_teacher_says_so(taught):
    states = [take(taught, place, browser=PHONE)["state"] for place in range(5)]
    assert states == ["in"] * 3 + ["waiting"] * 2
    (alarm,) = alarms(taught)
    decide(taught, "well", alarm["alarm"])
    assert not alarms(taught)
    assert len(free(taught)) == COUNT - 5  # whoever had to wait is in with the same click
    assert take(taught, 6, browser=PHONE)["state"] == "in"


def test_a_program_that_names_no_browser_is_told_by_its_address_and_nothing_of_it_is_stored(taught):
    for place in range(COUNT):
        taught.ask("/api/join", {"code": taught.code(place)})
    (alarm,) = alarms(taught)
    assert (alarm["kind"], len(alarm["codes"])) == ("address", COUNT)
    decide(taught, "empty", alarm["alarm"])
    assert len(free(taught)) == COUNT
    take(taught, 9, browser=PHONE)
    stored = b"".join(path.read_bytes() for path in taught.folder.path.glob("class.db*"))
    assert PHONE.encode() not in stored
    assert b"127.0.0.1" not in stored


# Two tabs, or two devices, of one learner: the number typed later counts, whichever comes later.
def send(taught, token, code, *answers):
    told = taught.ask("/api/answers", {"code": code, "answers": [list(one) for one in answers]}, token)
    assert told.status == 200, told.json


def text(taught, token):
    return taught.ask("/api/sheet", token=token).json["texts"]["s"]["0,0"]


def test_what_was_typed_later_counts_though_what_was_typed_earlier_comes_later(taught):
    """One tab was cut off while the other one sent; marks, the next start and the report agree."""
    token, code = taught.join(), taught.code()
    now = taught.ask("/api/sheet", token=token).json["now"]
    send(taught, token, code, (2, "s", 0, 0, "7", now - 1000))
    send(taught, token, code, (1, "s", 0, 0, "5", now - 3000))
    assert text(taught, token) == "7"
    send(taught, token, code, (9, "s", 0, 0, "6", now - 2000))  # counted on after a number was used twice
    assert text(taught, token) == "7"
    (handed,) = sources.read_phone_sheets(taught.folder)
    assert [one.text for one in handed.typed] == ["5", "6", "7"]
    taught.stop()
    taught.start()
    assert text(taught, token) == "7"
    send(taught, token, code, (10, "s", 0, 0, "8", now + 3600_000))  # a clock that is an hour fast
    assert text(taught, token) == "8"
    send(taught, token, code, (11, "s", 0, 0, "9"))  # typed when it comes
    assert text(taught, token) == "9"


def test_a_computer_whose_clock_was_put_back_takes_what_is_typed_now_as_newer(taught):
    token, code = taught.join(), taught.code()
    send(taught, token, code, (1, "s", 0, 0, "5"))
    before = taught.live.room.clock
    taught.live.room.clock = lambda: before() - 86_400
    now = taught.ask("/api/sheet", token=token).json["now"]
    send(taught, token, code, (2, "s", 0, 0, "7", now + 5))
    send(taught, token, code, (3, "s", 0, 0, "8"))
    assert text(taught, token) == "8"
