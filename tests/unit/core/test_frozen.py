"""Nothing in a matrix or a calculation can be changed, neither directly nor through a copy."""

import copy
import pickle

import numpy as np
import pytest

import handcalc as hc

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
    with pytest.raises(hc.HandcalcError, match="no field 'colour'"):
        K.replace(colour="red")
    with pytest.raises(hc.HandcalcError, match="A matrix's name is a word"):
        K.replace(name="[1,1]")


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
        with pytest.raises(hc.HandcalcError, match=r"^A calculation cannot be changed; "):
            change()
    assert (calculation.title, calculation.convention) == ("One", "columns")
