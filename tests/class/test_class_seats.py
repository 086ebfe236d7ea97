"""Seats that are taken in number, by HTTP: the teacher is told at once, and one click settles it."""

import json
import shutil
from contextlib import closing

import live_class
import pytest
from live_class import TEACHER, is_plain

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


def test_few_at_a_time_from_one_address_are_nothing_to_tell(taught):
    for place in range(12):
        take(taught, place)
        taught.now += 2.1
    assert not alarms(taught)


def test_a_nickname_that_takes_more_than_two_seats_is_told_and_two_friends_of_one_name_are_not(taught):
    for place in range(2):
        take(taught, place, "Anna")
    assert not alarms(taught)
    assert take(taught, 2, " aNNA ")["state"] == "in"
    (alarm,) = alarms(taught)
    assert (alarm["kind"], len(alarm["codes"])) == ("nick", 3)
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


def test_only_the_teacher_settles_and_is_told(taught):
    token = take(taught, 0)["token"]
    for place in range(1, 4):
        take(taught, place, browser=PHONE)
    asked = {"do": "well", "alarm": 1}
    for other in ("", token, taught.live.projector):
        assert is_plain(taught.ask("/api/class/do", asked, other), 403)
    assert len(alarms(taught)) == 1
    assert "alarm" not in json.dumps(taught.live.grid.nameless())  # what the projector shows
    assert is_plain(decide(taught, "well", None), 400)
