"""Too many connections at once: who has to make room, and whose place is kept."""

import socket
from contextlib import closing

import live_class
from live_class import TEACHER

from handcalc.classroom.live.http import connections


def test_strangers_cannot_crowd_out_who_has_a_ticket(tmp_path):
    with closing(live_class.Taught(live_class.make(tmp_path / "crowd"), most=12)) as class_:
        token = class_.join(0)
        line = f"GET /api/sheet HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", class_.port), timeout=5) as learner:
            learner.sendall(line)
            assert b"200 OK" in learner.recv(65536)
            crowd = [socket.create_connection(("127.0.0.1", class_.port)) for _ in range(20)]
            assert class_.ask("/").status == 200  # which comes after all of them
            assert len(class_.server._connections) <= 6 + 1
            learner.sendall(line)
            assert b"200 OK" in learner.recv(65536)
            for link in crowd:
                link.close()


def asks(class_, token, path="/api/sheet"):
    """A connection that stays, and has asked something."""
    link = socket.create_connection(("127.0.0.1", class_.port), timeout=5)
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
    link.sendall(head.encode())
    assert b"200 OK" in link.recv(65536)
    return link


def test_one_code_with_all_its_guests_cuts_off_nobody(tmp_path):
    class_ = live_class.Taught(live_class.make(tmp_path / "greedy"), most=24)
    links = []
    try:
        grace, mine = class_.join(1), [class_.join(0)]
        for _ in range(3):
            class_.now += 100
            mine.append(class_.join(0))
        links = [asks(class_, grace), asks(class_, TEACHER, "/api/class")]
        kept = list(links)
        for k in range(40):  # there is room for 12
            class_.now += 10
            links.append(asks(class_, mine[k % 4] if k < 30 else mine[0]))
        for link, token, path in zip(kept, (grace, TEACHER), ("/api/sheet", "/api/class"), strict=True):
            head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
            link.sendall(head.encode())
            assert b"200 OK" in link.recv(65536)
        assert class_.ask("/api/sheet", token=grace).status == 200
        assert class_.ask("/api/class", token=TEACHER).status == 200
    finally:
        for link in links:
            link.close()
        class_.close()


def test_who_has_most_makes_room(monkeypatch):
    monkeypatch.setattr(connections, "MAX_PER_TICKET", 5)
    all_ = connections.OpenConnections()
    for name in ("a1", "b1", "b2", "c1"):
        all_.add(name, name[0])
    assert all_.choose_to_close() == "b1"  # of the address with most
    for name in ("a1", "b1", "b2"):
        assert all_.identify(name, connections.ConnectionRank.SEATED, name[0]) is None
    assert all_.choose_to_close() == "c1"  # a stranger
    assert all_.identify("c1", connections.ConnectionRank.GUEST, "c") is None
    assert all_.choose_to_close() == "c1"
    all_.remove("c1")
    assert all_.choose_to_close() is None  # nobody has more than a page needs
    for k in range(3, 7):
        all_.add(f"b{k}", "b")
        assert all_.identify(f"b{k}", connections.ConnectionRank.SEATED, "b") == ("b1" if k == 6 else None)
    assert all_.choose_to_close() == "b1"
    all_.add("t", "t")
    all_.identify("t", connections.ConnectionRank.TEACHER, 0)
    for name in ("a1", *(f"b{k}" for k in range(1, 7))):
        all_.remove(name)
    assert all_.choose_to_close() is None
