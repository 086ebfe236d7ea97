"""The page of a training: the line of its losses, and a slider through the sheet after each step."""

import json

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc.notation import packed_numbers
from handcalc.views import training_views as view

LINE = (
    """({ training }, losses) => training.lossLine(losses, { left: 10, right: 110, top: 0, bottom: 100 })"""
)


@pytest.fixture(scope="module")
def training():
    return hc.train(hc.examples.backwards(), of=["W_Q"], steps=20)


def test_the_line_goes_from_edge_to_edge_and_up_with_the_loss(node):
    line = node(LINE, [4, 1, 0.5])
    assert [x for x, _ in line["points"]] == [10, 60, 110]
    assert [y for _, y in line["points"]] == pytest.approx([0, 75, 87.5])
    assert [tick["value"] for tick in line["ticks"]] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("losses", [[3], [2, 2, 2], [0, 0], [-1, 3, 0.5], [1e-9, 2e-9]])
def test_any_losses_have_places_in_the_picture(node, losses):
    line = node(LINE, losses)
    places = np.array([*line["points"]])
    assert np.isfinite(places).all()
    assert (places >= -1e-9).all()
    assert (places <= 110).all()
    assert len(line["ticks"]) >= 2


def test_losses_that_differ_by_powers_of_ten_go_up_in_powers_of_ten(node):
    line = node(LINE, [1.0, 1e10, 1e200])
    assert [tick["power"] for tick in line["ticks"]] == [0, 50, 100, 150, 200]
    assert [y for _, y in line["points"]] == pytest.approx([100, 95, 0])


def test_a_page_carries_the_weights_after_each_step(training):
    spec = json.loads(json.dumps(view.training_spec(training)))
    assert spec["losses"] == training.losses
    assert spec["steps"] == list(range(21))
    for k in (0, 7, 20):
        rows = packed_numbers.unpack_numbers(spec["weights"]["W_Q"]["values"][k], (3, 6))
        np.testing.assert_array_equal(rows, training.sheets[k]["W_Q"].values)


def test_of_many_weights_a_page_carries_some_steps_the_first_and_the_last_among_them(training, monkeypatch):
    monkeypatch.setattr(view, "MAX_WEIGHTS_ON_PAGE", 100)  # five times the 18 numbers of W_Q
    assert view.training_spec(training)["steps"] == [0, 5, 10, 15, 20]


def test_a_notebook_gets_a_widget_with_the_picture_and_the_losses_beside_it(training):
    data, _ = training._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == repr(training)
    assert "4.00 at first" in data["text/html"]


def test_weights_in_blocks_learn_on_the_page_too():
    heads = cases.build("multi_head_attention")
    loss = hc.half_squared_distance(heads.result, heads.result.values + 1)
    training = hc.train(hc.Calculation(loss), of=["head_1.W_Q", "W_O"], rate=0.001, steps=2)
    assert list(view.training_spec(training)["weights"]) == ["head_1.W_Q", "W_O"]


def test_with_tokens_as_rows_weights_are_transposed_and_losses_are_the_same(training, tmp_path):
    turned = training.in_convention("rows")
    assert turned.losses == training.losses
    assert view.training_spec(turned)["weights"]["W_Q"]["shape"] == [6, 3]
    np.testing.assert_allclose(turned.sheets[4]["L"].values[0, 0], training.losses[4], rtol=1e-12)
    training.save_html(tmp_path / "rows.html", convention="rows")
    assert b'id="training"' in (tmp_path / "rows.html").read_bytes()
    assert turned.in_convention("rows") is turned


def test_explore_shows_a_training_and_says_where_it_opens(training):
    shown = hc.explore(training, convention="rows", places=3, open="A[1,2]")
    assert (shown.convention, shown.places, shown.at) == ("rows", 3, "A[1,2]")
    assert repr(shown) == f"Explorer({training!r})"
    shown.givens = {"W_Q": training.weights[2]["W_Q"].T.tolist()}
    assert shown.calculation["L"].values[0, 0] == pytest.approx(training.losses[2], rel=1e-12)


@pytest.mark.slow
@pytest.mark.browser
def test_the_slider_goes_through_the_sheets(pages, training, tmp_path):
    training.save_html(tmp_path / "training.html", places=4)
    page = pages.open(tmp_path / "training.html")
    told, slider = page.locator(".hc-loss"), page.locator(".hc-losses input")

    def number(step, row=0, column=0):
        cell = page.locator(f'td[data-step="{step}"][data-row="{row}"][data-column="{column}"]')
        return float(cell.get_attribute("data-value"))

    assert told.text_content() == "Before the first step: L = 4.0030"
    slider.focus()
    for k in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        assert number("L") == pytest.approx(training.losses[k], rel=1e-12)
        assert number("W_Q", 0, 4) == pytest.approx(training.sheets[k]["W_Q"].values[0, 4], rel=1e-14)
    assert told.text_content().startswith("After step 3 of 20:")
    assert slider.get_attribute("aria-valuetext") == told.text_content()
    page.keyboard.press("End")
    assert number("L") == pytest.approx(training.losses[-1], rel=1e-12)
    page.get_by_role("button", name="Reset").click()
    assert told.text_content() == "Before the first step: L = 4.0030"
    box = page.locator(".hc-losses svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 16, box["y"] + 60)
    assert told.text_content().startswith("After step 20 of 20:")
    spot = page.locator('td[data-step="W_Q"][data-row="0"][data-column="0"]')
    spot.press("Alt+ArrowUp")
    assert told.text_content() == "Weights of your own."
