"""The site of `make site`: every page opens, from a file or a server, and asks for nothing from elsewhere."""

import functools
import http.server
import os
import re
import shutil
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
from axe import COLOURS, violations
from lessons_by_ear import work_through
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

import handcalc as hc
from handcalc.course.guess_log import log_in
from handcalc.practice.exercise.attempt_log import AttemptLog

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 844}
LIVE = "() => ['.hc-live', '.hc-live[data-drawn]'].map((found) => document.querySelectorAll(found).length)"
ALL_DRAWN = "() => [...document.querySelectorAll('.hc-live')].every((place) => 'drawn' in place.dataset)"

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, below two folders, as a server would have it: that of $HANDCALC_SITE, or written now."""
    folder = tmp_path_factory.mktemp("site")
    written = folder / "some" / "where"
    if there := os.environ.get("HANDCALC_SITE"):
        return Path(shutil.copytree(ROOT / there, written))
    command = [sys.executable, ROOT / "docs" / "site" / "build.py", written, folder / "work"]
    environment = os.environ | {"HANDCALC_SITE_PROBLEMS": "2"}  # to draw ten of each topic takes a minute
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
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
        page.on("console", lambda message: troubles.extend(said(page.url, message)))
        page.on("pageerror", lambda error: troubles.append(f"{page.url} {error}"))
        page.on("requestfailed", lambda request: troubles.extend(lacking(page.url, request)))
        page.on("request", lambda request: troubles.extend(elsewhere(page.url, request.url)))
        return page

    yield window
    for context in contexts:
        context.close()
    assert troubles == []


def said(page: str, message: ConsoleMessage) -> list[str]:
    is_late = "preloaded using link preload but not used within" in message.text  # on a slow machine
    return [] if is_late else [f"{page} {message.type}: {message.text}"]


def lacking(page: str, asked: Request) -> list[str]:
    was_left = asked.failure == "net::ERR_ABORTED"  # the page was left while it still loaded
    return [] if was_left else [f"{page} lacks {asked.url}: {asked.failure}"]


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
    page = window()
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
    page = window()
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


def test_an_example_opens_above_its_picture_by_its_address_too_which_follows(site, window):
    page = window()
    page.goto(f"{(site / 'gallery.html').as_uri()}#rnn_small")
    page.locator(".hc-gallery button[data-name=rnn_small][aria-pressed=true]").wait_for()
    for name in ("self_attention", "mamba_small"):
        page.locator(f".hc-gallery button[data-name={name}]").click()
        page.locator(f".hc-gallery button[data-name={name}][aria-pressed=true]").wait_for()
        page.wait_for_function(f"() => location.hash === '#{name}'")
    assert "Mamba" in page.locator(".hc-opened .handcalc-explorer").inner_text()


def wait_for_mode(page: Page, mode: str) -> None:
    """Widgets follow the page a moment later."""
    page.wait_for_function(
        """(mode) => [...document.querySelectorAll(".hc-live > div")]
          .every((one) => getComputedStyle(one).colorScheme === mode)""",
        arg=mode,
    )


def test_on_paper_everything_is_drawn_in_light_colours(site, window):
    page = window(color_scheme="dark")
    page.goto((site / "05_heads.html").as_uri())
    page.wait_for_function(ALL_DRAWN)  # though most are far below what is in sight
    page.emulate_media(media="print")
    wait_for_mode(page, "light")


def test_widgets_follow_the_page_whose_mode_is_the_systems_or_chosen(site, window):
    page = window(color_scheme="light")
    page.goto((site / "01_queries_keys_values.html").as_uri())
    page.locator(".handcalc-guess").first.wait_for()
    mode = "getComputedStyle(document.querySelector('.handcalc-guess')).colorScheme"
    for system, chosen in (("light", "auto"), ("light", "dark"), ("dark", "light"), ("dark", "auto")):
        page.emulate_media(color_scheme=system)
        page.evaluate("(theme) => { document.body.dataset.theme = theme; }", chosen)
        page.wait_for_function(f"() => {mode} === '{system if chosen == 'auto' else chosen}'")


def test_a_link_to_a_number_opens_the_lessons_explorer_on_it(site, window):
    page = window()
    page.goto(f"{(site / '05_heads.html').as_uri()}#head_2.A[2,1]")
    chosen = page.locator(".hc-live[data-opens] [role=gridcell][aria-selected=true]").first
    chosen.wait_for()  # further down others are drawn when there is nothing else to do
    assert [chosen.get_attribute(f"data-{name}") for name in ("step", "row", "column")] == [
        "head_2.A",
        "1",
        "0",
    ]
    page.locator('[data-step="head_2.A"][data-row="2"][data-column="1"][role=gridcell]').first.click()
    assert page.evaluate("() => location.hash") == "#head_2.A[3,2]"
    page.evaluate("() => { location.hash = '#head_1.Z[1,2]'; }")
    page.locator('[data-step="head_1.Z"][data-row="0"][data-column="1"][aria-selected=true]').first.wait_for()
    page.evaluate("() => { location.hash = '#no.such[1,2]'; }")
    page.evaluate("() => { location.hash = '#%'; }")


@pytest.mark.minilm
def test_another_block_of_a_large_model_is_a_file_that_is_loaded_when_it_is_opened(site, window):
    page = window()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{(site / '16_a_real_model.html').as_uri()}#layer_4.attention.head_2.A[3,11]")
    chosen = page.locator(".hc-atlas [role=gridcell][aria-selected=true]")
    chosen.wait_for()
    assert not [url for url in loaded if "/states/" in url]
    page.evaluate("() => { location.hash = '#layer_6.attention.head_3.A[2,1]'; }")
    page.locator('.hc-atlas [data-step="A"][data-row="1"][data-column="0"][aria-selected=true]').wait_for()
    page.get_by_text("What you move or switch changes only the block that is open.").wait_for()
    assert len([url for url in loaded if "/states/" in url]) == 1


def test_guesses_are_saved_as_a_notebooks_file_opened_again_and_forgotten(site, window, tmp_path):
    page = window()
    page.goto((site / "02_scores_to_weights.html").as_uri())
    page.get_by_role("button", name="Show me").first.click()
    page.goto((site / "index.html").as_uri())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as handcalc-log.jsonl").click()
    saved.value.save_as(tmp_path / "handcalc-log.jsonl")
    (name,) = log_in(tmp_path).latest
    assert name.startswith("scores_to_weights.")
    page.get_by_role("button", name="Start afresh").click()
    page.get_by_text("No guesses are kept in this browser.").wait_for()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a saved file").click()
    chooser.value.set_files(tmp_path / "handcalc-log.jsonl")
    page.get_by_text("1 guess is kept in this browser.").wait_for()
    page.goto((site / "02_scores_to_weights.html").as_uri())
    assert page.locator(".hc-kept").inner_text().startswith("1 guess is kept in this browser, of ")
    assert page.locator(".hc-told", has_text="Answer:").count() == 1
    older = (
        "(key) => { localStorage[key] = localStorage[key].replace(/version.:.\\w+/, 'version\":\"older'); }"
    )
    page.evaluate(older, f"handcalc:guess:{name}")
    page.reload()
    page.locator(f"[data-question='{name}'][data-drawn]").wait_for()
    assert page.locator(f"[data-question='{name}'] .hc-told").inner_text() == ""  # asked anew


def test_practice_is_marked_kept_and_saved_beside_the_guesses(site, window, tmp_path):
    page = window()
    page.goto((site / "every_topic.html").as_uri())
    page.get_by_role("button", name="dot product").click()
    first = page.locator(".hc-opened td input").first
    (name, right), *_ = hc.problem("dot_product").steps.items()
    first.fill(f"{right.values[0, 0]:g}")
    first.press("Tab")
    assert first.get_attribute("aria-label").endswith(", right")
    page.goto((site / "index.html").as_uri())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as handcalc-log.jsonl").click()
    saved.value.save_as(tmp_path / "handcalc-log.jsonl")
    typed = AttemptLog(tmp_path / "handcalc-log.jsonl").texts(hc.code("dot_product"))
    assert typed == {name: {"0,0": f"{right.values[0, 0]:g}"}}


def test_the_site_is_there_without_its_server_after_the_first_visit(address, window):
    page = window()
    page.goto(f"{address}/index.html")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    for name in ("", "/01_queries_keys_values.html", "/docs/api/record.html"):
        page.goto(f"{address}{name or '/'}")
        page.locator("h1").wait_for()
    page.goto(f"{address}/gallery.html")
    page.locator(".hc-gallery button[data-name=heads]").click()
    page.locator(".hc-opened .handcalc-explorer [role=gridcell][aria-selected=true]").wait_for()


def test_a_newer_site_is_offered_and_never_mixed_with_the_old_one(site, address, window):
    page = window()
    page.goto(f"{address}/index.html")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    worker, why = site / "sw.js", site / "docs" / "why.html"
    before = {path: path.read_text("utf-8") for path in (worker, why)}
    try:
        why.write_text(before[why].replace("What the course rests on", "Another page"), "utf-8")
        worker.write_text(re.sub('VERSION = "', 'VERSION = "n', before[worker]), "utf-8")
        page.reload()
        offer = page.get_by_text("There is a newer version of these pages.")
        offer.wait_for(timeout=20_000)
        page.goto(f"{address}/docs/why.html")
        assert page.locator("h1").inner_text().startswith("What the course rests on")
        page.get_by_role("button", name="Use it").click()
        page.locator("h1", has_text="Another page").wait_for()
        assert offer.count() == 0
    finally:
        for path, text in before.items():
            path.write_text(text, "utf-8")


def test_a_page_stays_the_same_where_nothing_has_changed(site):
    """Names that a run makes up would have every browser fetch every page of a new version."""
    made_up = re.compile("(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
    assert not [path for path in site.glob("[0-9]*.html") if made_up.search(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("words", "found"),
    [("which word gets most attention", "Queries, keys, values"), ("residual connection", "Glossary")],
)
def test_a_search_finds_questions_and_words_from_a_file(site, window, words, found):
    page = window()
    page.goto(f"{(site / 'search.html').as_uri()}?q={words}")
    page.locator("#search-results li a", has_text=found).first.wait_for()


@pytest.mark.parametrize(
    "name", ["index", "05_heads", "gallery", "docs/api/course", "docs/teaching", "search"]
)
def test_axe_finds_nothing_serious_light_or_dark(site, window, name):
    page = window(color_scheme="light")
    page.goto(f"{(site / f'{name}.html').as_uri()}?q=softmax")
    page.locator("article").wait_for()
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    wait_for_mode(page, "dark")
    assert violations(page, **COLOURS) == []


def test_the_first_tab_stop_leads_past_the_contents(site, window):
    page = window()
    page.goto((site / "05_heads.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent.trim()") == "Skip to content"


UNHEARD = re.compile(r"undefined|null|NaN|[_<>&]|  |\.\d{5}")
LISTENED = ("index", "01_queries_keys_values", "02_scores_to_weights", "03_the_whole_sheet")


def test_lessons_are_worked_by_keyboard_and_ear(site, window, tmp_path):
    """The questions and explorers of lessons 00 to 03, as tests/golden/heard.txt tells them.

    Where a lesson's words have changed, read what this test has written beside it, and put it in its place.
    """
    page = window(reduced_motion="reduce")
    heard = []
    for name in LISTENED:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_function(ALL_DRAWN)
        heard += [f"# {name}", *work_through(page)]
    (tmp_path / "heard.txt").write_text("\n".join([*heard, ""]), "utf-8")
    assert [line for line in heard if UNHEARD.search(line) and line[0] != "#"] == []
    told = [said for line in heard for said in line.split(" | ")[1:]]
    assert [said for said in told if said[-1] not in ".?!"] == []
    assert heard == (ROOT / "tests" / "golden" / "heard.txt").read_text("utf-8").splitlines()
