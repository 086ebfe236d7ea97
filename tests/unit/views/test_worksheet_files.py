"""Files of sheets: the same bytes, real letters, the paper's size, a different sheet for everyone."""

import sys
from itertools import count

import numpy as np
import pytest

import handcalc as hc
from handcalc.classroom.folder import unique_draws
from handcalc.classroom.folder.unique_draws import AskedSheet
from handcalc.classroom.handouts import worksheet
from handcalc.foundation import extras
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions


def exercise(topic, level, convention, blank=None):
    return hc.Exercise(hc.code(topic, 7, level), blank, convention=convention)


def test_saving_twice_gives_the_same_bytes_with_real_letters(tmp_path, printed):
    made = hc.Exercise(hc.code("softmax"))
    for name in ("one", "two"):
        hc.save_worksheet(made, tmp_path / f"{name}.pdf", key=tmp_path / f"{name}-key.pdf")
    for end in (".pdf", "-key.pdf"):
        data = (tmp_path / f"one{end}").read_bytes()
        assert data == (tmp_path / f"two{end}").read_bytes()
        assert "Softmax" in printed.pages(data)[0].said


@pytest.mark.parametrize(("size", "inches"), [("a4", (8.27, 11.69)), ("Letter", (8.5, 11))])
def test_paper_has_its_size(tmp_path, size, inches, printed):
    assert hc.save_worksheet(exercise("softmax", 1, "columns"), tmp_path / "s.pdf", paper=size) == 1
    (page,) = printed.pages(tmp_path / "s.pdf")
    assert [length / 72 for length in page.size] == pytest.approx(inches, abs=0.01)


def test_a_class_gets_different_sheets_and_their_keys(tmp_path, printed):
    options = SheetOptions(("C",), convention="rows")
    signs = worksheet.save_class("matrix-product", 3, tmp_path / "class", seed=4, options=options)
    assert [codes.read_code(sign)[:3] for sign in signs] == [("matrix_product", 4 + k, 1) for k in range(3)]
    for name in (worksheet.SHEETS_PDF, worksheet.KEYS_PDF):
        said = [page.said for page in printed.pages(tmp_path / "class" / name)]
        assert len({*said}) == 3
        assert [sign in page for sign, page in zip(signs, said, strict=True)] == [True] * 3


@pytest.mark.slow
def test_no_two_of_a_class_get_the_same_numbers(monkeypatch):
    """Softmax at level 1 has three small scores: many seeds give the same."""
    seeds = [
        codes.read_code(one.code).seed
        for one in unique_draws.draw_different(AskedSheet("softmax"), 40, count(1))
    ]
    drawn = [hc.problem("softmax", seed)["S"].values.ravel().tolist() for seed in seeds]
    assert len(set(map(tuple, drawn))) == len(drawn) == 40
    assert seeds != list(range(1, 41))
    monkeypatch.setattr(unique_draws, "MAX_SEEDS_TRIED", 1)
    with pytest.raises(hc.HandcalcError, match=r"softmax has only \d+ different sheets at level"):
        unique_draws.draw_different(AskedSheet("softmax"), 60, count(1))


def test_what_has_no_room_is_refused_in_one_sentence(tmp_path, printed):
    path = tmp_path / "s.pdf"
    wide = hc.Calculation((hc.Matrix(np.ones((2, 2)), "A", rows=["a word " * 30, "b"]) * 2).named("C"))
    with pytest.raises(hc.HandcalcError, match="Calculation is too large for this paper"):
        hc.save_worksheet(hc.Exercise(wide), path)
    assert not path.exists()


def test_without_the_typesetter_one_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(hc.HandcalcError, match=r'This needs Typst.*: pip install "handcalc\[paper\]"$'):
        hc.save_worksheet(exercise("softmax", 1, "columns"), tmp_path / "s.pdf")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(extras, "has_extra", lambda name: name != "paper")
    assert "A = E / E_sum (3, 1)" in worksheet.worksheet_html(exercise("softmax", 1, "columns"))
