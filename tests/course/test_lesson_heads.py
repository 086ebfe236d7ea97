"""Lesson 05: two heads and one wide head against loops, the tower against PyTorch."""

import json
import re
from functools import cache
from pathlib import Path

import lesson_answers
import loops
import numpy as np
import pytest

import handcalc as hc


def heads_from_torch(state, count):
    """[(W_Q, W_K, W_V), …] and W_O of a module without biases that count; our columns need no transpose."""
    assert not any(np.any(np.asarray(state[name])) for name in state if name.endswith("bias"))
    tower = np.asarray(state["in_proj_weight"], dtype=np.float64)
    d_model = tower.shape[1]
    d_k = d_model // count
    heads = [
        tuple(tower[kind * d_model + h * d_k : kind * d_model + (h + 1) * d_k] for kind in range(3))
        for h in range(count)
    ]
    return heads, np.asarray(state["out_proj.weight"], dtype=np.float64)


NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "05_heads.ipynb"


@cache
def calc():
    return hc.examples.heads()


def given(name):
    return calc()[name].values.tolist()


def by_loops(order=(1, 2), W_O=None):
    """Every step of the example by loops, with the numbers of the file."""
    heads = [tuple(given(f"head_{h}.W_{kind}") for kind in "QKV") for h in order]
    return loops.multi_head(given("X"), given("X"), heads, W_O or given("W_O"))


def by_torch(torch, module):
    """What a module made of ten words in one sentence gives, with tokens as columns; and its own shares."""
    x = torch.rand(10, 1, 512, dtype=module.in_proj_weight.dtype)
    with torch.no_grad():
        out, shares = module(x, x, x)
    return x[:, 0].numpy().T, out, shares


# the example --------------------------------------------------------------------------------------


def test_one_wide_head_adds_the_scores_and_has_one_softmax():
    wide = hc.examples.one_wide_head()
    assert wide["S"].values.tolist() == loops.add(by_loops()["head_1.S"], by_loops()["head_2.S"])
    sizes = [sum(m.values.size for name, m in c.givens.items() if name != "X") for c in (calc(), wide)]
    assert sizes == [64, 64 - 16]  # W_O has 16


def test_the_tower_is_that_of_the_file_and_holds_both_heads():
    tower = hc.examples.in_proj_weight()
    heads, _ = heads_from_torch({"in_proj_weight": tower.values, "out_proj.weight": given("W_O")}, 2)
    assert [[W.tolist() for W in head] for head in heads] == [
        [given(f"head_{h}.W_{kind}") for kind in "QKV"] for h in (1, 2)
    ]


def test_answers_of_the_lesson():
    W_O = given("W_O")
    steps = by_loops()
    swapped = by_loops((2, 1), [row[2:] + row[:2] for row in W_O])
    np.testing.assert_allclose(swapped["Z"], steps["Z"], atol=1e-15)
    silent = by_loops(W_O=[[*row[:2], 0, 0] for row in W_O])["Z"]
    np.testing.assert_allclose(silent, loops.product([row[:2] for row in W_O], steps["head_1.Z"]), atol=1e-15)
    head, row = divmod(130, 512 // 8)
    assert row < 64
    lesson_answers.assert_answered(
        "heads",
        {
            "by_place": ", ".join(f"{row[0]:.2f}" for row in steps["head_2.A"][:2])
            + f" and {steps['head_2.A'][2][0]:.2f}",
            "concat_shape": f"{len(steps['concat'])} by {len(steps['concat'][0])}",
            "half_of_W_O": "Head 1 alone",
            "swapped": "Nothing",
            "wide": "the sum of both S",
            "row_130": f"head {head + 1}, W_Q",
            "batch": "No error, but words of different sentences look at one another",
        },
    )


def test_numbers_in_the_text_are_those_of_the_loops():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    text = " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    steps = by_loops()
    one, two = steps["head_1.A"], steps["head_2.A"]
    facts = (
        f"*dogs* {one[0][1]:.2f} and *cats* {one[2][1]:.2f}",
        f"gives *dogs* {two[0][1]:.2f}",
        f"the same {one[1][2]:.2f}",
        "our two heads and $W_O$ have 64",
    )
    assert not [fact for fact in facts if fact not in text]
    assert f"{one[1][2]:.4f}" == f"{two[1][2]:.4f}"


# practice -----------------------------------------------------------------------------------------


def test_mistakes_with_heads_are_named_on_the_example():
    steps = by_loops()
    added = loops.add(steps["head_1.Z"], steps["head_2.Z"])
    exercise = hc.Exercise(calc(), blank=["concat", "Z"])
    assert str(exercise.check(concat=added)).startswith(
        "concat is (4, 3), 4 rows of 3, but you wrote (2, 3): stack Z of head 1 and Z of head 2, "
        "do not add them."
    )
    feedback = exercise.check(concat=steps["concat"], Z=steps["concat"])
    assert [str(mistake) for mistake in feedback.mistakes] == [
        "Z: W_O was left out: this is concat. (W_O-left-out)"
    ]
    halves = loops.product([row[2:] for row in given("W_O")], added)
    assert "heads-added" in {mistake.name for mistake in exercise.check(Z=halves).mistakes}


def test_blocks_that_share_their_weights_are_not_told_to_have_their_own():
    X = hc.Matrix([[1, 2], [0, 1]], "X")
    found = []
    for word in (1, 2):
        with hc.block(f"word_{word}", f"Word {word}"):
            found.append((X * word).named("P"))
    exercise = hc.Exercise(hc.Calculation(X, *found), blank=["word_2.P"])
    assert not exercise.check(**{"word_2.P": found[0]}).mistakes


# PyTorch ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "within"), [("float64", 1e-12), ("float32", 1e-6)])
def test_eight_heads_of_the_source_page_are_ours(torch, kind, within):
    torch.manual_seed(1)
    module = torch.nn.MultiheadAttention(512, 8, dtype=getattr(torch, kind))
    X, out, shares = by_torch(torch, module)
    assert (out.shape, shares.shape, module.in_proj_weight.shape) == ((10, 1, 512), (1, 10, 10), (1536, 512))
    assert sum(p.numel() for p in module.parameters()) == 1_050_624
    found = hc.multi_head_attention(X, *heads_from_torch(module.state_dict(), 8))
    np.testing.assert_allclose(found["Z"].values, out[:, 0].numpy().T, rtol=0, atol=within)
    averaged = np.mean([found[f"head_{h}.A"].values for h in range(1, 9)], axis=0)
    np.testing.assert_allclose(averaged.T, shares[0].numpy(), rtol=0, atol=within)


def test_what_the_notebook_proposes_with_pytorch_gives_our_result(torch):
    source = NOTEBOOK.read_text("utf-8")
    (code,) = re.findall(r"(?s)```python\n(.*?)```", "".join(
        line for cell in json.loads(source)["cells"] for line in cell["source"]
    ))  # fmt: skip
    names = {"tower": hc.examples.in_proj_weight(), "W_O": calc()["W_O"].values, "X": calc()["X"]}
    *lines, last = code.strip().splitlines()
    exec("\n".join(lines), names)  # the notebook's own words
    made = eval(last.partition("#")[0], names)
    np.testing.assert_allclose(made.detach().numpy(), by_loops()["Z"], rtol=0, atol=1e-12)
    assert torch.is_tensor(made)


@pytest.mark.slow
def test_a_batch_handed_in_first_is_taken_for_the_words_without_a_word(torch):
    torch.manual_seed(1)
    wrong = torch.nn.MultiheadAttention(8, 2)
    right = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    right.load_state_dict(wrong.state_dict())
    x = torch.rand(3, 10, 8)
    assert wrong(x, x, x)[1].shape == (10, 3, 3)
    assert right(x, x, x)[1].shape == (3, 10, 10)
    alone = right(x[:1], x[:1], x[:1])[0]
    torch.testing.assert_close(right(x, x, x)[0][:1], alone)
    assert not torch.allclose(wrong(x, x, x)[0][:1], alone, atol=1e-3)
