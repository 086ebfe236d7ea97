"""Lesson 17 and docs/your_own.md: their code does what they say, and PyTorch finds the same numbers."""

import json
import math
import re
from pathlib import Path

import cases
import lesson_answers
import numpy as np
import pytest
from own_topics import forgotten

import handcalc as hc
from handcalc.cli import main
from handcalc.practice.topics import own_topics

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "your_own.md").read_text("utf-8")
BLOCKS = re.findall(r"(?s)```python\n(.*?)```", PAGE)
FILE = next(block for block in BLOCKS if "@hc.topic" in block)


@pytest.fixture(scope="module")
def page():
    """What the page's code makes, all of it in one session, and what it prints."""
    printed = []
    names = {"print": lambda *words: printed.append(" ".join(map(str, words)))}
    with forgotten():
        for block in BLOCKS:
            exec(block, names)
    return names, printed


@pytest.fixture(scope="module")
def lesson():
    """What the cells of the notebook make."""
    notebook = json.loads((ROOT / "notebooks" / "17_your_own.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names = {}
    with forgotten():
        for cell in cells:
            if "hc.practise" not in cell:  # it keeps a log
                exec(cell.replace("hc.guess(", "(lambda *_, **__: None)("), names)
    return names


def test_the_page_prints_what_it_says(page):
    expected = re.findall(r"(?m)^print\(.*\)\s+# (.+)$", "\n".join(BLOCKS))
    assert page[1] == expected
    assert len(expected) == 3


def test_the_cell_is_fifteen_lines():
    first, *lines = [line for line in BLOCKS[0].splitlines() if line.strip()]
    assert (first, len(lines)) == ("import handcalc as hc", 15)


def test_page_notebook_and_example_are_one_cell(page, lesson):
    example = hc.examples.lstm_cell()
    for made in (page[0]["lstm"], lesson["lstm"]):
        assert list(made) == list(example)
        for name in example:
            np.testing.assert_array_equal(made[name].values, example[name].values)
    for name in ("auto", "mlp"):
        ours, theirs = (one[name].steps.values() for one in (page[0], lesson))
        assert all((a.values == b.values).all() for a, b in zip(ours, theirs, strict=True))


def weights(calc):
    """The four gates as PyTorch stacks them: W of x, W of h, b."""
    d_h = calc["h_0"].shape[0]
    gates = ("input_gate", "forget_gate", "candidate", "output_gate")
    W, b = (np.vstack([calc[f"{name}.{part}"].values for name in gates]) for part in "Wb")
    return W[:, d_h:], W[:, :d_h], b[:, 0]


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_pytorchs_lstm_cell_finds_the_same(torch, seed):
    calc = hc.problem("lstm_cell", seed, 2) if seed else hc.examples.lstm_cell()
    cell = torch.nn.LSTMCell(*(calc[name].shape[0] for name in ("x", "h_0")), dtype=torch.float64)
    W_x, W_h, b = map(torch.from_numpy, weights(calc))
    with torch.no_grad():
        for parameter, values in zip(cell.parameters(), (W_x, W_h, b, torch.zeros_like(b)), strict=True):
            parameter.copy_(values)
        h, c = cell(*(torch.from_numpy(calc[name].values.T.copy()) for name in ("x",)), tuple(
            torch.from_numpy(calc[name].values.T.copy()) for name in ("h_0", "c_0")
        ))  # fmt: skip
    np.testing.assert_allclose(calc["h"].values, h.numpy().T, rtol=1e-13)
    np.testing.assert_allclose(calc["c"].values, c.numpy().T, rtol=1e-13)


def test_an_autoencoders_slope_begins_with_what_came_out_less_what_went_in(page):
    """A public sheet reads X there (Autoencoder.xlsx, T45)."""
    auto = page[0]["auto"]
    slope = hc.gradients(auto).of("Y").values
    np.testing.assert_array_equal(slope, auto["Y"].values - auto["X"].values)
    assert (slope != auto["X"].values).any()


def test_the_pages_file_is_a_topic_for_the_command(tmp_path, capsys):
    (tmp_path / "my_topic.py").write_text(FILE, "utf-8")
    with forgotten():
        assert main(["notebook", str(tmp_path / "my_topic.py"), "--level", "2", "-o", str(tmp_path)]) == 0
        (code,) = set(re.findall(r"YL2-\w{4}", PAGE))
        assert code in capsys.readouterr().out
        assert own_topics.TOPICS_OF_FILES
        for level in (1, 2, 3):
            assert all(hc.problem("leaky_layer", seed, level).steps for seed in range(5))


@pytest.mark.parametrize(
    "line", re.findall(r"(?m)^\| ([WTL]\w* .*?[.…]) \|", PAGE.partition("## If something goes wrong")[2])
)
def test_what_the_page_says_of_troubles_is_what_is_said(line):
    W, s = hc.Matrix(np.ones((2, 3)), "W"), hc.Matrix(np.ones((4, 1)), "s")
    attempts = [
        lambda: W @ s,
        lambda: hc.Calculation(W * 2),
        lambda: hc.gradients(hc.Calculation((W @ np.ones((3, 1))).named("L"))),
    ]
    said = [cases.refusal(attempt) for attempt in attempts]
    assert any(one.startswith(line.rstrip("…").rstrip()) for one in said), said


def test_the_answers_are_right(lesson):
    f, i = (1 / (1 + math.exp(-z)) for z in (1.25, -2.75))
    new = [1 / (1 + math.exp(-z)) for z in (-2.75, 1.75)]
    X = lesson["X"].values
    H = np.maximum(lesson["W_1"].values @ X + lesson["b"].values, 0)
    scores = np.exp(np.array([[1, 0], [0, 1], [-1, 1]]) @ H)
    training = hc.train(lesson["auto"], rate=0.05, steps=60)
    losses, rest = training.losses, np.linalg.svd(X)[1] ** 2 / 2
    assert losses[0] == 8
    assert rest[1:].sum() < losses[-1] < losses[-2] < rest[1:].sum() + 0.01  # the best with one number left
    first, second = training.sheets[60]["Z"].values
    assert first.all()
    assert not second.any()
    assert not hc.gradients(training.sheets[60]).of("W_1").values[1].any()
    lesson_answers.assert_answered("your_own", {
        "leaky": max(0.1 * -2, -2),
        "gate": f,
        "memory": ["The first", "The second"][int(np.argmax(new))],
        "swapped": "f and i changed places",
        "loss_slope": "Y − X",
        "squeezed": "Between 2 and 3",
        "p_minus_y": (scores / scores.sum(axis=0))[0, 0] - 1,
    })  # fmt: skip
    assert f > 0.5 > i


def test_the_check_says_what_the_lesson_says(lesson):
    found = lesson["exercise"].again().check(c=lesson["i"] * lesson["c_0"] + lesson["f"] * lesson["g"])
    assert [one.name for one in found.mistakes] == ["gates-swapped"]
