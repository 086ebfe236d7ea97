"""A name of before is told the name of today, in one sentence, and gives nothing else."""

from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import handcalc as hc
from handcalc.foundation import stale_names


@pytest.mark.parametrize(("old", "new"), stale_names.PUBLIC.items())
def test_a_stale_public_name_is_told_and_gives_nothing(old, new):
    name = old.removeprefix("hc.")
    assert not hasattr(hc, name)
    assert name not in dir(hc)
    with pytest.raises(hc.HandcalcError, match=rf"^{old} is now called {new}\.$"):
        getattr(hc, name)


@pytest.mark.parametrize(("old", "new"), stale_names.PICTURES.items())
def test_a_stale_picture_is_told_where_it_is_now(old, new):
    with pytest.raises(hc.HandcalcError, match=rf"^{old} is now called {new}\.$"):
        getattr(hc.draw, old.rpartition(".")[2])
    module, _, name = new.rpartition(".")
    there = hc.draw if module == "hc.draw" else import_module(module)
    assert callable(getattr(there, name))


def test_stale_names_lead_to_names_that_there_are():
    here = {"hc": hc, "Matrix": hc.Matrix}
    for new in [*stale_names.PUBLIC.values(), *stale_names.ATTRIBUTES.values()]:
        owner, _, name = new.partition(".")
        assert hasattr(here[owner], name), new


def test_a_stale_attribute_of_a_matrix_is_told_and_gives_nothing():
    matrix = hc.Matrix([[1]], "A")
    assert not hasattr(matrix, "said")
    with pytest.raises(hc.HandcalcError, match=r"^Matrix\.said is now called Matrix\.display_name\.$"):
        _ = matrix.said
    with pytest.raises(AttributeError, match="has no attribute 'numbers'"):
        _ = matrix.numbers


@pytest.mark.parametrize("part", ["", "head_2."])
def test_a_stale_step_is_told_and_gives_nothing(part):
    with hc.block(part[:-1]) if part else nullcontext():
        calculation = hc.self_attention(np.eye(2), 60 * np.eye(2), 60 * np.eye(2), np.eye(2))
    told = rf"^The step {part}S_lowered is now called {part}S_shifted\.$"
    assert f"{part}S_lowered" not in calculation
    with pytest.raises(hc.HandcalcError, match=told):
        calculation[f"{part}S_lowered"]
    with pytest.raises(hc.HandcalcError, match=told):
        calculation.explain(f"{part}S_lowered", 0, 0)
    with pytest.raises(hc.HandcalcError, match=told):
        hc.Exercise(calculation, blank=[f"{part}S_lowered"])


def test_a_matrix_of_ones_own_may_have_a_stale_name():
    calculation = hc.Calculation(hc.Matrix([[1]], "S_lowered"))
    assert calculation["S_lowered"].values == 1
    with pytest.raises(hc.HandcalcError, match="no matrix 'S_lowered' here; there are X"):
        hc.examples.self_attention()["S_lowered"]


def test_a_stale_keyword_of_what_if_is_told():
    with pytest.raises(hc.HandcalcError, match=r"^what_if\(off=…\) is now called what_if\(ablate=…\)\.$"):
        hc.examples.heads().what_if(off="head_1")


def test_dir_has_all_public_names_and_nothing_else():
    stub = Path(hc.__file__).with_suffix(".pyi").read_text("utf-8")
    named = [line.split(" as ")[-1] for line in stub.splitlines() if line.startswith("from ")]
    assert len(named) > 60
    assert sorted(dir(hc)) == sorted([*named, "__version__"])
    assert all(getattr(hc, name) is not None for name in dir(hc))
