"""A real JupyterLab server in a folder of its own, and a page of a real browser that looks at it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

TOKEN = "handcalc-tests"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--process-per-site", "--disable-extensions", "--disable-lcd-text",
    "--js-flags=--single-threaded",  # most pages are open for a second: to optimize beside it costs more
]  # fmt: skip
# Nobody looks at a page of the tests, and what no one could see is not drawn: a sixth of what a page costs.
# Its layout, its colours as computed, what lies under the pointer and what is printed stay the same.
UNDRAWN = """
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@media screen { html { opacity: 0 } }");
  document.adoptedStyleSheets = [sheet];
  window.undrawn = sheet;"""
DRAWN = """() => {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== window.undrawn);
}"""  # the page keeps its own
FOLDERS = (
    "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR", "MPLCONFIGDIR",
)  # fmt: skip
LOG, SCREENS = "lab.log", ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
HOUSE = Path(__file__).parents[2]
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False}  # their question would cover the page


@contextmanager
def browser(path: str) -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield chromium
        finally:
            chromium.close()


def window(chromium: Browser, **options: Any) -> BrowserContext:
    """A window whose pages are not drawn; options are those of a browser context."""
    context = chromium.new_context(**options)
    context.add_init_script(UNDRAWN)
    return context


@contextmanager
def lab(root: Path, state: Path, *, dark: bool = False) -> Iterator[str]:
    """JupyterLab as `make lab` opens it where there is no screen, with no trace of the user's own settings.

    It opens on the notebooks in `root`; yields its URL. What it prints is in the file LOG in `state`.
    """
    port = _free_port()
    environment = {name: value for name, value in os.environ.items() if name not in SCREENS}
    environment |= {name: str(state / name.lower()) for name in FOLDERS}
    plugin = state / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
    plugin.mkdir(parents=True, exist_ok=True)
    (plugin / "notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS))
    theme = {"theme": "JupyterLab Dark" if dark else "JupyterLab Light"}
    (plugin / "themes.jupyterlab-settings").write_text(json.dumps(theme))
    options = [
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
        "--LabApp.expose_app_in_browser=True",
    ]  # fmt: skip
    command = ["make", "--assume-old=setup", "lab", f"BIN={Path(sys.executable).parent}", f"CURDIR={root}"]
    command.append(f"LAB_ARGS={' '.join(options)}")
    log = (state / LOG).open("w")
    server = subprocess.Popen(
        command, cwd=HOUSE, env=environment, stdout=log, stderr=log, start_new_session=True
    )
    try:
        _wait_until_up(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=20)
        log.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(url: str, server: subprocess.Popen[bytes], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not start; see lab.log")


def open_notebook(page: Page, url: str, name: str) -> None:
    """Open a notebook and wait until its cells are there and its kernel is idle."""
    page.goto(f"{url}/lab/tree/{name}?token={TOKEN}&reset")
    page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").first.wait_for(timeout=60_000)
    page.wait_for_function(
        """() => {
            const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
            return kernel?.connectionStatus === "connected" && kernel.status === "idle";
        }""",
        timeout=60_000,
    )


def run_all(page: Page) -> None:
    """Run every cell and wait for the replies and for the kernel to be idle."""
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(
        """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle" """,
        timeout=120_000,
    )


def in_kernel(page: Page, code: str) -> Any:
    """Run code in the open notebook's kernel and read what it prints as JSON."""
    printed = page.evaluate(
        """async (code) => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            let text = "";
            const future = kernel.requestExecute({ code, store_history: false });
            future.onIOPub = (message) => {
                if (message.header.msg_type === "stream") text += message.content.text;
                if (message.header.msg_type === "error") text += JSON.stringify(message.content.traceback);
            };
            await future.done;
            return text;
        }""",
        code,
    )
    return json.loads(printed)


def guess_by_keys(page: Page) -> None:
    """A guess is typed and committed by keys alone; the answer comes after it, and not before."""
    field = page.get_by_role("textbox", name="Your guess", exact=True)
    field.focus()
    assert not page.locator(".hc-guess-static:visible").count()
    assert page.locator(".hc-guess-static[hidden]").count() == 1  # also where JupyterLab's style is not
    field.press("Enter")
    page.locator(".handcalc-guess .hc-trouble", has_text="Type a number first.").wait_for()
    assert not page.locator(".hc-guess-shown *").count()
    page.keyboard.type("√256")
    field.press("Enter")
    page.locator(".hc-guess-shown .handcalc-explorer").wait_for()
    told = page.locator(".hc-told")
    assert told.inner_text().startswith("✓ Right. You said: √256 = 16.")
    assert told.evaluate("(told) => told === document.activeElement")
