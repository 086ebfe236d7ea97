"""Pages of one browser, opened anew for each test without paying for a new window each time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lab
from playwright.sync_api import Browser, Page, Route

WINDOW = {"width": 1400, "height": 900}
# Tests whose subject is motion ask for it.
MEDIA = {"color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}


class Pages:
    """Opens files; a page whose test is over takes the next file that wants a page of its kind.

    Loading a file leaves nothing of the one before but the window's size, media, permissions and pointer,
    and what it kept in storage: those are set back. A page that a test made ready is for that test alone.
    """

    def __init__(self, chromium: Browser) -> None:
        self.chromium = chromium
        self.free: dict[str, list[Page]] = {}
        self.used: list[tuple[str | None, Page]] = []
        self.urls: set[str] = set()
        self.troubles: list[str] = []

    def open(self, path: Path, ready: Callable[[Page], object] | None = None, **options: Any) -> Page:
        """Load a file that may fetch nothing else; options are those of a browser context."""
        window = options.pop("viewport", WINDOW)
        permissions = options.pop("permissions", [])
        media = {name: options.pop(name, usual) for name, usual in MEDIA.items()}
        key = None if ready else repr(sorted(options.items()))
        page = self.free[key].pop() if key and self.free.get(key) else self._new(**options)
        self.used.append((key, page))
        page.set_viewport_size(window)
        page.emulate_media(media="screen", **media)
        page.context.clear_permissions()
        if permissions:
            page.context.grant_permissions(permissions)
        if ready:
            ready(page)
        self.urls.add(path.as_uri())
        page.goto(path.as_uri())
        return page

    def release(self, *, keep: bool) -> list[str]:
        """The test is over: what went wrong on its pages; they are kept for the next one, or closed."""
        troubles, self.troubles = self.troubles, []
        for key, page in self.used:
            if keep and key and not page.is_closed():
                self._leave(page)
                self.free.setdefault(key, []).append(page)
            else:
                page.context.close()
        self.used.clear()
        self.urls.clear()
        return troubles

    def close(self) -> None:
        """Close the pages that wait for another test."""
        for pages in self.free.values():
            for page in pages:
                page.context.close()
        self.free.clear()

    def _leave(self, page: Page) -> None:
        page.mouse.move(0, 0)
        page.evaluate("() => localStorage.clear()")
        page.goto("about:blank")

    def _new(self, **options: Any) -> Page:
        context = lab.window(self.chromium, **options)
        context.set_default_timeout(10_000)
        context.route("**/*", self._allow)
        page = context.new_page()
        page.on("console", lambda message: self.troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        return page

    def _allow(self, route: Route) -> None:
        if route.request.url in self.urls:
            return route.continue_()
        self.troubles.append(f"asked for {route.request.url}")
        return route.abort()
