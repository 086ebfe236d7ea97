"""The page that save_html writes, in a real browser: no kernel, no network, every number alive."""

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
    shown,
    spot,
    texts,
)  # fmt: skip

import handcalc as hc
from handcalc.notation import numbers

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("case", "convention"),
    [
        ("worked_example", "columns"),
        pytest.param("worked_example", "rows", marks=pytest.mark.slow),
        ("self_attention_large_causal", "columns"),
        ("encoder_layer", "rows"),
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
@pytest.mark.parametrize(
    ("case", "convention"),
    [
        ("worked_example", "columns"),
        pytest.param("self_attention_causal", "rows", marks=pytest.mark.slow),
        pytest.param("feed_forward", "columns", marks=pytest.mark.slow),
    ],
)
def test_every_number_tells_its_arithmetic_its_sources_and_what_it_feeds(open_page, case, convention):
    calculation = cases.build(case, 1, convention)
    stories = ask(open_page(calculation), STORIES)
    assert {tuple(story["cell"]) for story in stories} == computed(calculation).keys()
    for story in stories:
        told = calculation.explain(*story["cell"])
        assert story["line"] == as_typeset(told)
        assert [set(map(tuple, cells)) for cells in story["sources"] if cells] == by_operand(told)
        assert set(map(tuple, story["feeds"])) == set(map(cases.address, told.feeds))
        assert set(map(tuple, story["chosen"])) == {tuple(story["cell"])}


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


@pytest.mark.slow
@cases.each_convention
@pytest.mark.parametrize("given", [("X", 1, 3), pytest.param(("W_K", 2, 5), marks=pytest.mark.slow)])
def test_the_slider_moves_every_number_that_rests_on_the_given(open_page, given, convention):
    calculation = hc.examples.self_attention().in_convention(convention)
    name, row, column = given if convention == "columns" else (given[0], given[2], given[1])
    page = open_page(calculation)
    start = shown(page)
    spot(page, name, row, column).click()
    assert shown(page) == start  # choosing moves nothing
    slider = page.get_by_role("slider")
    slider.focus()
    for key in ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"]:
        slider.press(key)
    value = calculation[name].values[row, column] + 0.3
    assert float(slider.input_value()) == pytest.approx(value)
    assert page.get_by_role("spinbutton").input_value() == as_typeset(numbers.show(value))
    assert_shows(page, moved(calculation, name, row, column, value))
    page.get_by_role("button", name="Reset").click()
    assert shown(page) == start
    assert float(slider.input_value()) == calculation[name].values[row, column]


@pytest.mark.slow
def test_givens_moved_one_after_the_other_act_together(open_page):
    calculation = cases.build("self_attention")
    page = open_page(calculation)
    for name, row, column, value in [("X", 5, 0, "-2.5"), ("W_V", 6, 5, "4"), ("X", 5, 0, "1.3")]:
        spot(page, name, row, column).click()
        page.get_by_role("slider").fill(value)
        calculation = moved(calculation, name, row, column, float(value))
    assert_shows(page, calculation)


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
@pytest.mark.parametrize("width", [820, 880, 960, 1100])
def test_numbers_that_grow_push_no_track_to_another_line(open_page, width):
    """The sheet is drawn smaller before it would jump, and as large as before when they shrink again."""
    page = open_page(hc.examples.self_attention(), viewport={"width": width, "height": 900})
    before, zoom = page.evaluate(TOPS), page.evaluate(ZOOM)
    spot(page, "X", 1, 3).click()
    for value in ("1", "2.5"):
        page.keyboard.press("Enter")
        page.keyboard.type(value)
        page.keyboard.press("Enter")
        tops = page.evaluate(TOPS)
        assert [top - tops[0] for top in tops] == pytest.approx([top - before[0] for top in before], abs=2)
    button(page, "Reset").click()
    assert page.evaluate(ZOOM) == zoom
    tops = page.evaluate(TOPS)
    assert [top - tops[0] for top in tops] == [top - before[0] for top in before]


def test_arrow_keys_walk_among_the_numbers_and_go_no_further(open_page):
    page = open_page(hc.examples.self_attention(), viewport={"width": 900, "height": 400})
    page.evaluate(
        "() => { window.heard = []; document.onkeydown = (event) => window.heard.push(event.key); }"
    )
    spot(page, "V", 0, 0).click()
    walk = [("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("ArrowLeft", 1, 0), ("ArrowUp", 0, 0)]
    edges = [("ArrowUp", 0, 0), ("ArrowLeft", 0, 0)]
    for key, row, column in walk + edges:
        height = page.evaluate("() => document.querySelector('.hc-board').scrollTop")
        page.keyboard.press(key)
        assert focused(page) == ("V", str(row), str(column))
        assert arithmetic(page).startswith(f"V[{row + 1},{column + 1}] = ")
    assert page.evaluate("() => heard") == []
    assert page.evaluate("() => [document.querySelector('.hc-board').scrollTop, scrollY]") == [height, 0]
    assert height > 0


@pytest.mark.slow
def test_the_tab_key_stops_once_a_matrix_and_then_at_the_controls(open_page):
    page = open_page(hc.examples.self_attention(), reduced_motion="no-preference")
    spot(page, "A", 2, 1).click()
    copy_of_v, z, a, sums = ("V", "0", "0"), ("Z", "0", "0"), ("A", "2", "1"), ("E_sum", "0", "0")
    words = (None, None, None)  # those that the glossary explains
    stops = [copy_of_v, z, words, ("button",), ("button",), ("button",), ("text",)]
    for expected in stops:
        page.keyboard.press("Tab")
        assert focused(page) == expected
    for expected in [*stops[-2::-1], a, sums]:
        page.keyboard.press("Shift+Tab")
        assert focused(page) == expected


def test_what_is_there_has_a_role_and_a_name(open_page):
    page = open_page(hc.examples.self_attention())
    spot(page, "X", 2, 1).click()
    page.get_by_role("slider", name="X[3,2] · f₃, x₂", exact=True).wait_for()
    page.get_by_role("button", name="Pin", exact=True).wait_for()
    names = page.get_by_role("grid").evaluate_all("(all) => all.map((grid) => grid.ariaLabel)")
    assert "S = K transposed times Q, scores, 4 by 4" in names
    assert "V, values, shown again, 3 by 4" in names
    assert len(names) == len(set(names))  # no copy is called as what it is a copy of
    assert page.get_by_role("grid").get_by_role("gridcell").count() >= 194
    live = page.locator(".handcalc-explorer :is([aria-live], [role=status], output)")
    said = [text for text in live.all_inner_texts() if text]
    assert len(said) == 1  # a slider tells its value by itself
    assert said[0].startswith("X[3,2]")
    assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("case", ["worked_example", "encoder_layer"])
def test_a_phone_held_upright_shows_it_without_scrolling_sideways(open_page, case):
    page = open_page(cases.build(case), viewport={"width": 500, "height": 900})
    wide, room = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room == 500
    panel = page.locator(".hc-panel").bounding_box()
    assert panel["x"] >= 0
    assert panel["x"] + panel["width"] <= 500


def test_a_step_that_changes_nothing_has_no_address_on_the_page(open_page):
    calculation = cases.build("worked_example")
    found = open_page(calculation).evaluate(
        "() => [...document.querySelectorAll('[data-step]')].map((cell) => cell.dataset.step)"
    )
    assert set(found) == set(calculation)
    assert len(found) == sum(matrix.values.size for matrix in calculation.values())
