"""Sheets for a pencil and their keys, read from their PDFs: full pages, nothing cut, nothing given away."""

import re
import sys
from collections import Counter
from itertools import chain, combinations, count

import numpy as np
import paper as handmade
import pytest

import handcalc as hc
from handcalc.classroom.folder import unique_draws
from handcalc.classroom.folder.unique_draws import AskedSheet
from handcalc.classroom.handouts import worksheet
from handcalc.foundation import extras
from handcalc.notation import numbers
from handcalc.practice.exercise import codes
from handcalc.practice.exercise.options import SheetOptions
from handcalc.views import paper
from handcalc.views.drawing_order import drawing_order, steps_in_order
from handcalc.views.paper import Printing
from handcalc.views.paper_sheet import write_sheets
from handcalc.views.sections import sections

CASES = [  # topic, level, convention, paper
    ("dot_product", 1, "columns", "a4"),
    ("layer_norm", 2, "columns", "a4"),
    ("causal_self_attention", 1, "columns", "letter"),
    ("self_attention", 3, "rows", "letter"),
    ("multi_head_attention", 1, "columns", "a4"),
    ("feed_forward", 3, "rows", "a4"),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(map(str, case)))
def sheet(request, printed):
    """An exercise, the pages of its sheet and those of its key."""
    topic, level, convention, size = request.param
    made = hc.Exercise(hc.code(topic, 7, level), convention=convention)
    data = [
        paper.set_pdf([worksheet._sheet(made)], "A sheet", Printing(size, key))[0] for key in (False, True)
    ]
    return made, *map(printed.pages, data)


def frames(made, *, key=False):
    """The frames of a sheet, its numbers where their matrices stand."""
    sheet = write_sheets([worksheet._sheet(made)], key=key)[0]
    for m in matrices(sheet["frames"]):
        cells, alt = sheet["numbers"][m["at"]]
        m |= {"cells": cells, "alt": alt, "empty": not any(chain(*cells))}
    return sheet["frames"]


def matrices(frames):
    """Every matrix in frames, in order."""
    units = [unit for frame in frames for tower in frame["towers"] for unit in tower["units"]]
    return [m for u in units for m in (u.get("left"), u["main"], *u.get("beside", ())) if m]


def written(made, *, key=False):
    """Every matrix of a sheet, in order."""
    return matrices(frames(made, key=key))


# pages --------------------------------------------------------------------------------------------


def test_every_page_but_the_last_is_used_and_all_stand_upright(sheet):
    for pages in sheet[1:]:
        assert {page.size[0] < page.size[1] for page in pages} == {True}
        assert all(page.fill >= 0.3 for page in pages[:-1])
        assert [f"Page {k} of {len(pages)}" in page.said for k, page in enumerate(pages, start=1)] == [
            len(pages) > 1
        ] * len(pages)


def test_no_two_texts_overlap_and_none_leaves_the_margins(sheet, printed):
    for page in [page for pages in sheet[1:] for page in pages]:
        wide, high = page.size
        for left, low, right, top in (text.box for text in page.texts):
            assert printed.EDGE - 1 <= left <= right <= wide - printed.EDGE + 1
            assert printed.EDGE - 1 <= low <= top <= high - printed.EDGE + 1
        assert not [pair for pair in combinations(page.texts, 2) if pair[0].overlaps(pair[1])]


def test_type_can_be_read(sheet):
    """All of it has 7 points but what stands below a letter in an exponent."""
    for page in [page for pages in sheet[1:] for page in pages]:
        assert min(text.size for text in page.texts if not text.is_formula) >= 7
        small = [text for text in page.texts if text.size < 7]
        assert len(small) <= sum("exponent" in word for word in page.words) + 1


def test_a_sheet_and_its_key_have_the_same_pages_and_say_what_they_are(sheet):
    made, pages, keys = sheet
    assert len(pages) == len(keys)
    for page, key in zip(pages, keys, strict=True):
        assert len(page.frames) == len(key.frames)
        assert {"Name", "Date"} <= set(page.words)
        assert "KEY" in key.words
        assert "KEY" not in page.words
        assert "Date" not in key.words
        assert made.code in page.words
        assert made.code in key.words
        assert "ound what you write down to 2 decimal places" in page.said


def test_a_sheet_hides_what_is_asked_for_and_the_key_has_nothing_but_that_more(sheet):
    made, pages, keys = sheet
    more = Counter(word for page in keys for word in page.words)
    more.subtract(word for page in pages for word in page.words)
    right = Counter(
        numbers.typeset_number(numbers.show_of(values.shape, value, 2))
        for values in (made.solution(name).values for name in made.blank)
        for value in values.ravel().tolist()
    )
    assert all(more[number] >= count for number, count in right.items())


# what stands on them ------------------------------------------------------------------------------


def test_each_matrix_stands_on_a_sheet_once_with_its_step(sheet):
    made = sheet[0]
    found = written(made)
    steps = [m["number"] for m in found if m["number"]]
    assert sorted(steps) == list(range(1, len(made.calculation.steps) + 1))
    assert len(found) == len(made.calculation)
    assert [m["empty"] for m in found if m["blank"]] == [True] * len(made.blank)
    assert not any(m["empty"] for m in written(made, key=True))


def test_boxes_are_filled_in_in_reading_order(sheet):
    """Nothing is read before it is there."""
    for m in written(sheet[0]):
        assert all(before < m["number"] for before in m["from"])


def test_the_scores_stand_below_the_queries():
    (whole,) = sections(hc.examples.self_attention())
    towers = drawing_order(whole.tracks)
    assert [m.name for m in steps_in_order(towers)] == [
        *("K", "V", "Q", "S", "S_scaled", "E", "E_sum", "A", "Z")
    ]
    assert [row.main.matrix.name for row in towers[0].rows][:5] == ["X", "K", "V", "Q", "S"]


def test_what_two_blocks_read_is_printed_once_before_them(printed):
    made = hc.Exercise(hc.code("multi_head_attention", 7, 1))
    first, *blocks = frames(made)
    (tower,) = first["towers"]
    assert [unit["main"]["name"] for unit in tower["units"]] == ["X"]
    assert [block["title"] for block in blocks] == ["Attention head 1", "Attention head 2", ""]
    assert all(block["why"] for block in blocks[:2])


@pytest.mark.slow
def test_a_block_is_never_split_over_two_pages(printed):
    """A frame that is cut, or has no room, would not be one frame with its title."""
    made = hc.Exercise("ED1-322Y")
    told = [one["title"] for one in frames(made) if one["title"]]
    data, count = paper.set_pdf([worksheet._sheet(made)], "A block", Printing())
    found = printed.pages(data)
    assert count == len(found) > 1
    assert sum(len(page.frames) for page in found) == len(told)
    assert all(sum(title in page.said for page in found) >= 1 for title in told)


def test_a_class_is_laid_out_alike_whatever_its_numbers(printed):
    class_ = [worksheet._sheet(hc.Exercise(hc.code("self_attention", seed, 1))) for seed in range(1, 9)]
    one, *others = (sheet["frames"] for sheet in write_sheets(class_, key=True))
    assert all(frames == one for frames in others)
    alone = [write_sheets([sheet], key=True)[0]["frames"] for sheet in class_]
    assert any(frames != one for frames in alone)


def test_a_block_that_is_asked_for_alone_brings_a_worked_one_and_what_it_reads(printed):
    made = hc.Exercise(hc.Exercise(hc.code("multi_head_attention", 7, 1)).calculation, ["head_2"])
    first, *blocks = frames(made)
    assert [block["title"] for block in blocks] == ["Attention head 1", "Attention head 2"]
    worked, asked = (
        [unit["main"]["empty"] for tower in block["towers"] for unit in tower["units"]] for block in blocks
    )
    assert not any(worked)
    assert all(asked)
    assert first["towers"][0]["units"][0]["main"]["name"] == "X"


def test_a_key_says_how_far_rounding_at_every_step_leads(printed):
    """What stands on it is what loops find that round at every step."""
    made = hc.Exercise(hc.code("self_attention", 7, 1))
    (key,) = printed.pages(paper.set_pdf([worksheet._sheet(made)], "Key", Printing(is_key=True))[0])
    exact, rough = (handmade.answered(made.calculation, "self_attention", places) for places in (None, 2))
    told = re.findall(r"([\d.]+) in (\w+)", key.said[key.said.index("Rounding at every step") :])
    assert len(told) == 3
    for off, step in told:
        pairs = zip(np.ravel(handmade.rounded(exact[step], 2)), np.ravel(rough[step]), strict=True)
        assert max(abs(a - b) for a, b in pairs) == pytest.approx(float(off), abs=0.006)


# large, strange, and for those who listen -----------------------------------------------------------


def test_of_a_large_matrix_a_part_is_printed_and_the_caption_says_which(printed):
    draw = np.random.default_rng(5)
    W, X = hc.Matrix(draw.normal(size=(20, 30)), "W"), hc.Matrix(draw.normal(size=(30, 3)), "X", columns="x")
    large = hc.Calculation((W @ X).named("Q"))
    (page,) = printed.pages(paper.set_pdf([paper.PaperSheet(large, ["Q"])], "Large", Printing())[0])
    assert "rows 1 to 6 of 20, columns 1 to 6 of 30" in page.said


def test_a_name_may_have_letters_of_any_script_and_signs_of_any_language(printed):
    made = worksheet._sheet(hc.Exercise(hc.code("softmax", 7)))
    for name in ('Łukasz "#$[x]* \\ Żółć', "Ольга Ελένη"):
        (page,) = printed.pages(paper.set_pdf([made._replace(name=name)], "Names", Printing())[0])
        assert name in page.said
    assert paper.can_be_written("Zoë Šťastná Ελένη Юля O'Brien $x$ <b> محمد علي")
    assert not paper.can_be_written("")
    assert not paper.can_be_written("Ada \ue000")


def test_a_matrix_s_name_is_no_command(printed):
    strange = hc.Calculation((hc.Matrix([[1, 2]], "panic") * 2).named("Σ_quit"), title='#panic("!")')
    (page,) = printed.pages(paper.set_pdf([paper.PaperSheet(strange, ["Σ_quit"])], "x", Printing())[0])
    assert '#panic("!")' in page.said


def test_who_listens_is_told_each_matrix_and_each_step(sheet):
    made = sheet[0]
    for m in written(made):
        assert m["alt"].startswith(f"Step {m['number']}: " if m["number"] else "")
        assert ("to fill in" in m["alt"]) == m["empty"]
    data, _ = paper.set_pdf([worksheet._sheet(made)], "Listen", Printing())
    assert b"<pdfuaid:part>1</pdfuaid:part>" in data  # Typst refuses to write what has no such texts
    assert data.count(b"/Alt") >= len(made.calculation)


def test_a_page_without_widgets_shows_pictures_of_the_sheet(printed):
    made = hc.Exercise(hc.code("multi_head_attention", 7, 1))
    shown = worksheet.worksheet_html(made)
    count = paper.set_pdf([worksheet._sheet(made)], "x", Printing())[1]
    assert shown.count("<img") == shown.count("data:image/svg+xml;base64,") == count
    assert f"page {count} of {count}" in shown


# Files of sheets: the same bytes, real letters, the paper's size, a different sheet for everyone.
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
