"""The site of `make site`: every page opens, from a file or a server, and asks for nothing from elsewhere."""

import functools
import http.server
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import lab
import pytest
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
TALL = {"width": 1400, "height": 40_000}  # a widget is drawn when it is about to be seen
PHONE = {"width": 390, "height": 844}
LIVE = "() => ['.hc-live', '.hc-live[data-drawn]'].map((found) => document.querySelectorAll(found).length)"
ALL_DRAWN = "() => [...document.querySelectorAll('.hc-live')].every((place) => 'drawn' in place.dataset)"

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, written once: below two folders, as a server would have it."""
    folder = tmp_path_factory.mktemp("site")
    written = folder / "some" / "where"
    command = [sys.executable, ROOT / "docs" / "site" / "build.py", written, folder / "work"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert run.returncode == 0, run.stderr
    return written


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a server hands it out."""
    handler = functools.partial(Quiet, directory=site.parents[1])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/some/where"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a window of its own; in the end no error is told, nothing asked for elsewhere."""
    troubles: list[str] = []
    contexts = []

    def window(**options: Any) -> Page:
        context = lab.window(chromium, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(f"{page.url} {message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"{page.url} {error}"))
        page.on("requestfailed", lambda request: troubles.append(f"{page.url} lacks {request.url}"))
        page.on("request", lambda request: troubles.extend(elsewhere(page.url, request.url)))
        return page

    yield window
    for context in contexts:
        context.close()
    assert troubles == []


def elsewhere(page: str, asked: str) -> list[str]:
    here, there = urlsplit(page), urlsplit(asked)
    is_own = there.scheme in ("data", "blob") or page == "about:blank"
    return (
        []
        if is_own or (here.scheme, here.netloc) == (there.scheme, there.netloc)
        else [f"{page} asks for {asked}"]
    )


class Links(HTMLParser):
    """What a page links to and loads, and the places in it that others can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.places |= {found[name] or "" for name in ("id", "name") if name in found}
        self.links |= {found[name] or "" for name in ("href", "src") if name in found}


def pages_of(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_page_opens_from_a_file_with_all_its_widgets(site, window):
    page = window(viewport=TALL)
    drawn = {}
    for path in pages_of(site):
        page.goto(path.as_uri())
        page.wait_for_function(ALL_DRAWN)
        drawn[path.relative_to(site).as_posix()] = page.evaluate(LIVE)
    assert len(drawn) >= 55
    assert {name: counts for name, counts in drawn.items() if counts[0] != counts[1]} == {}
    lessons = {name: counts[0] for name, counts in drawn.items() if re.match(r"\d\d_", name)}
    assert len([name for name in lessons if lessons[name]]) == 18
    assert sum(lessons.values()) > 120


def test_the_same_below_a_path_of_a_server(address, window):
    page = window(viewport=TALL)
    for name in ("index", "05_heads", "16_a_real_model", "gallery", "docs/api/record"):
        page.goto(f"{address}/{name}.html")
        page.wait_for_function(ALL_DRAWN)


def test_no_link_is_dead(site):
    read = {path: Links(path.read_text("utf-8")) for path in pages_of(site)}
    dead = []
    for path, found in read.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not to.is_file() or (
                parts.fragment and to in read and unquote(parts.fragment) not in read[to].places
            ):
                dead.append(f"{path.relative_to(site)} {link}")
    assert dead == []


def test_what_is_loaded_is_no_module_and_comes_from_the_site(site):
    """Modules do not load from a file."""
    for path in pages_of(site):
        text = path.read_text("utf-8")
        assert 'type="module"' not in text
        assert not re.findall(r'(?:src|<link[^>]*href)="(?:https?:)?//', text)


def test_a_guess_is_kept_and_its_answer_opens_an_explorer(site, window):
    page = window(viewport=PHONE)
    page.goto((site / "index.html").as_uri())
    question = page.locator(".handcalc-guess", has_text="How well does key 2 fit query 4?")
    question.locator("input").fill("5")
    question.get_by_role("button", name="This is my guess").click()
    page.locator(".hc-guess-shown .handcalc-explorer [role=gridcell][aria-selected=true]").wait_for()
    page.wait_for_timeout(2600)  # until the page would say that nobody answers
    assert page.locator(".hc-trouble:not(:empty)").count() == 0
    page.reload()
    page.locator(".hc-guess-shown .handcalc-explorer").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") == PHONE["width"]


def test_an_example_opens_above_its_picture(site, window):
    page = window()
    page.goto((site / "gallery.html").as_uri())
    for name in ("self_attention", "mamba_small"):
        page.locator(f".hc-gallery button[data-name={name}]").click()
        page.locator(f".hc-gallery button[data-name={name}][aria-pressed=true]").wait_for()
    assert "Mamba" in page.locator(".hc-opened .handcalc-explorer").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_widgets_follow_the_page_whose_mode_is_the_systems_or_chosen(site, window, scheme):
    page = window(color_scheme=scheme)
    page.goto((site / "01_queries_keys_values.html").as_uri())
    page.locator(".handcalc-guess").first.wait_for()
    mode = "() => getComputedStyle(document.querySelector('.handcalc-guess')).colorScheme"
    assert page.evaluate(mode) == scheme
    other = {"light": "dark", "dark": "light"}[scheme]
    page.evaluate("(theme) => { document.body.dataset.theme = theme; }", other)
    page.wait_for_function(f"() => ({mode})() === '{other}'")


def test_a_search_finds_a_question_from_a_file(site, window):
    page = window()
    page.goto(f"{(site / 'search.html').as_uri()}?q=theatre+villain")
    page.locator("#search-results li a", has_text="Queries, keys, values").wait_for()
