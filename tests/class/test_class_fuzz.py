"""Hostile requests, drawn by the hundred: each gets one sentence or is taken, and none runs anything."""

import http.client
import json
import random
import resource
import socket
import sys
from contextlib import suppress

import live_class
import pytest
from live_class import TEACHER
from seeds import seeds

RUNS = ("exec", "os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "pty.spawn")
heard: list[str] = []
is_heard = [False]
ODD = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 10**30, 0.5, -0.0, 1e308, "", " ", "0", "-1", "NaN",
    "x" * 201, "\0", "\ud800", "\u202e", "__class__", "__import__('os').system('id')", "{{7*7}}",
    "${jndi:ldap://x}", "'; DROP TABLE answer; --", "<script>alert(1)</script>", "../../etc/passwd", "%s%n",
    [], {}, [[]], [None],
    {"a": 1}, [1, "s", 0, 0, "1"],
]  # fmt: skip
PATHS = ["/api/join", "/api/answers", "/api/hint", "/api/class/do"]


def hear(event, _):
    if is_heard[0] and event in RUNS:
        heard.append(event)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    made = live_class.Taught(live_class.make(tmp_path_factory.mktemp("fuzz") / "4b"))
    made.ask("/api/join", {"code": made.code(0), "nick": "Ada"})
    sys.addaudithook(hear)  # it stays for ever, but it hears nothing more
    yield made
    made.close()


def replaced(draw, value):
    """A value with one part replaced by something odd, or taken out, or doubled."""
    if isinstance(value, dict | list) and value and draw.random() < 0.8:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key, copy = draw.choice(list(keys)), value.copy()
        match draw.randrange(4):
            case 0:
                del copy[key]
            case 1 if isinstance(copy, list):
                copy.insert(key, draw.choice(copy))
            case _:
                copy[key] = replaced(draw, copy[key])
        return copy
    return draw.choice(ODD)


def broken(draw, data):
    """Bytes with some of them changed, cut off, or doubled."""
    found = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        place = draw.randrange(len(found) + 1)
        match draw.randrange(4):
            case 0:
                found[place : place + 1] = bytes([draw.randrange(256)])
            case 1:
                del found[place : place + draw.randint(1, 20)]
            case 2:
                found[place:place] = found[: draw.randint(1, 200)]
            case _:
                found[place:place] = draw.choice(
                    [b"[", b"{", b'"', b"\\u", b"\xff", b"\0", b"9" * 400, b"e999"]
                )
    return bytes(found)


def bodies(taught, draw):
    """What a page might send, and what it would not."""
    code, step = taught.code(0), "s"
    bodies = [
        {"code": code, "nick": "Ada"},
        {
            "code": code,
            "answers": [[draw.randrange(1, 10**9), step, 0, 0, draw.choice(["1", "-2", "x", "1/0"])]],
        },
        {"code": code, "step": step},
        {
            "do": draw.choice(["until", "show", "hide", "approve", "release"]),
            "step": step,
            "code": code,
            "learner": 1,
        },
    ]
    path, body = draw.choice(list(zip(PATHS, bodies, strict=True)))
    for _ in range(draw.randint(0, 3)):
        body = replaced(draw, body)
    data = json.dumps(body).encode()
    return path, broken(draw, data) if draw.random() < 0.4 else data


def sent(taught, count, seed):
    """How often each status came back; every refusal is one sentence."""
    draw, statuses = random.Random(seed), {}
    token = taught.join(1 + seed % 3) if seed else taught.enter(1)
    connection = http.client.HTTPConnection("127.0.0.1", taught.port, timeout=20)
    for _ in range(count):
        taught.now += 10
        path, data = bodies(taught, draw)
        about = {
            "Content-Type": "application/json",
            "Authorization": f"token {TEACHER if 'class' in path else token}",
        }
        connection.request("POST", path, data, about)
        answer = connection.getresponse()
        found = json.loads(answer.read())
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        assert answer.status < 500, (path, data)
        if answer.status >= 400:
            (sentence,) = found.values()
            assert sentence.endswith("."), (path, data, sentence)
            assert len(sentence) < 400, (path, data, sentence)
            assert "Traceback" not in sentence
    connection.close()
    return statuses


def raw(taught, count, seed):
    """The same for requests that are none; the server closes them or answers."""
    draw, found = random.Random(seed), set()
    whole = (
        b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 31\r\nConnection: close\r\n\r\n" + b'{"code": "DP1-423P", "nick": ""}'
    )
    for _ in range(count):
        taught.now += 10
        with (
            socket.create_connection(("127.0.0.1", taught.port), timeout=10) as link,
            suppress(ConnectionError),
        ):
            link.sendall(broken(draw, whole))
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while part := link.recv(65536):
                answer += part
            found.add(answer[9:12])
    assert not {status for status in found if status.startswith(b"5")}, found
    return found


def check(taught, count, seed):
    """Nothing ran, nobody was hurt, and the memory is what it was."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    is_heard[0] = True
    try:
        exec("1")
        assert heard == ["exec"]
        heard.clear()
        statuses = sent(taught, count, seed)
        raw(taught, count // 5, seed)
    finally:
        is_heard[0] = False
    assert not heard
    assert statuses[200] > 0
    assert statuses[400] > statuses[200]
    assert taught.ask("/api/class", token=TEACHER).status == 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


@seeds(300, 10_000, by=1000, marks=[pytest.mark.slow])
def test_hostile_requests_get_one_sentence_each(taught, seeds):
    check(taught, len(seeds) * 5 // 6, seeds[0])
