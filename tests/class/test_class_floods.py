"""Too much, too slow, too many: what one does to a class's server is nobody else's wait."""

from __future__ import annotations

import json
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import live_class
import pytest
from live_class import TEACHER, answers_with, is_plain

from handcalc.classroom.live.http import security, websocket
from handcalc.classroom.live.http.rate_limits import group_address
from handcalc.classroom.live.state import people


@pytest.mark.slow
def test_thirty_join_at_once_from_one_address(taught, tmp_path):
    made = live_class.make(tmp_path / "school", [""] * 30)
    with closing(live_class.Taught(made)) as class_, ThreadPoolExecutor(30) as pool:
        answers = pool.map(lambda k: class_.ask("/api/join", {"code": class_.code(k), "nick": ""}), range(30))
        assert [answer.json["state"] for answer in answers] == ["in"] * 30


def test_who_guesses_codes_has_to_wait_and_needs_the_teacher_where_a_guess_is_right(taught):
    wrong = {"code": "DP1-4222", "nick": ""}
    statuses = [taught.ask("/api/join", {**wrong, "nick": str(k)}).status for k in range(5)]
    assert statuses == [403] * 5
    buckets = taught.limits.wrong_codes
    for _ in range(int(buckets.size) - 5):
        buckets.take("127.0.0.1")
    refused = taught.ask("/api/join", wrong)
    assert is_plain(refused, 429)
    assert int(refused.headers["retry-after"]) >= 1
    lucky = taught.ask("/api/join", {"code": taught.code(2), "nick": ""})
    assert (lucky.status, lucky.json["state"]) == (200, "waiting")  # for the teacher's word
    taught.now += 30
    assert is_plain(taught.ask("/api/join", wrong), 403)


def test_all_addresses_together_cannot_guess_for_ever(taught):
    for k in range(int(taught.limits.all_wrong_codes.size)):
        taught.limits.all_wrong_codes.take()
        taught.limits.wrong_codes.take(f"10.0.{k}.1")
    assert is_plain(taught.ask("/api/join", {"code": "DP1-4222", "nick": ""}), 429)
    taught.limits.wrong_codes = type(taught.limits)(taught.clock).wrong_codes


def test_what_others_guess_keeps_nobody_out(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "guessed"))) as class_:
        for k in range(int(class_.limits.all_wrong_codes.size)):
            class_.limits.all_wrong_codes.take()
            class_.limits.wrong_codes.take(f"10.0.{k % 6}.1")
        assert class_.ask("/api/join", {"code": class_.code(0), "nick": ""}).json["state"] == "in"


def test_guests_of_a_code_do_not_use_up_its_owners_way_in(taught):
    token, code = taught.enter(1, "Grace"), taught.code(1)
    for k in range(people.MAX_WAITING):
        taught.now += 100
        assert taught.ask("/api/join", {"code": code, "nick": f"guest {k}"}).json["state"] == "waiting"
    taught.now += 100
    left = taught.limits.wrong_codes.left("127.0.0.1")
    for spelling in (code, code.lower(), code.replace("-", "--"), f" {code} "):
        assert is_plain(taught.ask("/api/join", {"code": spelling, "nick": "Grace"}), 429)
    assert taught.limits.wrong_codes.left("127.0.0.1") == left  # the code is right
    taught.ask("/api/class/do", {"do": "release", "code": code}, TEACHER)
    assert taught.ask("/api/join", {"code": code, "nick": "Grace"}).json["state"] == "in"
    assert is_plain(taught.ask("/api/sheet", token=token), 403)
    taught.enter(1)


def test_however_a_code_is_written_it_is_one_code(taught):
    code = taught.code(3)
    for spelling in (code, code.lower(), code.replace("-", ""), code.replace("-", "---")):
        taught.ask("/api/join", {"code": spelling, "nick": ""})
    same_code = taught.limits.same_code
    assert same_code.left((code, "127.0.0.1")) == same_code.size - 4
    assert same_code.left((code, "127.0.0.2")) == same_code.size


def test_a_flood_of_joins_with_one_code_ends(taught):
    statuses = [taught.ask("/api/join", {"code": taught.code(3), "nick": str(k)}).status for k in range(9)]
    assert statuses[:2] == [200, 200]
    assert statuses[-1] == 429
    waiting = [
        one
        for one in taught.ask("/api/class", token=TEACHER).json["waiting"]
        if one["code"] == taught.code(3)
    ]
    assert len(waiting) <= 6


def test_a_flood_of_answers_is_stopped_and_nobody_else_is(taught, ada, sheet):
    bob = taught.enter(1, "Bob again")
    answers = [[10**7 + k, sheet["blank"][0], 0, 0, "1"] for k in range(400)]
    assert taught.ask("/api/answers", {"code": sheet["code"], "answers": answers}, ada).status == 200
    refused = taught.ask("/api/answers", answers_with(sheet), ada)
    assert is_plain(refused, 429)
    assert 1 <= int(refused.headers["retry-after"]) < 60
    assert taught.ask("/api/sheet", token=bob).json["state"] == "in"
    taught.now += 30
    assert taught.ask("/api/answers", answers_with(sheet), ada).status == 200


def test_half_a_request_does_not_wait_for_ever(taught, monkeypatch):
    monkeypatch.setattr(security, "FIRST_REQUEST_SECONDS", 0.1)
    assert taught.raw(b"GET / HTTP/1.1\r\nHost: loc") == b""
    assert taught.raw(b"") == b""
    monkeypatch.setattr(taught.server.conn_params, "body_timeout", 0.1)
    begun = b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    assert taught.raw(begun + b"Content-Length: 100\r\n\r\n{") == b""


def test_a_page_that_is_not_read_does_not_wait_for_ever(taught, ada, monkeypatch):
    monkeypatch.setattr(security, "STRANGER_SECONDS", 0.1)
    begun = b"GET /files/learner.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert b" 200 OK" in taught.raw(begun)  # which ends when the server closes the connection
    asked = f"GET /api/sheet HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {ada}\r\n\r\n".encode()
    with pytest.raises(TimeoutError):  # whoever has a ticket may stay
        taught.raw(asked, wait=0.4)


# WebSockets


class Socket:
    """A WebSocket by hand: what a page cannot send can be sent, too."""

    def __init__(self, taught) -> None:
        self.link = socket.create_connection(("127.0.0.1", taught.port), timeout=5)
        self.link.sendall(
            b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.file = self.link.makefile("rb")
        while self.file.readline().strip():
            pass

    def send(self, data: bytes, kind: int = 1) -> Socket:
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
        self.link.sendall(bytes([0x80 | kind]) + size + bytes(4) + data)  # masked with zeros
        return self

    def receive(self) -> tuple[int, bytes]:
        kind, size = self.file.read(2)
        size = struct.unpack("!H", self.file.read(2))[0] if size == 126 else size
        size = struct.unpack("!Q", self.file.read(8))[0] if size == 127 else size
        return kind & 15, self.file.read(size)

    def why_closed(self) -> int:
        """The code with which the server closes."""
        kind, data = self.receive()
        self.close()
        assert kind == 8, data
        return struct.unpack("!H", data[:2])[0]

    def close(self) -> None:
        self.file.close()
        self.link.close()


@pytest.mark.parametrize(
    "first", [b"{}", b"x", b"[[[[", b'{"token": 5}', b'{"token": "00"}', b'{"token": null}']
)
def test_a_socket_without_a_ticket_is_closed(taught, first):
    assert Socket(taught).send(first).why_closed() == 4403


def test_a_socket_takes_one_short_text(taught, ada):
    ticket = json.dumps({"token": ada}).encode()
    assert Socket(taught).send(ticket).send(b"{}").why_closed() == 1008
    assert Socket(taught).send(ticket, kind=2).why_closed() == 1008
    assert Socket(taught).send(b" " * 5000).why_closed() == 1009


def test_a_socket_that_says_nothing_is_closed(taught, monkeypatch):
    monkeypatch.setattr(websocket, "HELLO_SECONDS", 0.05)
    assert Socket(taught).why_closed() == 4403


def test_sockets_without_a_ticket_make_room(taught, ada, monkeypatch):
    monkeypatch.setattr(taught.live, "most", 3)
    ticket = json.dumps({"token": ada}).encode()
    known = [Socket(taught).send(ticket) for _ in range(2)]
    crowd = [Socket(taught) for _ in range(4)]
    last = Socket(taught).send(ticket)
    assert [one.why_closed() for one in crowd] == [1001] * 4
    assert taught.ask("/api/class/do", {"do": "until", "step": "s"}, TEACHER).status == 200
    for one in [*known, last]:
        assert json.loads(one.receive()[1])["until"] == "s"
        one.close()
    taught.ask("/api/class/do", {"do": "until", "step": None}, TEACHER)


def test_of_one_learner_the_oldest_socket_goes(taught, ada):
    ticket = json.dumps({"token": ada}).encode()
    sockets = [Socket(taught).send(ticket) for _ in range(4)]
    assert sockets[0].why_closed() == 1008
    for one in sockets[1:]:
        one.close()


def test_one_address_of_version_6_is_a_whole_home():
    assert (
        group_address("2001:db8:1:2:3:4:5:6")
        == group_address("2001:db8:1:2::1")
        != group_address("2001:db8:1:3::1")
    )
    assert group_address("::ffff:10.0.0.1") == group_address("10.0.0.1") != group_address("10.0.0.2")
