"""A learner's page in a phone's window, from the QR code to the end of the lesson; two phones, one code."""

import re
import time

import lab
import pytest
from axe import violations
from live_class import Taught, make
from on_page import COVERED, button

from handcalc.notation import numbers

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACES = """() => [...document.querySelectorAll("td")]
  .map((cell) => cell.getBoundingClientRect())
  .map(({ left, top }) => [left, top + scrollY])"""
FOCUSED = "() => document.activeElement.getAttribute('aria-label')"
NO_SOCKET = """WebSocket = class extends EventTarget {
  constructor() { super(); this.readyState = 3; setTimeout(() => this.onclose?.({ code: 1006 }), 20); }
  close() {}
}"""
PRIVATE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });"
AWAY = "The teacher’s computer cannot be reached."
PAUSED, OVER = "Your teacher has paused the class.", "The class is over. What you typed is kept."


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    names, topics = ["Ada", "Dan", "Eve"], [("softmax", 1), ("dot_product", 1)]
    made = make(tmp_path_factory.mktemp("class") / "7b", names, topics)
    taught = Taught(made, clock=time.monotonic)
    yield taught
    taught.close()


@pytest.fixture
def phone(chromium, served):
    """Opens the class's page on a phone of its own; what goes wrong on it fails the test."""
    contexts, troubles = [], []

    def policy(told):
        if "Security Policy" in told.text:
            troubles.append(told.text)

    def phone(code="", nick="", script=""):
        contexts.append(lab.window(chromium, **PHONE, reduced_motion="reduce"))
        contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", policy)
        page.goto(f"http://127.0.0.1:{served.port}/#{code}")
        if nick:
            page.get_by_label("Your name or a nickname").fill(nick)
            button(page, "Join").click()
        return page

    yield phone
    for context in contexts:
        context.close()
    assert troubles == []


def decide(served, what, **about):
    """What the teacher decides."""
    served.do(served.live.room.controls.decide(what, **about))


def tell(served, code, message):
    """What whoever works on a sheet hears of the server."""

    async def tell():
        served.live.room.listeners.publish(served.live.room.people.holder(code).id, message)

    served.do(tell())


def codes(served, number):
    return [entry.code for entry in served.folder.register.students[number]]


def first_right(served, code, step):
    return numbers.show(served.folder.numbers.exercise(code).calculation[step].values[0, 0])


def stored(served, code):
    """All that the class has stored for a sheet, in order."""
    works = served.live.room.sheet_states.items()
    return [tuple(one) for key, work in works if key[1] == code for one in work.typed]


def field(page, name):
    """The field of a number, whatever is said of it."""
    return page.locator(f'input[aria-label="{name}"], input[aria-label^="{name}, "]')


def marked(page, name):
    return page.get_by_label(re.compile(rf"{re.escape(name)}, (not )?right"))


def assert_in_sight(page, *names):
    """Nothing that is said stands over the field that is being filled in."""
    for name in names:
        field(page, name).focus()
        assert page.evaluate(COVERED) == "", (name, page.viewport_size)


def write(page, name, text):
    field(page, name).fill(text)
    field(page, name).press("Enter")


def gone(page, text):
    page.get_by_text(text).wait_for(state="hidden")


def test_a_lesson_from_the_qr_code_to_its_end(served, phone):
    code, other = codes(served, 1)
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

    write(page, "E[1,1]", first_right(served, code, "E"))
    page.get_by_label("E[1,1], right").wait_for()
    write(page, "E[2,1]", "-3")
    page.get_by_label("E[2,1], not right").wait_for()
    assert page.evaluate(FOCUSED) == "E[3,1]"
    assert "E[2,1]" in page.locator(".hc-messages").inner_text()
    page.locator(".hc-sign-words").get_by_text("not right").wait_for()  # a finger sees no titles
    button(page, "Hint").click()
    page.locator(".hc-hint:not(:empty)").wait_for()
    assert page.get_by_text("<b>Ada</b>").is_visible()  # as it was written
    ticket = "() => JSON.parse(localStorage[`handcalc class ${document.body.dataset.class} ticket`])"
    sheet = served.ask("/api/sheet", token=page.evaluate(ticket)["token"]).json
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
    page.goto(f"{page.url}#{codes(served, 2)[0]}")  # somebody else's: it asks
    button(page, "Go on as <b>Ada</b>").click()
    field(page, "s[1,1]").wait_for()  # where one was
    page.goto(f"{page.url}#{code}")

    before = stored(served, code)
    served.stop()  # nothing is lost or doubled while the server is away
    texts = [("E", 1, 0, "5"), ("E", 1, 0, "6"), ("E_sum", 0, 0, "700"), ("E", 1, 0, "5")]
    for step, row, _, text in texts:
        write(page, f"{step.replace('_', ' ')}[{row + 1},1]", text)
    page.get_by_text(f"{AWAY} What you type is kept on this phone").wait_for()
    page.get_by_label("E[2,1], not marked yet").wait_for()
    page.set_viewport_size({"width": 195, "height": 422})  # 200 %
    assert_in_sight(page, "E[1,1]", "A[3,1]", "E[2,1]")
    assert violations(page) == []
    field(page, "A[1,1]").type("0.5")  # is being typed when it comes back
    served.start()
    page.get_by_text("The teacher’s computer is back, and has everything you typed.").wait_for()
    marked(page, "E sum[1,1]").wait_for(timeout=30_000)  # its marker starts anew
    assert page.evaluate("() => document.activeElement.value") == "0.5"
    assert stored(served, code) == [*before, *texts]
    assert [name for name in page.evaluate("() => Object.keys(localStorage)") if "waiting" in name] == []
    page.set_viewport_size(PHONE["viewport"])

    decide(served, "until", step="E")  # the class goes on step by step, and rests
    page.get_by_label("A[2,1], opens later").wait_for()
    fields = page.locator("td.hc-later input").all()
    assert {one.get_attribute("placeholder") for one in fields} == {"later"}  # every one
    page.get_by_text("Fields marked “later” open when your teacher goes on. Now: up to E.").wait_for()
    field(page, "E[3,1]").focus()
    field(page, "E[3,1]").press("Enter")  # there is no open field after it
    assert page.evaluate(FOCUSED) == "E[3,1]"
    field(page, "E[3,1]").fill("4")
    places, before = page.evaluate(PLACES), stored(served, code)
    decide(served, "pause")
    page.get_by_text(f"{PAUSED} What you typed is kept.").wait_for()
    assert not field(page, "E[3,1]").is_editable()
    assert stored(served, code) == before
    decide(served, "resume")
    decide(served, "until", step=None)
    marked(page, "E[3,1]").wait_for()
    assert ("E", 2, 0, "4") in stored(served, code)  # what was half typed
    gone(page, PAUSED)
    far = {"code": other, "texts": {}, "n": 0, "seen": 9, "finished": True, "score": "1 of 1 right"}
    tell(served, code, {"paused": True, "marks": far})  # together, as messages that wait are sent
    page.get_by_text(PAUSED).wait_for()
    page.get_by_role("navigation").get_by_text("✓ 1 of 1 right").wait_for()
    tell(served, code, {"paused": False})
    gone(page, PAUSED)
    assert field(page, "A[2,1]").is_editable()
    assert page.evaluate(PLACES) == places
    decide(served, "end")
    page.get_by_text(OVER).wait_for()
    decide(served, "resume")
    gone(page, OVER)


def test_a_browser_that_keeps_nothing_in_a_network_without_sockets_goes_on_by_asking(served, phone):
    page = phone(codes(served, 3)[0], "Eve", script=PRIVATE + NO_SOCKET)
    page.get_by_text("leave this page open until you have finished").wait_for()
    write(page, "E[1,1]", "1")
    marked(page, "E[1,1]").wait_for()
    decide(served, "pause")
    page.get_by_text(PAUSED).wait_for()
    decide(served, "resume")


def test_a_code_that_is_taken_waits_for_the_teacher_and_two_sheets_are_one_way(served, phone):
    softmax, dot = codes(served, 2)
    first = phone(softmax, "Dan")
    first.locator("td input").first.wait_for()
    second = phone(dot, "Dan again")
    second.get_by_text("Somebody is already working with this code. Your teacher can let you in.").wait_for()
    assert violations(second) == []
    (waiting,) = served.live.room.people.waiting
    decide(served, "approve", learner=waiting.id)
    second.locator("td input").first.wait_for()
    first.get_by_text("You are not in the class any more. To go on, join again with your code.").wait_for()
    assert first.get_by_label("Code on your sheet").input_value() == softmax
    button(first, "Join").click()
    first.get_by_text("Somebody is already working").wait_for()
    decide(served, "refuse", learner=served.live.room.people.waiting[0].id)
    first.get_by_text("Your teacher has not let you in with this code.").wait_for()
    write(second, "s[1,1]", first_right(served, dot, "s"))
    second.get_by_text("The number is right. “Next sheet” goes on with Softmax.").wait_for()
    assert second.get_by_role("navigation").get_by_role("button", name="✓ 1 of 1 right").is_visible()
    button(second, "Next sheet").click()
    write(second, "E[1,1]", "")
    field(second, "E[1,1]").focus()
    second.get_by_role("toolbar").get_by_text("−").click()  # number keys of phones have no minus
    second.keyboard.type("2")
    assert field(second, "E[1,1]").input_value() == "-2"
    for width, height in ((667, 375), (195, 422), (390, 844)):
        second.set_viewport_size({"width": width, "height": height})
        assert_in_sight(second, "A[3,1]", "E[1,1]", "E sum[1,1]")
        assert second.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
