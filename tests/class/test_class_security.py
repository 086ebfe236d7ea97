"""A class's server is safe: each test is a line of what a pupil, a stranger or another page might try."""

import re
import socket
from contextlib import closing, suppress

import live_class
import pytest
from live_class import TEACHER, answers_with, is_plain

from handcalc.classroom.live.http.teacher_requests import TEACHER_FILES

# What a page is allowed to do


def test_pages_run_no_script_or_style_but_the_servers_and_stand_in_no_frame(taught):
    for path in ("/", "/teacher", "/projector"):
        answer = taught.ask(path)
        policy = answer.headers["content-security-policy"]
        assert answer.status == 200
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert b"<style" not in answer.data
        assert b"style=" not in answer.data
        assert b"<script>" not in answer.data


def test_no_answer_sets_a_cookie_or_opens_to_other_pages(taught, ada):
    for path in ("/", "/files/learner.js", "/api/sheet", "/api/class", "/nowhere"):
        headers = taught.ask(path, token=ada, Origin=f"http://127.0.0.1:{taught.port}").headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert not [name for name in headers if name.startswith("access-control") or "cookie" in name]
        assert "server" not in headers


def test_files_are_sent_once_and_packed(taught):
    first = taught.ask("/files/learner.js", Accept_Encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    again = taught.ask("/files/learner.js", If_None_Match=first.headers["etag"], Accept_Encoding="gzip")
    assert (again.status, again.data) == (304, b"")
    for name in (
        "../web.py",
        "%2e%2e/web.py",
        "..%2fweb.py",
        ".",
        "learner.js%00",
        "learner_sheets.js",
        "web.py",
    ):
        assert is_plain(taught.ask(f"/files/{name}"), 404)


# Who may ask


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil"]
)
def test_a_host_that_is_not_ours_is_refused_so_that_no_name_can_be_bound_to_us(taught, host):
    assert is_plain(taught.ask("/", Host=host), 403)


def test_our_own_hosts_are_answered(taught):
    for host in (f"127.0.0.1:{taught.port}", "localhost:8737", "LOCALHOST", "[::1]:8737"):
        assert taught.ask("/", Host=host).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", ""])
def test_pages_of_others_are_refused(taught, ada, origin):
    assert is_plain(taught.ask("/api/join", {"code": taught.code(), "nick": "x"}, Origin=origin), 403)
    assert is_plain(taught.ask("/api/sheet", token=ada, Origin=origin), 403)
    head = upgrade(taught, origin=origin)
    assert b" 403 " in head.split(b"\r\n")[0]


def upgrade(taught, **about):
    """The beginning of the answer to a WebSocket's request."""
    lines = [
        "GET /api/live HTTP/1.1",
        f"Host: 127.0.0.1:{taught.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *(f"{name.title()}: {value}" for name, value in about.items()),
    ]
    with socket.create_connection(("127.0.0.1", taught.port), timeout=5) as link:
        link.sendall("\r\n".join([*lines, "", ""]).encode())
        return link.recv(4096)


FOR_THE_TEACHER = [
    *("/api/class", "/api/class/events", "/api/class/look", "/api/projector"),
    *(f"/api/class/{name}" for name in TEACHER_FILES),
]


@pytest.mark.parametrize("token", ["", "0" * 32, "é", "x" * 5000, TEACHER[:-1], "token"])
def test_nothing_is_told_without_a_ticket(taught, token):
    token = token.encode().decode("latin-1")
    for path in ("/api/sheet", *FOR_THE_TEACHER):
        assert is_plain(taught.ask(path, token=token), 403)
    for path in ("/api/answers", "/api/hint", "/api/class/do"):
        assert is_plain(taught.ask(path, {"code": taught.code(), "do": "pause"}, token), 403)


def test_a_learner_is_no_teacher(taught, ada):
    for path in FOR_THE_TEACHER:
        assert is_plain(taught.ask(path, token=ada), 403)
    assert is_plain(taught.ask("/api/class/do", {"do": "pause"}, ada), 403)


def test_tokens_are_long_and_stored_as_hashes(taught, ada):
    assert len(bytes.fromhex(ada)) == 16
    stored = b"".join(path.read_bytes() for path in taught.folder.path.glob("class.db*"))
    assert stored
    assert ada.encode() not in stored
    assert TEACHER.encode() not in stored


def test_a_ticket_in_the_address_is_none(taught, ada):
    assert is_plain(taught.ask(f"/api/sheet?token={ada}"), 403)
    assert is_plain(taught.ask(f"/api/class?token={TEACHER}"), 403)


def test_other_methods_and_addresses_get_a_sentence(taught, ada):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert is_plain(taught.ask("/api/sheet", method=method, token=ada), 405)
    assert is_plain(taught.ask("/api/sheet", {}, ada), 405)
    assert is_plain(taught.ask("/api/sheet?code=%ff%fe", token=ada), 400)
    for path in ("/api", "/api/class/../../x", "//", "/%2e%2e/class.db", "/class.db", "/" + "x" * 5000):
        assert is_plain(taught.ask(path, token=ada), 404)


# What a request may say


def test_only_json_is_read(taught, ada):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert is_plain(taught.ask("/api/answers", b"{}", ada, Content_Type=kind), 415)


def test_a_large_body_is_not_read(taught, ada):
    assert is_plain(taught.ask("/api/answers", b" " * 1_000_000, ada), 413)
    begun = b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    begun += b"Content-Type: application/json\r\n"
    assert b" 413 " in taught.raw(begun + b"Content-Length: 10000000000\r\n\r\n")
    parts = b"".join(b"8000\r\n" + b" " * 0x8000 + b"\r\n" for _ in range(4))
    assert b" 413 " in taught.raw(begun + b"Transfer-Encoding: chunked\r\n\r\n" + parts + b"0\r\n\r\n")
    assert taught.ask("/").status == 200


def test_endless_headers_are_not_read(taught):
    long = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 10_000
    with suppress(ConnectionError):  # closed while they were sent
        assert b" 200 " not in taught.raw(long)


ODD = [
    b"", b"{", b"[]", b"1", b'"x"', b"null", b"\xff\xfe", b"NaN", b'{"code": NaN}', b'{"code": 1e999}',
    b'{"code": ' + b"9" * 5000 + b"}", b"[" * 30_000, b'{"a":' * 10_000, b'{"code": ["x"], "nick": {}}',
    b'{"code": "\\ud800", "nick": "x"}', b'{"code": "SA1\\u0000", "nick": "x"}', b'{"code": true}',
    b'{"code": "' + b"x" * 50_000 + b'"}', b"{} {}", b"\x00" * 100, b'{"__proto__": 1}',
    b'{"code": "SA1-423E" "nick"}',
]  # fmt: skip


@pytest.mark.parametrize("path", ["/api/join", "/api/answers", "/api/hint", "/api/class/do"])
def test_odd_bodies_get_a_sentence(taught, ada, path):
    for body in ODD:
        token = TEACHER if path.endswith("do") else ada
        assert is_plain(taught.ask(path, body, token), 400, 403)
        taught.now += 100


@pytest.mark.parametrize("n", [-1, 2**53, 2**63, 10**400, 1.5, "1", None, True, [1]])
def test_forged_counters_are_refused(taught, ada, sheet, n):
    assert is_plain(taught.ask("/api/answers", answers_with(sheet, n=n), ada), 400)


def test_a_counter_that_comes_again_with_something_else_is_refused(taught, ada, sheet):
    first = answers_with(sheet, n=2**53 - 1)
    assert taught.ask("/api/answers", first, ada).json == {"acknowledged": [2**53 - 1]}
    assert taught.ask("/api/answers", first, ada).json == {"acknowledged": [2**53 - 1]}
    assert is_plain(taught.ask("/api/answers", answers_with(sheet, n=2**53 - 1, text="2"), ada), 409)


@pytest.mark.parametrize(
    "changed",
    [
        {"row": -1}, {"row": 9}, {"row": 10**30}, {"row": 0.0}, {"row": "0"}, {"row": None}, {"column": -1},
        {"column": 77}, {"step": "NOPE"}, {"step": "__class__"}, {"step": ["S"]}, {"step": 7}, {"step": ""},
        {"step": "S'; DROP TABLE answer; --"}, {"text": 5}, {"text": None}, {"text": ["1"]},
        {"text": "1" * 10_000},        {"text": "\0"}, {"text": "\ud800"},
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_field_is_refused(taught, ada, sheet, changed):
    assert is_plain(taught.ask("/api/answers", answers_with(sheet, **changed), ada), 400)


def test_lists_that_are_no_answers_are_refused(taught, ada, sheet):
    wrong = [None, {}, "x", [None], [[]], [[1, 2]], [[1] * 6], [{"n": 1}], [[1, "S", 0, 0, "1", "more"]]]
    for answers in wrong:
        assert is_plain(taught.ask("/api/answers", {"code": sheet["code"], "answers": answers}, ada), 400)
    many = [[k, sheet["blank"][0], 0, 0, "1"] for k in range(401)]
    assert is_plain(taught.ask("/api/answers", {"code": sheet["code"], "answers": many}, ada), 413)
    twice = [[7, sheet["blank"][0], 0, 0, text] for text in "12"]
    assert is_plain(taught.ask("/api/answers", {"code": sheet["code"], "answers": twice}, ada), 400)


@pytest.mark.parametrize(
    "text", ["__import__('os').system('touch /tmp/x')", "exec('1')", "9**9**9", "(" * 150, "${1}"]
)
def test_what_is_typed_is_never_run(taught, ada, sheet, text):
    answer = taught.ask("/api/answers", answers_with(sheet, n=hash(text) % 10**9, text=text), ada)
    assert answer.status == 200


def test_hints_are_for_steps_of_the_sheet(taught, ada, sheet):
    for step in ("NOPE", "", 5, None, ["x"], "X"):
        assert is_plain(taught.ask("/api/hint", {"code": sheet["code"], "step": step}, ada), 400)


@pytest.mark.parametrize(
    "body",
    [{"do": "eval"}, {"do": "__init__"}, {"do": None}, {}, {"do": "approve"},
     {"do": "approve", "learner": "1"}, {"do": "approve", "learner": 10**9},
     {"do": "forget", "learner": -1}, {"do": "forget", "learner": True},
     {"do": "release"}, {"do": "release", "code": "XX"}, {"do": "until", "step": 5},
     {"do": "show", "code": ["x"]}, {"do": "show", "code": "x" * 5000}, {"do": "show", "row": 1.5},
     {"do": "nothing", "what": "x", "self": "y"}, {"do": "pause", **dict.fromkeys("abcdefghijklm", 1)}],
    ids=str,
)  # fmt: skip
def test_what_a_teacher_cannot_do_is_refused(taught, body):
    assert is_plain(taught.ask("/api/class/do", body, TEACHER), 400)


def test_a_page_of_another_class_at_this_address_is_told_so_and_takes_no_seat(taught, ada):
    page = taught.ask("/").data.decode()
    (own,) = re.findall(r'<body data-class="([0-9a-f]{12})">', page)
    assert own not in taught.folder.settings.secret
    assert taught.ask("/api/sheet", token=ada, Class=own).status == 200
    assert is_plain(taught.ask("/api/sheet", token=ada, Class="0" * 12), 421)
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
