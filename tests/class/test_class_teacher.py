"""The teacher's page and the projector in a browser, while simulated learners send what they write."""

import itertools
import re
from pathlib import Path

import lab
import live_class
import planted_class
import pytest
from axe import violations
from in_node import PRODUCT
from live_class import TEACHER, Taught
from on_page import button

from handcalc.classroom.live.http import teacher_requests
from handcalc.notation import numbers

pytestmark = pytest.mark.slow

MARKUP = "Ada <b>Lovelace</b>"
NAMES = [MARKUP, "Ben O'Hara", "Chloé", "Dan Brown"]
ALL_TEXT = """() => [...document.querySelectorAll("*")]
  .flatMap((node) => [...node.attributes].map(({ value }) => value))
  .concat(document.title, document.documentElement.textContent)
  .join("\\n")"""
EXPECTED = re.compile("ERR_FAILED|status of 403")  # a server that is away, and a stranger
SCORES = "Scores"
UPDATES = (
    (Path(__file__).parent / "js" / "many_updates.js").read_text("utf-8").partition("\n")[2].rstrip(";\n")
)
PAUSED = "Your teacher has paused the class."


class Played(Taught):
    """A class whose learners send what they would write, with a mistake if it is planted."""

    def __init__(self, made) -> None:
        super().__init__(made)
        self.tokens: dict[str, str] = {}
        self.n = itertools.count(1)

    def entry(self, number: int, topic: str = "scores"):
        return next(one for one in self.folder.register if (one.number, one.topic) == (number, topic))

    def enter_as(self, number: int, nick: str = "") -> str:
        code = self.entry(number).code
        self.tokens[number] = self.ask("/api/join", {"code": code, "nick": nick}).json["token"]
        return code

    def write(self, number: int, *steps: str, mistakes=None, topic="scores") -> None:
        """All numbers of some steps, from loops."""
        code = self.entry(number, topic).code
        calculation = self.folder.numbers.exercise(code).calculation
        answers = planted_class.written(calculation, topic, mistakes or {})
        cells = [
            [next(self.n), step, i, j, numbers.show(value, 2)]
            for step in steps
            for i, line in enumerate(answers[step])
            for j, value in enumerate(line)
        ]
        found = self.ask("/api/answers", {"code": code, "answers": cells}, self.tokens[number])
        assert found.status == 200, found

    def decide(self, what: str, **about) -> None:
        assert self.ask("/api/class/do", {"do": what, **about}, TEACHER).status == 200

    def seen(self) -> dict:
        return self.ask("/api/class", token=TEACHER).json

    async def break_off(self) -> None:
        for one in list(self.live.listeners):
            one.end()


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(teacher_requests, "EVENT_SECONDS", 0.1)  # seconds between two events
    topics = (("scores", 1), ("softmax", 1))
    taught = Played(live_class.make(tmp_path_factory.mktemp("class") / "7b", NAMES, topics))
    taught.enter_as(1, "<i>ada</i>")
    taught.enter_as(2)
    taught.enter_as(3, "Captain")
    yield taught
    taught.close()
    monkeypatch.undo()


@pytest.fixture(scope="module")
def opened(chromium, taught):
    """Opens one of the pages; what goes wrong on it fails the module."""
    troubles: list[str] = []
    context = lab.window(chromium, viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(10_000)

    def opened(path: str, **options):
        page = (lab.window(chromium, **options) if options else context).new_page()
        page.on("console", lambda told: troubles.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"http://127.0.0.1:{taught.port}/{path}")
        return page

    yield opened
    assert [trouble for trouble in troubles if not EXPECTED.search(trouble)] == []


@pytest.fixture(scope="module")
def desk(opened):
    page = opened(f"teacher#{TEACHER}")
    page.locator(".people tbody tr").first.wait_for()
    return page


def cell(page, name: str, step: str):
    return page.locator(f'td[aria-label^="{name}, {step}: "]')


async def take_seats(taught) -> None:
    """As if all that are taken had been taken by one device."""
    for one in [one for one in taught.live.room.people.by_id.values() if one.state == "in"]:
        taught.live.watch.note_joined(one, "one device", "")


def test_a_lesson_at_the_teachers_desk(desk, opened, taught):
    # The grid changes as answers come, and says so in words.
    assert not desk.evaluate("() => location.hash")  # nobody reads the token over a shoulder
    grid = desk.get_by_role("grid", name=re.compile("."))
    assert grid.get_by_role("rowheader").count() == len(NAMES)
    assert cell(desk, MARKUP, "S").get_attribute("aria-label") == f"{MARKUP}, S: blank"
    taught.write(1, "S")
    desk.locator(f'td[aria-label^="{MARKUP}, S: right"]').wait_for()
    assert cell(desk, MARKUP, "S").inner_text() == "✓"
    assert cell(desk, "Ben O'Hara", "S").inner_text() == "·"
    assert desk.get_by_role("rowheader", name=MARKUP).locator(".now").inner_text() == "typing"
    assert desk.get_by_text("3 of 4 students here").count() == 1
    # A mistake is named as soon as it is seen, with who made it.
    mistake = desk.locator("button.mistake")
    for number, count in ((2, "1"), (3, "2")):
        taught.write(number, "S", "S_scaled", mistakes={"S_scaled": "not-scaled"})
        desk.locator("button.mistake .count", has_text=count).wait_for()
        assert mistake.inner_text().split() == [count, "not", "scaled", "in", "Sscaled"]
    mistake.click()
    assert desk.locator("div.mistake .names").inner_text() == "Ben O'Hara and Chloé"
    marked = desk.locator("tr[data-marked] .names .name")
    assert marked.all_inner_texts() == ["Ben O'Hara", "Chloé"]
    assert desk.locator("td[data-seen]").count() == 2  # where it was made
    desk.keyboard.press("Escape")
    assert not marked.count()
    for _ in range(2):
        taught.ask("/api/hint", {"code": taught.entry(2).code, "step": "S_scaled"}, taught.tokens[2])
    need = desk.locator('.needs button[data-kind="stuck"]')
    need.wait_for()
    told = re.fullmatch(
        r"! Ben O'Hara (\d+) wrong: Sscaled, all hints used", " ".join(need.inner_text().split())
    )
    assert int(told[1]) > 1
    assert cell(desk, "Chloé", "S scaled").get_attribute("data-state") == "wrong"
    # A cell opens beside the grid, with what was written and what is right.
    entry = taught.entry(2)
    right = taught.folder.numbers.exercise(entry.code).calculation["S_scaled"].values
    cell(desk, "Ben O'Hara", "S scaled").click()
    panel = desk.locator(".panel")
    panel.get_by_text("Seen as").wait_for()
    assert panel.get_by_text("not scaled").count() == 1
    buttons = panel.locator(".written button")
    assert buttons.count() == right.size
    place = next(k for k, text in enumerate(buttons.all_inner_texts()) if "✗" in text or "≈" in text)
    told = numbers.typeset_number(numbers.show(right.flat[place], 2))
    assert f"{told} is right" in panel.locator(".one").inner_text()
    assert panel.locator(".told p").count() >= 1
    assert violations(desk) == []
    desk.keyboard.press("Escape")
    assert not panel.is_visible()
    # A card shows a whole sheet, and a count how many are right.
    exercise = taught.folder.numbers.exercise(taught.entry(2).code)
    desk.get_by_role("rowheader", name="Ben O'Hara").click()
    sheet = desk.locator(".panel .whole").first
    tables = sheet.get_by_role("table")
    tables.nth(len(exercise.calculation.givens)).wait_for()
    assert tables.count() == len(exercise.calculation.givens) + len(exercise.blank)
    typed = sheet.get_by_role("table", name="S scaled").locator("td[data-state]")
    size = exercise.calculation["S_scaled"].values.size
    assert typed.count() == size
    right = typed.evaluate_all("(all) => all.filter(({ dataset }) => dataset.state === 'right').length")
    assert sheet.get_by_text("not divided by").count() == 1  # as the student reads it
    desk.keyboard.press("Escape")
    shown = cell(desk, "Ben O'Hara", "S scaled")
    assert shown.locator("small").inner_text() == f"{right} of {size}"
    share = shown.evaluate("(cell) => cell.style.getPropertyValue('--wrong-share')")
    assert share == f"{round(100 * (size - right) / size)}%"
    # The projector shows a number with its arithmetic, and no name.
    cell(desk, "Chloé", "S scaled").click()
    button(desk, "Show this number on the projector").click()
    desk.get_by_text("On the projector: S scaled").wait_for()
    token = taught.live.projector
    assert taught.ask("/api/class", token=token).status == 403  # it opens nothing else
    big = opened(f"projector#{token}")
    big.get_by_text("What happened?").wait_for()
    assert not big.locator(".arithmetic").count()  # nobody reads the answer before the class has thought
    assert big.locator(".givens li").count()
    wrote = big.locator(".wrote b").inner_text()
    button(desk, "Show the arithmetic").click()
    arithmetic = big.locator(".arithmetic")
    arithmetic.wait_for()
    assert big.locator(".wrote b").inner_text() == wrote
    entry = taught.entry(3)
    calculation = taught.folder.numbers.exercise(entry.code).calculation
    wrong = planted_class.written(calculation, "scores", {"S_scaled": "not-scaled"})["S_scaled"]
    right = planted_class.written(calculation, "scores", {})["S_scaled"]
    places = itertools.product(range(len(right)), range(len(right[0])))
    i, j = next((i, j) for i, j in places if abs(right[i][j] - wrong[i][j]) > 0.1)
    text = arithmetic.inner_text().replace("−", "-").replace("\n", "")
    assert text.startswith(f"Sscaled[{i + 1},{j + 1}] = ")
    assert text.endswith(numbers.show(right[i][j], 2))
    assert big.locator(".wrote b").inner_text() == numbers.show(wrong[i][j], 2)
    everything = big.evaluate(ALL_TEXT)
    assert not [word for word in ("Chloé", "Captain", entry.code, *NAMES) if word in everything]
    assert violations(big) == []
    taught.decide("show", kind="shares")
    big.locator(".standing").first.wait_for()
    assert big.get_by_role("img", name="3 right").count() == 1  # S, of three who are here
    taught.decide("show", kind="join")
    big.get_by_text("3 of 4 students here").wait_for()
    assert big.locator(".address").inner_text() == f"127.0.0.1:{taught.port}"
    assert violations(big) == []
    taught.decide("hide")
    big.get_by_text("Scan this").wait_for(state="detached")
    big.close()
    # Hidden names are nowhere, and stay hidden.
    taught.do(take_seats(taught))
    waiting = taught.ask("/api/join", {"code": taught.entry(3).code, "nick": "Newbie"}).json
    assert waiting["state"] == "waiting"
    desk.get_by_text("Newbie").wait_for()
    desk.get_by_role("alert").get_by_text("One device has taken 3 seats.").wait_for()
    secrets = ["Lovelace", "O'Hara", "Chloé", "Brown", "Captain", "Newbie", "<i>ada"]
    shown = desk.evaluate(ALL_TEXT)
    assert [word for word in secrets if word not in shown] == []
    cell(desk, "Chloé", "S scaled").click()
    desk.locator("button.mistake").click()
    desk.keyboard.press("Alt+n")
    assert desk.locator(".panel h2").inner_text().startswith("Student 3")
    assert [word for word in secrets if word in desk.evaluate(ALL_TEXT)] == []
    desk.get_by_role("columnheader", name=re.compile("^S scaled")).click()
    desk.locator(".panel .counts").wait_for()
    taught.write(2, "S_scaled")  # what comes later has no name either
    desk.locator('td[aria-label^="Student 2, S scaled: right"]').wait_for()
    assert [word for word in secrets if word in desk.evaluate(ALL_TEXT)] == []
    desk.reload()  # the token is kept, and the choice
    desk.locator(".people tbody tr").first.wait_for()
    assert [word for word in secrets if word in desk.evaluate(ALL_TEXT)] == []
    seats = desk.locator(".alarms .seats label")
    assert [one.split("\n")[0] for one in seats.all_inner_texts()] == ["Student 1", "Student 2", "Student 3"]
    assert violations(desk) == []
    button(desk, "All is well").click()
    desk.locator(".alarms").wait_for(state="hidden")
    button(desk, "Show names").click()
    assert "Lovelace" in desk.evaluate(ALL_TEXT)
    # A newcomer is let in, and a late-comer gets a code.
    button(desk, "Go on there: Newbie with the numbers that are on the sheet").click()
    desk.get_by_text("Waiting to come in").wait_for(state="hidden")
    desk.get_by_role("rowheader", name="Chloé, Newbie").wait_for()  # with what Captain has done
    desk.get_by_text("More").click()
    button(desk, "Add a student …").click()
    desk.get_by_label("Name", exact=True).fill("Zoe")
    button(desk, "Add").click()
    desk.get_by_text("Zoe’s codes:").wait_for()
    zoe = [one.code for one in taught.live.room.folder.register if one.name == "Zoe"]
    assert desk.locator(".panel b.code").all_inner_texts() == zoe
    desk.get_by_role("rowheader", name="Zoe").wait_for()
    desk.keyboard.press("Escape")
    # Pause and pace reach a phone.
    code = taught.entry(4).code
    phone = opened(f"#{code}", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    phone.get_by_label("Your name or a nickname").fill("Dan")
    button(phone, "Join").click()
    phone.locator("td input").first.wait_for()
    button(desk, "Eyes up").click()
    phone.get_by_text(PAUSED).wait_for()
    desk.get_by_text("Eyes up: every phone is paused.").wait_for()
    button(desk, "Go on").first.click()
    phone.get_by_text(PAUSED).wait_for(state="hidden")
    desk.get_by_role("columnheader", name=re.compile("^S: ")).click()
    button(desk, "Only up to S").click()
    desk.get_by_text("Open only up to S.").wait_for()
    assert cell(desk, "Dan Brown", "S scaled").get_attribute("data-closed") == ""
    assert cell(desk, "Dan Brown", "S").get_attribute("data-closed") is None
    phone.locator('td[data-step="S"] input').first.wait_for()
    phone.wait_for_function(
        """() => [...document.querySelectorAll('td[data-step="S_scaled"] input')]
          .every((field) => field.disabled || field.readOnly || field.closest("[inert]"))"""
    )
    button(desk, "Open all steps").first.click()
    desk.get_by_text("Open only up to S.").wait_for(state="detached")
    phone.context.close()
    # A lost phone, a guest, a file and the end are a few clicks.
    desk.get_by_role("rowheader", name="Ben O'Hara").click()
    button(desk, "Lost phone: release the code").click()
    desk.get_by_text("The code is free: the next to join with it").wait_for()
    assert taught.ask("/api/sheet", token=taught.tokens[2]).status in (401, 403)
    taught.enter_as(2)
    desk.locator('td[aria-label^="Ben O\'Hara, S: right"]').wait_for()
    button(desk, "Forget …").click()
    button(desk, "Keep").click()
    button(desk, "Forget …").click()
    desk.get_by_text("All that they typed will be deleted for good").wait_for()
    button(desk, "Forget for good").click()
    desk.locator('td[aria-label="Ben O\'Hara, S: blank"]').wait_for()
    desk.get_by_text("More").click()
    with desk.expect_download() as told:
        button(desk, "Marks (CSV)").click()
    head, *lines = Path(told.value.path()).read_text("utf-8-sig").splitlines()
    assert head == "name,code,right,following,wrong,blank,mistakes,trouble"
    assert any(line.startswith(f"{MARKUP},{taught.entry(1).code},") for line in lines)
    desk.get_by_text("More").click()
    button(desk, "End the class").click()
    desk.get_by_text("The class is over; every answer is kept.").wait_for()
    button(desk, "Open it again").click()
    desk.get_by_text("The class is over").wait_for(state="detached")
    # Keys reach every cell, and several topics are a switch.
    desk.get_by_role("rowheader", name=MARKUP).focus()
    desk.keyboard.press("ArrowRight")
    label = "() => document.activeElement.getAttribute('aria-label')"
    assert desk.evaluate(label).startswith(f"{MARKUP}, S: ")
    desk.keyboard.press("ArrowDown")
    assert desk.evaluate(label).startswith("Ben O'Hara, S: ")
    desk.keyboard.press("Enter")
    desk.get_by_role("heading", name="Ben O'Hara").wait_for()
    desk.keyboard.press("Escape")
    assert desk.evaluate(label).startswith("Ben O'Hara, S: ")
    assert desk.locator('.people [tabindex="0"]').count() == 1
    button(desk, "Softmax").click()
    assert cell(desk, MARKUP, "E sum").count() == 1
    button(desk, SCORES).click()
    assert not cell(desk, MARKUP, "E sum").count()
    # A lost connection is said, and nothing stale looks fresh.
    desk.route("**/api/class/events", lambda route: route.abort())
    taught.do(taught.break_off())
    desk.get_by_text(
        re.compile(r"Connection lost; this is how it stood at \d\d:\d\d:\d\d\. Trying again")
    ).wait_for()
    assert desk.evaluate("() => document.body.hasAttribute('data-stale')")
    desk.unroute("**/api/class/events")
    desk.locator("body:not([data-stale])").wait_for()
    assert desk.locator(".fresh").inner_text().startswith("as of ")
    assert not desk.locator(".lost").inner_text()
    # Two thousand updates leave no nodes behind, and dark is as good.
    desk.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert violations(desk) == []
    desk.set_viewport_size({"width": 390, "height": 844})
    cell(desk, "Chloé", "S scaled").click()
    desk.locator(".panel .one").wait_for()
    assert desk.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert violations(desk) == []
    source = lambda route: route.fulfill(path=PRODUCT / route.request.url.partition("/sources/")[2])  # noqa: E731
    desk.route("**/sources/**/*.js", source)
    few, many = desk.evaluate(UPDATES)
    assert few == many > len(NAMES)


def test_nobody_else_sees_the_teachers_page(opened, taught):
    for path in ("teacher", "teacher#" + taught.live.projector, "projector"):
        page = opened(path, reduced_motion="reduce")
        page.get_by_role("alert").get_by_text("the teacher’s page").wait_for()
        assert not [name for name in NAMES if name in page.evaluate(ALL_TEXT)]
        page.context.close()
