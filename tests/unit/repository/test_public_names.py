"""`dir(hc)` has the names of the stub, each is there, and a name that is not is told as Python tells it."""

from pathlib import Path

import pytest

import handcalc as hc


def test_dir_has_all_public_names_and_nothing_else():
    stub = Path(hc.__file__).with_suffix(".pyi").read_text("utf-8")
    named = [line.split(" as ")[-1] for line in stub.splitlines() if line.startswith("from ")]
    assert len(named) > 60
    assert sorted(dir(hc)) == sorted([*named, "__version__"])
    assert all(getattr(hc, name) is not None for name in dir(hc))


def test_a_name_that_there_is_not_is_no_attribute():
    with pytest.raises(AttributeError, match="module 'handcalc' has no attribute 'ladder'"):
        _ = hc.ladder
    assert not hasattr(hc.Matrix([[1]], "A"), "numbers")
