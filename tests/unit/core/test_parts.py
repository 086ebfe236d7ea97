"""A calculation made of calculations: what a block is called, what goes in and comes out, what it keeps."""

import pickle

import cases
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import handcalc as hc

ONES, ZEROS = np.ones((6, 1)), np.zeros((6, 1))
KEPT = {
    "as it is": lambda c: c,
    "with other givens": lambda c: c.with_givens(
        **{next(iter(c.givens)): next(iter(c.givens.values())).values}
    ),
    "with tokens as rows, and back": lambda c: c.in_convention("rows").in_convention("columns"),
    "from a file": lambda c: hc.Calculation.from_spec(c.to_spec()),
    "from a pickle": lambda c: pickle.loads(pickle.dumps(c)),
}
every_way = pytest.mark.parametrize("way", KEPT)


@pytest.fixture(scope="module")
def encoder():
    return cases.build("encoder_layer")


@pytest.fixture(scope="module")
def stack():
    g = cases.givens(1)
    X = cases.encoder(g).result
    for _ in range(2):
        X = hc.encoder_layer(X, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1]).result
    return hc.Calculation(X, title="Three layers")


PATHS = {
    "attention": "Multi-head attention",
    "attention.head_1": "Attention head 1",
    "attention.head_2": "Attention head 2",
    "add_norm_1": "Add & norm",
    "add_norm_1.norm": "Layer norm",
    "ff": "Feed-forward",
    "add_norm_2": "Add & norm",
    "add_norm_2.norm": "Layer norm",
}


@every_way
def test_blocks_are_listed_in_order_with_their_titles_whatever_is_done_with_the_calculation(encoder, way):
    blocks = KEPT[way](encoder).blocks
    assert {path: block.title for path, block in blocks.items()} == PATHS
    assert [block.path for block in blocks.values()] == list(PATHS)
    assert all(block.why.endswith((".", "?")) for block in blocks.values())


def test_inside_a_block_names_are_short_and_what_comes_from_outside_is_given(encoder):
    head, norm = encoder.blocks["attention.head_2"], encoder.blocks["add_norm_1.norm"]
    assert list(head.steps) == ["Q", "K", "V", "S", "S_scaled", "E", "E_sum", "A", "Z"]
    assert (list(head.inputs), list(head.outputs)) == (["X"], ["Z"])
    assert head["S"].formula == "S = Kᵀ Q"
    assert list(norm) == ["R", "mean", "centred", "variance", "gamma", "beta", "N"]
    assert (list(norm.inputs), list(norm.outputs)) == (["R"], ["N"])
    assert str(norm["N"].formula) == "N = γ·(centred / √(variance + 0.00001)) + β"
    for path, block in encoder.blocks.items():
        for name, matrix in block.items():
            if name not in block.inputs:
                assert_array_equal(matrix.values, encoder[f"{path}.{name}"].values)


def test_a_block_of_blocks_has_blocks(encoder):
    attention = encoder.blocks["attention"]
    assert list(attention.blocks) == ["head_1", "head_2"]
    inner, outer = attention.blocks["head_1"], encoder.blocks["attention.head_1"]
    assert list(inner) == list(outer)
    assert (inner.path, inner.title) == (outer.path, outer.title) == ("attention.head_1", "Attention head 1")


def test_a_level_is_a_blocks_own_steps_and_what_inner_blocks_found(encoder):
    assert list(encoder.level("attention")) == ["head_1.Z", "head_2.Z", "concat", "W_O", "Z"]
    assert list(encoder.level("attention").steps) == ["concat", "Z"]
    assert list(encoder.level()) == ["X"]
    flat = hc.examples.self_attention()
    assert flat.level() is flat
    assert not flat.blocks


@every_way
def test_joined_layers_are_numbered_and_each_can_be_taken_out(stack, way):
    calculation = KEPT[way](stack)
    assert [path for path in calculation.blocks if "." not in path] == ["layer_1", "layer_2", "layer_3"]
    second = calculation.blocks["layer_2"]
    assert second.title == "Encoder layer"
    assert list(second.inputs) == ["N"]
    assert list(second.outputs) == ["add_norm_2.norm.N"]
    assert list(second.blocks) == list(PATHS)
    assert len(second.steps) == len(stack.steps) / 3


def test_layers_go_on_from_a_file_as_from_the_record(stack):
    g = cases.givens(1)
    for before in (stack, hc.Calculation.from_spec(stack.to_spec()), stack.with_givens()):
        more = hc.encoder_layer(before.result, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])
        assert [p for p in more.blocks if "." not in p] == [f"layer_{k}" for k in (1, 2, 3, 4)]


def test_a_short_name_finds_the_one_matrix_that_has_it_or_that_of_the_last_layer(encoder, stack):
    assert encoder["concat"] is encoder["attention.concat"]
    assert encoder["head_2.S"] is encoder["attention.head_2.S"]
    assert stack["add_norm_1.R"] is stack["layer_3.add_norm_1.R"]
    moved = encoder.with_givens(W_O=2 * encoder["W_O"].values)
    assert_array_equal(moved["attention.Z"].values, 2 * encoder["attention.Z"].values)


def test_of_several_with_a_short_name_one_is_to_be_chosen(encoder):
    cases.assert_refused(lambda: encoder["S"], "2 matrices are called S: attention.head_1.S and attention")
    cases.assert_refused(lambda: encoder["head_3.S"], "no matrix 'head_3.S'")
    assert "S" not in encoder
    cases.assert_refused(lambda: encoder.blocks["head_9"], "no block 'head_9' here; there are attention")
    with pytest.raises(KeyError):
        encoder.blocks["head_9"]


def test_blocks_of_ones_own():
    X = hc.Matrix([[1, 2], [3, 4]], "X")
    with hc.block("twice", "Two steps", why="To have two."):
        H = (X @ X).named("H")
        with hc.block("inner"):
            G = (H + X).named("G")
    with hc.block("twice"):  # opened again, it goes on
        K = (G * 2).named("K")
    calculation = hc.Calculation((K + 1).named("Y"))
    assert list(calculation) == ["X", "twice.H", "twice.inner.G", "twice.K", "Y"]
    twice = calculation.blocks["twice"]
    assert (twice.title, twice.why) == ("Two steps", "To have two.")
    assert calculation.blocks["twice.inner"].title == "Inner"
    assert list(twice) == ["X", "H", "inner.G", "K"]
    assert list(calculation.level("twice")) == ["X", "H", "G", "K"]
    assert list(calculation.level("twice").givens) == ["X", "G"]


@pytest.mark.parametrize("name", ["layer_norm", "layer_2", "encoder"])
def test_a_block_of_ones_own_keeps_its_title_whatever_it_is_called(name):
    with hc.block(name, "My title", why="To have one."):
        attention = hc.self_attention([[1, 2], [3, 4]], *[np.eye(2)] * 3)
    block = hc.Calculation(attention.result).blocks[name]
    assert (block.title, block.why) == ("My title", "To have one.")


def test_what_gets_a_name_because_it_is_long_is_in_the_block_that_reads_it():
    def doubled(M):
        for _ in range(12):
            M = M + M
        return M

    M = hc.Matrix([[1, 2], [3, 4]], "M")
    with hc.block("part"):
        H = doubled(M).named("H")
    calculation = hc.Calculation(H, doubled(M).named("G"))
    assert list(calculation) == ["M", "part.step_1", "part.step_2", "part.H", "step_3", "step_4", "G"]


@pytest.mark.parametrize("name", ["", "a.b", "a[1]", 5, None, "x" * 101])
def test_a_blocks_name_is_one_word(name):
    with pytest.raises(hc.HandcalcError), hc.block(name):
        pass
    assert hc.Matrix([[1]], "A").name == "A"


def test_norms_side_by_side_are_numbered_and_a_result_keeps_its_place_under_a_name_of_its_own():
    first = hc.layer_norm(cases.givens(1).X, ONES, ZEROS).named("first")
    calculation = hc.Calculation(hc.layer_norm(first, ONES, ZEROS).named("second"))
    assert list(calculation.blocks) == ["norm_1", "norm_2"]
    assert list(calculation.blocks["norm_1"].steps) == ["mean", "centred", "variance", "first"]
    assert calculation["second"].name == "norm_2.second"
    assert list(hc.Calculation(first).blocks) == ["norm"]


def test_weights_of_the_same_name_are_called_after_the_block_that_reads_them():
    heads = [[hc.Matrix(np.eye(2) * k, f"W_{name}") for name in "QKV"] for k in (1, 2)]
    calculation = hc.multi_head_attention([[1, 2], [3, 5]], heads, np.ones((2, 4)))
    assert set(calculation.givens) == {"X", "W_O", *(f"head_{k}.W_{n}" for k in (1, 2) for n in "QKV")}
    assert calculation["head_2.Q"].formula == "head_2.Q = head_2.W_Q X"


def test_a_name_of_ones_own_that_a_formula_has_too_shows_the_layer():
    X = hc.Matrix([[1, 2], [3, 5]], "X")
    attention = hc.self_attention(X, np.eye(2), np.eye(2), np.eye(2))
    calculation = hc.Calculation((attention["Z"] + X).named("Z"))
    assert calculation["Z"].formula == "Z = layer_1.Z + X"
    assert list(calculation.blocks["layer_1"].outputs) == ["Z"]


def test_two_things_from_outside_with_one_name_say_from_where(stack):
    g = cases.givens(1)
    with hc.block("decoder"):
        decoder = hc.decoder_layer(
            *(stack.result, stack["layer_1.add_norm_2.norm.N"], g.heads, g.W_O, g.norms[0]),
            *(g.heads, g.W_O, g.norms[1], g.ff, g.norms[2]),
        )
    head = decoder.blocks["decoder.cross.head_1"]
    assert list(head.inputs) == ["add_norm_1.N", "layer_1.N"]
    assert head["K"].formula == "K = W_K layer_1.N"
    assert list(decoder.blocks["decoder.ff"].inputs) == ["N"]


def test_what_comes_from_outside_is_told_from_what_has_its_name_inside():
    X = hc.Matrix([[1, 2], [3, 5]], "X")
    with hc.block("one"):
        X_1 = (X * 2).named("X")
    block = hc.Calculation((X_1 + 1).named("Y")).blocks["one"]
    assert list(block) == ["outside.X", "X"]
    assert block["X"].formula == "X = 2·outside.X" or block["X"].formula == "X = outside.X·2"


@every_way
def test_a_block_alone_keeps_what_comes_in_and_what_goes_on(way):
    X = hc.Matrix([[1, 2], [3, 4]], "X")
    with hc.block("part"):
        H = (X @ X).named("H")
        G = hc.relu(H).named("G")
    block = KEPT[way](hc.Calculation((H + G).named("Y")).blocks["part"])
    assert (block.path, list(block.inputs), list(block.outputs)) == ("part", ["X"], ["H", "G"])


def test_idle_steps_stay_idle_in_a_block_and_wake_with_other_givens():
    head = cases.build("multi_head_attention").blocks["head_1"]
    assert "S_shifted" not in head
    large = head.with_givens(X=head["X"].values * 1000)
    assert "S_shifted" in large
    assert large.path == "head_1"
    assert list(large.inputs) == ["X"]


def test_a_whole_block_can_go_on_alone(encoder):
    head = encoder.blocks["attention.head_1"]
    rows = head.in_convention("rows")
    assert rows["Q"].formula == "Q = X W_Q"
    assert (rows.path, list(rows.inputs)) == (head.path, ["X"])
    assert [sheet["path"] for sheet in head.to_spec()["blocks"]] == [""]
    again = hc.Calculation(*head.values(), title=head.title)
    assert list(again) == list(head)
