"""Too much, too slow, too many: what one does to a class's server is nobody else's wait."""

from __future__ import annotations

import json
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import live_class
import pytest
from live_class import TEACHER, answers_with, is_plain

from handcalc.classroom.live.http import connections, security, websocket
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
    taught.now += 1e6
    for k in range(int(taught.limits.all_wrong_codes.size)):  # all addresses together
        taught.limits.all_wrong_codes.take()
        taught.limits.wrong_codes.take(f"10.0.{k % 6}.1")
    assert is_plain(taught.ask("/api/join", wrong), 429)
    assert taught.ask("/api/join", {"code": taught.code(3), "nick": ""}).json["state"] == "in"


def test_guests_of_a_code_do_not_use_up_its_owners_way_in(taught):
    token, code = taught.enter(1, "Grace"), taught.code(1)
    for k in range(people.MAX_WAITING):
        taught.now += 100
        assert taught.ask("/api/join", {"code": code, "nick": f"guest {k}"}).json["state"] == "waiting"
    taught.now += 100
    left, same_code = taught.limits.wrong_codes.left("127.0.0.1"), taught.limits.same_code
    for spelling in (code, code.lower(), code.replace("-", "--"), f" {code} "):
        assert is_plain(taught.ask("/api/join", {"code": spelling, "nick": "Grace"}), 429)
    assert taught.limits.wrong_codes.left("127.0.0.1") == left  # the code is right
    here, there = (same_code.left((code, f"127.0.0.{end}")) for end in (1, 2))
    assert (here, there) == (same_code.size - 4, same_code.size)  # however it is written it is one
    taught.ask("/api/class/do", {"do": "release", "code": code}, TEACHER)
    assert taught.ask("/api/join", {"code": code, "nick": "Grace"}).json["state"] == "in"
    assert is_plain(taught.ask("/api/sheet", token=token), 403)
    taught.enter(1)


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


def test_a_socket_that_sends_no_ticket_or_more_than_that_is_closed(taught, ada, monkeypatch):
    ticket = json.dumps({"token": ada}).encode()
    for first in (b"{}", b"x", b"[[[[", b'{"token": 5}', b'{"token": "00"}', b'{"token": null}'):
        assert Socket(taught).send(first).why_closed() == 4403, first
    assert Socket(taught).send(ticket).send(b"{}").why_closed() == 1008
    assert Socket(taught).send(ticket, kind=2).why_closed() == 1008
    assert Socket(taught).send(b" " * 5000).why_closed() == 1009
    sockets = [Socket(taught).send(ticket) for _ in range(4)]
    assert sockets[0].why_closed() == 1008  # the oldest of one learner
    for one in sockets[1:]:
        one.close()
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


# connections -------------------------------------------------------------------------------------------


def open_connection(class_, token="", path="/api/sheet"):
    """One that stays, and has asked something with its ticket."""
    link = socket.create_connection(("127.0.0.1", class_.port), timeout=5)
    return ask_again(link, token, path) if token else link


def ask_again(link, token, path):
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
    link.sendall(head.encode())
    assert b"200 OK" in link.recv(65536)
    return link


@pytest.mark.parametrize("crowd", ["strangers", "one code with all its guests"])
def test_a_crowd_cuts_off_nobody_who_has_a_ticket(tmp_path, crowd):
    with (
        closing(live_class.Taught(live_class.make(tmp_path / "crowd"), most=24)) as class_,
        ExitStack() as all_,
    ):
        grace, mine = class_.join(1), [class_.join(0)]
        for _ in range(3):
            class_.now += 100
            mine.append(class_.join(0))
        asked = ((grace, "/api/sheet"), (TEACHER, "/api/class"))
        links = [all_.enter_context(open_connection(class_, *one)) for one in asked]
        for k in range(40):  # there is room for 12
            class_.now += 10
            token = "" if crowd == "strangers" else mine[k % 4] if k < 30 else mine[0]
            all_.enter_context(open_connection(class_, token))
        for link, one in zip(links, asked, strict=True):
            ask_again(link, *one)
            assert class_.ask(one[1], token=one[0]).status == 200
        assert len(class_.server._connections) <= 12 + 1


def test_who_has_most_makes_room(monkeypatch):
    monkeypatch.setattr(connections, "MAX_PER_TICKET", 5)
    all_, seated = connections.OpenConnections(), connections.ConnectionRank.SEATED
    for name in ("a1", "b1", "b2", "c1"):
        all_.add(name, name[0])
    assert all_.choose_to_close() == "b1"  # of the address with most
    for name in ("a1", "b1", "b2"):
        assert all_.identify(name, seated, name[0]) is None
    assert all_.choose_to_close() == "c1"  # a stranger
    assert all_.identify("c1", connections.ConnectionRank.GUEST, "c") is None
    assert all_.choose_to_close() == "c1"
    all_.remove("c1")
    assert all_.choose_to_close() is None  # nobody has more than a page needs
    for k in range(3, 7):
        all_.add(f"b{k}", "b")
        assert all_.identify(f"b{k}", seated, "b") == ("b1" if k == 6 else None)
    assert all_.choose_to_close() == "b1"
    all_.add("t", "t")
    all_.identify("t", connections.ConnectionRank.TEACHER, 0)
    for name in ("a1", *(f"b{k}" for k in range(1, 7))):
        all_.remove(name)
    assert all_.choose_to_close() is None


def test_one_address_of_version_6_is_a_whole_home():
    assert (
        group_address("2001:db8:1:2:3:4:5:6")
        == group_address("2001:db8:1:2::1")
        != group_address("2001:db8:1:3::1")
    )
    assert group_address("::ffff:10.0.0.1") == group_address("10.0.0.1") != group_address("10.0.0.2")
