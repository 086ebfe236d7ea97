"""What a hand does on a page: presses with a mouse, drags with a finger."""

from on_page import centre
from playwright.sync_api import Locator, Page


def press(page: Page, cell: Locator) -> tuple[float, float]:
    x, y = centre(cell)
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def finger(page: Page, cell: Locator, up: int) -> None:
    """Drag a finger from a number upwards, in a few moves."""
    x, y = centre(cell)
    drag_finger(page, [(x, y - up * k / 5) for k in range(6)])


def sweep(page: Page, place: Locator, right: int) -> None:
    """Sweep a finger sideways over the middle of something; not at all is a tap, near its left edge."""
    x, y = centre(place)
    drag_finger(
        page, [(x - right / 2 + right * k / 5, y + 120) for k in range(6)] if right else [(16, y + 120)]
    )


def drag_finger(page: Page, path: list[tuple[float, float]]) -> None:
    touch = page.context.new_cdp_session(page)
    places = [[{"x": x, "y": y}] for x, y in path]
    for kind, points in [("touchStart", places[0]), *(("touchMove", p) for p in places), ("touchEnd", [])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


BOARD = 'document.querySelector(".hc-board")'  # where the sheet scrolls
RESTING = f"""async () => {{
  let before;
  do {{
    before = {BOARD}.scrollTop;
    await new Promise((go) => setTimeout(go, 150));
  }} while (before !== {BOARD}.scrollTop);
  return before;
}}"""


def scrolled(page: Page) -> float:
    """How far the sheet is, once it rests: a tap before would only stop it."""
    return page.evaluate(RESTING)
