"""What learners see of each other, and what the teacher decides about them."""

import json
import math
import re
import socket
from contextlib import closing

import live_class
import pytest
from class_files import class_of
from live_class import NAMES, TEACHER, answers_with, is_plain

import handcalc as hc
from handcalc.classroom.live.state.people import clean_nickname


def test_a_sheet_of_somebody_else_is_closed(taught, ada, sheet):
    other = taught.code(1)
    assert is_plain(taught.ask("/api/answers", {**answers_with(sheet), "code": other}, ada), 403)
    assert is_plain(taught.ask("/api/hint", {"code": other, "step": sheet["blank"][0]}, ada), 403)
    assert is_plain(taught.ask(f"/api/sheet?code={other}", token=ada), 403)


def test_codes_that_are_none_are_refused(taught):
    for code in (
        "",
        "SA1-4292",
        "DP1",
        "x" * 60,
        "'; DROP TABLE learner; --",
        "../../etc",
        "%s%n",
        "DP1-ÄÖÜ",
    ):
        assert is_plain(taught.ask("/api/join", {"code": code, "nick": "x"}), 403)


def test_no_name_of_the_register_and_no_nick_of_another_reaches_a_learner(taught, ada, sheet):
    grace = taught.enter(1, "Nickname-of-Grace")
    code = taught.code(1)
    told = [
        taught.ask("/api/sheet", token=grace),
        taught.ask("/api/hint", {"code": code, "step": sheet["blank"][0]}, grace),
        taught.ask("/api/answers", {"code": code, "answers": [[1, sheet["blank"][0], 0, 0, "1"]]}, grace),
        taught.ask("/api/join", {"code": taught.code(0), "nick": "me too"}),
        taught.ask("/"), taught.ask("/files/learner.js"),
    ]  # fmt: skip
    texts = b" ".join(answer.data for answer in told).decode()
    assert "Ada!" not in texts
    assert not [
        part for name in NAMES for part in name.split() if part in texts.replace("Nickname-of-Grace", "")
    ]


def test_a_name_with_markup_or_sql_stays_a_text(taught):
    nick = "<img src=x> '); DROP--"
    taught.join(2, nick)
    seen = taught.ask("/api/class", token=TEACHER)
    assert seen.headers["content-type"].startswith("application/json")
    assert nick in {row["nick"] for row in seen.json["rows"]}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada \n L. ", "Ada L."), ("a\u202eb\u2066c\u200b", "abc"), ("x" * 5000, "x" * 30),
        ("\x1b[31mred\x07", "[31mred"), ("Z\u0335\u0336\u0337\u0338\u0339algo", "Z\u0335\u0336algo"),
        ("Zoë 李 🚀", "Zoë 李 🚀"), ("\u2028\u3000\xa0", ""),
    ],
)  # fmt: skip
def test_names_stay_on_their_line(typed, kept):
    assert clean_nickname(typed) == kept


def test_a_paused_class_takes_no_answers(taught, ada, sheet):
    for do, status in (("pause", 423), ("resume", 200)):
        assert taught.ask("/api/class/do", {"do": do}, TEACHER).status == 200
        answer = taught.ask("/api/answers", answers_with(sheet, n=5), ada)
        assert answer.status == status


def test_a_lost_phone_finds_back_and_the_found_one_is_out(taught):
    lost = taught.enter(1, "lost")
    taught.ask("/api/class/do", {"do": "release", "code": taught.code(1)}, TEACHER)
    found = taught.join(1, "found")
    assert taught.ask("/api/sheet", token=found).json["state"] == "in"
    assert is_plain(taught.ask("/api/sheet", token=lost), 403)


def test_who_waits_sees_and_does_nothing(taught, sheet):
    waiting = taught.join(0, "second Ada")
    seen = taught.ask("/api/sheet", token=waiting).json
    assert seen["state"] == "waiting"
    assert "spec" not in seen
    assert taught.ask("/api/answers", answers_with(sheet), waiting).status in (400, 403, 423)
    assert taught.ask("/api/hint", {"code": sheet["code"], "step": sheet["blank"][0]}, waiting).status in (
        400,
        403,
    )


def test_who_is_forgotten_is_gone_from_the_disk(taught):
    token = taught.enter(3, "Forgetmenot")
    rows = taught.ask("/api/class", token=TEACHER).json["rows"]
    learner = next(row["learner"] for row in rows if row["nick"] == "Forgetmenot")
    assert taught.ask("/api/class/do", {"do": "forget", "learner": learner}, TEACHER).status == 200
    assert is_plain(taught.ask("/api/sheet", token=token), 403)
    assert b"Forgetmenot" not in taught.ask("/api/class", token=TEACHER).data
    assert b"Forgetmenot" not in b"".join(path.read_bytes() for path in taught.folder.path.glob("class.db*"))


def first_event(taught, path, token):
    """The beginning of a stream of events."""
    with socket.create_connection(("127.0.0.1", taught.port), timeout=5) as link:
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
        link.sendall(asked.encode())
        found = b""
        while b"}\n\n" not in found:
            found += link.recv(65536)
    return found.decode()


def test_the_projector_shows_no_name_and_opens_nothing_else(taught):
    taught.enter(1, "Nickname-of-Grace")
    projector = taught.live.projector
    shown = first_event(taught, "/api/projector", projector)
    assert "200 OK" in shown
    assert not [part for name in [*NAMES, "Nickname-of-Grace"] for part in name.split() if part in shown]
    for path in ("/api/class", "/api/class/events", "/api/class/look"):
        assert is_plain(taught.ask(path, token=projector), 403)
    assert is_plain(taught.ask("/api/class/do", {"do": "pause"}, projector), 403)


def test_in_a_closed_class_whoever_comes_waits(taught):
    taught.enter(2, "x")
    taught.ask("/api/class/do", {"do": "closed"}, TEACHER)
    states = [taught.ask("/api/join", {"code": taught.code(2), "nick": "late"}).json["state"]]
    taught.ask("/api/class/do", {"do": "open"}, TEACHER)
    seen = taught.ask("/api/class", token=TEACHER).json["waiting"]
    late = next(one["learner"] for one in seen if one["nick"] == "late")
    assert states == ["waiting"]
    assert taught.ask("/api/class/do", {"do": "refuse", "learner": late}, TEACHER).status == 200


def told_of(path, solutions):
    """What a learner is told, and the right numbers of their sheet, by loops."""
    with closing(live_class.Taught(class_of(path, [""], "softmax", solutions=solutions))) as class_:
        told = live_class.all_that_is_told(class_, class_.join(), class_.code())
    scores = [row[0] for row in hc.load(class_.code()).givens["S"].values.tolist()]
    powers = [math.exp(score) for score in scores]
    right = [*powers, sum(powers), *(power / sum(powers) for power in powers)]
    return [float(one) for one in re.findall(r"\d+\.\d+", told)], [one for one in right if one % 1]


@pytest.mark.parametrize(
    "solutions", [False, pytest.param(True, marks=pytest.mark.sweep)], ids=["withheld", "shown"]
)
def test_right_answers_reach_no_learners_page_unless_the_class_was_made_so(tmp_path, solutions):
    told, right = told_of(tmp_path / "softmax", solutions)
    assert len(right) > 5  # the powers, their sum, the shares
    given_away = [one for one in right if any(abs(one - other) < 0.006 for other in told)]
    assert bool(given_away) == solutions, given_away


@pytest.mark.slow
def test_who_is_forgotten_is_in_no_file_of_the_class(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "forgotten"))) as class_:
        token = class_.join(0, "Zebedee")
        sheet = class_.ask("/api/sheet", token=token).json
        class_.ask("/api/answers", answers_with(sheet, text="call 555-0199"), token)
        for name in ("marks.csv", "report.html"):
            assert class_.ask(f"/api/class/{name}", token=TEACHER).status == 200
        said = (b"Zebedee", b"555-0199")
        assert holding(class_.folder.path, *said)
        found = class_.ask("/api/class", token=TEACHER).json["rows"]
        (learner,) = {row["learner"] for row in found if row["learner"]}
        assert class_.ask("/api/class/do", {"do": "forget", "learner": learner}, TEACHER).status == 200
        assert not holding(class_.folder.path, *said)


def holding(folder, *texts):
    """The files that have one of these texts."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(text in path.read_bytes() for text in texts)]


@pytest.mark.slow
def test_the_projector_shows_numbers_and_no_words_of_a_learner(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "shown"))) as class_:
        token, shown = class_.join(0), {}
        sheet = class_.ask("/api/sheet", token=token).json
        step = sheet["blank"][0]
        about = {"kind": "number", "code": sheet["code"], "step": step, "row": 0, "column": 0}
        for n, text in enumerate(("Mr Smith smells of cheese", "41", "1/0 haha", "2·3 + 1"), 1):
            class_.ask("/api/answers", answers_with(sheet, n=n, text=text), token)
            asked = {"do": "show", **about, "written": True, "turn": n}
            assert class_.ask("/api/class/do", asked, TEACHER).status == 200
            event = first_event(class_, "/api/projector", TEACHER)
            shown[text] = json.loads(re.search(r"^data: (.*)$", event, re.M)[1])["number"].get("written")
        assert list(shown.values()) == [None, "41", None, "2·3 + 1"]
