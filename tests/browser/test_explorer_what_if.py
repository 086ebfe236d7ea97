"""One click switches the scaling, a mask, a temperature, two tokens, a matrix of zeros; one switches back."""

import cases
import numpy as np
import pytest
import traitlets
from changes_on_page import assert_tells_changes, told_change
from on_page import arithmetic, as_typeset, ask, assert_shows, button, sheet_of, spot, stop, switch, tab_to
from playwright.sync_api import Page

import handcalc as hc
from handcalc.notation import numbers
from handcalc.views import assets
from handcalc.views.variants import variants

CALC = hc.examples.self_attention()
WORDS = ["the", "cat", "sat", "down"]
SENTENCE = hc.self_attention(
    hc.Matrix(CALC["X"].values, "X", columns=WORDS), *[CALC[name].values for name in ("W_Q", "W_K", "W_V")]
)


def segment(page: Page, words: str):
    return page.locator(".hc-segments label").filter(has_text=words)


def chips(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".hc-switch-back").all_inner_texts()]


def below(page: Page, name: str) -> list[str | None]:
    """What stands small below each number of a matrix."""
    spans = page.locator(f"[data-step='{name}'] > span")
    return spans.evaluate_all("(spans) => spans.map((span) => span.dataset.before ?? null)")


# Where the lists of switches, the tracks of the sheet, and what was pressed begin, in whole pixels.
PLACES = """() => {
  const at = (node) => ["x", "y"].map((name) => Math.round(node.getBoundingClientRect()[name]));
  const shown = (kinds) => [...document.querySelectorAll(kinds)].filter((node) => node.checkVisibility());
  const kinds = ".hc-more-box > button, .hc-what-if-controls, .hc-looks button";
  const tops = shown(".hc-track").map((node) => at(node)[1]);
  return { kept: shown(kinds).map(at), lines: new Set(tops).size };
}"""


# Another explorer on the page, with a model as a notebook has one: what it sends when it is switched.
SENT = """async ([script, forms]) => {
  const form = { convention: "columns", arithmetic: "exact", places: 2 };
  const state = { mode: "explore", givens: {}, what_if: {}, at: "", ...form };
  const model = {
    get: (name) => (name === "variants" ? forms : state[name]),
    set: (name, value) => { state[name] = value; },
    save_changes: () => { globalThis.saved = { what_if: state.what_if, givens: state.givens }; },
    on: () => {},
    off: () => {},
  };
  const el = document.body.appendChild(document.createElement("div"));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const leave = (await import(address)).default.render({ model, el });
  [...el.querySelectorAll(".hc-segments label")].find((node) => node.textContent === "not divided").click();
  el.querySelector(".hc-play").click();
  const played = el.querySelector(".hc-play").textContent;
  leave(); // a view that is closed plays no more
  return { ...globalThis.saved, play: [played, el.querySelector(".hc-play").textContent] };
}"""


@pytest.mark.slow
def test_one_click_switches_and_one_click_switches_back(open_page):
    page = open_page(CALC)
    spot(page, "A", 1, 3).click()
    button(page, "More").click()
    segment(page, "not divided").click()
    asked = CALC.what_if(scaling="none")
    assert_shows(page, asked)
    assert_tells_changes(page, CALC, asked)
    assert arithmetic(page) == as_typeset(asked.explain("A", 1, 3))
    was, now, by = told_change(CALC["A"].values[1, 3], asked["A"].values[1, 3])
    assert page.locator(".hc-more-head").first.inner_text() == f"A[2,4] {was} → {now} ({by})"
    assert below(page, "A") == [numbers.show(n) for n in CALC["A"].values.flat]  # what was, below what is
    assert below(page, "E") == [numbers.show(n) for n in CALC["E"].values.flat]
    assert not any(below(page, "Q"))
    assert chips(page) == ["not divided ×"]
    spot(page, "X", 0, 0).click()  # it stays what it is: what is told is the largest change of the shares
    assert page.locator(".hc-more-head").first.inner_text() == f"Most of all A[2,4] {was} → {now} ({by})"
    button(page, "Undo").click()
    assert_shows(page, CALC)
    assert not any(below(page, "A"))
    assert chips(page) == []
    spot(page, "A", 1, 3).click()
    page.keyboard.press("Control+y")
    assert_shows(page, asked)
    page.keyboard.press("Control+z")
    assert_shows(page, CALC)
    button(page, "Redo").click()
    assert_shows(page, asked)
    button(page, "More").click()
    segment(page, "2").click()
    button(page, "causal mask").click()
    asked = CALC.what_if(scaling="none", temperature=2, mask="causal")
    assert_shows(page, asked)
    assert chips(page) == ["not divided ×", "causal mask ×", "T = 2 ×"]
    switch(page, "Tokens as", "rows")
    assert_shows(page, asked.in_convention("rows"))
    switch(page, "Arithmetic", "handout")
    assert_shows(page, hc.handout(asked).in_convention("rows"))
    switch(page, "Arithmetic", "exact")
    button(page, "causal mask: switch it back").click()
    assert stop(page) == "not divided: switch it back"
    assert_shows(page, CALC.what_if(scaling="none", temperature=2).in_convention("rows"))
    button(page, "Reset").click()
    assert_shows(page, CALC.in_convention("rows"))
    assert chips(page) == []
    button(page, "More").click()
    button(page, "W Q all zeros").click()
    asked = CALC.what_if(zero="W_Q").in_convention("rows")
    assert_shows(page, asked)
    assert_tells_changes(page, CALC.in_convention("rows"), asked)


@pytest.mark.slow
def test_nothing_moves_under_the_hand_that_switches(open_page):
    page = open_page(CALC)
    for width, height in ((1366, 768), (911, 512), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        button(page, "More").click()
        places = ask(page, PLACES)
        for words in ("not divided", "½"):
            segment(page, words).first.click()
            assert ask(page, PLACES) == places, (width, words)
        page.locator(".hc-menu").press("Escape")
        button(page, "Reset").click()
        before = button(page, "Trace").bounding_box()
        button(page, "Trace").click()
        assert button(page, "Trace").bounding_box() == before, width
        button(page, "Trace").click()
        assert button(page, "Trace").get_attribute("aria-pressed") == "false"


@pytest.mark.slow
def test_tokens_change_places_with_their_words_and_a_matrix_is_all_zeros(open_page):
    page = open_page(SENTENCE, bypass_csp=True)  # a blob is asked what a widget would send
    first, second = (page.get_by_label(f"{which} token of X") for which in ("First", "Second"))
    for row, column in ((2, 3), (0, 1)):  # whichever number is chosen, no list changes by itself
        spot(page, "A", row, column).click()
        button(page, "More").click()
        assert [first.input_value(), second.input_value()] == ["0", "1"]
        button(page, "More").click()
    button(page, "More").click()
    second.select_option("2")
    button(page, "Swap these tokens of X").click()
    moved = SENTENCE.what_if(order=[2, 1, 0, 3])
    assert_shows(page, moved)
    assert_tells_changes(page, SENTENCE, moved)
    heads = page.locator(".hc-sheet table").first.locator("th[scope=col]").all_inner_texts()
    assert heads == ["sat", "cat", "the", "down"]
    assert chips(page) == ["the ⇄ sat ×"]
    told = page.get_by_role("region", name="What changed").locator("p").inner_text()
    assert told.endswith("; row 1 is “sat” now, no longer “the”")
    title = page.locator(".hc-header [role=heading]")
    assert title.inner_text() == f"{SENTENCE.title}, the ⇄ sat"
    spot(page, "X", 0, 0).click()
    page.keyboard.press("Alt+Shift+ArrowUp")  # a number that has moved goes with its token
    button(page, "the ⇄ sat: switch it back").click()
    assert title.inner_text() == SENTENCE.title
    X = SENTENCE["X"].values.copy()
    X[0, 2] += 1
    assert_shows(page, SENTENCE.with_givens(X=X))
    button(page, "More").click()
    page.get_by_label("Given to multiply").select_option(label="W K")
    times = page.get_by_label("times", exact=True)
    times.fill("1.5")
    larger = SENTENCE.with_givens(X=X, W_K=1.5 * SENTENCE["W_K"].values)
    assert_shows(page, larger)
    times.fill("0.5")  # of what it was at first
    assert_shows(page, SENTENCE.with_givens(X=X, W_K=0.5 * SENTENCE["W_K"].values))
    page.keyboard.press("Control+z")
    assert_shows(page, larger)
    page.keyboard.press("Control+z")
    assert_shows(page, SENTENCE.with_givens(X=X))
    assert times.input_value() == "1"
    button(page, "W Q all zeros").click()
    assert_shows(page, SENTENCE.with_givens(X=X).what_if(zero="W_Q"))
    assert chips(page) == ["WQ = 0 ×"]
    assert_tells_changes(page, SENTENCE.with_givens(X=X), SENTENCE.with_givens(X=X).what_if(zero="W_Q"))
    button(page, "W Q all zeros").click()
    assert_shows(page, SENTENCE.with_givens(X=X))
    tab_to(page, "÷ √dk", "Shift+Tab")
    page.keyboard.press("ArrowRight")
    assert_shows(page, SENTENCE.with_givens(X=X).what_if(scaling="d_k"))
    assert stop(page) == "÷ dk"
    assert page.evaluate(SENT, [assets.script("explorer_widget"), variants(SENTENCE)]) == {
        "what_if": {"scaling": "none"},
        "givens": {},
        "play": ["Pause", "Play"],
    }


@pytest.mark.slow
def test_blocks_offer_what_their_own_steps_have(open_page):
    page = open_page(cases.build("multi_head_attention"))
    row = page.locator(".hc-what-if")
    controls = '[...document.querySelectorAll(".hc-what-if-controls [data-what]")]'
    offered = f"() => {controls}.map((node) => node.dataset.what)"
    page.evaluate("() => { location.hash = 'head_2'; }")
    page.locator("[data-step='head_2.S_scaled']").first.wait_for()
    assert {"scaling", "mask", "temperature", "zero head_2.W_Q"} <= {*ask(page, offered)}
    button(page, "More").click()
    segment(page, "not divided").click()
    assert page.locator("[data-step='head_2.S_scaled']").count() == 0
    page.evaluate("() => { location.hash = 'Z'; }")
    page.locator("[data-step='Z']").first.wait_for()
    assert not {"scaling", "mask", "temperature"} & {*ask(page, offered)}
    assert chips(page) == ["not divided ×"]
    switched = cases.build("multi_head_attention").what_if(scaling="none")
    shown = float(spot(page, "Z", 0, 0).get_attribute("data-value"))
    assert shown == pytest.approx(switched["Z"].values[0, 0], rel=1e-12)
    assert row.is_visible()
    button(page, "head 2 off").click()
    off = switched.what_if(ablate="head_2")
    for name in ("head_2.Z_off", "concat", "Z"):
        found = float(spot(page, name, 0, 0).get_attribute("data-value"))
        assert found == pytest.approx(off[name].values[0, 0], rel=1e-12), name
    assert chips(page) == ["not divided ×", "head 2 off ×"]
    button(page, "head 2 off: switch it back").click()
    assert float(spot(page, "Z", 0, 0).get_attribute("data-value")) == shown
    assert page.locator("[data-step='head_2.Z_off']").count() == 0


@pytest.mark.slow
def test_the_map_shows_the_switched_numbers(open_page):
    page = open_page(cases.build("multi_head_attention"), viewport={"width": 1400, "height": 900})
    page.evaluate("() => { location.hash = 'head_2'; }")
    page.locator("[data-step='head_2.S_scaled']").first.wait_for()
    shares = "() => document.querySelector('.hc-map [data-face=\"head_2.A\"]').toDataURL()"
    before = ask(page, shares)
    button(page, "More").click()
    segment(page, "not divided").click()
    assert ask(page, shares) != before
    button(page, "not divided: switch it back").click()
    assert ask(page, shares) == before


def test_python_has_the_calculation_without_a_head():
    start = cases.build("multi_head_attention")
    explorer = hc.explore(start)
    explorer.what_if = {"ablate": ["head_1"]}
    np.testing.assert_array_equal(
        explorer.calculation["Z"].values, start.what_if(ablate="head_1")["Z"].values
    )
    with pytest.raises(hc.HandcalcError, match=r"^ablate takes one of head_1 and head_2, not 'head_3'\.$"):
        explorer.what_if = {"ablate": ["head_3"]}


def test_python_has_the_switched_calculation(explorer):
    explorer.what_if = {"scaling": "none", "order": [1, 0, 2, 3]}
    assert explorer.what_if == {"scaling": "none", "order": {"X": [1, 0, 2, 3]}}
    wanted = CALC.what_if(scaling="none", order=[1, 0, 2, 3])
    np.testing.assert_array_equal(explorer.calculation["Z"].values, wanted["Z"].values)
    assert "S_scaled" not in explorer.calculation
    X = CALC["X"].values + 1
    explorer.set_state({"what_if": {"mask": "causal", "temperature": 2}, "givens": {"X": X.tolist()}})
    explorer.convention, explorer.arithmetic = "rows", "handout"
    wanted = hc.handout(CALC.what_if(mask="causal", temperature=2).with_givens(X=X)).in_convention("rows")
    assert list(explorer.calculation) == list(wanted)
    np.testing.assert_array_equal(explorer.calculation["Z"].values, wanted["Z"].values)
    explorer.convention, explorer.arithmetic = "columns", "exact"
    explorer.reset()
    assert explorer.calculation is CALC


@pytest.mark.parametrize("asked", [{"scaling": "half"}, {"colour": 1}, {"zero": "X"}, {"order": [0]}])
def test_python_switches_nothing_else(explorer, asked):
    with pytest.raises((hc.HandcalcError, traitlets.TraitError)):
        explorer.what_if = asked
    assert explorer.calculation is CALC


@pytest.mark.slow
def test_of_many_one_is_chosen_and_the_hand_stays_where_it_was(open_page):
    heads = []
    for k in range(7):
        with hc.block(f"head_{k + 1}"):
            heads.append((hc.Matrix([[k, 1]], "M", columns=["a", "b"]) * 2).named("Z"))
    given = [hc.Matrix([[k, -k]] * 7, name, columns=["a", "b"]) for k, name in enumerate("ABCD")]
    stacked = hc.concat(heads).named("concat")
    page = open_page(hc.Calculation((stacked + given[0] + given[1] + given[2] + given[3]).named("S")))
    page.evaluate("() => { location.hash = 'S'; }")
    page.locator("[data-step='S']").first.wait_for()
    button(page, "More").click()
    page.get_by_label("Swap in").wait_for()
    assert page.get_by_role("group", name="Swap two tokens of").count() == 1
    page.get_by_label("Swap in").select_option("D")
    button(page, "Swap these tokens of D").press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Swap these tokens of D"
    part = page.get_by_label("Part", exact=True)
    part.select_option(label="head 3")
    button(page, "Switch this part off").press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Switch this part off"
    assert part.locator("option:checked").inner_text() == "head 3"


@pytest.mark.slow
def test_a_text_is_typed_and_what_does_not_fit_gets_a_sentence(open_page):
    page = open_page(hc.examples.gpt("abab"))
    field, title = page.get_by_label("It reads"), page.locator(".hc-header [role=heading]")

    def type_(text: str) -> None:
        field.fill(text)
        field.press("Enter")

    for text in ("abca", "ab", "cba"):
        type_(text)
        assert_shows(page, sheet_of(hc.examples.gpt(text), "layer_2"))
        assert title.inner_text() == f"A GPT that continues {text}"
    type_("abx")
    told = "The model knows the letters a, b and c; it cannot read “x”."
    assert page.locator(".hc-reads [role=alert]").inner_text() == told
    assert_shows(page, sheet_of(hc.examples.gpt("cba"), "layer_2"))
    field.press("Escape")
    assert field.input_value() == "cba"
    button(page, "Undo").click()
    assert field.input_value() == "ab"
    assert_shows(page, sheet_of(hc.examples.gpt("ab"), "layer_2"))
    button(page, "Reset").click()
    assert title.inner_text() == "A GPT that continues abab"
