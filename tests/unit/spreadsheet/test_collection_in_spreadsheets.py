"""The public collection as workbooks of our own: read again it is the same, and LibreOffice agrees."""

import pytest
import workbooks

import handcalc as hc

QUICK = ("rnn_small", "mamba_small", "alphafold_alg11", "temperature_small", "w2_21_25")
NAMES = [name for names in hc.examples.by_hand().values() for name in names]


@pytest.mark.parametrize("as_published", [False, True])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]
)
def test_a_sheet_of_the_collection_saved_and_read_again_is_the_same(name, as_published, tmp_path):
    calculation = hc.examples.by_hand(name, as_published=as_published)
    calculation.save_xlsx(tmp_path / "sheet.xlsx")
    workbooks.assert_same(hc.read_xlsx(tmp_path / "sheet.xlsx"), calculation)


@pytest.mark.slow
def test_libreoffice_calculates_the_collection(libreoffice, tmp_path):
    made = {name: hc.examples.by_hand(name, as_published=True) for name in NAMES}
    assert workbooks.differences_of_all(libreoffice, made, tmp_path) == []
