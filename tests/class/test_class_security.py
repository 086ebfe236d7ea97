"""A class's server is safe: what a pupil, a stranger or another page might try, and what they get for it."""

import json
import math
import re
import socket
from contextlib import closing, suppress
from itertools import product

import live_class
import pytest
from class_files import class_of
from live_class import NAMES, TEACHER, answers_with, is_plain

import handcalc as hc
from handcalc.classroom.live.http.teacher_requests import TEACHER_FILES
from handcalc.classroom.live.state.people import clean_nickname

ADA, PROJECTOR = "Ada’s ticket", "the projector’s"
STRANGERS = ["", "0" * 32, "é".encode().decode("latin-1"), "x" * 5000, TEACHER[:-1], "token"]
FOR_THE_TEACHER = ["/api/class", "/api/class/events", "/api/class/look"]
FOR_THE_TEACHER += [f"/api/class/{name}" for name in TEACHER_FILES]
PAUSE = {"do": "pause"}
ODD = [
    b"", b"{", b"[]", b"1", b'"x"', b"null", b"\xff\xfe", b"NaN", b'{"code": NaN}', b'{"code": 1e999}',
    b'{"code": ' + b"9" * 5000 + b"}", b"[" * 30_000, b'{"a":' * 10_000, b'{"code": ["x"], "nick": {}}',
    b'{"code": "\\ud800", "nick": "x"}', b'{"code": "SA1\\u0000", "nick": "x"}', b'{"code": true}',
    b'{"code": "' + b"x" * 50_000 + b'"}', b"{} {}", b"\x00" * 100, b'{"__proto__": 1}',
    b'{"code": "SA1-423E" "nick"}',
]  # fmt: skip
DECISIONS = [
    {"do": "eval"}, {"do": "__init__"}, {"do": None}, {}, {"do": "approve"},
    {"do": "approve", "learner": "1"}, {"do": "approve", "learner": 10**9}, {"do": "forget", "learner": -1},
    {"do": "forget", "learner": True}, {"do": "release"}, {"do": "release", "code": "XX"}, {"do": "until"},
    {"do": "until", "step": 5}, {"do": "until", "step": "no such step"}, {"do": "show", "code": ["x"]},
    {"do": "show", "code": "x" * 5000}, {"do": "show", "kind": "x" * 3000}, {"do": "show", "row": 1.5},
    {"do": "well", "alarm": None}, {"do": "nothing", "what": "x", "self": "y"},
    {"do": "pause", **dict.fromkeys("abcdefghijklm", 1)},
]  # fmt: skip


def joins(**about):
    return "/api/join", {"code": "DP1", "nick": "x"} | about


def answers(**changed):
    """An answer in which this is changed, for the sheet that is open."""
    return "/api/answers", lambda sheet: answers_with(sheet, **changed)


def lists(*every):
    return [("/api/answers", lambda sheet, one=one: {"code": sheet["code"], "answers": one}) for one in every]


def hints(*steps):
    return [("/api/hint", lambda sheet, step=step: {"code": sheet["code"], "step": step}) for step in steps]


def of_grace(sheet):
    return {**answers_with(sheet), "code": sheet["others"], "step": sheet["blank"][0]}


REFUSED = {  # statuses, tickets, and requests: a path, a body if any, headers if any
    "a host that is not ours, so that no name can be bound to us": (403, [""], [
        ("/", None, {"Host": host})
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil")
    ]),
    "pages of others": (403, [ADA], [
        (*one, {"Origin": origin})
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "file://", "")
        for one in (joins(), ("/api/sheet", None))
    ]),
    "a page of another class at this address": (421, [ADA], [
        (*one, {"Class": "0" * 12}) for one in (joins(), ("/api/sheet", None))
    ]),
    "whoever has no ticket": (403, STRANGERS, [
        *((path,) for path in ("/api/sheet", "/api/projector", *FOR_THE_TEACHER)),
        *((path, {"code": "DP1", **PAUSE}) for path in ("/api/answers", "/api/hint", "/api/class/do")),
    ]),
    "a learner who would teach": (403, [ADA], [
        *((path,) for path in ("/api/projector", *FOR_THE_TEACHER)), ("/api/class/do", PAUSE)
    ]),
    "the projector, which opens nothing else": (403, [PROJECTOR], [
        *((path,) for path in FOR_THE_TEACHER[:3]), ("/api/class/do", PAUSE)
    ]),
    "a ticket in the address": (403, [""], [(f"/api/class?token={TEACHER}",)]),
    "other methods": (405, [ADA], [
        *(("/api/sheet", None, {"method": method}) for method in ("PUT", "DELETE", "PATCH", "OPTIONS")),
        ("/api/sheet", {}),
    ]),
    "other addresses": (404, [ADA], [
        (path,)
        for path in ("/api", "/api/class/../../x", "//", "/%2e%2e/class.db", "/class.db", "/" + "x" * 5000)
    ]),
    "files that are none of the pages’": (404, [""], [
        ("/files/../web.py",), ("/files/%2e%2e/web.py",), ("/files/..%2fweb.py",), ("/files/.",),
        ("/files/learner.js%00",), ("/files/learner_sheets.js",), ("/files/web.py",),
    ]),
    "a code in no encoding": (400, [ADA], [("/api/sheet?code=%ff%fe",)]),
    "what is no JSON": (415, [ADA], [
        ("/api/answers", b"{}", {"Content_Type": kind})
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "")
    ]),
    "a large body": (413, [ADA], [("/api/answers", b" " * 1_000_000)]),
    "odd bodies": ((400, 403), [ADA], [
        (path, body) for path in ("/api/join", "/api/answers", "/api/hint") for body in ODD
    ]),
    "odd bodies of the teacher": (400, [TEACHER], [("/api/class/do", body) for body in ODD]),
    "forged counters": (400, [ADA], [
        answers(n=n) for n in (-1, 2**53, 2**63, 10**400, 1.5, "1", None, True, [1])
    ]),
    "a time that is none": (400, [ADA], lists(*(
        [[1, "s", 0, 0, "1", at]] for at in (-1, 1.5, "now", None, 2**53)
    ))),
    "what has no field": (400, [ADA], [
        *(answers(row=row) for row in (-1, 9, 10**30, 0.0, "0", None)),
        *(answers(column=column) for column in (-1, 77)),
        *(answers(step=step) for step in ("NO", "__class__", ["S"], 7, "", "S'; DROP TABLE answer; --")),
        *(answers(text=text) for text in (5, None, ["1"], "1" * 10_000, "\0", "\ud800")),
    ]),
    "lists that are no answers": (400, [ADA], lists(
        None, {}, "x", [None], [[]], [[1, 2]], [[1] * 6], [{"n": 1}], [[1, "S", 0, 0, "1", "more"]],
        [[7, "s", 0, 0, text] for text in "12"],
    )),
    "too many answers": (413, [ADA], lists([[k, "s", 0, 0, "1"] for k in range(401)])),
    "hints to what is no step": (400, [ADA], hints("NOPE", "", 5, None, ["x"], "X")),
    "codes that are none": (403, [""], [
        joins(code=code)
        for code in ("", "SA1-4292", "DP1", "x" * 60, "'; DROP TABLE x; --", "../../etc", "%s%n", "DP1-ÄÖÜ")
    ]),
    "a sheet of somebody else": (403, [ADA], [
        ("/api/answers", of_grace), ("/api/hint", of_grace),
        (lambda sheet: f"/api/sheet?code={sheet['others']}",),
    ]),
    "what a teacher cannot do": (400, [TEACHER], [("/api/class/do", body) for body in DECISIONS]),
}  # fmt: skip


def whole(path, body=None, headers=None):
    return path, body, headers or {}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_gets_one_sentence_and_its_status(taught, ada, sheet, what):
    statuses, tickets, requests = REFUSED[what]
    statuses = statuses if isinstance(statuses, tuple) else (statuses,)
    sheet = sheet | {"others": taught.code(1)}
    for ticket, request in product(tickets, requests):
        token = {ADA: ada, PROJECTOR: taught.live.projector}.get(ticket, ticket)
        path, body, headers = (one(sheet) if callable(one) else one for one in whole(*request))
        assert is_plain(taught.ask(path, body, token, **headers), *statuses), (path, body, headers)
        taught.now += 100
    assert taught.ask("/api/sheet", token=ada).status == 200


def test_pages_run_no_script_or_style_but_the_servers_and_no_answer_opens_to_other_pages(taught, ada):
    for path in ("/", "/teacher", "/projector"):
        answer = taught.ask(path)
        policy = answer.headers["content-security-policy"]
        assert answer.status == 200
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert not [part for part in (b"<style", b"style=", b"<script>") if part in answer.data]
    for path in ("/", "/files/learner.js", "/api/sheet", "/api/class", "/nowhere"):
        headers = taught.ask(path, token=ada, Origin=f"http://127.0.0.1:{taught.port}").headers
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
        assert not [name for name in headers if name.startswith("access-control") or "cookie" in name]
        assert "server" not in headers


def test_files_are_sent_once_and_packed(taught):
    first = taught.ask("/files/learner.js", Accept_Encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    again = taught.ask("/files/learner.js", If_None_Match=first.headers["etag"], Accept_Encoding="gzip")
    assert (again.status, again.data) == (304, b"")


def test_our_own_hosts_are_answered_and_a_socket_of_another_page_is_not(taught):
    for host in (f"127.0.0.1:{taught.port}", "localhost:8737", "LOCALHOST", "[::1]:8737"):
        assert taught.ask("/", Host=host).status == 200
    asked = (
        f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{taught.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\nOrigin: null\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", taught.port), timeout=5) as link:
        link.sendall(asked.encode())
        assert b" 403 " in link.recv(4096).split(b"\r\n")[0]


def test_tokens_are_long_stored_as_hashes_and_read_in_the_header_alone(taught, ada):
    assert len(bytes.fromhex(ada)) == 16
    stored = b"".join(path.read_bytes() for path in taught.folder.path.glob("class.db*"))
    assert stored
    assert not [token for token in (ada, TEACHER) if token.encode() in stored]
    assert is_plain(taught.ask(f"/api/sheet?token={ada}"), 403)


def test_a_body_of_unknown_size_and_endless_headers_are_not_read(taught):
    begun = b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    begun += b"Content-Type: application/json\r\n"
    assert b" 413 " in taught.raw(begun + b"Content-Length: 10000000000\r\n\r\n")
    parts = b"".join(b"8000\r\n" + b" " * 0x8000 + b"\r\n" for _ in range(4))
    assert b" 413 " in taught.raw(begun + b"Transfer-Encoding: chunked\r\n\r\n" + parts + b"0\r\n\r\n")
    long = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 10_000
    with suppress(ConnectionError):  # closed while they were sent
        assert b" 200 " not in taught.raw(long)
    assert taught.ask("/").status == 200


def test_what_is_typed_is_stored_once_and_never_run(taught, ada, sheet):
    first = answers_with(sheet, n=2**53 - 1)
    for _ in range(2):
        assert taught.ask("/api/answers", first, ada).json == {"acknowledged": [2**53 - 1]}
    assert is_plain(taught.ask("/api/answers", answers_with(sheet, n=2**53 - 1, text="2"), ada), 409)
    texts = ["__import__('os').system('touch /tmp/x')", "exec('1')", "9**9**9", "(" * 150, "${1}"]
    for n, text in enumerate(texts, 10**9):
        assert taught.ask("/api/answers", answers_with(sheet, n=n, text=text), ada).status == 200


def test_a_page_of_another_class_takes_no_seat(taught, ada):
    (own,) = re.findall(r'<body data-class="([0-9a-f]{12})">', taught.ask("/").data.decode())
    assert own not in taught.folder.settings.secret
    assert taught.ask("/api/sheet", token=ada, Class=own).status == 200
    before = taught.ask("/api/class", token=TEACHER).json["waiting"]
    assert is_plain(taught.ask("/api/join", {"code": taught.code(), "nick": ""}, Class="0" * 12), 421)
    assert taught.ask("/api/class", token=TEACHER).json["waiting"] == before


def test_a_page_counts_on_from_what_another_device_has_sent_to_another_sheet(tmp_path):
    topics = (("dot_product", 1), ("softmax", 1))
    with closing(live_class.Taught(live_class.make(tmp_path / "two", ["Ada"], topics))) as class_:
        token, (one, other) = class_.join(0), (class_.code(0), class_.code(1))
        sheet = class_.ask(f"/api/sheet?code={other}", token=token).json
        assert class_.ask("/api/answers", answers_with(sheet, n=20), token).status == 200
        seen = class_.ask(f"/api/sheet?code={one}", token=token).json
        assert (seen["n"], seen["last"], seen["run"]) == (0, 20, sheet["run"])
        class_.stop()
        class_.start()
        assert class_.ask("/api/sheet", token=token).json["run"] != sheet["run"]


# what learners see of each other -------------------------------------------------------------------


def first_event(taught, path, token):
    """The beginning of a stream of events."""
    with socket.create_connection(("127.0.0.1", taught.port), timeout=5) as link:
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
        link.sendall(asked.encode())
        found = b""
        while b"}\n\n" not in found:
            found += link.recv(65536)
    return found.decode()


def test_no_name_of_the_register_and_no_nick_of_another_reaches_a_learner_or_the_projector(
    taught, ada, sheet
):
    grace = taught.enter(1, "Nickname-of-Grace")
    code, step = taught.code(1), sheet["blank"][0]
    told = [
        taught.ask("/api/sheet", token=grace),
        taught.ask("/api/hint", {"code": code, "step": step}, grace),
        taught.ask("/api/answers", {"code": code, "answers": [[1, step, 0, 0, "1"]]}, grace),
        taught.ask("/api/join", {"code": taught.code(0), "nick": "me too"}),
        taught.ask("/"), taught.ask("/files/learner.js"),
    ]  # fmt: skip
    texts = b" ".join(answer.data for answer in told).decode().replace("Nickname-of-Grace", "")
    shown = first_event(taught, "/api/projector", taught.live.projector)
    assert "200 OK" in shown
    parts = [part for name in NAMES for part in name.split()]
    assert not [part for part in (*parts, "Ada!") if part in texts]
    assert not [part for part in (*parts, "Nickname-of-Grace") if part in shown]


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


def test_who_waits_and_whoever_is_paused_does_nothing(taught, ada, sheet):
    for do, status in (("pause", 423), ("resume", 200)):
        assert taught.ask("/api/class/do", {"do": do}, TEACHER).status == 200
        assert taught.ask("/api/answers", answers_with(sheet, n=5), ada).status == status
        assert taught.ask("/api/hint", {"code": sheet["code"], "step": "s"}, ada).status == status
    waiting = taught.join(0, "second Ada")
    seen = taught.ask("/api/sheet", token=waiting).json
    assert (seen["state"], "spec" in seen) == ("waiting", False)
    for path, body in (answers(), *hints("s")):
        assert is_plain(taught.ask(path, body(sheet), waiting), 400)


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
def test_who_is_forgotten_is_out_and_in_no_file_of_the_class(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "forgotten"))) as class_:
        token = class_.join(0, "Zebedee")
        sheet = class_.ask("/api/sheet", token=token).json
        class_.ask("/api/answers", answers_with(sheet, text="call 555-0199"), token)
        for name in ("marks.csv", "report.html"):
            assert class_.ask(f"/api/class/{name}", token=TEACHER).status == 200
        assert holding(class_.folder.path, b"Zebedee", b"555-0199")
        found = class_.ask("/api/class", token=TEACHER).json["rows"]
        (learner,) = {row["learner"] for row in found if row["learner"]}
        assert class_.ask("/api/class/do", {"do": "forget", "learner": learner}, TEACHER).status == 200
        assert not holding(class_.folder.path, b"Zebedee", b"555-0199")
        assert is_plain(class_.ask("/api/sheet", token=token), 403)
        assert b"Zebedee" not in class_.ask("/api/class", token=TEACHER).data


def holding(folder, *texts):
    """The files that have one of these texts."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(text in path.read_bytes() for text in texts)]


@pytest.mark.slow
def test_the_projector_shows_numbers_and_no_words_of_a_learner(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "shown"))) as class_:
        token, shown = class_.join(0), {}
        sheet = class_.ask("/api/sheet", token=token).json
        about = {"kind": "number", "code": sheet["code"], "step": "s", "row": 0, "column": 0}
        for n, text in enumerate(("Mr Smith smells of cheese", "41", "1/0 haha", "2·3 + 1"), 1):
            class_.ask("/api/answers", answers_with(sheet, n=n, text=text), token)
            asked = {"do": "show", **about, "written": True, "turn": n}
            assert class_.ask("/api/class/do", asked, TEACHER).status == 200
            event = first_event(class_, "/api/projector", TEACHER)
            shown[text] = json.loads(re.search(r"^data: (.*)$", event, re.M)[1])["number"].get("written")
        assert list(shown.values()) == [None, "41", None, "2·3 + 1"]
