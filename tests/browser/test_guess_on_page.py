"""A question on a page: asked in the picture, answered by keys, by a finger, from what listeners are told."""

from collections.abc import Callable

import axe
import pytest
from playwright.sync_api import Page, expect

import handcalc as hc
from handcalc.course.guess import Guess
from handcalc.course.guess_log import log_in
from handcalc.course.questions import read_question

CALC = hc.examples.self_attention()
NUMBER = {
    "question": "How well does key 2 fit query 4?",
    "answer": 5,
    "because": "It is the best fit of all.",
    "cell": "S[2,4]",
    "slips": {"4": "The last pair is left out."},
}
CHOICE = {
    "question": "Whom does token 4 look at?",
    "options": ["token 1", "token 2", "token 3"],
    "answer": 2,
    "because": "It gets 0.77.",
    "cell": "A[,4]",
    "reads": ["S"],
    "slips": ["Its score is 1.", "", "Its score is 1, too."],
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DRAWN = ".handcalc-guess [data-drawn=sheet]"


@pytest.fixture
def ask(tmp_path, open_text) -> Callable[..., Page]:
    def ask(entry, shown=None, on=CALC, **options) -> Page:
        path = tmp_path / "question.html"
        Guess(read_question("positions.who", entry), shown, log_in(tmp_path), on).save_html(path)
        page = open_text(path.read_text("utf-8"), **options)
        page.locator(".handcalc-guess form").wait_for()
        return page

    return ask


def shown(page: Page, name: str) -> list[str]:
    """What stands in the cells of a drawn matrix."""
    cells = page.locator(f'{DRAWN} td[data-step="{name}"]')
    return [text.strip() for text in cells.all_inner_texts()]


def test_a_number_is_asked_in_its_cell_and_what_is_not_known_is_nowhere(ask):
    page = ask(NUMBER)
    assert {*shown(page, "S")} == {""}
    assert page.locator(f"{DRAWN} td.hc-asked input").count() == 1
    assert page.locator(f"{DRAWN} td.hc-concealed").count() == CALC["S"].values.size
    assert page.locator(f"{DRAWN} td.hc-source-a").count() == 3
    assert page.locator(f"{DRAWN} td.hc-source-b").count() == 3
    expect(page.locator(".hc-told")).to_be_empty()
    expect(page.locator(".hc-guess-shown")).to_be_empty()


def test_a_first_wrong_answer_is_told_what_it_meant_and_the_second_one_counts(ask):
    page = ask(NUMBER, hc.explore(CALC))
    field = page.get_by_role("textbox", name="Your guess: S[2,4]")
    field.focus()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    told = page.locator(".hc-told")
    expect(told).to_contain_text("Not quite. You said: 4.")
    expect(told).to_contain_text("The last pair is left out. Try once more.")
    assert "5" not in told.inner_text()
    expect(field).to_be_focused()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Right on the second try.")
    expect(told.locator(".hc-arithmetic")).to_have_text("S[2,4] = 2·2 + 1·1 + 0·1 = 5")
    assert [int(text.replace("−", "-")) for text in shown(page, "S")] == [*CALC["S"].values.flat]
    page.locator(".hc-guess-shown .handcalc-explorer td.hc-chosen").first.wait_for(state="attached")
    page.get_by_role("button", name="Guess again").press("Enter")
    expect(page.get_by_role("textbox", name="Your guess: S[2,4]")).to_be_focused()
    assert {*shown(page, "S")} == {""}
    expect(page.locator(".hc-guess-shown")).to_be_empty()


def test_two_wrong_answers_bring_the_right_one(ask):
    page = ask(NUMBER)
    for text in ("7", "9"):
        page.get_by_role("textbox", name="Your guess: S[2,4]").fill(text)
        page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Answer: 5")


def test_a_number_of_the_mirrored_cell_is_named(ask):
    page = ask(NUMBER | {"cell": "S[1,2]", "answer": 2, "slips": {}})
    page.get_by_role("textbox", name="Your guess: S[1,2]").fill("4")
    page.keyboard.press("Enter")
    expect(page.locator(".hc-meant")).to_have_text("That is S[2,1]: the row comes first, then the column. ")


def test_a_choice_strikes_out_what_was_wrong(ask):
    page = ask(CHOICE)
    page.get_by_role("radio", name="token 1").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Its score is 1. Try once more.")
    expect(page.get_by_role("radio", name="token 1")).to_be_disabled()
    page.get_by_role("radio", name="token 2").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Right on the second try.")


def test_of_two_options_a_wrong_one_is_the_last(ask):
    page = ask(CHOICE | {"options": ["yes", "no"], "slips": ["Add it up.", ""]})
    page.get_by_role("radio", name="yes").check()
    page.get_by_role("button", name="This is my guess").click()
    expect(page.locator(".hc-told")).to_contain_text("Add it up. It gets 0.77.")


@pytest.mark.slow
def test_the_numbers_fly_where_motion_is_welcome(ask):
    page = ask(NUMBER, reduced_motion="no-preference")
    page.get_by_role("textbox", name="Your guess: S[2,4]").fill("5")
    page.keyboard.press("Enter")
    page.locator(".hc-flight").wait_for(state="attached")
    page.locator(".hc-flight").wait_for(state="detached", timeout=15_000)
    page.get_by_role("button", name="Watch it").click()
    page.locator(".hc-flight").wait_for(state="attached")


SENTENCE = CHOICE | {
    "options": ["animal", "street", "tired", "all alike"],
    "answer": 1,
    "slips": ["", "Streets do not get tired.", "", ""],
    "sentence": "The animal didn't cross the street because it was too tired",
    "asks": "it",
}
BAR = {"question": "Which share?", "answer": 0.85, "because": "So.", "cell": "A[1,6]", "drawn": "bars"}
SHAPE = CHOICE | {
    "reads": [],
    "cell": "concat",
    "drawn": "shape",
    "options": ["2 by 3", "4 by 3"],
    "slips": ["", ""],
}
ORDER = {"question": "In which order?", "options": ["c", "b", "a"], "answer": [3, 2, 1], "because": "So."}
ANIMAL = hc.examples.animal()


def test_a_word_is_chosen_where_it_stands_and_then_arcs_tell_where_the_asking_word_looks(ask):
    page = ask(SENTENCE, on=ANIMAL["A"])
    sentence = page.locator("[data-drawn=sentence]")
    assert sentence.get_by_role("radio").count() == 3
    assert sentence.locator("path").count() == 0
    for word in ("street", "animal"):
        sentence.get_by_role("radio", name=word).check()
        page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Right on the second try.")
    assert sentence.locator("path").count() == len(ANIMAL["A"].rows) - 1
    expect(sentence.locator("[data-share='0.85']")).to_contain_text("animal")


def test_a_number_about_a_sentence_is_typed_beside_it(ask):
    page = ask({"question": "How many words?", "answer": 3, "because": "So.", "sentence": "dog bites man"})
    assert page.locator("[data-drawn=sentence] .hc-word").all_inner_texts() == ["dog", "bites", "man"]
    page.get_by_role("textbox", name="Your guess").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Right.")


def test_a_wide_sheet_fits_a_phone(ask):
    page = ask(NUMBER | {"cell": "Q[3,1]", "answer": 3}, **PHONE)
    track = page.locator(".hc-drawn .hc-track")
    assert track.evaluate("(track) => track.scrollWidth - track.clientWidth") <= 1


def test_a_share_is_a_bar_that_keys_move(ask):
    page = ask(BAR, on=ANIMAL)
    bar = page.get_by_role("slider", name="Your guess: the share of animal")
    bar.press("Enter")
    expect(page.locator(".hc-trouble").first).to_have_text("Move the bar first.")
    bar.press("ArrowRight")
    bar.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Not quite. You said: 0.01.")
    bar.press("End")
    for _ in range(15):
        bar.press("ArrowLeft")
    bar.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Right on the second try.")
    told = page.locator("[data-drawn=bars] .hc-share-number").all_inner_texts()
    assert told == ["0.85", *[f"{share:.2f}" for share in ANIMAL["A"].values[1:, 5]]]


def test_a_blank_matrix_gets_the_rows_and_columns_that_are_typed(ask):
    page = ask(SHAPE, on=hc.examples.heads())
    page.get_by_role("textbox", name="Your guess: rows").fill("4")
    page.keyboard.press("Enter")
    expect(page.locator(".hc-trouble").first).to_have_text("Give it rows and columns first.")
    expect(page.get_by_role("textbox", name="Your guess: columns")).to_be_focused()
    page.keyboard.type("3")
    assert page.locator(".hc-shape-asked i").count() == 12
    page.keyboard.press("Enter")
    expect(page.locator(".hc-told")).to_contain_text("Right.")


def test_cards_are_put_in_order_by_dragging(ask):
    page = ask(ORDER)
    cards = page.locator(".hc-cards li")
    start = cards.locator("span").all_inner_texts()
    last, first = cards.last.bounding_box(), cards.first.bounding_box()
    page.mouse.move(last["x"] + 40, last["y"] + 8)
    page.mouse.down()
    page.mouse.move(first["x"] + 40, first["y"] + 8, steps=8)
    page.mouse.up()
    assert cards.locator("span").all_inner_texts() == [start[-1], *start[:-1]]
    assert page.locator(".hc-taken").count() == 0


PICTURES = {
    "question": "Which?",
    "options": ["left", "right"],
    "answer": 2,
    "because": "So.",
}
KINDS = {  # what is asked, what on, and what is touched: role, name, and what is written where one writes
    "sheet": (NUMBER, CALC, [("textbox", "Your guess: S[2,4]", "5")]),
    "choice": (CHOICE, CALC, [("radio", "token 2", "")]),
    "sentence": (SENTENCE, ANIMAL["A"], [("radio", "animal", "")]),
    "bars": (BAR, ANIMAL, [("slider", "Your guess: the share of animal", "0.85")]),
    "shape": (
        SHAPE,
        hc.examples.heads(),
        [("textbox", "Your guess: rows", "4"), ("textbox", "Your guess: columns", "3")],
    ),
    "pictures": (PICTURES, [CALC["A"], CALC["S"]], [("radio", "right", "")]),
    "cards": (ORDER, None, [("button", "a up", ""), ("button", "a up", ""), ("button", "b up", "")]),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def by_keys(page: Page, role: str, name: str, text: str) -> None:
    there = page.get_by_role(role, name=name, exact=True)
    is_there = "(field) => field === document.activeElement"
    for _ in range(20):
        if there.evaluate(is_there):
            break
        on_option = role == "radio" == page.evaluate("document.activeElement.type")
        page.keyboard.press("ArrowDown" if on_option else "Tab")
    assert there.evaluate(is_there)
    if role == "slider":
        page.keyboard.press("End")
        for _ in range(15):
            page.keyboard.press("ArrowLeft")
    else:
        page.keyboard.type(text or " ")


def by_finger(page: Page, role: str, name: str, text: str) -> None:
    there = page.get_by_role(role, name=name, exact=True)
    if role == "slider":
        box = there.bounding_box()
        page.touchscreen.tap(box["x"] + float(text) * box["width"], box["y"] + box["height"] / 2)
    else:
        there.tap()
        page.keyboard.type(text)


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("answer", [by_keys, by_finger], ids=["keys", "finger"])
def test_each_kind_is_answered_by_keys_or_a_finger_alone_listeners_are_told_all_and_it_can_be_read(
    ask, kind, answer
):
    entry, on, touched = KINDS[kind]
    page = ask(entry, on=on, **(PHONE if answer is by_finger else {}))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    expect(page.get_by_text("tab to it")).to_have_count(0)  # Tab leads to the options
    if answer is by_keys:
        assert_open_to_all(page)
    for control in touched:
        answer(page, *control)
    answer(page, "button", "This is my guess", "")
    is_nearly = kind == "bars" and answer is by_finger  # a bar is as long as a finger is exact
    expect(page.locator(".hc-told")).to_contain_text("Answer:" if is_nearly else "Right.")
    if answer is by_keys:
        assert_open_to_all(page)


def assert_open_to_all(page: Page) -> None:
    for scheme, rules in (("light", {}), ("dark", axe.COLOURS)):
        page.emulate_media(color_scheme=scheme)
        assert axe.violations(page, **rules) == [], scheme
