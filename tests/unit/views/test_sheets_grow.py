"""What a long sheet costs: each matrix is measured once, each formula is read once, whatever the pages."""

import io

import pytest

import handcalc as hc
from handcalc.views import matrix_sizes, pagination, paper, picture
from handcalc.views.grouping import grouped
from handcalc.views.matrix_sizes import Ruler, blanks
from handcalc.views.pagination import flowed
from handcalc.views.sheet_layout import tracks


def read_by(count):
    """One matrix that so many products read."""
    X = hc.Matrix([[1, 2, 0], [0, 1, 1]], "X")
    products = [(hc.Matrix([[1, k], [0, 2]], f"W_{k}") @ X).named(f"Y_{k}") for k in range(count)]
    return hc.Calculation(*products, title="Many")


def test_however_often_a_matrix_is_read_it_is_measured_once_at_each_scale(monkeypatch):
    calculation, calls = read_by(30), []
    caption = matrix_sizes.caption
    monkeypatch.setattr(
        matrix_sizes, "caption", lambda *at, **how: calls.append(at[0]) or caption(*at, **how)
    )
    sheet = paper.PaperSheet(calculation, list(calculation.steps))
    (plan,) = paper._plans_of(sheet, paper.PAPERS["a4"])
    assert len(plan.pages) > 1
    drawn = {p.box.matrix for page in plan.pages for p in page}
    assert len(calls) <= 3 * len(drawn)  # as a copy, as wide as its numbers, as wide as a pencil needs


def tries_every_cut(flow, track, measure):
    for count in pagination._cuts(track):
        group = measure(pagination._head(track, count))
        if flow._fits(group):
            return group, pagination._rest(track, count)
    return None, track


@pytest.mark.parametrize("room", [(500, 600), (260, 300), (900, 200)])
@pytest.mark.parametrize("convention", ["columns", "rows"])
def test_cutting_by_halves_finds_what_trying_every_cut_finds(monkeypatch, convention, room):
    calculation = read_by(17).in_convention(convention)
    ruler = Ruler(2, blanks(calculation, list(calculation.steps)))

    def places():
        flow = flowed(tracks(calculation), room, lambda track: grouped(track, ruler))
        return [[(p.box.matrix.display_name, p.x, p.y) for p in page] for page in flow.pages]

    halved = places()
    monkeypatch.setattr(pagination.Flow, "_largest", tries_every_cut)
    assert halved == places()
    assert sum(name[0] == "Y" for page in halved for name, _, _ in page) == 17


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
