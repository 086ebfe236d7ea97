"""Lesson 18, the public collection: every sheet as it was published, the right one, and its slips.

What is right comes from the sheets themselves (their last matrices, tests/golden/collection.json) and from
plain numpy; nothing of it from handcalc.
"""

import base64
import json
import re
from pathlib import Path

import cases
import lesson_answers
import numpy as np
import pytest
from arithmetic_parser import evaluate

import handcalc as hc
from handcalc.course.by_hand import figures
from handcalc.practice.topics.topic_registry import TOPICS

LAST = json.loads((Path(__file__).parents[1] / "golden" / "collection.json").read_text("utf-8"))
QUICK = ("rnn_small", "mamba_small", "w2_21_25", "alphafold_alg11", "temperature_small")
each_sheet = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in LAST]
)


def numbers(calculation):
    return np.concatenate([m.values.ravel() for m in calculation.record])


def test_there_are_46_sheets_by_theme_by_their_names_and_by_short_ones():
    themes = hc.examples.by_hand()
    names = [name for of_theme in themes.values() for name in of_theme]
    assert len(names) == len({*names}) == 46
    assert {*names} == {*LAST}
    assert "Mamba/small" in repr(themes)
    assert hc.examples.by_hand(" Mamba/small ").title == hc.examples.by_hand("mamba_small").title
    assert hc.examples.by_hand("Multihead-Attention/3 heads ")["Z"].shape == (5, 6)


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("mamba", "mamba_small"),
        ("Transformer/Smal", "transformer_small"),
        ("LSTM/larg", "lstm_small"),
        (7, "lists all"),
    ],
)
def test_a_wrong_name_is_told_the_near_ones(wrong, near):
    with pytest.raises(hc.HandcalcError, match=r"^There is no sheet [^\n]*$") as caught:
        hc.examples.by_hand(wrong)
    assert near in str(caught.value)


@each_sheet
def test_the_published_numbers_are_found(name):
    published = hc.examples.by_hand(name, as_published=True)
    found = numbers(published)
    for value in np.ravel(LAST[name]):
        assert (np.abs(found - value) <= 1e-9 * max(1, abs(value))).any(), value


@each_sheet
def test_slips_are_what_differs_and_what_follows_from_it(name):
    right, published = hc.examples.by_hand(name), hc.examples.by_hand(name, as_published=True)
    assert right.slips == ()
    assert published.title == f"{right.title}, as published"
    marked = {step for slip in published.slips for step in slip.right}
    for step in marked:
        assert step in right
        assert step in published
    for slip in published.slips:
        for step, cells in slip.right.items():
            assert all(right[step].values[i, j] == value for i, j, value in cells)
    differing = [
        step
        for step in right.steps
        if step in published and not np.array_equal(right[step].values, published[step].values)
    ]
    if differing:  # the first that differs is marked: nothing wrong comes from nowhere
        assert differing[0] in marked
    else:
        assert {slip.cells for slip in published.slips} <= {"H5"}  # FALSE, where 0 is right by chance


def test_every_slip_that_is_known_is_listed():
    counts = {name: len(hc.examples.by_hand(name, as_published=True).slips) for name in LAST}
    assert {name: count for name, count in counts.items() if count} == {
        "alphafold_alg11": 4, "alphafold_alg7": 4, "autoencoder_medium": 5, "autoencoder_small": 1,
        "backpropagation": 1, "lstm_medium": 3, "lstm_seq2seq": 5, "mamba_small": 4, "temperature_medium": 1,
        "temperature_small": 1, "transformer_medium": 1, "w1_11_15": 1, "w1_21_25": 1, "xlstm_mlstm": 1,
    }  # fmt: skip


@each_sheet
def test_each_is_a_topic_with_fresh_numbers_and_a_code(name):
    topic = f"by-hand/{name}"
    fresh = hc.problem(topic, seed=5)
    assert list(fresh.steps) == list(hc.examples.by_hand(name).steps)
    assert any(
        not np.array_equal(m.values, hc.examples.by_hand(name)[key].values) for key, m in fresh.givens.items()
    )
    again = hc.load(hc.code(topic, 5))
    assert all(np.array_equal(again[key].values, m.values) for key, m in fresh.items())
    assert f"by_hand/{name}" not in list(TOPICS)


ALL_NUMBERS = """({ calculation: { Calculation } }, spec) => {
  const calculation = new Calculation(spec);
  return calculation.matrices.filter((m) => m.name).map((m) => [m.name, Array.from(m.values)]);
}"""


@each_sheet
def test_the_browser_has_the_same_numbers_and_each_line_is_true(name, node):
    for calculation in (hc.examples.by_hand(name), hc.examples.by_hand(name, as_published=True)):
        for convention in cases.CONVENTIONS:
            turned = calculation.in_convention(convention)
            for key, values in node(ALL_NUMBERS, turned.to_spec()):
                if key in turned:  # and is not idle
                    found, expected = np.array(values, dtype=float), turned[key].values.ravel()
                    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12, err_msg=key)
        for step in calculation.steps.values():
            told = step.explain(step.shape[0] - 1, step.shape[1] // 2, places=None)
            if " more" in told.substituted:  # a long sum in short
                continue
            found = evaluate(told.substituted)
            assert abs(found.value - told.value) <= found.slack + 1e-12 * max(1, abs(told.value)), str(told)


def test_text_and_html_tell_the_slips():
    published = hc.examples.by_hand("temperature_small", as_published=True)
    for told in (repr(published), published._repr_html_()):
        assert (
            "Q13: 1, typed in, though the rounded shares add up to 0.99; it should be the sum so far" in told
        )
    assert "lip" not in repr(hc.examples.by_hand("temperature_small"))


def test_a_colon_means_a_level():
    assert (
        hc.problem("by-hand/rnn-small:2", 3)["W_x"].values.tolist()
        != hc.examples.by_hand("rnn_small")["W_x"].values.tolist()
    )


@pytest.mark.parametrize("name", ["mamba_small", "lstm_small"])
def test_a_file_and_the_other_convention_keep_the_slips(name):
    published = hc.examples.by_hand(name, as_published=True)
    read = hc.Calculation.from_spec(json.loads(json.dumps(published.to_spec())))
    assert read.slips == published.slips
    turned = published.in_convention("rows")
    for slip, other in zip(published.slips, turned.slips, strict=True):
        for step, cells in slip.right.items():
            assert [(j, i, v) for i, j, v in cells] == [*other.right[step]]
    assert published.with_givens(X=published["X"].values).slips == ()


def test_mamba_is_a_loop_over_its_states():
    calc = hc.examples.by_hand("mamba_small")
    g = {name: m.values for name, m in calc.givens.items()}
    h = np.zeros((4, 2))
    for t in range(3):
        x = g["X"][:, t : t + 1]
        delta = np.log1p(np.exp(g["W_s"] @ x + g["p"]))
        h = np.exp(delta * g["A"]) * h + delta * (g["W_B"] @ x).T * x
        np.testing.assert_allclose(calc[f"t_{t + 1}.y"].values, h @ (g["W_C"] @ x), rtol=1e-12)


def test_alphafold_shares_of_head_2_add_up_to_what_the_sheet_has():
    published = hc.examples.by_hand("alphafold_alg7", as_published=True)
    assert published["head_2.human.A"].values.sum(axis=0)[0] == pytest.approx(0.9623, abs=5e-5)
    assert hc.examples.by_hand("alphafold_alg7")["head_2.human.A"].values.sum(axis=0) == pytest.approx(1)


def test_the_full_stack_normalises_by_n_minus_1_and_adds_eps_outside():
    calc = hc.examples.by_hand("transformer_full")
    R = calc["encoder.norm_1.R"].values
    normed = (R - R.mean(0)) / (R.std(0, ddof=1) + 0.001)
    np.testing.assert_allclose(calc["encoder.norm_1.normed"].values, normed, rtol=1e-12)
    np.testing.assert_allclose(calc["decoder.output.P"].values.sum(0), 1)


def test_slopes_go_back_through_a_sheet():
    auto = hc.examples.by_hand("autoencoder_small")
    slopes = hc.gradients(auto, "loss.MSE")
    np.testing.assert_allclose(slopes.of("layer_4.A").values, auto["loss.dY"].values)


def test_the_gallery_has_a_picture_of_each_sheet():
    shown = figures.gallery()
    html = shown._repr_mimebundle_()[0]["text/html"]
    assert html.count("<img") == html.count('alt="') == 46
    found = re.findall(r'width="(\d+)" height="(\d+)".*?base64,([^"]+)"', html)
    assert len(found) == 46
    for *size, image in found:  # sharp without styles, too: no spot is made larger
        drawn = np.frombuffer(base64.b64decode(image)[16:24], ">u4")
        assert (drawn >= np.array(size, int)).all()


def test_topics_lists_the_collection_under_a_heading_of_its_own(capsys):
    from handcalc.cli import main

    main(["topics"])
    text = capsys.readouterr().out
    before, heading, after = text.partition("The public collection, AI by Hand")
    assert heading
    assert "by-hand/" not in before
    assert after.count("by-hand/") == 46


def test_questions_are_answered_from_the_sheets():
    temperature, mamba = hc.examples.by_hand("temperature_small"), hc.examples.by_hand("mamba_small")
    Z = temperature["Z"].values.ravel()
    shares = np.exp(Z / 2) / np.exp(Z / 2).sum()
    rnn = hc.examples.by_hand("rnn_small")
    g = {name: m.values for name, m in rnn.givens.items()}
    first = np.tanh(g["W_x"] @ g["X"][:, :1] + g["b_h"])
    raw = mamba["W_s"].values @ mamba["X"].values[:, :1] + mamba["p"].values
    lesson_answers.assert_answered(
        "by_hand",
        {
            "missing": (5 - 2 * 1) / 3,
            "compared": "It compared two numbers",
            "picked": "The first",
            "last_bound": np.round(shares, 2).sum(),
            "road": max(0, -5 + 1),
            "gate_forgotten": 0,
            "old_state": (g["W_h"] @ first)[0, 0],
            "softplus": np.log(1 + np.exp(raw[0, 0])),
            "stacked": "9 by 6",
            "empty_row": "The sum, and e⁰ for an empty row",
        },
    )
