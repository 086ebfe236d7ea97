"""`handcalc class serve` from its start to its end: one server a class, one sentence where there is none."""

import errno
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.request

import live_class
import pytest

from handcalc.classroom.handouts import class_address
from handcalc.classroom.live.http import routes, serving
from handcalc.cli import main


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return live_class.make(tmp_path_factory.mktemp("serving") / "4b", ["", ""])


def refused(capsys, *arguments):
    """The sentence of a command that is refused."""
    assert main(["class", "serve", *map(str, arguments)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "Traceback" not in told
    return told.strip()


def test_where_there_can_be_no_server_one_sentence_says_why(made, capsys, monkeypatch, tmp_path):
    def port(number):
        return refused(capsys, made.path, "--port", number)

    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = port(taken.getsockname()[1])
    assert re.search(r"Port \d+ is already in use, perhaps by a class that is running; .* --port \d+\.", told)
    for number in (-1, 65536, 10**20):
        assert f"The port is {number};" in port(number)
    assert "is not a class" in refused(capsys, tmp_path)
    assert "is not a database" in refused(capsys, made.path, "--port", "0", "--database", "nonsense")
    with monkeypatch.context() as patch:
        patch.setattr(class_address, "_towards", lambda _: "127.0.0.1")
        patch.setattr(class_address, "_named", list)
        assert "it is not on a network" in refused(capsys, made.path, "--lan", "--port", "0")
    for number, said in ((errno.EACCES, "from 1024 on"), (errno.EPROTO, "Port 80 cannot be used")):

        def refuse(*_, number=number):
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patch:
            patch.setattr(routes, "_bound", refuse)
            assert said in port(80)
    monkeypatch.setitem(sys.modules, "segno", None)
    assert 'pip install "handcalc[class]"' in refused(capsys, made.path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.sweep)], ids=["Ctrl-C", "ended"]
)
def test_a_class_begins_and_ends_in_good_order(made, capsys, number):
    command = [sys.executable, "-m", "handcalc", "class", "serve", str(made.path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        address = re.search(r"http://\S+", running.stdout.readline())[0]
        assert address.startswith("http://127.0.0.1:")
        token = re.search(r"/teacher#([0-9a-f]{32})$", running.stdout.readline().strip())[1]
        with urllib.request.urlopen(address) as page:
            assert b"<title>" in page.read()
        assert "is already being served" in refused(capsys, made.path, "--port", "0")
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with socket.create_connection(("127.0.0.1", port)) as stream:
            asked = (
                f"GET /api/class/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: token {token}\r\n\r\n"
            )
            stream.sendall(asked.encode())
            assert b"200 OK" in stream.recv(100)
            os.kill(running.pid, number)
            assert running.wait(20) == 0
        assert "The class is over; every answer is kept." in running.stdout.read()
        assert running.stderr.read() == ""
    with socket.create_server(("127.0.0.1", port)):  # it is free again
        pass


def test_the_teachers_token_outlives_a_restart_and_is_the_teachers_alone(made):
    token = serving.load_teacher_token(made.path)
    path = made.path / serving.TOKEN_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert serving.load_teacher_token(made.path) == token
    path.write_text("short\n")
    path.chmod(0o644)
    other = serving.load_teacher_token(made.path)
    assert (len(other), other != token, stat.S_IMODE(path.stat().st_mode)) == (32, True, 0o600)


def test_only_lan_is_open_and_says_what_that_means(made):
    lines = serving.greet_teacher(made, "http://192.0.2.7:8737/", "t", serving.ServingOptions())
    assert not [line for line in lines if "█" in line or "plain HTTP" in line]
    lines = serving.greet_teacher(made, "http://192.0.2.7:8737/", "t", serving.ServingOptions(is_lan=True))
    assert [line for line in lines if "anyone on the same network could read along" in line]
    assert "Your own page: http://127.0.0.1:8737/teacher#t" in lines
    drawn = [line for line in lines if "█" in line or "▀" in line]
    assert len({len(line) for line in drawn}) == 1
    assert 14 <= len(drawn) <= 20
    assert serving.select_showable(lines, "utf-8") == lines
    for encoding in ("ascii", "latin-1", "cp1252"):  # a terminal without half blocks still gets the addresses
        plain = serving.select_showable(lines, encoding)
        assert (plain, len(plain)) == ([line for line in lines if line.isascii()], 4)


def test_the_qr_code_is_that_of_the_address():
    segno = pytest.importorskip("segno")
    lines = class_address.draw_qr_lines("http://192.0.2.7:8737/")
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}  # light squares are drawn: paper is light
    rows = [[halves[sign][k] for sign in line] for line in lines for k in (0, 1)]
    code = segno.make("http://192.0.2.7:8737/", error="m", micro=False)
    dark = [[int(bool(square)) for square in row] for row in code.matrix_iter(border=2)]
    assert rows[: len(dark)] == dark


@pytest.mark.slow
def test_handcalc_itself_needs_no_server():
    code = (
        "import sys, handcalc, handcalc.cli; print(*{'tornado', 'sqlalchemy', 'segno'} & sys.modules.keys())"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout.strip() == b""
