"""Practice in a browser: keys, touch, narrow windows, legibility, and a kernel that does not answer."""

import re
from collections.abc import Callable

import cases
import pytest
from axe import ALL_BUT_COLOURS, violations
from on_page import COVERED, assert_legible, bare, button
from playwright.sync_api import Locator, Page
from practice_on_page import Behind, assert_in_colour

import handcalc as hc
from handcalc.notation import numbers
from handcalc.notation.markup import Spoken

NARROW = {"viewport": {"width": 360, "height": 740}}
TOUCH = NARROW | {"has_touch": True, "is_mobile": True}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
# Fields and buttons that a finger cannot come at, or that are smaller than a fingertip allows (WCAG 2.5.8).
SMALL = """() => [...document.querySelectorAll(".handcalc-practice :is(input, button)")]
  .filter((control) => {
    control.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = control.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return Math.min(width, height) < 24 || !control.contains(at);
  })
  .map((control) => control.outerHTML)"""
STEPS = "(cells) => [...new Set(cells.map((cell) => cell.dataset.step))]"  # in the order of the page
Open = Callable[..., tuple[Page, Behind]]


@pytest.fixture
def practise(open_text, tmp_path) -> Open:
    """Opens a practice's page; further options are those of the browser."""

    def practise(topic: str = "softmax", context: dict | None = None, **options) -> tuple[Page, Behind]:
        behind = Behind(hc.practise(topic, folder=tmp_path, **{"seed": 1} | options))
        page = open_text(behind.text, ready=behind.expose, **context or {})
        page.locator(".handcalc-practice input").first.wait_for()
        return page, behind

    return practise


def field(page: Page, name: str) -> Locator:
    """The field of a number, whatever is said of it."""
    return page.locator(f'input[aria-label="{name}"], input[aria-label^="{name}, "]')


def test_a_problem_is_filled_by_keys_alone_and_the_next_one_comes(practise):
    page, behind = practise()
    numbers_ = hc.problem("softmax", 1)
    field(page, "E[1,1]").focus()
    for name in ("E", "E_sum", "A"):
        for value in numbers_[name].values.ravel():
            assert page.evaluate(FOCUSED).startswith(f"{Spoken().name(name)}[")
            page.keyboard.type(numbers.show(value))
            page.keyboard.press("Enter")
    page.locator(".hc-score", has_text="A 3 of 3 · 1 finished").wait_for()
    assert page.evaluate(FOCUSED) == "✓ All 7 numbers are right. “Next problem” brings new numbers."
    assert_in_colour(page, numbers_)
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Next problem"
    page.keyboard.press("Enter")
    page.get_by_text(hc.code("softmax", 2)).wait_for()
    assert [one.input_value() for one in page.locator(".hc-blank input").all()] == [""] * 7
    assert behind.practice.code == hc.code("softmax", 2)


def fill(page: Page, **texts: str) -> None:
    """Type into fields, called as E_1 for E[1,1], and leave each."""
    for name, text in texts.items():
        step, row = name.rsplit("_", 1)
        place = field(page, f"{step.replace('_', ' ')}[{row},1]")
        place.fill(text)
        place.blur()


@pytest.mark.slow
def test_every_state_has_a_sign_a_word_and_a_sentence_beside_its_colour(practise):
    page, _ = practise()
    exact = hc.problem("softmax", 1)["E"].values
    fill(page, E_1="9", E_2=numbers.show(exact[1, 0]), E_3="much")
    states = {"E[1,1]": ("not right", "✗"), "E[2,1]": ("right", "✓"), "E[3,1]": ("not a number", "?")}
    for name, (word, sign) in states.items():
        page.get_by_label(f"{name}, {word}", exact=True).wait_for()
        assert field(page, name).locator("xpath=following-sibling::i").inner_text() == sign
    said = page.locator(".hc-messages")
    assert "“much” is not a number" in said.inner_text()
    fill(page, E_sum_1=str(exact.sum() - exact[0, 0] - exact[2, 0] + 9 + exact[2, 0]))
    page.get_by_label("E sum[1,1], follows from your own earlier numbers").wait_for()

    # what is said is of the step that is filled, and the others wait
    fill(page, E_3="", E_sum_1="", A_1="50")
    page.locator("input.hc-wrong").nth(1).wait_for()
    field(page, "A[2,1]").focus()
    assert "First look again at E." in said.inner_text()  # in the order of the calculation
    assert "Then look at A[1,1]" in said.inner_text()
    field(page, "E[2,1]").focus()
    assert "First look at E[1,1]" in said.inner_text()
    assert "Look again at A, too." in said.inner_text()

    # numbers of six signs are whole beside their mark
    fill(page, E_1="148.41", E_2="-12.34")
    page.locator("input.hc-wrong").nth(2).wait_for()
    wide = page.locator("input.hc-wrong").evaluate_all(
        "(all) => all.map((a) => a.scrollWidth - a.clientWidth)"
    )
    assert wide == [0, 0, 0]


def test_hints_come_one_by_one_for_the_step_that_is_being_filled(practise):
    page, behind = practise()
    field(page, "A[1,1]").focus()
    before = button(page, "Hint").bounding_box()
    exercise = behind.practice.exercise
    for said in (exercise.hint("A", 1), exercise.in_letters("A", 0, 0)):
        button(page, "Hint").click()
        page.get_by_text(bare(said.html)).wait_for()
        assert page.locator(".hc-hinting").bounding_box() == before  # it stays under the pointer
    assert button(page, "No more hints").get_attribute("aria-disabled") == "true"
    field(page, "E[1,1]").focus()
    assert page.locator(".hc-hint").inner_text() == ""  # it belongs to its step
    assert button(page, "Hint").get_attribute("aria-disabled") != "true"
    field(page, "A[1,1]").focus()
    assert page.locator(".hc-hint").inner_text() == bare(said.html)


@pytest.mark.slow
def test_what_is_unfinished_is_asked_about_once_and_back_brings_everything_back(practise):
    page, behind = practise()
    assert button(page, "Back").get_attribute("aria-disabled") == "true"
    fill(page, E_1="9")
    page.locator("input.hc-wrong").wait_for()
    button(page, "Hint").click()
    page.locator(".hc-hint:not(:empty)").wait_for()
    hint = page.locator(".hc-hint").inner_text()
    button(page, "Next problem").click()
    page.get_by_text(
        "7 fields are not finished. “Next problem” once more leaves this one; “Back” brings everything back."
    ).wait_for()
    assert behind.practice.code == hc.code("softmax", 1)
    button(page, "Next problem").click()
    page.get_by_text(hc.code("softmax", 2)).wait_for()
    assert page.locator(".hc-unsaved").inner_text() == ""
    button(page, "Back").click()
    page.get_by_text(hc.code("softmax", 1)).wait_for()
    assert field(page, "E[1,1]").input_value() == "9"
    assert page.locator("input.hc-wrong").count() == 1
    assert page.locator(".hc-hint").inner_text() == hint


@pytest.mark.slow
def test_what_is_typed_is_kept_whatever_happens_to_the_file_the_kernel_or_on_another_page(practise, tmp_path):
    page, behind = practise()
    marked = page.locator("input.hc-wrong, input.hc-correct")

    # where no file can be written the page says so, and keeps what was typed
    path = behind.practice.path
    path.mkdir()  # nothing can be written where a folder stands
    fill(page, E_1="1.5")
    marked.wait_for()
    notice = page.locator(".hc-unsaved").inner_text()
    assert notice.endswith("Your numbers are still marked, but nothing is saved.")
    assert page.evaluate("() => localStorage.length") == 1
    path.rmdir()
    fill(page, E_2="2.5")
    marked.nth(1).wait_for()
    assert page.locator(".hc-unsaved").inner_text() == ""
    assert page.evaluate("() => localStorage.length") == 0
    assert len(path.read_text().splitlines()) == 2

    # what another page wrote is seen as soon as something is typed
    hc.practise("softmax", seed=1, folder=tmp_path).on_message({"typed": ["E", 2, 0, "4"]})
    fill(page, E_2="3.5")
    marked.nth(2).wait_for()
    assert field(page, "E[3,1]").input_value() == "4"

    # what nobody answers is told, kept and sent when somebody does
    behind.is_alive = False
    fill(page, A_1="0.5")
    page.get_by_text("is not in the file yet").wait_for()
    assert "A" not in behind.practice.texts
    page.reload()
    field(page, "A[1,1]").wait_for()
    assert (field(page, "E[1,1]").input_value(), field(page, "A[1,1]").input_value()) == ("1.5", "0.5")
    behind.is_alive = True
    page.reload()
    marked.nth(3).wait_for()
    assert behind.practice.texts == {"E": {"0,0": "1.5", "1,0": "3.5", "2,0": "4"}, "A": {"0,0": "0.5"}}
    assert page.evaluate("() => localStorage.length") == 0


ALONG = """([step, operand, edge]) => [step, operand].map((name) =>
  [...document.querySelectorAll(`[data-step="${name}"][data-${edge === "left" ? "row" : "column"}="0"]`)]
    .map((cell) => Math.round(cell.getBoundingClientRect()[edge])))"""


def assert_lines_up(page: Page, **operands: str) -> None:
    for edge, operand in operands.items():
        found, along = page.evaluate(ALONG, ["Q", operand, edge])
        assert len(found) > 1
        assert along == pytest.approx(found, abs=2), edge


@pytest.mark.slow
def test_enter_comes_to_every_blank_once_column_by_column_and_never_under_the_panel(practise):
    page, behind = practise("self_attention", {"viewport": {"width": 1000, "height": 700}}, convention="rows")
    assert_lines_up(page, left="W_Q", top="X")
    field(page, "A[1,2]").focus()
    assert set(page.locator("th.hc-here").all_inner_texts()) == {"q₁", "k₂"}  # where one is
    page.locator(".hc-blank input").first.focus()
    order, wanted = [], []
    for name in page.locator(".hc-blank:has(input)").evaluate_all(STEPS):
        rows, columns = behind.practice.exercise.calculation[name].shape
        wanted += [f"{Spoken().name(name)}[{i + 1},{j + 1}]" for j in range(columns) for i in range(rows)]
    for name in wanted:
        if name.endswith("[1,1]"):  # from here on the panel tells of this step, and is as high as it gets
            page.keyboard.type("1")
        assert page.evaluate(COVERED) == ""
        order.append(re.match(r"[\w ]+\[\d,\d\]", page.evaluate(FOCUSED))[0])
        page.keyboard.press("Enter")
    assert order == wanted


@pytest.mark.slow
def test_the_step_that_is_spoken_of_is_that_of_the_framed_field_though_another_comes_before_it(practise):
    page, behind = practise("self_attention")
    assert behind.practice.exercise.blank[0] == "Q"
    assert page.locator("td.hc-first input").get_attribute("aria-label") == "K[1,1]"
    assert "K = W" in page.locator(".hc-read .hc-why").inner_text()
    assert page.locator(".hc-score").inner_text().startswith("K 0 of")


def test_the_first_field_is_framed_and_progress_is_that_of_the_step(practise):
    page, behind = practise(minutes=10)
    first = page.locator("td.hc-first input")
    assert first.get_attribute("aria-label") == "E[1,1]"
    assert page.locator(".hc-score").inner_text() == "E 0 of 3 · problem 1 of 4"
    first.focus()
    page.keyboard.type(numbers.show(behind.practice.exercise.calculation["E"].values[0, 0]))
    page.keyboard.press("Enter")
    page.locator("input.hc-correct").wait_for()
    assert page.locator(".hc-score").inner_text() == "E 1 of 3 · problem 1 of 4"
    assert page.locator(".hc-first").count() == 0
    field(page, "A[1,1]").focus()
    assert page.locator(".hc-score").inner_text() == "A 0 of 3 · problem 1 of 4"


@pytest.mark.slow
def test_the_last_of_the_small_problems_says_that_it_was_the_last(practise):
    page, behind = practise("dot_product", minutes=1)
    (count,) = {behind.practice.widget.plan["of"]}
    assert count == 2
    for last in (False, True):
        numbers_ = behind.practice.exercise.calculation
        field(page, "s[1,1]").fill(numbers.show(numbers_["s"].values[0, 0]))
        field(page, "s[1,1]").blur()
        page.get_by_text("✓ The number is right.").wait_for()
        assert ("That was the last of them." in page.locator(".hc-end").inner_text()) == last
        if not last:
            button(page, "Next problem").click()
            page.locator(".hc-score", has_text="problem 2 of 2").wait_for()


def test_a_part_is_asked_and_all_of_it_is_one_click_further(practise):
    page, behind = practise("self_attention", minutes=10)
    few = page.locator(".hc-blank input").count()
    assert few == behind.practice.exercise.fields == 27
    button(page, "All of it").click()
    page.locator('td[data-step="Q"] input').first.wait_for()
    assert page.locator(".hc-blank input").count() == 63
    assert page.get_by_role("button", name="All of it").count() == 0
    button(page, "Back").click()
    page.locator('td[data-step="Q"]:not(:has(input))').first.wait_for()
    assert page.locator(".hc-blank input").count() == few


@pytest.mark.slow
def test_a_click_or_space_hides_a_number_of_the_mask_and_the_others_stay_copies(practise):
    page, behind = practise("causal_self_attention", blank=["S_masked", "E"])
    steps = behind.practice.exercise.calculation
    copies = page.locator('td[data-step="S_masked"] input').evaluate_all(
        "(all) => all.map((one) => one.placeholder)"
    )
    shown = [numbers.show(value, 2).replace("-", "−") for value in steps["S_scaled"].values.T.ravel()]
    assert sorted(copies) == sorted(shown)
    field(page, "S masked[2,1]").click()
    page.get_by_label("S masked[2,1], right", exact=True).wait_for()
    field(page, "S masked[1,2]").click()
    page.get_by_label("S masked[1,2], not right", exact=True).wait_for()
    page.keyboard.press("Space")
    page.get_by_label("S masked[1,2]", exact=True).wait_for()
    for name in ("S masked[3,1]", "S masked[3,2]"):
        field(page, name).focus()
        page.keyboard.press("Space")
    page.locator(".hc-score", has_text="3 of 3").wait_for()
    assert behind.practice.texts["S_masked"] == {"1,0": "−∞", "0,1": "", "2,0": "−∞", "2,1": "−∞"}


def test_a_finger_reaches_every_field_in_a_narrow_window_and_nothing_moves_sideways(practise):
    page, behind = practise("self_attention", TOUCH)
    assert page.evaluate(SMALL) == []
    assert page.evaluate(SIDEWAYS) <= 0
    first = page.locator(".hc-blank input").first
    first.tap()
    page.keyboard.type("7")
    page.locator(".hc-blank input").nth(1).tap()
    page.locator("input.hc-wrong, input.hc-correct").first.wait_for()
    assert len(behind.practice.texts) == 1


@pytest.mark.slow
def test_with_tokens_as_rows_and_some_steps_given(practise):
    page, behind = practise("self_attention", convention="rows", blank=["A"], places=1)
    assert page.locator(".hc-blank input").count() == behind.practice.exercise.calculation["A"].values.size
    value = behind.practice.exercise.calculation["A"].values[0, 1]
    field(page, "A[1,2]").fill(numbers.show(value, 1))
    field(page, "A[1,2]").blur()
    page.get_by_label("A[1,2], right").wait_for()


@pytest.mark.slow
def test_steps_may_be_called_like_what_every_object_has(practise):
    doubled = (hc.Matrix([[1, 2]], "toString") * 2).named("constructor")
    page, behind = practise(hc.Calculation(doubled, (doubled + 1).named("valueOf")))
    for name, text in (("constructor[1,1]", "2"), ("valueOf[1,1]", "9")):
        field(page, name).fill(text)
        field(page, name).blur()
    page.get_by_label("constructor[1,1], right").wait_for()
    page.get_by_label("valueOf[1,1], not right").wait_for()
    assert "First look at valueOf[1,1]" in page.locator(".hc-messages").inner_text()
    assert behind.practice.texts == {"constructor": {"0,0": "2"}, "valueOf": {"0,0": "9"}}


@pytest.mark.slow
def test_each_block_with_blanks_has_a_sheet_and_each_blank_one_field(practise):
    page, behind = practise("multi_head_attention", blank=["head_2", "concat", "Z"])
    sections = page.locator(".hc-block")
    assert sections.locator("strong").all_inner_texts() == ["Attention head 2", "Multi-head attention"]
    assert page.locator(".hc-panel strong").first.inner_text() == "K = WK X"  # where the frame is
    steps = behind.practice.exercise.calculation
    blanks = [(name, i, j) for name in behind.practice.exercise.blank for i, j in cases.cells(steps[name])]
    fields = page.locator("td:has(> input)").evaluate_all(
        "(cells) => cells.map(({ dataset }) => [dataset.step, +dataset.row, +dataset.column])"
    )
    assert sorted(map(tuple, fields)) == sorted(blanks)
    page.locator('td[data-step="head_2.Z"][data-row="0"][data-column="0"] input').fill("8.25")
    page.keyboard.press("Enter")
    page.locator(".hc-messages", has_text="In head 2").first.wait_for()
    assert sections.nth(1).locator("td.hc-blank:not(:has(input))", has_text="8.25").count() == 1
    sections.nth(0).get_by_text("from the input").click()
    assert page.evaluate("location.hash") == ""
    assert page.locator("[data-open]").all_inner_texts() == ["from the input"]


@pytest.mark.slow
def test_blanks_line_up_with_what_they_are_calculated_from_and_all_is_legible(practise):
    page, _ = practise("self_attention")
    assert_lines_up(page, left="X", top="W_Q")
    field(page, "S scaled[1,1]").focus()
    assert "dk = 2" in page.locator(".hc-why").inner_text()
    assert page.locator(".hc-caption .hc-sizes").all_inner_texts() == ["dk = 2"]
    for name, text in (("Q[1,1]", "99"), ("Q[2,1]", "x"), ("K[1,1]", "0")):
        field(page, name).fill(text)
        field(page, name).blur()
    button(page, "Hint").click()
    page.locator(".hc-reason:not(:empty)").wait_for()
    assert violations(page, **ALL_BUT_COLOURS) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
        assert_legible(page, ".handcalc-practice", dark=scheme == "dark", cells=20)
