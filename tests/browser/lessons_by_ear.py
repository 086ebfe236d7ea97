"""Working a lesson's questions and explorers as somebody does who listens: by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hearing import Listener
from playwright.sync_api import Locator, Page

MOST_LETTERS = 60  # of what an arrow key brings
STATE = (
    "(place) => JSON.parse(place.parentElement.querySelector('.hc-states').textContent)[place.dataset.model]"
)
BEGIN = "(place) => { place.tabIndex = -1; place.focus(); }"
IS_WORD = "() => document.activeElement.localName === 'abbr'"


def work_through(page: Page) -> Iterator[str]:
    """What is heard, a line for each key that matters."""
    listener = Listener(page)
    for place in page.locator(".hc-live").all():
        found = place.evaluate(STATE)
        place.evaluate(BEGIN)
        if found["kind"] == "guess_widget":
            yield from _guess(listener, found["state"])
            if found["state"].get("child"):  # the explorer of the answer
                place.locator(".handcalc-explorer").wait_for()
        if found["kind"] != "practice_widget" and place.locator(".handcalc-explorer").count():
            yield from _explore(listener, place)


def _guess(listener: Listener, state: dict[str, Any]) -> Iterator[str]:
    """First a wrong answer, where there is one to choose, then the right one."""
    yield _to(listener, "radio", "textbox", "slider", "button")
    options, answer = state["options"], state["answer"]
    if state["kind"] == "choice" and listener.role == "radio":
        wrong = 1 if answer != 1 else 2
        yield from _choose(listener, wrong)
        yield _commit(listener)
        if len(options) > 2:
            yield from _choose(listener, answer, struck=wrong)
            yield _commit(listener)
    elif state["kind"] == "number" and listener.role == "textbox":
        for guess in ("77", f"{answer:g}"):
            listener.type(guess)
            yield listener.press("Enter")
    else:
        while listener.name != "Show me":
            listener.press("Tab")
        yield listener.press("Enter")


def _choose(listener: Listener, option: int, struck: int = 0) -> Iterator[str]:
    """The keyboard is on the first option that may be chosen."""
    free = [k for k in range(1, option + 1) if k != struck]
    yield listener.press("Space", *["ArrowDown"] * len(free[1:]))


def _commit(listener: Listener) -> str:
    return listener.press("Enter")


def _to(listener: Listener, *roles: str) -> str:
    """To the first control of such a kind, past words of the glossary."""
    heard = listener.press("Tab")
    while listener.role not in roles or listener.page.evaluate(IS_WORD):
        heard = listener.press("Tab")
    return heard


def _explore(listener: Listener, place: Locator) -> Iterator[str]:
    """To the numbers, among them, to the slider, and through a step that asks."""
    place.locator(".handcalc-explorer").first.evaluate(BEGIN)
    yield _to(listener, "button")
    yield f"Enter: {listener.press('Enter')}"
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):
        if heard := listener.press(key):  # nothing at an edge
            assert len(heard) <= MOST_LETTERS
            assert heard[0] in "−0123456789"
            yield f"{key}: {heard}"
    yield f"Enter: {listener.press('Enter')}"
    yield _to(listener, "slider")
    slider, changed = listener.press("ArrowRight").split(" | ")
    assert len(changed) <= MOST_LETTERS
    yield f"ArrowRight: {slider} | {changed}"
    place.locator(".handcalc-explorer").first.evaluate(BEGIN)
    listener.press("Tab")
    yield listener.press("Tab")
    if listener.name == "Play the steps":
        yield from _step(listener)


def _step(listener: Listener) -> Iterator[str]:
    """Play asks at once: it is told something wrong, then to show it; and then comes the next step."""
    yield f"Enter: {listener.press('Enter')}"
    assert listener.role == "textbox"
    listener.type("77")
    yield f"Enter: {listener.press('Enter')}"
    while listener.name != "Just show it":
        listener.press("Tab")
    yield f"Enter: {listener.press('Enter')}"
    if listener.name == "Next step":
        yield f"Enter: {listener.press('Enter')}"
