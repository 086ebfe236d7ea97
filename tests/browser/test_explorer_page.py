"""The page that save_html writes, in a real browser: no kernel, no network, every number tells what it is."""

from pathlib import Path

import cases
import pytest
from on_page import (
    STORIES,
    arithmetic,
    as_typeset,
    ask,
    assert_shows,
    button,
    by_operand,
    computed,
    focused,
    lit,
    moved,
    open_block,
    sheet_of,
    spot,
    texts,
)  # fmt: skip

import handcalc as hc
from handcalc.notation import numbers

CALC = hc.examples.self_attention()


@pytest.mark.parametrize(
    ("case", "convention"),
    [
        ("self_attention_large_causal", "columns"),
        pytest.param("encoder_layer", "rows", marks=pytest.mark.slow),
    ],
)
def test_every_number_of_every_matrix_stands_on_the_page_once(open_page, case, convention):
    calculation = cases.build(case, 1, convention)
    page = open_page(calculation)
    found = set()
    for path in calculation.blocks or [""]:
        if calculation.blocks:
            open_block(page, path)
        sheet = sheet_of(calculation, path)
        assert_shows(page, sheet)
        for (name, i, j), _, text in texts(page):
            assert text == numbers.typeset_number(numbers.show(calculation[name].values[i, j]))
        found |= sheet.keys()
    assert found == set(calculation)


@pytest.mark.slow
def test_every_number_tells_its_arithmetic_its_sources_and_what_it_feeds(open_page):
    calculation = cases.build("self_attention_causal", 1, "rows")
    stories = ask(open_page(calculation), STORIES)
    assert {tuple(story["cell"]) for story in stories} == computed(calculation).keys()
    for story in stories:
        told = calculation.explain(*story["cell"])
        assert story["line"] == as_typeset(told)
        assert [set(map(tuple, cells)) for cells in story["sources"] if cells] == by_operand(told)
        assert set(map(tuple, story["feeds"])) == set(map(cases.address, told.feeds))
        assert set(map(tuple, story["chosen"])) == {tuple(story["cell"])}


# The sides of a number that have a line, and its style.
FRAME = """(cell) => {
  const style = getComputedStyle(cell, "::before");
  if (style.content === "none") return {};
  const drawn = ["top", "right", "bottom", "left"].filter((side) => style[`border-${side}-width`] !== "0px");
  return Object.fromEntries(drawn.map((side) => [side, style[`border-${side}-style`]]));
}"""


VEIL = "() => getComputedStyle(document.querySelector('.hc-track'), '::after').opacity"
SAID = ".handcalc-explorer :is([aria-live], [role=status], output)"


def test_a_reader_clicks_points_and_walks_and_is_told_what_each_number_is(open_page):
    page = open_page(CALC)

    # what is there has a role and a name of its own; no copy is called as what it is a copy of
    addresses = ask(
        page, "() => [...document.querySelectorAll('[data-step]')].map((cell) => address(cell)[0])"
    )
    assert set(addresses) == set(CALC)  # a step that changes nothing has no address
    assert len(addresses) == sum(matrix.values.size for matrix in CALC.values())
    spot(page, "X", 2, 1).click()
    page.get_by_role("slider", name="X[3,2] · f₃, x₂", exact=True).wait_for()
    page.get_by_role("button", name="Pin", exact=True).wait_for()
    names = page.get_by_role("grid").evaluate_all("(all) => all.map((grid) => grid.ariaLabel)")
    assert {"S = K transposed times Q, scores, 4 by 4", "V, values, shown again, 3 by 4"} <= {*names}
    assert len(names) == len(set(names))
    assert page.get_by_role("grid").get_by_role("gridcell").count() >= 194
    (said,) = filter(None, page.locator(SAID).all_inner_texts())  # a slider tells its value by itself
    assert said.startswith("X[3,2]")
    assert page.locator("html").get_attribute("lang") == "en"

    # a click tells the arithmetic and frames what was read, not by colour alone
    spot(page, "Z", 1, 0).click()
    assert arithmetic(page) == "Z[2,1] = 0·0.2577 + 0·0.4590 + 10·0.0256 + 10·0.2577 = 2.83"
    assert lit(page, "hc-source-a") == {("V", 1, k) for k in range(4)}
    assert lit(page, "hc-source-b") == {("A", k, 0) for k in range(4)}
    around, row, column = (
        ("top", "right", "bottom", "left"),
        ("top", "bottom", "left"),
        ("top", "right", "left"),
    )
    for cell, sides, line in [
        (("Z", 1, 0), around, "solid"),
        (("V", 1, 0), row, "solid"),
        (("A", 0, 0), column, "dashed"),
        (("A", 0, 1), (), ""),
    ]:
        assert spot(page, *cell).evaluate(FRAME) == dict.fromkeys(sides, line), cell

    # pointing dims what a number neither is nor reads, until the mouse leaves; choosing stays the click
    assert page.evaluate(VEIL) == "0"  # the mouse rests on what is chosen
    spot(page, "S", 2, 3).hover()
    told = CALC.explain("S", 2, 3)
    assert page.evaluate(VEIL) == "0.6"
    assert lit(page, "hc-lit") == {("S", 2, 3), *map(cases.address, told.sources)}
    assert [lit(page, f"hc-peek-{role}") for role in "ab"] == by_operand(told)
    assert spot(page, "Q", 1, 3).evaluate(FRAME) == {"right": "dashed", "left": "dashed"}
    assert lit(page, "hc-chosen") == {("Z", 1, 0)}
    page.mouse.move(0, 0)
    page.locator(".hc-sheet.hc-pointing").wait_for(state="detached")
    assert lit(page, "hc-lit") == set()
    assert spot(page, "Q", 1, 3).evaluate(FRAME) == {}
    spot(page, "S", 2, 3).hover()
    spot(page, "Z", 1, 0).focus()
    page.keyboard.press("ArrowRight")  # keys do not point
    assert lit(page, "hc-lit") == set()
    assert spot(page, "V", 1, 0).evaluate(FRAME) == dict.fromkeys(row, "solid")

    # a word of the glossary has its sentence, and a click or Enter writes it beside
    spot(page, "S", 1, 3).click()
    word = page.locator(".hc-messages abbr", has_text="query")
    sentence = word.get_attribute("title")
    assert sentence in (Path(__file__).parents[2] / "docs" / "glossary.md").read_text("utf-8")
    for act, seen in ((word.click, 1), (lambda: word.press("Enter"), 0), (lambda: word.press("Enter"), 1)):
        act()
        assert page.locator(".hc-messages small", has_text=sentence).count() == seen
        assert word.get_attribute("aria-expanded") == ("true" if seen else "false")
    word.press("ArrowRight")  # of all the words one is a stop of Tab: the one that keys have come to
    page.locator(".hc-messages abbr[tabindex='0']:focus", has_not_text="query").wait_for()
    assert page.locator(".hc-messages abbr[tabindex='0']").count() == 1

    # arrow keys walk among the numbers of a matrix and go no further, nor do they scroll a small window
    page.set_viewport_size({"width": 900, "height": 400})
    page.evaluate("() => { window.heard = []; document.onkeydown = ({ key }) => window.heard.push(key); }")
    spot(page, "V", 0, 0).click()
    walk = [("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("ArrowLeft", 1, 0), ("ArrowUp", 0, 0)]
    for key, row, column in [*walk, ("ArrowUp", 0, 0), ("ArrowLeft", 0, 0)]:
        height = page.evaluate("() => document.querySelector('.hc-board').scrollTop")
        page.keyboard.press(key)
        assert focused(page) == ("V", str(row), str(column))
        assert arithmetic(page).startswith(f"V[{row + 1},{column + 1}] = ")
    assert page.evaluate("() => heard") == []
    assert page.evaluate("() => [document.querySelector('.hc-board').scrollTop, scrollY]") == [height, 0]
    assert height > 0


def test_a_slip_of_a_published_sheet_is_marked_and_says_both_numbers(open_page):
    published = hc.examples.by_hand("temperature_small", as_published=True)
    page = open_page(published)
    spot(page, "right", 4, 0).click()
    assert lit(page, "hc-slip") == {("right", 4, 0)}
    told = page.locator(".hc-slip-told")
    assert told.text_content() == (
        "A slip in Q13. The sheet has 1; right is 0.99. The sheet: 1, typed in, though the rounded shares "
        "add up to 0.99. It should be: the sum so far, 0.99."
    )
    spot(page, "right", 3, 0).click()
    assert told.is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(
    "root", [".handcalc-explorer", pytest.param(".handcalc-sheet", marks=pytest.mark.slow)]
)
def test_with_tokens_as_rows_x_stands_once_and_its_rows_are_level_with_those_of_the_results(open_page, root):
    calculation = hc.examples.self_attention().in_convention("rows")
    page = open_page(calculation, java_script_enabled=root == ".handcalc-explorer")

    def box(name: str, row: int, column: int) -> dict[str, float]:
        return spot(page, name, row, column, root).bounding_box()

    assert page.locator(f'{root} [data-copy="X"]').count() == 0
    for row in range(4):
        assert len({box(name, row, 0)["y"] for name in "XQKV"}) == 1
        assert len({box(name, row, 0)["y"] for name in ("S_scaled", "E", "E_sum")}) == 1
    for name in "QKV":
        operand, result = box(f"W_{name}", 5, 2), box(name, 0, 2)
        assert operand["y"] < result["y"]
        assert operand["x"] + operand["width"] == pytest.approx(result["x"] + result["width"], abs=1)


def test_the_step_that_lowers_huge_scores_comes_and_goes_with_the_slider(open_page):
    calculation = hc.self_attention([[1, 0]], [[27]], [[27]], [[1]])
    assert "S_shifted" in calculation
    page = open_page(calculation)
    spot(page, "X", 0, 0).click()
    for key, value in [("ArrowLeft", 0.9), ("ArrowRight", 1.0)]:
        spot(page, "E", 0, 0).click()
        page.get_by_role("slider").press(key)
        now = moved(calculation, "X", 0, 0, value)
        assert ("S_shifted" in now) == (value == 1.0)
        assert_shows(page, now)
        told = now.explain("E", 0, 0)
        assert arithmetic(page) == as_typeset(told)
        assert lit(page, "hc-source-a") == set(map(cases.address, told.sources))


# Where each track stands, once all is laid out.
TOPS = """async () => {
  for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll(".handcalc-explorer .hc-track")]
    .map((track) => Math.round(track.getBoundingClientRect().top / 20));
}"""
ZOOM = "() => document.querySelector('.handcalc-explorer .hc-sheet').style.zoom"


@pytest.mark.slow
def test_numbers_that_grow_push_no_track_to_another_line(open_page):
    """The sheet is drawn smaller before it would jump, and as large as before when they shrink again."""
    page = open_page(CALC)
    for width in (820, 880, 960, 1100):
        page.set_viewport_size({"width": width, "height": 900})
        spot(page, "X", 1, 3).click()
        before, zoom = page.evaluate(TOPS), page.evaluate(ZOOM)
        level = [top - before[0] for top in before]
        for value in ("1", "2.5"):
            page.keyboard.press("Enter")
            page.keyboard.type(value)
            page.keyboard.press("Enter")
            tops = page.evaluate(TOPS)
            assert [top - tops[0] for top in tops] == pytest.approx(level, abs=2), (width, value)
        button(page, "Reset").click()
        tops = page.evaluate(TOPS)
        assert ([top - tops[0] for top in tops], page.evaluate(ZOOM)) == (level, zoom), width
