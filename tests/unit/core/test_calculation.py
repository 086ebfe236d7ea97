"""A calculation as a record: names, order, other givens, the other convention, JSON, nothing changeable."""

import copy
import json
import pickle

import cases
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import handcalc as hc

every_case = pytest.mark.parametrize("case", cases.CALCULATIONS)
every_way = cases.both_ways()
SELF_ATTENTION = ["X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "S_scaled", "E", "E_sum", "A", "Z"]


def assert_same(one, other):
    """Equal to the last bit: the same operations on the same numbers."""
    assert list(one) == list(other)
    for name, matrix in one.items():
        assert_array_equal(matrix.values, other[name].values, err_msg=name)
        assert (matrix.rows, matrix.columns) == (other[name].rows, other[name].columns)
        assert (matrix.formula, matrix.latex, matrix.meaning) == (
            other[name].formula,
            other[name].latex,
            other[name].meaning,
        )


# names and order ------------------------------------------------------------------------------


def test_a_calculation_is_a_mapping_from_names_to_matrices_in_reading_order():
    calculation = cases.build("self_attention")
    assert list(calculation) == SELF_ATTENTION
    assert list(calculation.givens) == SELF_ATTENTION[:4]
    assert list(calculation.steps) == SELF_ATTENTION[4:]
    assert len(calculation) == 13
    assert "Z" in calculation
    assert calculation.get("S_masked") is None
    assert dict(calculation)["Q"] is calculation["Q"]


@every_case
def test_inputs_stand_before_the_steps_that_read_them(case):
    calculation = cases.build(case)
    place = {id(matrix): i for i, matrix in enumerate(calculation.record)}
    for matrix in calculation.record:
        assert all(place[id(m)] < place[id(matrix)] for m in matrix.inputs)
    assert {**calculation.givens, **calculation.steps} == dict(calculation)


def test_a_calculation_finds_by_itself_what_its_results_rest_on():
    a, b = hc.Matrix([[2]], "a"), hc.Matrix([[3]], "b")
    product = (a * b).named("product")
    calculation = hc.Calculation((product + 1).named("more"), title="Small")
    assert list(calculation) == ["a", "b", "product", "more"]
    assert calculation.title == "Small"


# values ---------------------------------------------------------------------------------------


@every_way
def test_values_are_read_only_float64_with_two_axes(case, convention):
    calculation = cases.build(case, 1, convention)
    for matrix in calculation.record:
        assert matrix.values.dtype == np.float64
        assert matrix.values.ndim == 2
        assert matrix.values.shape == matrix.shape
        with pytest.raises(ValueError, match="read-only"):
            matrix.values[0, 0] = 1


@pytest.mark.parametrize(
    "values",
    [[[1, 2], [3, 4]], ((1, 2), (3, 4)), np.array([[1, 2], [3, 4]], np.int8), [np.array([1, 2]), [3, 4]]],
)
def test_lists_tuples_and_arrays_are_read_and_copied(values):
    matrix = hc.Matrix(values)
    assert matrix.values.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("make", [lambda: np.eye(2), lambda: [[1.0, 0.0], [0.0, 1.0]], lambda: [*np.eye(2)]])
def test_what_was_handed_in_stays_writeable_and_apart(make):
    values = make()
    matrix = hc.Matrix(values)
    values[0][0] = 5
    assert matrix.values.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("values", "shape"), [(7, (1, 1)), ([1, 2, 3], (3, 1)), ([[1, 2, 3]], (1, 3)), (np.float32(2), (1, 1))]
)
def test_a_flat_list_is_a_column_and_a_number_one_by_one(values, shape):
    assert hc.Matrix(values).shape == shape


def test_an_array_on_the_left_of_an_operator_makes_a_matrix():
    A = hc.Matrix([[1, 2], [3, 4]], "A")
    for result, expected in [
        (np.array([[1, 1]]) @ A, [[4, 6]]),
        ([[1, 1]] @ A, [[4, 6]]),
        (np.ones((2, 2)) - A, [[0, -1], [-2, -3]]),
        (12 / A, [[12, 6], [4, 3]]),
        (np.float64(2) * A, [[2, 4], [6, 8]]),
        (np.full((2, 2), 2) * A, [[2, 4], [6, 8]]),
        (np.full((2, 2), 12) / A, [[12, 6], [4, 3]]),
        (np.int64(3) + A, [[4, 5], [6, 7]]),
        (abs(-A), [[1, 2], [3, 4]]),
    ]:
        assert isinstance(result, hc.Matrix)
        assert result.values.tolist() == expected
    assert np.ones((2, 2)) != A
    with pytest.raises(TypeError, match="not iterable"):
        list(A)


# other givens ---------------------------------------------------------------------------------


PUBLISHED = (
    "worked_example",
    "handout_shortcuts",
    "positional_encoding",
    "positional_encoding_turned",
)  # they take no givens


@cases.both_ways(name for name in cases.CALCULATIONS if name not in PUBLISHED)
def test_with_givens_equals_the_formula_called_on_those_givens(case, convention):
    before, fresh = cases.build(case, 1, convention), cases.build(case, 2, convention)
    after = before.with_givens(**{name: m.values for name, m in fresh.givens.items()})
    assert_same(after, fresh)
    assert [m.formula for m in after.record] == [m.formula for m in fresh.record]  # in one order


def test_with_givens_leaves_the_old_calculation_as_it_was_and_shares_what_did_not_change():
    before = cases.build("worked_example")
    kept = {name: matrix.values.copy() for name, matrix in before.items()}
    after = before.with_givens(W_V=2 * before["W_V"].values)
    assert all(after[name] is before[name] for name in ("X", "Q", "K", "A"))
    assert after["W_V"] is not before["W_V"]
    assert_allclose(after["Z"].values, 2 * before["Z"].values, rtol=1e-15)
    for name, values in kept.items():
        assert_array_equal(before[name].values, values)


def test_with_givens_takes_names_with_a_dot_lists_and_matrices():
    before = cases.build("multi_head_attention")
    zeros = np.zeros((cases.D_K, cases.D_MODEL))
    after = before.with_givens(
        **{"head_2.W_Q": hc.Matrix(zeros, "anything"), "X": before["X"].values.tolist()}
    )
    assert_array_equal(after["head_2.A"].values, np.full((cases.N, cases.N), 1 / cases.N))
    assert_array_equal(after["head_1.Z"].values, before["head_1.Z"].values)
    assert after["head_2.W_Q"].name == "head_2.W_Q"


# the other convention -------------------------------------------------------------------------


@every_case
def test_the_other_convention_holds_the_transposes_and_turning_twice_changes_nothing(case):
    columns = cases.build(case)
    rows = columns.in_convention("rows")
    assert (columns.convention, rows.convention) == ("columns", "rows")
    assert rows.in_convention("rows") is rows
    assert list(rows) == list(columns)
    for name, matrix in columns.items():
        # sums along the other axis may be added in another order
        assert_allclose(rows[name].values, matrix.values.T, rtol=1e-12, atol=1e-13)
        assert (rows[name].rows, rows[name].columns) == (matrix.columns, matrix.rows)
    again = rows.in_convention("columns")
    assert [m.formula for m in again.values()] == [m.formula for m in columns.values()]
    for name, matrix in columns.items():
        assert_allclose(again[name].values, matrix.values, rtol=1e-12, atol=1e-13)


WITHOUT_TOKENS = {"every_operator", "looked_up", "backwards_through_functions", *cases.MATRICES}  # no labels
WITHOUT_TOKENS |= {"backwards_through_orders", *cases.TOGETHER}


@every_way
def test_a_calculation_knows_whether_it_is_about_tokens(case, convention):
    calculation = cases.build(case, 1, convention)
    assert calculation.has_tokens == (case not in WITHOUT_TOKENS)
    assert calculation.to_spec()["has_tokens"] == calculation.has_tokens
    assert hc.Calculation.from_spec(calculation.to_spec()).has_tokens == calculation.has_tokens


def test_labels_of_features_alone_make_no_tokens():
    features = hc.Calculation(hc.Matrix([[1, 2]], "w", rows=["width"]), hc.Matrix([[1, 2]], "v"))
    assert not features.has_tokens
    assert not features.in_convention("rows").has_tokens
    words = hc.Calculation(hc.Matrix([[1, 2]], "X", columns=["it", "was"]))
    assert words.has_tokens
    assert words.in_convention("rows").has_tokens


# JSON and back --------------------------------------------------------------------------------


@every_way
def test_a_calculation_written_as_json_and_read_again_is_the_same(case, convention):
    before = cases.build(case, 1, convention)
    text = json.dumps(before.to_spec(), allow_nan=False)
    after = hc.Calculation.from_spec(json.loads(text))
    assert_same(after, before)
    assert (after.title, after.convention) == (before.title, before.convention)
    assert after.to_spec() == before.to_spec()
    assert (before.to_spec()["format"], before.to_spec()["version"]) == ("handcalc", 3)


def test_a_calculation_that_was_read_again_can_be_given_other_numbers():
    read = hc.Calculation.from_spec(json.loads(json.dumps(cases.build("encoder_layer", 1).to_spec())))
    fresh = cases.build("encoder_layer", 2)
    assert_same(read.with_givens(**fresh.givens), fresh)


# Nothing in a matrix or a calculation can be changed, neither directly nor through a copy.
X = hc.Matrix([[1, 2, 0], [3, 5, 1]], "X")
W = [np.array([[1, k], [-k, 2]]) / 2 for k in range(6)]
CALC = hc.examples.self_attention()
TWO_LAYERS = hc.self_attention(hc.self_attention(X, *W[:3])["Z"], *W[3:])  # copies with an origin among them


@pytest.mark.parametrize("field", ["name", "values", "meaning", "operation", "inputs", "shape", "colour"])
def test_an_attribute_of_a_matrix_cannot_be_set(field):
    before = str(CALC["Q"])
    with pytest.raises(hc.HandcalcError, match=r"^A matrix cannot be changed; [^\n]*\.$"):
        setattr(CALC["Q"], field, "zzz")
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(CALC["Q"], field)
    assert str(CALC["Q"]) == before


@pytest.mark.parametrize("name", ["X", "Q", "S_scaled", "E_sum"])
def test_the_numbers_cannot_be_made_writeable(name):
    values = CALC[name].values
    for change in (lambda: values.setflags(write=True), lambda: setattr(values.flags, "writeable", True)):
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            change()


def test_a_copy_with_another_name_leaves_the_matrix_as_it_was():
    K = CALC["K"].replace(name="keys")
    assert (K.name, CALC["K"].name) == ("keys", "K")
    assert (K.formula, K.meaning, K.columns) == ("keys = W_K X", CALC["K"].meaning, CALC["K"].columns)
    assert K.values is CALC["K"].values
    cases.assert_refused(lambda: K.replace(colour="red"), "no field 'colour'")
    cases.assert_refused(lambda: K.replace(name="[1,1]"), "A matrix's name is a word")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
@pytest.mark.parametrize("calculation", [CALC, TWO_LAYERS, TWO_LAYERS.in_convention("rows")])
def test_a_copied_calculation_is_read_only_and_holds_together(calculation, again):
    copied = again(calculation)
    assert list(copied) == list(calculation)
    assert (copied.title, copied.convention) == (calculation.title, calculation.convention)
    record = set(copied.record)
    for mine, theirs in zip(copied.record, calculation.record, strict=True):
        np.testing.assert_array_equal(mine.values, theirs.values)
        assert (mine.formula, mine.is_idle) == (theirs.formula, theirs.is_idle)
        assert not mine.values.flags.writeable
        assert record.issuperset(mine.inputs)
        if mine.original is not mine:
            assert mine.original.values is mine.values


def test_a_copied_calculation_can_be_joined_on():
    copied = pickle.loads(pickle.dumps(TWO_LAYERS))
    joined = hc.Calculation((copied["layer_1.Z"] + copied["Z"]).named("R"))
    assert list(joined) == list(hc.Calculation((TWO_LAYERS["layer_1.Z"] + TWO_LAYERS["Z"]).named("R")))


@pytest.mark.slow
def test_a_long_chain_can_be_pickled_with_its_calculation():
    chain = X
    for _ in range(2000):
        chain = chain + 1
    copied = pickle.loads(pickle.dumps(hc.Calculation(chain.named("Y"))))
    np.testing.assert_array_equal(copied["Y"].values, X.values + 2000)


@pytest.mark.parametrize("field", ["title", "convention", "record", "anything"])
def test_a_calculation_cannot_be_changed_either(field):
    calculation = hc.Calculation(hc.Matrix([[1]], "A"), title="One")
    for change in (lambda: setattr(calculation, field, "other"), lambda: delattr(calculation, field)):
        assert cases.refusal(change).startswith("A calculation cannot be changed; ")
    assert (calculation.title, calculation.convention) == ("One", "columns")
