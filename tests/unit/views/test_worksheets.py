"""Sheets for a pencil and their keys: nothing overlaps or is cut, boxes are large, nothing is given away."""

import re
from functools import cache

import numpy as np
import paper as handmade
import pytest
import tiers
from drawings import TOUCH, axes_of, extents, numbers_of, overlapping, texts_in, texts_of

import handcalc as hc
from handcalc.classroom.handouts import worksheet
from handcalc.notation import numbers
from handcalc.practice.topics.problems import TOPICS
from handcalc.views import paper
from handcalc.views.matrix_sizes import blanks
from handcalc.views.sections import sections

MM = 25.4 / 72  # of a point
DRAWN = {  # the topics whose sheets have something of their own; test-all looks at every topic
    "dot_product", "layer_norm", "gate", "causal_self_attention", "multi_head_attention",
}  # fmt: skip
SHEETS = [  # topic, level, convention, paper, blank steps
    *(
        pytest.param(
            (topic, 1, "columns", "a4", None), marks=[pytest.mark.slow] * (topic in tiers.LARGE["topic"])
        )
        for topic in TOPICS
        if topic in DRAWN
    ),
    ("self_attention", 1, "rows", "letter", None),
    ("self_attention", 3, "columns", "letter", ["S", "A"]),
    pytest.param(("self_attention", 3, "rows", "a4", None), marks=pytest.mark.slow),
    ("feed_forward", 3, "rows", "letter", None),
    *(
        pytest.param((topic, level, convention, paper, None), marks=pytest.mark.sweep)
        for level, convention, paper in ((2, "rows", "a4"), (3, "columns", "letter"))
        for topic in TOPICS
    ),
]


def exercise(topic, level, convention, blank=None):
    return hc.Exercise(hc.code(topic, 7, level), blank, convention=convention)


@cache
def drawn(topic, level, convention, size, blank):
    made = exercise(topic, level, convention, blank and list(blank))
    sheet = worksheet._sheet(made)
    return made, list(paper.pages(sheet, paper=size, keys=(False, True)))


@pytest.fixture(params=SHEETS, ids=lambda case: "-".join(map(str, case[:4])))
def sheet(request):
    *case, blank = request.param
    return drawn(*case, blank and tuple(blank))


def matrices_of(picture):
    """The axes that show a matrix; the map has some of its own."""
    return [ax for ax in axes_of(picture) if ax.get_label() != "map"]


def both(pages):
    return [picture for pair in pages for picture in pair]


def asked(made):
    """What is said of the matrices that must be empty, unnamed ones such as Kᵀ too."""
    hidden = blanks(made.calculation, made.blank)
    return {m.display_name for m in made.calculation.record if m in hidden}


# paper --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_two_texts_overlap_and_none_leaves_the_margins(sheet):
    for picture in both(sheet[1]):
        assert not overlapping(picture)
        boxes = extents(picture)
        wide, high = picture.bbox.size
        edge = (paper.EDGE - 2) * picture.dpi / 72
        assert boxes[:, :2].min() >= edge
        assert boxes[:, 2].max() <= wide - edge
        assert boxes[:, 3].max() <= high - edge + 2


def test_no_text_runs_into_the_boxes_of_another_matrix(sheet):
    for picture in both(sheet[1]):
        texts, boxes = texts_of(picture), extents(picture)
        for ax in matrices_of(picture):
            replay = {id(text) for text, _ in numbers_of(ax)}
            cells = ax.bbox
            for text, (x0, y0, x1, y1) in zip(texts, boxes, strict=True):
                apart = x1 <= cells.x0 + TOUCH or x0 >= cells.x1 - TOUCH
                apart |= y1 <= cells.y0 + TOUCH or y0 >= cells.y1 - TOUCH
                assert apart or id(text) in replay, (text.get_text(), ax.get_label())


def test_no_two_matrices_overlap(sheet):
    for picture in both(sheet[1]):
        places = [ax.bbox for ax in axes_of(picture)]
        assert not any(
            one.x0 < two.x1 and two.x0 < one.x1 and one.y0 < two.y1 and two.y0 < one.y1
            for k, one in enumerate(places)
            for two in places[k + 1 :]
        )


def test_a_blank_box_is_large_enough_for_a_pencil(sheet):
    made, pages = sheet
    for page, _ in pages:
        for ax in axes_of(page):
            if ax.get_label() in asked(made):
                rows, columns = ax.get_ylim()[0], ax.get_xlim()[1]
                gap = 2 * 0.75 * MM  # on a sheet that grows, boxes and gaps do
                assert ax.bbox.width / page.dpi * 25.4 / columns - gap >= 11, ax.get_label()
                assert ax.bbox.height / page.dpi * 25.4 / rows - gap >= 8, ax.get_label()


def test_the_sheet_hides_what_is_asked_for_and_the_key_shows_it(sheet):
    made, pages = sheet
    hidden = asked(made)
    for page, key in pages:
        for empty, full in zip(matrices_of(page), matrices_of(key), strict=True):
            assert bool(list(numbers_of(empty))) != (empty.get_label() in hidden)
            assert list(numbers_of(full))
            np.testing.assert_allclose(empty.get_position(), full.get_position())  # the same sheet


def test_every_matrix_stands_somewhere_with_its_formula(sheet):
    made, pages = sheet
    labels = [ax.get_label() for page, _ in pages for ax in axes_of(page)]
    assert set(made.calculation) <= set(labels)
    said = " ".join(text.get_text() for page, _ in pages for text in texts_of(page))
    parts = sections(made.calculation)
    rows = [row for part in parts for track in part.tracks for row in track.rows]
    drawn = [block.matrix for row in rows for block in row.blocks() if not block.is_copy]
    blank = {m for part in parts for m, origin in part.origins.items() if origin.name in made.blank}
    assert said.count("given") == sum(matrix.is_given and matrix not in blank for matrix in drawn)


def test_the_key_s_numbers_are_the_solutions(sheet):
    made, pages = sheet
    for name in made.blank:
        values = made.solution(name).values  # a number alone has as many places as its size asks for
        right = [numbers.typeset_number(numbers.show_of(values.shape, v, 2)) for v in values.ravel().tolist()]
        shown = [
            [text.get_text() for text, _ in numbers_of(ax)]
            for _, key in pages
            for ax in axes_of(key)
            if ax.get_label() == name
        ]
        assert shown
        assert all(texts == right for texts in shown), name


def test_head_and_foot_say_name_code_rounding_and_page(sheet):
    made, pages = sheet
    assert made.code
    for number, (page, key) in enumerate(pages, start=1):
        said, told = ([text.get_text() for text in picture.texts] for picture in (page, key))
        assert {"Name", "Date"} <= set(said)
        assert "KEY" not in said
        assert "KEY" in told
        assert made.code in said
        assert made.code in told
        assert any("ound what you write down to 2 decimal places" in text for text in said)
        assert (f"Page {number} of {len(pages)}" in said) == (len(pages) > 1)


def test_every_step_bears_its_number_once_and_copies_bear_none(sheet):
    made, pages = sheet
    numbered = []
    for page, _ in pages:
        for ax in axes_of(page):
            said = " ".join(text.get_text() for text in texts_in(ax))
            numbered += [(int(count), ax.get_label()) for count in re.findall(r"(?:^| )(\d+)\.(?= |$)", said)]
    assert sorted(numbered) == list(enumerate(made.calculation.steps, start=1))


@pytest.mark.parametrize(
    ("topic", "title"), [("scores", "Scores"), ("causal_self_attention", "Causal self-attention")]
)
def test_a_sheet_says_what_is_needed_to_do_it(topic, title):
    _, pages = drawn(topic, 1, "columns", "a4", None)
    (page, key), *_ = pages
    said = [text.get_text() for text in page.texts]
    assert title in said
    assert said[said.index("k") + 1].startswith("= 2,")  # after a d
    captions = " ".join(text.get_text() for page, _ in pages for ax in axes_of(page) for text in texts_in(ax))
    assert ("later keys at −∞" in captions) == (topic == "causal_self_attention")
    copied = [text for text in said if text.startswith("Boxes without a number")]
    assert len(copied) == (topic == "causal_self_attention")  # the givens of scores are copied for nobody
    assert not any(text.get_text().startswith("Boxes without") for text in key.texts)


def test_an_operand_and_its_result_line_up_with_tokens_as_rows_too():
    _, [(page, _), *_] = drawn("projections", 1, "rows", "a4", None)
    places = {ax.get_label(): ax.get_position() for ax in axes_of(page)}
    assert (places["W_Q"].x0, places["W_Q"].x1) == pytest.approx((places["Q"].x0, places["Q"].x1))
    assert (places["X"].y0, places["X"].y1) == pytest.approx((places["Q"].y0, places["Q"].y1))


def test_a_copy_of_a_blank_is_blank_too():
    made, pages = drawn("self_attention", 1, "columns", "a4", None)
    assert "Kᵀ" in asked(made)
    assert "Kᵀ" in {ax.get_label() for page, _ in pages for ax in axes_of(page)}


def test_a_key_says_how_far_rounding_at_every_step_leads(tmp_path):
    """What stands on it is what loops find that round at every step."""
    made, [(_, key)] = drawn("self_attention", 1, "columns", "a4", None)
    exact, rough = (handmade.answered(made.calculation, "self_attention", places) for places in (None, 2))
    (said,) = [text.get_text() for text in key.texts if "Rounding at every step" in text.get_text()]
    told = re.findall(r"([\d.]+) in (\w+)", said)
    assert len(told) == 3
    for off, step in told:
        pairs = zip(np.ravel(handmade.rounded(exact[step], 2)), np.ravel(rough[step]), strict=True)
        assert max(abs(a - b) for a, b in pairs) == pytest.approx(float(off), abs=0.006)
