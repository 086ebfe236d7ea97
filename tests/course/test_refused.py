"""What the lessons' examples cannot make, and their pictures cannot draw, is told in one sentence."""

import cases
import numpy as np
import pytest

import handcalc as hc
from handcalc import draw
from handcalc import examples as e
from handcalc.course.backwards import figures as backwards
from handcalc.course.before_attention import figures as before_attention
from handcalc.course.block import figures as block
from handcalc.course.cost import figures as cost
from handcalc.course.gpt import figures as gpt
from handcalc.course.heads import figures as heads
from handcalc.course.positions import figures as positions
from handcalc.course.queries_keys_values import figures as vectors
from handcalc.course.scores_to_weights import figures as weights
from handcalc.course.whole_sheet import figures as whole_sheet

CALC, ANIMAL, HEADS, BLOCK = e.self_attention(), e.animal(), e.heads(), e.transformer_block()
BIRD, PADDED, WHOLE, CACHED = e.bird(), e.padded(), e.six_words(), e.cached()
SLOPES = hc.gradients(e.backwards(), "L")
SHARES = [HEADS["head_1.A"], HEADS["head_2.A"]]
ONE = hc.Matrix([[1]], "P")
REFUSED = [
    # masks
    (lambda: e.bird("padding"), 'No token is labelled "[PAD]", so there is no padding to hide;'),
    (lambda: e.bird("pad"), "mask is 'pad'; it must be \"causal\", \"padding\", or an array"),
    (lambda: hc.padding_mask(["[PAD]"]), 'Every token is labelled "[PAD]": there is nothing left to'),
    (lambda: hc.padding_mask(7), "tokens takes a list of words."),
    (lambda: hc.padding_mask(PADDED["X"], 0), "queries is 0; it must be at least 1."),
    (lambda: hc.sliding_window(4, 0), "The width of the window is 0; it must be at least 1."),
    (lambda: hc.sliding_window(0, 1), "n is 0; it must be at least 1."),
    (lambda: e.bird(np.eye(4) == 2), "The mask lets query 1 look at no key at all;"),
    (lambda: draw.mask(BIRD["S"]), 'mask draws what a mask has made, such as calc["S_masked"], not S.'),
    # the cost
    (lambda: hc.columns(WHOLE["X"], 4, 9), "X has 6 columns; columns 4 to 9"),
    (lambda: hc.concat([WHOLE["X"], [[1]]], axis=1), "to stack them they need the same number of rows"),
    (lambda: hc.concat([WHOLE["X"]], axis=2), "axis"),
    (lambda: hc.cached_attention([[1, 2]], [[1, 1]], [[1]], [[1]]), "W_Q"),
    (lambda: cost.counts(99), "counts draws 2 to 16 tokens and a window up to all of them, not 99 and 3."),
    (lambda: cost.lengths((10, 5)), "it must be rising lengths from the window's 3 up to a million."),
    (lambda: draw.kv_cache(WHOLE), "kv_cache draws attention with a cache, as cached_attention makes it"),
    (lambda: draw.kv_cache(CACHED, 7), "token is 7; it must be from 1 to 6."),
    (lambda: draw.changes([[1]], [[1, 2]]), "changes compares two matrices of one shape"),
    # before attention
    (lambda: hc.rnn([[1, 2]], [[1]], [[1]], h_0=[[1], [2]]), "h_0 is (2, 1), but W_h is (1, 1)"),
    (lambda: hc.rnn([[1, 2]], [[1]], [[1]], [[1, 1]]), "b is (1, 2), but W_h is (1, 1)"),
    (lambda: hc.rnn([[1, 2]], [[1], [2]], [[1]]), "W_h is (1, 1) but W_x is (2, 1)"),
    (lambda: hc.rnn([[1, 2]], [[1]], [[1, 2]]), "W_h is (1, 2); it leads from state to state"),
    (lambda: hc.rnn([[1, 2]], [[1]], [[1]], slopes=1), "slopes is 1; it must be True or False"),
    (lambda: hc.additive_attention([1], [[1]], [[1], [2]], [[1]], [1]), "U_a is (1, 1) but W_a is (2, 1)"),
    (lambda: hc.additive_attention([[1, 2]], [[1, 2]], [[1]], [[1]], [[1]]), "s is (1, 2)"),
    (lambda: hc.additive_attention([1], [[1, 2]], [[1]], [[1]], [1, 1]), "v is (2, 1), but U_a is (1, 1)"),
    (lambda: before_attention.chain("rnn"), "chain draws a calculation of hc.rnn"),
    (lambda: before_attention.chain(e.animal()), "2 to 10 steps"),
    (lambda: before_attention.vanishing_gradient(hc.rnn([[1, 2]], [[1]], [[1]])), "slopes=True"),
    (before_attention.score_tables, "1 to 3 calculations"),
    (lambda: before_attention.score_tables(e.fading()), "with S and A"),
    # positions
    (lambda: draw.positional_encoding([[2, 0]]), "numbers from −1 to 1"),
    (lambda: positions.clocks([[0, 1], [1, 0], [0, 0]]), "two rows"),
    (lambda: draw.permutations(e.positions(), query="cat"), "query is 'cat'"),
    (lambda: draw.permutations("dog bites man", query="bites"), "permutations draws calculations"),
    (lambda: draw.permutations(query="bites"), "1 to 8 calculations"),
    # a trained GPT
    (lambda: e.sorting_gpt("ABCD"), "The model knows the letters A, B and C; it cannot read 'ABCD'."),
    (lambda: e.sorting_gpt("abcabc"), "The model knows the letters A, B and C; it cannot read 'abcabc'."),
    (lambda: e.sorting_gpt(7), "The model knows the letters A, B and C; it cannot read 7."),
    (lambda: e.sorting_gpt("CAB"), "The model was trained to sort 6 letters; 'CAB' has 3."),
    (lambda: e.sort_letters("CABAABA"), "The model was trained to sort 6 letters; 'CABAABA' has 7."),
    (
        lambda: e.sorting_gpt("CABAAB", "AAABBC"),
        "written is 'AAABBC'; it must be up to 5 letters A, B and C, such as 'AA'.",
    ),
    (lambda: e.sorting_gpt_writing("CABAAB", 7), "The number of letters is 7; it must be 1 to 6."),
    # a real model
    (lambda: e.minilm_pairs("7.1"), "layer and head are “1.1” to “6.12”"),
    (lambda: e.minilm_pairs(4.2), "head is 4.2"),
    (lambda: e.minilm_cls("green"), "it must be tired"),
    # backwards
    (lambda: backwards.way_back(e.backwards()), "hc.gradients"),
    (lambda: backwards.way_back(3), "hc.gradients"),
    (lambda: backwards.way_back(SLOPES, "W_X"), "no slope of 'W_X'"),
    (lambda: backwards.way_back(SLOPES, "W_K"), "W_K have 3 rows, and 6 columns"),
    (lambda: draw.loss_curve(e.backwards()), "hc.gradients"),
    (lambda: draw.loss_curve(None), "hc.gradients"),
    (lambda: draw.loss_curve(SLOPES, "Q"), "only givens can learn"),
    (lambda: draw.loss_curve(SLOPES, rates=(0.01, 0.001)), "rising numbers above 0"),
    (lambda: draw.loss_curve(SLOPES, rates=(0, 0.001)), "A rate"),
    (lambda: backwards.jacobian([[1, 2]]), "a square of up to 8 rows"),
    # one head
    (lambda: draw.words(CALC["S"], 0), "column 1 of S adds up to 9"),
    (lambda: draw.words(ANIMAL["A"], "cat"), "query is 'cat'; it must be animal, didn't"),
    (lambda: draw.words(ANIMAL["A"], 9), "or a place from 0 to 8"),
    (lambda: draw.words(ANIMAL["A"], True), "query is True"),
    (lambda: draw.words(ANIMAL["A"], "it", theme="sepia"), "theme is 'sepia'"),
    (lambda: draw.attention_weights([[1.5], [-0.5]]), "adds up to 1 and has a negative number in it"),
    (lambda: draw.attention_weights("A"), "A "),
    (lambda: draw.attention_weights(CALC.in_convention("rows")["A"]), "Its rows do: in_convention"),
    (lambda: vectors.arrows([1, 2]), "compares two to 12 vectors, not 1"),
    (lambda: vectors.arrows([1, 2, 3], [1, 2]), "arrows draws vectors of 2 numbers; a has 3"),
    (lambda: vectors.arrows([1, 2], [0, 0]), "b is (0, 0): it has no direction"),
    (lambda: vectors.arrows([1, 2], "up"), "b "),
    (lambda: vectors.cosines([1, 2, 3]), "cosines takes up to 12 pairs"),
    (vectors.cosines, "cosines takes up to 12 pairs"),
    (lambda: weights.growth([3, 5]), "sizes is [3, 5]; it must be two to six rising powers of 2"),
    (lambda: weights.growth([4, 2]), "rising powers of 2"),
    (lambda: weights.growth(8), "sizes is 8"),
    (lambda: weights.growth(seed="x"), "seed is 'x'"),
    (lambda: weights.mixture(CALC["S"], 0), "mixture draws attention weights"),
    (lambda: weights.mixture(CALC["A"], 0), "mixture draws a product Z = V A; A is not one"),
    (lambda: weights.mixture([[1]], 0), "[[1]] is not one"),
    (lambda: weights.mixture(CALC["Z"], 4), "Z has 4 columns, counted from 0; 4 is not one of them"),
    (lambda: weights.mixture(CALC["Z"], 0, rows=(0, 5)), "Z has 3 rows, counted from 0; 5 is not"),
    (lambda: weights.mixture(CALC["Z"], 0, rows=0), "rows is 0; it must be two rows"),
    (lambda: whole_sheet.layer(CALC, heads=0), "heads is 0"),
    (lambda: whole_sheet.layer("calc"), "layer draws a calculation, not 'calc'"),
    (lambda: whole_sheet.layer(hc.Calculation(CALC["X"])), "There is no matrix 'Z' here"),
    # heads
    (lambda: draw.head_maps(SHARES), "head_maps takes a list of shares for each layer"),
    (lambda: draw.head_maps([[SHARES[0], e.animal()["A"]]]), "shares of the same words"),
    (lambda: draw.head_maps([[SHARES[0]] * 9]), "9 maps of 3 columns are too wide."),
    (lambda: heads.fans([HEADS["Z"]], 0), "fans draws attention weights"),
    (lambda: heads.fans([], 0), "fans draws 1 to 16 matrices of shares, not 0."),
    (lambda: heads.fans(3, 0), "fans takes a list of matrices of shares"),
    (lambda: heads.fans(SHARES, "mice"), "query is 'mice'; it must be dogs"),
    (lambda: draw.concat_heads(HEADS["head_1.Z"]), "head_1.Z is not one."),
    (lambda: draw.concat_heads("Z"), "concat_heads draws a product of weights and stacked"),
    (lambda: draw.stacked_heads([(hc.Matrix([[1]], "W_Q"),)]), "stacked_heads takes heads as"),
    (lambda: draw.stacked_heads([]), "stacked_heads draws 1 to 48 pieces, not 0."),
    (
        lambda: draw.stacked_heads([[hc.rows(hc.Matrix(np.eye(2), name), 0, 1) for name in "AB"]]),
        "these come from several.",
    ),
    # sizes, and the block
    (lambda: hc.one_hot([[7]], 2), "The choice of a row must be a whole number from 1 to 2: [1,1] is 7."),
    (lambda: hc.one_hot([[1.5]], 2), "must be a whole number from 1 to 2: [1,1] is 1.5."),
    (lambda: hc.one_hot([[1, 0]], 2), "must be a whole number from 1 to 2: [1,2] is 0."),
    (lambda: hc.one_hot([[-1]], ["a", "b"]), "must be a whole number from 1 to 2: [1,1] is -1."),
    (lambda: hc.one_hot([[1]], 10**9), "more than 10,000,000 numbers are too many."),
    (lambda: hc.sliding_window(10**7, 2), "n is 10000000: more than 10,000,000 numbers are too many."),
    (lambda: hc.padding_mask(["a", "[PAD]"], 10**8), "more than 10,000,000 numbers are too many."),
    (lambda: hc.columns(ONE, None, 2), "The first column is None"),
    (lambda: hc.columns(ONE, 0, 2), "P has 1 column;"),
    (lambda: hc.rows(ONE, 0, 2), "P has 1 row;"),
    (lambda: gpt.one_page(None), "one_page draws a calculation, not None."),
    (lambda: draw.residual_stream(None), "residual_stream draws a calculation, not None."),
    (lambda: draw.residual_stream(BLOCK, 99), "columns, counted from 0; 99 is not one."),
    (block.directions, "directions draws at least one block"),
    (lambda: block.directions(None), "directions draws blocks of a calculation, not None."),
    (lambda: e.two_layers("sad"), "it must be tired or wide."),
    (lambda: e.two_layers([]), "it must be tired or wide."),
    (lambda: e.continue_pattern("abab", "x"), "The number of letters is 'x'"),
    (lambda: e.continue_pattern("abab", -1), "The number of letters is -1; it must be at least 0."),
    # letters, words and names
    (lambda: e.gpt(""), "knows the letters a, b and c"),
    (lambda: e.gpt("abd"), "knows the letters a, b and c"),
    (lambda: e.gpt("a b"), "knows the letters a, b and c"),
    (lambda: e.gpt("<ab"), "knows the letters a, b and c"),
    (lambda: e.gpt(None), "knows the letters a, b and c"),
    (lambda: e.gpt(3), "knows the letters a, b and c"),
    (lambda: draw.hops(e.gpt()["layer_1.A"], ANIMAL["A"], 0), "same words"),
    (lambda: gpt.one_page(ANIMAL), "model of two layers"),
    (lambda: draw.compare_weights(e.gpt()["layer_1.A"]), "two columns of shares"),
    (lambda: e.translation("red cat"), "reads cat or house"),
    (lambda: e.translation("cat house"), "reads cat or house"),
    (lambda: e.translation(""), "reads cat or house"),
    (lambda: e.translation("black black cat"), "reads cat or house"),
    (lambda: e.translation("small"), "reads cat or house"),
    (lambda: e.translation(None), "reads cat or house"),
    (lambda: e.translation("gato"), "reads cat or house"),
    (lambda: e.translation(["cat"]), "reads cat or house"),
    (lambda: draw.loop(CALC), "has none"),
    (lambda: e.two_layers("green"), "The last word is"),
    (lambda: e.minilm_shares("1.1"), "there are"),
    (lambda: e.minilm_heads("green"), "The last word is"),
    (lambda: e.positions("dog eats man"), "order is 'dog eats man'; it must be a sentence of"),
    (lambda: e.gpt_loss("abab", "d"), "'d' is not a row of P"),
    (lambda: e.softmax_jacobian(3), "scores must be a list"),
    (lambda: hc.patches(hc.Matrix(np.ones((5, 4)), "picture"), 2), "picture is (5, 4), which cannot be cut"),
    (lambda: hc.patches(np.ones((4, 4)), 0), "at least one pixel"),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "sentence"), REFUSED)
def test_it_is_refused_in_one_sentence(attempt, sentence):
    cases.assert_refused(attempt, sentence)
