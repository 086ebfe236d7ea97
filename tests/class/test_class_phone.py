"""A learner's page in a phone's window: joining, marks, a server that leaves, pause, pace, a taken code."""

import re
import time
from collections.abc import Callable, Iterator

import lab
import pytest
from axe import violations
from live_class import Taught, make
from on_page import button
from playwright.sync_api import Browser, Locator, Page

from handcalc.notation import numbers

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# What is said may stand over the sheet, and never over the field that has the keyboard.
COVERED = """() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  return document.activeElement.contains(at) ? "" : document.activeElement.getAttribute("aria-label");
}"""
PLACES = """() => [...document.querySelectorAll("td")]
  .map((cell) => cell.getBoundingClientRect())
  .map(({ left, top }) => [left, top])"""
NO_SOCKET = """WebSocket = class extends EventTarget {
  constructor() { super(); this.readyState = 3; setTimeout(() => this.onclose?.({ code: 1006 }), 20); }
  close() {}
}"""
PRIVATE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
AWAY = "The teacher’s computer cannot be reached. What you type is kept on this phone"


class Served(Taught):
    """A class in whose room a test looks."""

    def decide(self, what: str, **about: object) -> None:
        """What the teacher decides."""
        self.do(self.live.room.controls.decide(what, **about))

    def tell(self, code: str, message: dict[str, object]) -> None:
        """What whoever works on a sheet hears of the server."""

        async def tell() -> None:
            self.live.room.listeners.publish(self.live.room.people.holder(code).id, message)

        self.do(tell())

    def codes(self, number: int) -> list[str]:
        return [entry.code for entry in self.folder.register.students[number]]

    def right(self, code: str, step: str) -> list[str]:
        exercise = self.folder.numbers.exercise(code)
        return [numbers.show(value) for value in exercise.calculation[step].values.T.ravel()]

    def typed(self, code: str) -> list[tuple[str, int, int, str]]:
        """All that the class has stored for a sheet, in order."""
        works = self.live.room.sheet_states.items()
        return [tuple(one) for key, work in works if key[1] == code for one in work.typed]


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("class") / "7b"
    made = make(path, ["Ada", "Ben", "Cyd", "Dan", "Eve"], [("softmax", 1), ("dot_product", 1)])
    taught = Served(made, clock=time.monotonic)
    yield taught
    taught.close()


Open = Callable[..., Page]


@pytest.fixture
def phone(chromium: Browser, served: Served) -> Iterator[Open]:
    """Opens the class's page on a phone of its own; what goes wrong on it fails the test."""
    contexts, troubles = [], []

    def phone(code: str = "", nick: str = "", script: str = "") -> Page:
        contexts.append(lab.window(chromium, **PHONE, reduced_motion="reduce"))
        contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda told: troubles.append(told.text) if "Security Policy" in told.text else None
        )
        page.goto(f"http://127.0.0.1:{served.port}/#{code}")
        if nick:
            page.get_by_label("Your name or a nickname").fill(nick)
            button(page, "Join").click()
            page.locator("td input").first.wait_for()
        return page

    yield phone
    for context in contexts:
        context.close()
    assert troubles == []


def field(page: Page, name: str) -> Locator:
    """The field of a number, whatever is said of it."""
    return page.locator(f'input[aria-label="{name}"], input[aria-label^="{name}, "]')


def assert_in_sight(page: Page, *names: str) -> None:
    """Nothing that is said stands over the field that is being filled in."""
    for name in names:
        field(page, name).focus()
        assert page.evaluate(COVERED) == "", (name, page.viewport_size)


def write(page: Page, name: str, text: str) -> None:
    field(page, name).fill(text)
    field(page, name).press("Enter")


@pytest.mark.slow
def test_a_learner_joins_by_the_qr_code_is_marked_and_comes_back(served, phone):
    code, other = served.codes(1)
    page = phone(code.lower().replace("-", "%20"))
    assert page.url == f"http://127.0.0.1:{served.port}/"  # nobody reads a code over a shoulder
    assert page.get_by_label("Code on your sheet").input_value() == code
    button(page, "Join").click()
    page.get_by_text("Type your name or a nickname").wait_for()
    assert page.evaluate("() => document.activeElement.name") == "nick"
    assert violations(page) == []
    page.get_by_label("Code on your sheet").fill("SM1-9999")
    page.get_by_label("Your name or a nickname").fill("<b>Ada</b>")
    button(page, "Join").click()
    page.get_by_text("is not a code").wait_for()
    page.get_by_label("Code on your sheet").fill(code)
    button(page, "Join").click()
    write(page, "E[1,1]", served.right(code, "E")[0])
    page.get_by_label("E[1,1], right").wait_for()
    write(page, "E[2,1]", "-3")
    page.get_by_label("E[2,1], not right").wait_for()
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "E[3,1]"
    assert "E[2,1]" in page.locator(".hc-messages").inner_text()
    page.locator(".hc-sign-words").get_by_text("not right").wait_for()  # a finger sees no titles
    button(page, "Hint").click()
    page.locator(".hc-hint:not(:empty)").wait_for()
    assert page.get_by_text("<b>Ada</b>").is_visible()  # as it was written
    token = page.evaluate(
        "() => JSON.parse(localStorage[`handcalc class ${document.body.dataset.class} ticket`]).token"
    )
    sheet = served.ask("/api/sheet", token=token).json
    blank = [one for one in sheet["spec"]["matrices"] if one["name"] in sheet["blank"]]
    assert len(blank) == 3
    assert all("operation" not in one and "values" not in one for one in blank)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    button(page, "Not you? Join with another code").click()
    assert asked == ["Leave this sheet? To come back with its code, you need your teacher to let you in."]
    page.reload()
    page.get_by_label("E[2,1], not right").wait_for()
    assert field(page, "E[2,1]").input_value() == "-3"
    page.goto(f"{page.url}#{other}")  # the QR code of one's other sheet
    field(page, "s[1,1]").wait_for()
    page.goto(f"{page.url}#{served.codes(2)[0]}")  # somebody else's: it asks
    button(page, "Go on as <b>Ada</b>").click()
    field(page, "s[1,1]").wait_for()  # where one was


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_while_the_server_is_away(served, phone):
    (code, _) = served.codes(2)
    page = phone(code, "Ben")
    write(page, "E[1,1]", "1")
    page.get_by_label("E[1,1], not right").or_(page.get_by_label("E[1,1], right")).wait_for()
    served.stop()
    for name, text in (("E[2,1]", "5"), ("E[2,1]", "6"), ("E sum[1,1]", "700"), ("E[2,1]", "5")):
        write(page, name, text)
    page.get_by_text(AWAY).wait_for()
    page.get_by_label("E[2,1], not marked yet").wait_for()
    page.set_viewport_size({"width": 195, "height": 422})  # 200 %
    assert_in_sight(page, "E[1,1]", "A[3,1]", "E[2,1]")
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    field(page, "A[1,1]").type("0.5")  # is being typed when it comes back
    served.start()
    page.get_by_text("The teacher’s computer is back, and has everything you typed.").wait_for()
    marked = page.get_by_label(re.compile(r"E sum\[1,1\], (not )?right"))
    marked.wait_for(timeout=30_000)  # its marker starts anew
    assert page.evaluate("() => [document.activeElement.value]") == ["0.5"]
    stored = [("E", 0, 0, "1"), ("E", 1, 0, "5"), ("E", 1, 0, "6"), ("E_sum", 0, 0, "700"), ("E", 1, 0, "5")]
    assert served.typed(code) == stored
    assert [name for name in page.evaluate("() => Object.keys(localStorage)") if "waiting" in name] == []


@pytest.mark.slow
def test_a_class_rests_and_goes_on_step_by_step(served, phone):
    (code, other) = served.codes(3)
    page = phone(code, "Cyd", script=PRIVATE)
    assert page.get_by_text("leave this page open until you have finished").is_visible()
    served.decide("until", step="E")
    page.get_by_label("A[1,1], opens later").wait_for()
    fields = page.locator("td.hc-later input").all()
    assert {one.get_attribute("placeholder") for one in fields} == {"later"}  # every one
    page.get_by_text("Fields marked “later” open when your teacher goes on. Now: up to E.").wait_for()
    field(page, "E[3,1]").focus()
    field(page, "E[3,1]").press("Enter")  # there is no open field after it
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "E[3,1]"
    field(page, "E[2,1]").fill("4")
    before = page.evaluate(PLACES)
    served.decide("pause")
    page.get_by_text("Your teacher has paused the class. What you typed is kept.").wait_for()
    assert not field(page, "E[2,1]").is_editable()
    assert served.typed(code) == []
    served.decide("resume")
    served.decide("until", step=None)
    page.get_by_label(re.compile(r"E\[2,1\], (not )?right")).wait_for()
    assert served.typed(code) == [("E", 1, 0, "4")]  # what was half typed
    page.get_by_text("Your teacher has paused the class.").wait_for(state="hidden")
    far = {"code": other, "texts": {}, "n": 0, "seen": 9, "finished": True, "score": "1 of 1 right"}
    served.tell(code, {"paused": True, "marks": far})  # together, as messages that wait are sent
    page.get_by_text("Your teacher has paused the class.").wait_for()
    page.get_by_role("navigation").get_by_text("✓ 1 of 1 right").wait_for()
    served.tell(code, {"paused": False})
    page.get_by_text("Your teacher has paused the class.").wait_for(state="hidden")
    assert field(page, "A[1,1]").is_editable()
    assert page.evaluate(PLACES) == before
    served.decide("end")
    page.get_by_text("The class is over. What you typed is kept.").wait_for()
    served.decide("resume")
    page.get_by_text("The class is over.").wait_for(state="hidden")


@pytest.mark.slow
def test_a_network_that_lets_no_socket_through_is_no_reason_to_say_so(served, phone):
    code = served.codes(5)[0]
    page = phone(code, "Eve", script=NO_SOCKET)
    write(page, "E[1,1]", "1")
    page.get_by_label(re.compile(r"E\[1,1\], (not )?right")).wait_for()  # by asking
    served.decide("pause")
    page.get_by_text("Your teacher has paused the class.").wait_for()
    served.decide("resume")


@pytest.mark.slow
def test_a_code_that_is_taken_waits_for_the_teacher_and_two_sheets_are_one_way(served, phone):
    softmax, dot = served.codes(4)
    first = phone(softmax, "Dan")
    second = phone(dot)
    second.get_by_label("Your name or a nickname").fill("Dan again")
    button(second, "Join").click()
    second.get_by_text("Somebody is already working with this code. Your teacher can let you in.").wait_for()
    assert violations(second) == []
    (waiting,) = served.live.room.people.waiting
    served.decide("approve", learner=waiting.id)
    second.locator("td input").first.wait_for()
    first.get_by_text("You are not in the class any more. To go on, join again with your code.").wait_for()
    assert first.get_by_label("Code on your sheet").input_value() == softmax
    button(first, "Join").click()
    first.get_by_text("Somebody is already working").wait_for()
    served.decide("refuse", learner=served.live.room.people.waiting[0].id)
    first.get_by_text("Your teacher has not let you in with this code.").wait_for()
    write(second, "s[1,1]", served.right(dot, "s")[0])
    second.get_by_text("The number is right. “Next sheet” goes on with Softmax.").wait_for()
    assert second.get_by_role("navigation").get_by_role("button", name="✓ 1 of 1 right").is_visible()
    button(second, "Next sheet").click()
    field(second, "E[1,1]").focus()
    for key in ("−", "2"):  # number keys of phones have no minus
        second.get_by_role("toolbar").get_by_text(key).click() if key == "−" else second.keyboard.type(key)
    assert field(second, "E[1,1]").input_value() == "-2"
    for width, height in ((667, 375), (195, 422), (390, 844)):
        second.set_viewport_size({"width": width, "height": height})
        assert_in_sight(second, "A[3,1]", "E[1,1]", "E sum[1,1]")
        assert second.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
