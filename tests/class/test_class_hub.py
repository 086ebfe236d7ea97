"""How a class is served: as a service of JupyterHub, or alone by `handcalc class serve`."""

import errno
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from functools import partial
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import live_class
import pytest
from live_class import TEACHER
from tornado import web
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port

from handcalc.classroom.handouts import class_address
from handcalc.classroom.handouts.class_folder import ClassSettings, make_class
from handcalc.classroom.live.http import routes, serving
from handcalc.cli import main

# A Hub that is played knows who somebody is.
PREFIX = "/services/class/"
PEOPLE = {
    "ada": {"groups": []}, "grace": {"groups": []}, "emmy": {"groups": []}, "twin": {"groups": []},
    "mallory": {"groups": ["pupils"]}, "anna": {"groups": []}, "carl": {"groups": ["staff"]},
    "boss": {"admin": True}, "banned": {"scopes": []},
}  # fmt: skip
STUDENTS = [
    ("Ada Lovelace", "ada", ""),
    ("x", "", "GRACE "),
    ("emmy", "", ""),
    ("twin", "", ""),
    ("Twin", "", ""),
]


class User(web.RequestHandler):
    """What the Hub tells of whoever has a token: here tokens are names."""

    def get(self):
        name = self.request.headers.get("Authorization", "").split()[-1].removeprefix("token-of-")
        if name not in PEOPLE:
            raise web.HTTPError(403)
        self.finish(
            {"name": name, "kind": "user", "scopes": ["access:services!service=class"], **PEOPLE[name]}
        )


class Token(web.RequestHandler):
    """A token for a code, once somebody has logged in at the Hub."""

    def post(self):
        assert self.get_body_argument("client_secret") == "secret-of-the-service"
        self.finish({"access_token": f"token-of-{self.get_body_argument('code')}", "token_type": "Bearer"})


def start(hub, live, sockets, names, most):
    """The service instead of a server for phones."""
    door = hub.HubDoor(live, TEACHER, frozenset({"anna", "@staff"}))
    handlers = hub.make_hub_handlers(door, PREFIX)
    return routes.start_server(
        live, sockets, None, most=most, handlers=handlers, **hub.make_hub_settings(door)
    )


@pytest.fixture(scope="module")
def taught(tmp_path_factory, hub):
    path = tmp_path_factory.mktemp("hub") / "4b"
    made = make_class(path, [name for name, *_ in STUDENTS], ClassSettings("4b", 1, [("dot_product", 1)]))
    lines = (path / "register.csv").read_text("utf-8").splitlines()
    rows = [
        f"{line.rsplit(',', 2)[0]},{id_},{email}"
        for line, (_, id_, email) in zip(lines[1:], STUDENTS, strict=True)
    ]
    (path / "register.csv").write_text("\n".join([lines[0], *rows, ""]), "utf-8")
    socket, port = bind_unused_port()
    env = {
        "JUPYTERHUB_API_TOKEN": "secret-of-the-service", "JUPYTERHUB_API_URL": f"http://127.0.0.1:{port}/hub/api",
        "JUPYTERHUB_CLIENT_ID": "service-class", "JUPYTERHUB_SERVICE_PREFIX": PREFIX,
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": json.dumps(["access:services!service=class"]),
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        of_hub = hub.HubPageHandler.hub_auth_class
        of_hub.clear_instance()
        class_ = live_class.Taught(type(made)(path), start=partial(start, hub))

        async def play():
            server = HTTPServer(
                web.Application([(r"/hub/api/user", User), (r"/hub/api/oauth2/token", Token)])
            )
            server.add_socket(socket)
            return server

        server = class_.do(play())
        yield class_

        async def end():
            server.stop()
            await server.close_all_connections()

        class_.do(end())
        class_.close()
        auth = of_hub.instance()
        auth._pool.submit(auth._thread_loop.close).result()  # which is there for blocking calls
        auth._pool.shutdown()
        of_hub.clear_instance()


def cookies(answer):
    """The cookies that an answer sets, as the next request sends them."""
    found = SimpleCookie(answer.headers.get("set-cookie", ""))
    return "; ".join(f"{name}={one.value}" for name, one in found.items())


def log_in(taught, name, page=""):
    """What somebody gets of a page, after the Hub's login; and their cookie."""
    first = taught.ask(PREFIX + page)
    assert first.status == 302
    asked = urlsplit(first.headers["location"])
    assert asked.path == "/hub/api/oauth2/authorize"
    state = parse_qs(asked.query)["state"][0]
    back = taught.ask(f"{PREFIX}oauth_callback?code={name}&state={state}", Cookie=cookies(first))
    assert (back.status, back.headers["location"]) == (302, PREFIX + page)
    cookie = re.search(r"service-class=([^;]+);", back.headers["set-cookie"])[0]
    return taught.ask(PREFIX + page, Cookie=cookie), cookie


def ticket(page):
    """What a page was told of who opened it."""
    found = dict(re.findall(r' data-(\w+)="([^"]*)"', page.data.decode()))
    assert found.pop("class")
    return found


@pytest.mark.parametrize(
    ("name", "place"), [("ada", 0), ("grace", 1), ("emmy", 2)], ids=["id", "email", "name"]
)
def test_somebody_is_known_by_id_email_or_name(taught, name, place):
    page, _ = log_in(taught, name)
    assert page.headers["cache-control"] == "no-store"
    assert "content-encoding" not in page.headers
    given = ticket(page)
    assert (given["code"], given["nick"]) == (taught.code(place), name)
    assert taught.ask(f"{PREFIX}api/sheet", token=given["token"]).json["code"] == given["code"]


def test_a_page_loaded_again_is_the_same_learner(taught):
    (first, cookie), (second, _) = log_in(taught, "ada"), log_in(taught, "ada")
    assert ticket(first) == ticket(second) == ticket(taught.ask(PREFIX, Cookie=cookie))
    rows = taught.ask(f"{PREFIX}api/class", token=TEACHER).json
    assert not rows["waiting"]


def test_strangers_and_namesakes_get_a_sentence(taught):
    for name in ("mallory", "twin", "anna"):
        page, _ = log_in(taught, name)
        assert page.status == 403
        assert b"is not in the register of this class" in page.data
        assert b"data-token" not in page.data
    page, _ = log_in(taught, "banned")
    assert (page.status, page.data) == (403, b"'banned' may not use this service of the Hub.")


@pytest.mark.parametrize("name", ["anna", "carl", "boss"], ids=["named", "group", "admin"])
def test_who_teaches_gets_the_teachers_page(taught, name):
    page, _ = log_in(taught, name, "teacher")
    assert ticket(page) == {"token": TEACHER}


@pytest.mark.parametrize("name", ["ada", "mallory", "banned"])
def test_nobody_else_does(taught, name):
    page, _ = log_in(taught, name, "teacher")
    assert page.status == 403
    assert TEACHER.encode() not in page.data


def test_a_cookie_alone_does_nothing(taught):
    _, cookie = log_in(taught, "ada")
    _, teachers = log_in(taught, "anna", "teacher")
    for path in ("api/sheet", "api/class", "api/class/events", "api/projector"):
        assert taught.ask(PREFIX + path, Cookie=teachers).status == 403
    for body in ({"code": taught.code(0), "answers": []}, {"do": "pause"}):
        for path in ("api/answers", "api/class/do"):
            assert taught.ask(PREFIX + path, body, Cookie=cookie).status == 403
    scripted = {"Sec_Fetch_Mode": "cors", "Sec_Fetch_Site": "same-origin"}  # a script cannot fetch the ticket
    assert b"data-token" not in taught.ask(PREFIX, Cookie=cookie, **scripted).data


def test_without_a_login_there_is_nothing(taught):
    assert taught.ask(PREFIX, Cookie="service-class=forged").status == 302
    assert taught.ask(f"{PREFIX}oauth_callback?code=ada&state=forged").status == 403
    assert taught.ask("/").status == 404
    assert taught.ask("/services/class").headers["location"] == PREFIX
    refused = taught.ask(f"{PREFIX}api/join", {"code": taught.code(0), "nick": "x"})
    assert (refused.status, "you need no code" in refused.sentence) == (403, True)


def test_the_way_back_after_a_release_is_to_load_the_page_again(taught):
    page, cookie = log_in(taught, "emmy")
    taught.ask(f"{PREFIX}api/class/do", {"do": "release", "code": taught.code(2)}, TEACHER)
    assert taught.ask(f"{PREFIX}api/sheet", token=ticket(page)["token"]).status == 403
    again = ticket(taught.ask(PREFIX, Cookie=cookie))
    assert taught.ask(f"{PREFIX}api/sheet", token=again["token"]).json["state"] == "in"


def test_without_a_hub_one_sentence_says_so(taught, capsys, monkeypatch):
    monkeypatch.delenv("JUPYTERHUB_CLIENT_ID")
    assert main(["class", "serve", str(taught.folder.path), "--hub"]) == 2
    assert main(["class", "serve", str(taught.folder.path), "--teachers", "anna"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2


# `handcalc class serve` from its start to its end: one server a class, one sentence where there is none.
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
