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
    touch = page.context.new_cdp_session(page)
    places = [[{"x": x, "y": y - up * k / 5}] for k in range(6)]
    for kind, points in [("touchStart", places[0]), *(("touchMove", p) for p in places), ("touchEnd", [])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


RESTING = """async () => {
  let before;
  do {
    before = scrollY;
    await new Promise((go) => setTimeout(go, 150));
  } while (before !== scrollY);
  return scrollY;
}"""


def scrolled(page: Page) -> float:
    """How far, once the page rests: a tap before would only stop it."""
    return page.evaluate(RESTING)
