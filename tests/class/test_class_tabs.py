"""Two tabs, or two devices, of one learner: the number typed later counts, whichever comes later."""

import live_class
import pytest

from handcalc.classroom.marking import sources


@pytest.fixture
def taught(tmp_path):
    made = live_class.Taught(live_class.make(tmp_path / "8b"))
    yield made
    made.close()


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
