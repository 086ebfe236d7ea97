"""The pages of a class as people see them: all that matters is in sight, and no number is cut off."""

import json

import lab
import pytest
from live_class import TEACHER, Taught, make

pytestmark = pytest.mark.slow

KINDS = ["divided by d k", "not scaled", "row softmax", "transposed scores", "sign lost"]
COUNT, MISTAKES = 30, 14
# Which numbers do not stand whole in their field, or lie under its mark.
CUT = """() => [...document.querySelectorAll(".hc-blank input")].flatMap((field) => {
  if (!field.value) return [];
  const style = getComputedStyle(field), box = field.getBoundingClientRect();
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
  const wide = context.measureText(field.value).width, high = 0.75 * parseFloat(style.fontSize);
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const middle = box.left + field.clientLeft + parseFloat(style.paddingLeft) + room / 2;
  const mark = field.parentElement.querySelector("i").getBoundingClientRect();
  const isUnder = mark.width && mark.right > middle - wide / 2 && mark.left < middle + wide / 2
    && mark.bottom > box.top + (box.height - high) / 2 && mark.top < box.top + (box.height + high) / 2;
  return wide > room || isUnder ? [`${field.value}: ${wide} of ${room}, ${isUnder}`] : [];
})"""


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    taught = Taught(make(tmp_path_factory.mktemp("class") / "8b", topics=[("self_attention", 1)]))
    yield taught
    taught.close()


@pytest.fixture(scope="module")
def address(taught):
    return f"http://127.0.0.1:{taught.port}"


def kind(topic, steps):
    names = [f"head_{k % 3}.S_{k}" for k in range(steps)]
    told = [
        {"name": one, "html": one, "long": one, "block": "", "size": 9, "formula": "Q", "why": ""}
        for one in names
    ]
    return {"topic": topic, "level": 1, "title": topic, "steps": told, "blocks": {}}


def event():
    """A class of thirty in which much is wrong, and many wait."""
    about = kind("Multi-head attention", 24)
    step = about["steps"][0]["name"]
    rows = [
        {
            "code": f"C{k}", "number": k, "kind": 0, "learner": k, "nick": "", "last": 100, "wrote": 100,
            "connected": True, "left": False, "steps": {step: [0, 0, 0, 9, 0]}, "seen": [], "hints": {},
        }
        for k in range(1, COUNT + 1)
    ]  # fmt: skip
    reasons = [
        "12 wrong: S<sub>scaled, head 1</sub>, all hints used",
        "9 wrong: S for 12 min",
        "everything right",
    ]
    needs = [
        {
            "number": k, "code": f"C{k}", "kind": "stuck" if k < 24 else "could explain", "step": step,
            "reason": reasons[(k > 2) + (k > 23)],
        }
        for k in range(1, 27)
    ]  # fmt: skip
    mistakes = [
        {
            "name": f"{KINDS[k % 5]} {k}", "called": f"{KINDS[k % 5]} {k}", "students": [k + 1],
            "where": [{"topic": about["topic"], "step": step, "students": [k + 1]}],
            "sentence": "So.", "done": "", "why": "", "formula": "", "others": [],
        }
        for k in range(MISTAKES)
    ]  # fmt: skip
    alarms = [
        {"alarm": 1, "kind": "browser", "nick": "", "codes": [f"C{k}" for k in range(4, 12)]},
        {"alarm": 2, "kind": "nick", "nick": "Captain Underpants", "codes": ["C12", "C13", "C14"]},
        {"alarm": 3, "kind": "address", "nick": "", "codes": [row["code"] for row in rows]},
    ]
    for alarm in alarms:
        alarm["apart"] = False
        alarm["seats"] = [
            {"learner": k, "code": code, "nick": "", "device": k, "at": 100, "open": True}
            for k, code in enumerate(alarm["codes"])
        ]
    waiting = [{"learner": 50 + k, "nick": f"Somebody {k}", "code": f"C{k}"} for k in range(1, 7)]
    names = {
        str(k): f"Alexandra Featherstonehaugh {k}" if k < 4 else f"Ida Park {k}" for k in range(1, COUNT + 1)
    }
    return {
        "whole": True, "at": 100, "here": 29, "students": COUNT, "title": "8b", "paused": False, "rests": [],
        "until": None, "of": None, "shown": None, "closed": False, "over": False, "trouble": "",
        "kinds": [about], "rows": rows, "names": names, "waiting": waiting,
        "mistakes": mistakes, "alike": [], "orphans": [],
        "needs": needs, "projector": "p", "unreachable": "", "alarms": alarms,
    }  # fmt: skip


def opened(chromium, address, path, api, event, scheme="light", **size):
    page = lab.window(chromium, viewport=size, color_scheme=scheme).new_page()
    body = f"data: {json.dumps(event)}\n\n"
    page.route(f"**/{api}", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    page.goto(f"{address}/{path}")
    return page


def box(page, selector):
    return page.locator(selector).bounding_box()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_needs_help_and_what_is_misunderstood_are_in_sight_while_many_wait(chromium, address, scheme):
    page = opened(
        chromium, address, f"teacher#{TEACHER}", "api/class/events", event(), scheme, width=1280, height=800
    )
    page.locator("button.mistake").last.wait_for()
    assert page.locator(".newcomers .newcomer").count() == 6
    assert page.locator(".alarms .newcomer").count() == 3
    assert [box(page, one)["height"] <= 150 for one in (".alarms", ".newcomers")] == [True, True]
    assert page.get_by_role("heading", name="Is this your class? (3)").count() == 1
    needs, mistakes = box(page, ".needs"), box(page, ".mistakes")
    assert needs["y"] + needs["height"] <= 700  # seats that are taken in number push nobody out of sight
    assert page.locator(".needs button").count() == 5 + 3
    assert mistakes["y"] < 760
    assert page.locator("button.mistake").count() == MISTAKES  # once is enough to be seen
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".here").inner_text().startswith("29 of 30 students here")
    empty = opened(
        chromium, address, f"teacher#{TEACHER}", "api/class/events", event() | {"waiting": [], "alarms": []},
        width=1280, height=800,
    )  # fmt: skip
    empty.locator("button.mistake").last.wait_for()
    assert box(empty, ".mistakes")["y"] + box(empty, ".mistakes")["height"] <= 800
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert box(page, ".alarms")["x"] == box(page, ".newcomers")["x"] > 0
    for one in (page, empty):
        one.context.close()


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800)])
@pytest.mark.parametrize("steps", [[9], [24], [19, 21]])
def test_how_the_class_stands_fits_the_projector(chromium, address, steps, width, height):
    counts = [12, 1, 4, 6, 7]
    kinds = [
        {"title": one["title"], "steps": [{"html": step["html"], "counts": counts} for step in one["steps"]]}
        for one in (kind(f"Topic {k}", count) for k, count in enumerate(steps))
    ]
    told = {"whole": True, "at": 1, "title": "8b", "paused": False, "here": 29, "students": 30}
    page = opened(
        chromium, address, "projector#p", "api/projector", {**told, "kind": "shares", "kinds": kinds},
        width=width, height=height,
    )  # fmt: skip
    page.locator(".key").wait_for()
    assert page.locator(".standing li").count() == sum(steps)
    assert page.evaluate("() => document.documentElement.scrollHeight") <= height
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    size = page.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('.standing li')).fontSize)"
    )
    assert size >= height / 60  # 18 pixels of 1080, as the last row can read them
    page.context.close()


def test_a_qr_code_that_leads_nowhere_says_so(chromium, taught, address):
    taught.ask("/api/class/do", {"do": "show", "kind": "join"}, TEACHER)
    taught.live.is_reachable = False
    page = lab.window(chromium).new_page()
    page.goto(f"{address}/projector#{taught.live.projector}")
    page.get_by_text("Phones cannot reach this address").wait_for()
    assert not page.get_by_text("Scan this").count()
    page.context.close()
    taught.live.is_reachable = True


def test_numbers_of_six_signs_are_whole_on_a_phone(chromium, taught, address):
    phone = lab.window(chromium, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto(f"{address}/#{taught.code()}")
    page.get_by_label("Your name or a nickname").fill("Ada")
    page.get_by_role("button", name="Join", exact=True).click()
    texts = ["34,31", "120,82", "e^1,41", "-12,82", "-1.251", "1/3"]
    for k, text in enumerate(texts):
        one = page.locator('td[data-step="S"] input').nth(k)
        one.fill(text)
        one.press("Enter")
    page.locator('td[data-step="S"] i.hc-wrong').nth(len(texts) - 1).wait_for()
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.locator('td[data-step="Q"] input').first.focus()
        assert page.evaluate(CUT) == [], width
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        page.locator('td[data-step="S"] input').nth(1).focus()  # in larger type, so that no phone zooms in
        assert page.evaluate(CUT) == [], width
    phone.close()
