"""What a long figure costs: each formula is read once, however often it is drawn."""

import io

import pytest

import handcalc as hc
from handcalc.views import picture


@pytest.mark.slow
def test_what_remembers_formulas_draws_the_same_strokes(monkeypatch):
    calculation = hc.examples.self_attention()

    def saved(kind):
        file = io.BytesIO()
        calculation.figure("S", "S_scaled").savefig(file, format=kind)
        return file.getvalue()

    kept = {kind: saved(kind) for kind in ("svg", "pdf")}
    monkeypatch.delattr(picture.Picture, "draw")
    assert {kind: saved(kind) for kind in ("svg", "pdf")} == kept


@pytest.mark.slow
def test_the_next_page_reads_no_formula_again():
    figure = hc.examples.self_attention().figure("S_scaled")
    figure.savefig(io.BytesIO(), format="pdf")
    before = picture._parsed.cache_info().misses
    figure.savefig(io.BytesIO(), format="pdf")
    assert picture._parsed.cache_info().misses == before
