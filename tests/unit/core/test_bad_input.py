"""Whatever is wrong is said in one plain sentence: what, which shapes, what it should have been."""

import re

import cases
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import handcalc as hc

nan, inf = float("nan"), float("inf")
X, W, W_O = np.ones((3, 2)), np.ones((2, 3)), np.ones((3, 2))
HEAD, NORM = (W, W, W), (np.ones((3, 1)), np.ones((3, 1)))
FF = W_1, b_1, W_2, b_2 = np.ones((4, 3)), np.ones((4, 1)), np.ones((3, 4)), np.ones((3, 1))
A = hc.Matrix([[1, 2], [3, 4]], "A")
CALC = cases.build("worked_example")


def ones(*shape):
    return np.ones(shape)


def attention(**options):
    return hc.self_attention(X, W, W, W, **options)


def encoder(x=X, heads=(HEAD,), w_o=W_O, norm_1=NORM, ff=FF, norm_2=NORM, **options):
    return hc.encoder_layer(x, list(heads), w_o, norm_1, ff, norm_2, **options)


def decoder(x=X, memory=X, **options):
    return hc.decoder_layer(x, memory, [HEAD], W_O, NORM, [HEAD], W_O, NORM, FF, NORM, **options)


# (what is asked for, what the sentence has to say)
BAD = {
    # words and places
    "a name with brackets": (lambda: hc.Matrix([[1]], "Z[1,1]"), ["Z[1,1]", "name"]),
    "a name of two lines": (lambda: hc.Matrix([[1]], "A\nB"), ["name"]),
    "labels that are a number": (lambda: hc.Matrix([[1]], "X", rows=5), ["row labels", "5"]),
    "half a place": (lambda: CALC.explain("Z", 0, 0, places=1.5), ["places", "1.5"]),
    "places in words": (lambda: CALC.explain("Z", 0, 0, places="two"), ["places", "'two'"]),
    "places below zero": (lambda: CALC["Z"].explain(0, 0, places=-1), ["places", "-1"]),
    "a damaged spec": (lambda: hc.Calculation.from_spec(CALC.to_spec() | {"matrices": [{}]}), ["damaged"]),
    # numbers
    "ragged": (lambda: hc.Matrix([[1, 2], [3]], "X"), ["X", "row 1 has 2", "row 2 has 1"]),
    "ragged, third row": (lambda: hc.Matrix([[1], [2], [3, 4]], "X"), ["X", "row 3 has 2"]),
    "a number among rows": (lambda: hc.Matrix([[1, 2], 3], "X"), ["X", "row 2 has 1"]),
    "a row among numbers": (lambda: hc.Matrix([1, [2, 3]], "X"), ["X", "row 1 has 1", "row 2 has 2"]),
    "text": (lambda: hc.Matrix("1 2; 3 4", "X"), ["X", "'1 2; 3 4'"]),
    "text in a cell": (lambda: hc.Matrix([[1, "two"]], "X"), ["X", "'two'"]),
    "text of digits": (lambda: hc.Matrix(["12", "34"], "X"), ["X", "'12'"]),
    "two lines of text": (lambda: hc.Matrix("a\nb" * 30, "X"), ["X"]),
    "an array of text": (lambda: hc.Matrix(np.array([["a"]]), "X"), ["X", "text"]),
    "bytes": (lambda: hc.Matrix(b"12", "X"), ["X", "b'12'"]),
    "None": (lambda: hc.Matrix(None, "X"), ["X", "None"]),
    "None in a cell": (lambda: hc.Matrix([[1, None]], "X"), ["X", "None"]),
    "complex": (lambda: hc.Matrix([[1j]], "X"), ["X", "1j"]),
    "a complex array": (lambda: hc.Matrix(np.array([[1j]]), "X"), ["X", "complex"]),
    "an array of objects": (lambda: hc.Matrix(np.array([[None]]), "X"), ["X", "plain numbers"]),
    "dates": (lambda: hc.Matrix(np.array([["2020-01-01"]], "datetime64[D]"), "X"), ["X", "dates"]),
    "NaN": (lambda: hc.Matrix([[1, 2], [3, nan]], "X"), ["X[2,2]", "nan", "finite"]),
    "infinity": (lambda: hc.Matrix([[1], [-inf]], "X"), ["X[2,1]", "-inf"]),
    "too large an integer": (lambda: hc.Matrix([[10**400]], "X"), ["X", "not a number"]),
    "no rows": (lambda: hc.Matrix([], "X"), ["X", "empty"]),
    "no columns": (lambda: hc.Matrix([[], []], "X"), ["X", "empty", "(2, 0)"]),
    "an empty array": (lambda: hc.Matrix(np.ones((0, 3)), "X"), ["X", "(0, 3)"]),
    "three axes": (lambda: hc.Matrix(ones(2, 3, 4), "X"), ["X", "3 axes", "(2, 3, 4)"]),
    "lists three deep": (lambda: hc.Matrix([[[1]]], "X"), ["X", "3 axes"]),
    "a dict": (lambda: hc.Matrix({"a": 1}, "X"), ["X", "{'a': 1}"]),
    "a dict in a list": (lambda: hc.Matrix([{"a": 1}], "X"), ["X", "{'a': 1}"]),
    "a set": (lambda: hc.Matrix({1, 2}, "X"), ["X", "{1, 2}"]),
    "an object": (lambda: hc.Matrix(object(), "X"), ["X", "object"]),
    "an object in a cell": (lambda: hc.Matrix([[object()]], "X"), ["X", "object"]),
    "a function": (lambda: hc.Matrix(len, "X"), ["X", "builtin_function"]),
    # biases and activations
    "a bias that is a row": (
        lambda: attention(b_Q=np.ones((1, 2))),
        ["b_Q is (1, 2)", "W_Q is (2, 3)", "(2, 1)"],
    ),
    "a head of four": (lambda: encoder(heads=[(*HEAD, W)]), ["heads", "(W_Q, W_K, W_V, b_Q, b_K, b_V)"]),
    "an activation in words": (lambda: encoder(activation="gelu"), ["activation is 'gelu'", "hc.gelu"]),
    "an activation of one number": (
        lambda: encoder(activation=lambda H: 1),
        ["activation(H)", "(4, 2)", "int"],
    ),
    "an activation of sums": (lambda: encoder(activation=hc.column_sums), ["activation(H)", "(1, 2)"]),
    # names and labels
    "an empty name": (lambda: hc.Matrix([[1]], ""), ["name"]),
    "a number for a name": (lambda: A.named(5), ["name", "5"]),
    "too few labels": (lambda: hc.Matrix([[1], [2]], "X", rows=["a"]), ["X", "2 rows", "1 row label"]),
    "unknown name": (lambda: CALC["Y"], ["'Y'", "X, W_Q", "and Z"]),
    "unknown name explained": (lambda: CALC.explain("Y", 0, 0), ["'Y'", "S_scaled"]),
    "a list for a name": (lambda: CALC[["Z"]], ["['Z']"]),
    "a hidden step": (lambda: CALC["S_shifted"], ["'S_shifted'"]),
    "an unnamed result": (lambda: hc.Calculation(A @ A), ["A A", "named"]),
    "no matrices": (hc.Calculation, ["at least one matrix"]),
    "a list for a matrix": (lambda: hc.Calculation([[1]]), ["made of matrices; got a list."]),
    # cells
    "row out of range": (lambda: CALC.explain("Z", 3, 0), ["Z", "(3, 4)", "row 3"]),
    "column out of range": (lambda: CALC["Z"].sources(0, -5), ["Z", "(3, 4)", "column -5"]),
    "half a row": (lambda: CALC.explain("Z", 0.5, 0), ["row", "0.5", "whole"]),
    "a word for a column": (lambda: CALC.explain("Z", 0, "a"), ["column", "'a'", "whole"]),
    # other givens
    "a given that there is not": (lambda: CALC.with_givens(Y=[[1]]), ["'Y'", "X, W_Q, W_K and W_V"]),
    "a step as a given": (lambda: CALC.with_givens(Z=CALC["Z"]), ["'Z' is not one of the givens", "X, W_Q"]),
    "another shape": (lambda: CALC.with_givens(X=[[1]]), ["X", "(6, 4)", "(1, 1)"]),
    "NaN as a given": (lambda: CALC.with_givens(X=np.full((6, 4), nan)), ["X[1,1]", "nan"]),
    "text as a given": (lambda: CALC.with_givens(W_Q="big"), ["W_Q", "'big'"]),
    "bad convention": (lambda: CALC.in_convention("cols"), ["'cols'", '"columns" or "rows"']),
    "no convention": (lambda: hc.Calculation(A, convention=None), ["None", "rows"]),
    "a spec of tomorrow": (lambda: hc.Calculation.from_spec(CALC.to_spec() | {"version": 9}), ["version 9"]),
    "no spec": (lambda: hc.Calculation.from_spec({}), ["format", "to_spec"]),
    "text for a spec": (lambda: hc.Calculation.from_spec("{}"), ["to_spec", "str"]),
    # operators
    "product": (lambda: A @ hc.Matrix(ones(3, 2), "B"), ["A is (2, 2)", "B is (3, 2)", "3 rows"]),
    "sum": (lambda: A + hc.Matrix(ones(2, 3), "B"), ["A is (2, 2)", "B is (2, 3)"]),
    "quotient of shapes": (lambda: A / ones(3, 1), ["A is (2, 2)", "(3, 1)"]),
    "division by zero": (lambda: A / [[1, 0], [1, 1]], ["zero", "[1,2]"]),
    "root of a negative number": (lambda: hc.sqrt([[1, -2]]), ["√", "[1,2]", "-2"]),
    "half a power": (lambda: A**0.5, ["exponent", "0.5"]),
    "power zero": (lambda: A**0, ["exponent", "0"]),
    "times infinity": (lambda: A * inf, ["inf", "finite"]),
    "plus None": (lambda: A + None, ["None"]),
    "a number in words": (lambda: hc.constant("three", "d_k"), ["d_k", "'three'"]),
    # functions
    "base of zero": (lambda: hc.exp(A, base=0), ["base", "0"]),
    "infinite base": (lambda: hc.exp(A, base=inf), ["base", "inf"]),
    "a base below one for softmax": (lambda: hc.softmax(A, base=0.5), ["base", "0.5", "above 1"]),
    "temperature zero": (lambda: hc.softmax(A, temperature=0), ["temperature", "0"]),
    "negative temperature": (lambda: hc.softmax(A, temperature=-1), ["temperature", "-1"]),
    "NaN temperature": (lambda: hc.softmax(A, temperature=nan), ["temperature", "nan"]),
    "a hot temperature": (lambda: hc.softmax(A, temperature="hot"), ["temperature", "'hot'"]),
    "nothing to concat": (lambda: hc.concat([]), ["concat", "empty"]),
    "concat without a list": (lambda: hc.concat(A), ["concat", "list"]),
    "concat of widths": (lambda: hc.concat([A, hc.Matrix(ones(1, 3), "B")]), ["(2, 2)", "B is (1, 3)"]),
    "rows beyond the end": (lambda: hc.rows(A, 0, 3), ["A", "2 rows", "0 to 3"]),
    "half a row of rows": (lambda: hc.rows(A, 0, 1.5), ["1.5", "whole"]),
    # formulas
    "W_Q": (lambda: hc.self_attention(X, ones(2, 5), W, W), ["W_Q is (2, 5)", "5 columns", "X is (3, 2)"]),
    "W_K": (lambda: hc.self_attention(X, W, ones(2, 4), W), ["W_K is (2, 4)", "X is (3, 2)"]),
    "W_V": (lambda: hc.self_attention(X, W, W, ones(2, 2)), ["W_V is (2, 2)", "X is (3, 2)"]),
    "d_k": (lambda: hc.self_attention(X, W, ones(4, 3), W), ["Q is (2, 2)", "K is (4, 2)", "d_k"]),
    "Y": (lambda: hc.cross_attention(X, ones(4, 5), W, W, W), ["W_K is (2, 3)", "Y is (4, 5)"]),
    "no heads": (lambda: hc.multi_head_attention(X, [], W_O), ["heads", "(W_Q, W_K, W_V)"]),
    "heads None": (lambda: hc.multi_head_attention(X, None, W_O), ["heads"]),
    "half a head": (lambda: hc.multi_head_attention(X, [(W, W)], W_O), ["heads"]),
    "one head, not in a list": (lambda: hc.multi_head_attention(X, HEAD, W_O), ["heads"]),
    "a bad head": (
        lambda: hc.multi_head_attention(X, [HEAD, (W, ones(2, 4), W)], W_O),
        ["head_2.W_K is (2, 4)", "X is (3, 2)"],
    ),
    "W_O": (lambda: hc.multi_head_attention(X, [HEAD], ones(3, 5)), ["W_O is (3, 5)", "concat is (2, 2)"]),
    "uneven split": (lambda: hc.split_heads(ones(5, 3), W, W, 2), ["W_Q is (5, 3)", "2 heads"]),
    "split into none": (lambda: hc.split_heads(W, W, W, 0), ["W_Q is (2, 3)", "0 heads"]),
    "word not in the table": (lambda: hc.embedding(ones(3, 5), [5]), ["W_E", "0 to 4", "5"]),
    "negative word": (lambda: hc.embedding(ones(3, 5), [-1]), ["W_E", "-1"]),
    "no words": (lambda: hc.embedding(ones(3, 5), []), ["W_E", "no index"]),
    "half a word": (lambda: hc.embedding(ones(3, 5), [0.5]), ["0.5", "whole"]),
    "words as text": (lambda: hc.embedding(ones(3, 5), "01"), ["'01'"]),
    "no positions": (lambda: hc.positional_encoding(0, 4), ["n is 0", "d_model is 4"]),
    "half a position": (lambda: hc.positional_encoding(2.5, 4), ["n is 2.5"]),
    "base of positions": (lambda: hc.positional_encoding(3, 4, base=0), ["base", "0"]),
    "residual": (lambda: hc.residual(X, ones(3, 1)), ["X is (3, 2)", "(3, 1)"]),
    "gamma": (lambda: hc.layer_norm(X, ones(4, 1), ones(3, 1)), ["gamma is (4, 1)", "X is (3, 2)"]),
    "beta as a row": (lambda: hc.layer_norm(X, ones(3, 1), ones(1, 2)), ["beta is (1, 2)", "(3, 1)"]),
    "eps of zero": (
        lambda: hc.layer_norm(ones(3, 2), *NORM, eps=0),
        ["Division by zero"],
    ),
    "eps below zero": (lambda: hc.layer_norm(X, *NORM, eps=-1), ["eps", "-1"]),
    "W_1": (lambda: hc.feed_forward(X, ones(4, 2), b_1, W_2, b_2), ["W_1 is (4, 2)", "X is (3, 2)"]),
    "b_1 as a row": (
        lambda: hc.feed_forward(X, W_1, ones(1, 2), W_2, b_2),
        ["b_1 is (1, 2)", "W_1 is (4, 3)"],
    ),
    "W_2": (lambda: hc.feed_forward(X, W_1, b_1, ones(3, 5), b_2), ["W_2 is (3, 5)", "H_relu is (4, 2)"]),
    "b_2": (lambda: hc.feed_forward(X, W_1, b_1, W_2, ones(4, 1)), ["b_2 is (4, 1)", "W_2 is (3, 4)"]),
    "encoder W_O": (lambda: encoder(w_o=ones(1, 2)), ["X is (3, 2)", "attention.Z is (1, 2)"]),
    "half a norm": (lambda: encoder(norm_1=NORM[:1]), ["norm", "(gamma, beta)"]),
    "half a feed-forward": (lambda: encoder(ff=FF[:2]), ["ff", "(W_1, b_1, W_2, b_2)"]),
    "no norm": (lambda: encoder(norm_2=None), ["norm", "(gamma, beta)"]),
    "encoder gamma": (
        lambda: encoder(norm_2=(ones(2, 1), ones(3, 1))),
        ["add_norm_2.norm.gamma is (2, 1)", "add_norm_2.R is (3, 2)"],
    ),
    "memory": (lambda: decoder(memory=ones(4, 5)), ["cross.head_1.W_K is (2, 3)", "memory is (4, 5)"]),
    # masks
    "mask of another shape": (lambda: attention(mask=ones(3, 3)), ["mask", "(3, 3)", "(2, 2)", "2 keys"]),
    "ragged mask": (lambda: attention(mask=[[1, 1], [1]]), ["mask", "ragged"]),
    "one True for a mask": (lambda: attention(mask=True), ["mask", "(2, 2)"]),
    "unknown mask": (lambda: attention(mask="future"), ["mask", "'future'", '"causal"']),
    "mask of words": (lambda: attention(mask=[["a", "b"], ["c", "d"]]), ["mask", "True", "False"]),
    "mask of twos": (lambda: attention(mask=[[2, 1], [1, 1]]), ["mask", "True", "False"]),
    "a query that may look at nothing": (
        lambda: attention(mask=[[True, False], [True, False]]),
        ["mask", "query 2", "no key"],
    ),
    "causal with other keys": (
        lambda: hc.cross_attention(X, ones(3, 4), W, W, W, mask="causal"),
        ["causal", "4 and 2"],
    ),
    "memory mask": (lambda: decoder(memory_mask=ones(3, 2)), ["mask", "(3, 2)", "(2, 2)"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_answered_in_one_plain_sentence(case):
    attempt, wanted = BAD[case]
    with pytest.raises(hc.HandcalcError) as caught:
        attempt()
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith("."), said
    assert not re.search(r"0x|<[a-z]|Traceback|ndarray|dtype", said), said
    assert len(said) < 300, said
    for words in wanted:
        assert words in said, said
    # the deep error of numpy or Python, if there was one, is not shown with it
    assert caught.value.__cause__ is None


SHARES = hc.Matrix([[0.13], [0.51], [0.06], [0.3]], "P", rows=["a", "b", "c", "d"])
THREE = hc.Matrix([[0.005], [0.025], [0.97]], "P")
REFUSED = [
    # orders
    (lambda: hc.sample(SHARES, [[1, 2]]), "each column needs one random number."),
    (lambda: hc.sample(SHARES, [[1]], ["a"]), "has 4 rows, but 1 words were given."),
    (lambda: hc.round(SHARES, 16), "There are 16 places; it must be from 0 to 15."),
    (lambda: hc.top_k(SHARES, 5),
     "sort↓ P has 4 rows; rows 0 to 5 (from 0, end not included) are not a part of it."),
    # choices
    (lambda: hc.argmax(THREE, ["a", "b"]), "P has 3 rows, but 2 words were given to choose from."),
    (lambda: hc.argmax(THREE, []), "The list of words is empty; there is nothing to choose from."),
    (lambda: hc.argmax(THREE, "abc"), "The words are 'abc'; they must be a list of words."),
    (lambda: hc.one_hot(THREE, 3), "P has more than one row; what is chosen is one number for each."),
    (lambda: hc.one_hot(hc.argmax(THREE), 0), "The number of rows is 0; it must be a whole number above 0."),
    # what a newcomer tries
    (lambda: np.tanh(A), "np.tanh would forget how a matrix was made; use hc.tanh."),
    (lambda: np.maximum(A, 0),
     "np.maximum would forget how a matrix was made; its numbers alone are in .values."),
    (lambda: A[0],
     "A matrix has no [ ]; hc.rows(M, 0, 1) and hc.columns(M, 0, 1) cut it; M.values[0] has numbers."),
    (lambda: hc.Exercise((A @ A).named("z")), "not of a Matrix; hc.Calculation(z) makes one of it."),
    (lambda: hc.practise((A @ A).named("z")), "not a Matrix; hc.Calculation(z) makes one of it."),
    (lambda: hc.explore((A @ A).named("z")), "not a Matrix; hc.Calculation(z) makes one of it."),
    (lambda: hc.gradients((A @ A).named("z")), "got a Matrix; hc.Calculation(z) makes one of it."),
    (lambda: hc.topic("mine"), "The letters of 'mine' are ''; they must be a capital Y and another"),
    (lambda: hc.topic(lambda rng, level: None), "a name has only lowercase letters and _, like 'my_topic'."),
    # what was handed in
    (lambda: hc.Calculation(None), "A calculation is made of matrices; got a NoneType."),
    (lambda: hc.Calculation.from_spec([1]), "from_spec reads what to_spec wrote; got a list."),
    (lambda: hc.constant(2, "2\nprint('X')\n#"), "A symbol is one word of letters, digits, _ and dots"),
    (lambda: hc.Matrix([1], "x" * 2000), "A name has at most 100 characters; 'xxx"),
    (lambda: hc.Matrix([1], "a\u2028b"), "A matrix's name is a word such as 'Q'"),
    (lambda: A.named("B", 3), "The meaning is 3; it must be text on one line."),
    (lambda: hc.Calculation(A, title=["T"]), "The title is ['T']; it must be text on one line."),
    # a text that a model reads
    (lambda: hc.examples.gpt().what_if(text="abx"),
     "The model knows the letters a, b and c; it cannot read 'x'."),
    (lambda: hc.examples.gpt().what_if(text="<ab"),
     "The model knows the letters a, b and c; it cannot read '<'."),
    (lambda: hc.examples.gpt().what_if(text="abcab"), "The model has room for 4 letters; this text has 5."),
    (lambda: hc.examples.gpt().what_if(text=" "),
     "The text is empty; the model knows the letters a, b and c."),
    (lambda: hc.examples.gpt().what_if(text=3), "A text is written as a string, not as an int."),
    # what is switched
    (lambda: CALC.what_if(colour=1), "There is no what-if 'colour' here; there are scaling, mask"),
    (lambda: CALC.what_if(scaling="half"), "scaling is 'half'; here it can be 'sqrt_d_k', 'd_k' and 'none'."),
    (lambda: CALC.what_if(mask=["causal"]),
     "here it can be 'none' and 'causal'; other masks are handed to the formula, as mask=."),
    (lambda: CALC.what_if(temperature=0), "The temperature is 0"),
    (lambda: CALC.what_if(temperature="hot"), "The temperature"),
    (lambda: CALC.what_if(order=[0, 1, 2]), "for the 4 tokens of X it must list each of 0 to 3 once"),
    (lambda: CALC.what_if(order={"W_Q": [1, 0]}), "order takes one of X, not 'W_Q'."),
    (lambda: CALC.what_if(zero="Z"), "zero takes one of X, W_Q, W_K and W_V, not 'Z'."),
    (lambda: CALC.what_if(zero=3), "zero takes a given's name"),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "sentence"), REFUSED)
def test_so_is_what_does_not_fit(attempt, sentence):
    cases.assert_refused(attempt, sentence)


def test_a_handcalc_error_is_a_value_error_and_an_unknown_name_a_key_error_too():
    with pytest.raises(ValueError, match="empty"):
        hc.Matrix([])
    with pytest.raises(KeyError, match="no matrix"):
        CALC["Y"]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A real IPython, without its history's file."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell(config=config)
    shell.run_cell("import handcalc as hc")
    return shell


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("hc.Matrix([[1, 2], [3]], 'X')", "X is ragged: row 1 has 2 numbers, row 2 has 1"),
        ("hc.examples.self_attention()['Y']", "There is no matrix 'Y' here; there are X,"),
        ("hc.Matrix([[1]], 'A') / 0", "Division by zero: the divisor's number [1,1] is 0."),
    ],
)
def test_ipython_shows_the_sentence_and_no_traceback(shell, capsys, cell, sentence):
    result = shell.run_cell(cell)
    shown = "".join(capsys.readouterr())
    assert isinstance(result.error_in_exec, hc.HandcalcError)
    assert shown.strip().startswith(sentence)
    assert len(shown.strip().splitlines()) == 1


def test_ipython_still_shows_a_traceback_for_other_errors(shell, capsys):
    shell.run_cell("1 / 0")
    assert "Traceback" in "".join(capsys.readouterr())
