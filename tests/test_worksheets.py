"""Sheets for a pencil, keys and codes: nothing overlaps or is cut, boxes are large, nothing is given away."""

import random
import re
import string
import zlib
from functools import cache

import numpy as np
import paper as handmade
import pytest
from test_heatmap import TOUCH, extents, numbers_of, texts_of

import handcalc as hc
from handcalc import numbers
from handcalc.classroom import worksheet
from handcalc.practice import codes
from handcalc.practice.faded_examples import results
from handcalc.practice.options import Options
from handcalc.practice.problems import TOPICS
from handcalc.views import paper
from handcalc.views.blanks import blanks

MM = 25.4 / 72  # of a point
SHEETS = [  # topic, level, convention, paper, blank steps
    *((topic, 1, "columns", "a4", None) for topic in TOPICS),
    ("self_attention", 1, "rows", "letter", None),
    ("self_attention", 3, "columns", "letter", ["S", "A"]),
    ("self_attention", 3, "rows", "a4", None),
    ("feed_forward", 3, "rows", "letter", None),
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


def both(pages):
    return [picture for pair in pages for picture in pair]


def asked(made):
    """What is said of the matrices that must be empty, unnamed ones such as Kᵀ too."""
    hidden = blanks(made.calculation, made.blank)
    return {m.display_name for m in made.calculation.record if m in hidden}


# paper --------------------------------------------------------------------------------------------


def test_no_two_texts_overlap_and_none_leaves_the_margins(sheet):
    for picture in both(sheet[1]):
        texts, boxes = texts_of(picture), extents(picture)
        low, high = boxes[:, :2] + TOUCH, boxes[:, 2:] - TOUCH
        meet = (low[:, None] < high[None]).all(-1) & (low[None] < high[:, None]).all(-1)
        assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(np.triu(meet, 1))]
        wide, high = picture.bbox.size
        edge = (paper.EDGE - 2) * picture.dpi / 72
        assert boxes[:, :2].min() >= edge
        assert boxes[:, 2].max() <= wide - edge
        assert boxes[:, 3].max() <= high - edge + 2


def test_no_text_runs_into_the_boxes_of_another_matrix(sheet):
    for picture in both(sheet[1]):
        texts, boxes = texts_of(picture), extents(picture)
        for ax in picture.axes:
            replay = {id(text) for text, _ in numbers_of(ax)}
            cells = ax.bbox
            for text, (x0, y0, x1, y1) in zip(texts, boxes, strict=True):
                apart = x1 <= cells.x0 + TOUCH or x0 >= cells.x1 - TOUCH
                apart |= y1 <= cells.y0 + TOUCH or y0 >= cells.y1 - TOUCH
                assert apart or id(text) in replay, (text.get_text(), ax.get_label())


def test_no_two_matrices_overlap(sheet):
    for picture in both(sheet[1]):
        places = [ax.bbox for ax in picture.axes]
        assert not any(
            one.x0 < two.x1 and two.x0 < one.x1 and one.y0 < two.y1 and two.y0 < one.y1
            for k, one in enumerate(places)
            for two in places[k + 1 :]
        )


def test_a_blank_box_is_large_enough_for_a_pencil(sheet):
    made, pages = sheet
    for page, _ in pages:
        for ax in page.axes:
            if ax.get_label() in asked(made):
                rows, columns = ax.get_ylim()[0], ax.get_xlim()[1]
                gap = 2 * 0.75 * MM  # on a sheet that grows, boxes and gaps do
                assert ax.bbox.width / page.dpi * 25.4 / columns - gap >= 11, ax.get_label()
                assert ax.bbox.height / page.dpi * 25.4 / rows - gap >= 8, ax.get_label()


def test_the_sheet_hides_what_is_asked_for_and_the_key_shows_it(sheet):
    made, pages = sheet
    hidden = asked(made)
    for page, key in pages:
        for empty, full in zip(page.axes, key.axes, strict=True):
            assert bool(list(numbers_of(empty))) != (empty.get_label() in hidden)
            assert list(numbers_of(full))
            np.testing.assert_allclose(empty.get_position(), full.get_position())  # the same sheet


def test_every_matrix_stands_somewhere_with_its_formula(sheet):
    made, pages = sheet
    labels = [ax.get_label() for page, _ in pages for ax in page.axes]
    assert set(made.calculation) <= set(labels)
    said = " ".join(text.get_text() for page, _ in pages for text in texts_of(page))
    assert said.count("given") == len(made.calculation.givens)


def test_the_key_s_numbers_are_the_solutions(sheet):
    made, pages = sheet
    for name in made.blank:
        right = [numbers.typeset(numbers.show(v)) for v in made.solution(name).values.ravel()]
        shown = [
            [text.get_text() for text, _ in numbers_of(ax)]
            for _, key in pages
            for ax in key.axes
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
        for ax in page.axes:
            said = " ".join(text.get_text() for text in ax.texts)
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
    assert any("d_k = 2," in text for text in said)
    captions = " ".join(text.get_text() for page, _ in pages for ax in page.axes for text in ax.texts)
    assert ("later keys at −∞" in captions) == (topic == "causal_self_attention")
    copied = [text for text in said if text.startswith("Boxes without a number")]
    assert len(copied) == (topic == "causal_self_attention")  # the givens of scores are copied for nobody
    assert not any(text.get_text().startswith("Boxes without") for text in key.texts)


def test_an_operand_and_its_result_line_up_with_tokens_as_rows_too():
    _, [(page, _), *_] = drawn("projections", 1, "rows", "a4", None)
    places = {ax.get_label(): ax.get_position() for ax in page.axes}
    assert (places["W_Q"].x0, places["W_Q"].x1) == pytest.approx((places["Q"].x0, places["Q"].x1))
    assert (places["X"].y0, places["X"].y1) == pytest.approx((places["Q"].y0, places["Q"].y1))


def test_a_copy_of_a_blank_is_blank_too():
    made, pages = drawn("self_attention", 1, "columns", "a4", None)
    assert "Kᵀ" in asked(made)
    assert "Kᵀ" in {ax.get_label() for page, _ in pages for ax in page.axes}


# files --------------------------------------------------------------------------------------------


def test_saving_twice_gives_the_same_bytes_with_real_letters(tmp_path):
    made = hc.Exercise(hc.code("softmax"))
    for name in ("one", "two"):
        hc.save_worksheet(made, tmp_path / f"{name}.pdf", key=tmp_path / f"{name}-key.pdf")
    for end in (".pdf", "-key.pdf"):
        data = (tmp_path / f"one{end}").read_bytes()
        assert data == (tmp_path / f"two{end}").read_bytes()
        assert b"/ToUnicode" in data
        assert b"/FontFile2" in data
        assert b"/Type3" not in data
        assert b"CreationDate" not in data


@pytest.mark.parametrize(("size", "inches"), [("a4", (8.27, 11.69)), ("Letter", (8.5, 11))])
def test_paper_has_its_size(tmp_path, size, inches):
    assert hc.save_worksheet(exercise("softmax", 1, "columns"), tmp_path / "s.pdf", paper=size) == 1
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", (tmp_path / "s.pdf").read_bytes())
    assert [float(n) / 72 for n in box.groups()] == pytest.approx(inches, abs=0.01)


def test_a_class_gets_different_sheets_and_their_keys(tmp_path):
    options = Options(("C",), convention="rows")
    signs = worksheet.save_class("matrix-product", 3, tmp_path / "class", seed=4, options=options)
    assert [codes.read(sign)[:3] for sign in signs] == [("matrix_product", 4 + k, 1) for k in range(3)]
    for name in (worksheet.SHEETS, worksheet.KEYS):
        data = (tmp_path / "class" / name).read_bytes()
        assert len(re.findall(rb"/Type /Page\b", data)) == 3
        pages = [zlib.decompress(s) for s in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)
                 if s[:1] == b"x"]  # fmt: skip
        assert len({page for page in pages if b" Tj" in page or b"] TJ" in page}) >= 3


def test_no_two_of_a_class_get_the_same_numbers(monkeypatch):
    """Softmax at level 1 has three small scores: many seeds give the same."""
    seeds = [codes.read(sign).seed for sign in worksheet._different("softmax", 40, 1, 1, Options())]
    drawn = [hc.problem("softmax", seed)["S"].values.ravel().tolist() for seed in seeds]
    assert len(set(map(tuple, drawn))) == len(drawn) == 40
    assert seeds != list(range(1, 41))
    monkeypatch.setattr(worksheet, "MOST_TRIED", 1)
    with pytest.raises(hc.HandcalcError, match=r"softmax has only \d+ different sheets at level"):
        worksheet._different("softmax", 60, 1, 1, Options())


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


def test_bad_wishes_get_one_plain_sentence(tmp_path):
    made, path = exercise("softmax", 1, "columns"), tmp_path / "s.pdf"
    with pytest.raises(hc.HandcalcError, match="paper is 'a5'; it must be 'a4' or 'letter'"):
        hc.save_worksheet(made, path, paper="a5")
    with pytest.raises(hc.HandcalcError, match="cannot be written: there is no such folder; create it first"):
        hc.save_worksheet(made, tmp_path / "none" / "s.pdf")
    with pytest.raises(hc.HandcalcError, match="Name a file for the sheet"):
        hc.save_worksheet(made, None)
    with pytest.raises(hc.HandcalcError, match="withholds its solutions"):
        hc.save_worksheet(hc.Exercise(made.calculation, solutions=False), path, key=path)
    with pytest.raises(hc.HandcalcError, match="The count is 0; it must be 1 to 500"):
        worksheet.save_class("softmax", 0, tmp_path)
    large = hc.Calculation((hc.Matrix(np.ones((50, 2)), "A") @ hc.Matrix(np.ones((2, 2)), "B")).named("C"))
    with pytest.raises(hc.HandcalcError, match="A and C: too large for a sheet of paper"):
        hc.save_worksheet(hc.Exercise(large), path)
    wide = hc.Calculation((hc.Matrix(np.ones((2, 2)), "A") @ hc.Matrix(np.ones((2, 39)), "B")).named("C"))
    with pytest.raises(hc.HandcalcError, match="Calculation is too large for this paper"):
        hc.save_worksheet(hc.Exercise(wide), path)
    assert not path.exists()


# codes --------------------------------------------------------------------------------------------


def test_a_code_loads_exactly_these_numbers():
    for topic in TOPICS:
        sign = hc.code(topic, 41, 2)
        loaded, meant = hc.load(sign), hc.problem(topic, 41, 2)
        assert all((loaded[name].values == meant[name].values).all() for name in meant)


@pytest.mark.parametrize("places", [None, 0, 1, 2, 3, 20])
@pytest.mark.parametrize("convention", [None, "columns", "rows"])
@pytest.mark.parametrize("blank", [None, (), ("Z",), ("concat", "head_1.Q"), "head_2.E_sum"])
def test_a_code_says_how_the_sheet_asks_too(blank, places, convention):
    sign = hc.code("multi_head_attention", 10**6)
    meant = hc.Exercise(hc.problem("multi_head_attention", 10**6), blank, places, convention)
    made = hc.Exercise(hc.Exercise(sign, blank, places, convention).code)
    assert (made.blank, made.places) == (meant.blank, meant.places)
    assert made.calculation.convention == meant.calculation.convention == hc.load(made.code).convention
    assert (made.code == sign) == (made.blank == hc.Exercise(sign).blank and made.places == 2
                                   and made.calculation.convention == "columns")  # fmt: skip
    assert all(
        (made.calculation[name].values == meant.calculation[name].values).all() for name in meant.blank
    )


def test_the_worked_example_has_a_code_whatever_the_seed():
    sign = hc.code("worked-example", blank=["Z"])
    assert sign == hc.code("worked_example", 5, 3, blank=["Z"])
    assert (hc.load(sign)["Z"].values == hc.examples.self_attention()["Z"].values).all()
    assert hc.Exercise(sign).blank == ("Z",)
    assert codes.read(codes.following(sign))[:3] == ("self_attention", 1, 2)
    assert hc.Exercise(codes.following(sign)).blank == ("Z",)


def test_an_exercise_of_a_calculation_has_no_code():
    assert hc.Exercise(hc.problem("softmax")).code == ""


def test_every_topic_has_a_code_of_its_own_and_no_sign_looks_like_another():
    assert set(codes.TOPIC_LETTERS) == {*TOPICS, *codes.EXAMPLES}
    letters = [word.translate(codes.MEANT) for word in codes.TOPIC_LETTERS.values()]
    assert len(set(letters)) == len(letters)
    assert len(codes.SIGNS) == len(set(codes.SIGNS)) == 23
    for alike in ("0OQD", "1ILJ7"[:3], "2Z", "5S", "6G", "8B", "UV"):
        assert len(set(alike) & set(codes.SIGNS)) <= 1, alike


@pytest.mark.parametrize("typed", ["sa1-329t", " SA1 329T ", "SA1329T", "s a 1–3 2 9 t", "5A1-3Z9T"])
def test_case_spaces_and_hyphens_are_forgiven(typed):
    assert codes.read(typed) == ("self_attention", 7, 1, 0, 1)


@pytest.mark.parametrize("options", [{}, {"blank": ["Z"], "convention": "rows"}])
def test_every_slip_of_one_sign_and_every_swap_is_noticed(options):
    sign = hc.code("self_attention", 90210, 2, **options).replace("-", "")
    places = range(len(sign))
    typed = [
        sign[:k] + other + sign[k + 1 :] for k in places for other in string.ascii_uppercase + "0123456789"
    ]
    typed += [sign[:k] + sign[k + 1] + sign[k] + sign[k + 2 :] for k in places[:-1]]
    typed += [sign[:k] + sign[k + 1 :] for k in (0, 1, 2)]
    alike = [word for word in typed if word.translate(codes.MEANT) == sign.translate(codes.MEANT)]
    for word in set(typed) - set(alike):
        with pytest.raises(hc.HandcalcError, match="is not a code"):
            hc.load(word)


def test_any_seed_comes_back():
    chosen = random.Random(1)
    for seed in [0, 1, 22, 23, 528, 529, *(chosen.randrange(codes.BASE**codes.LONGEST) for _ in range(40))]:
        assert codes.read(hc.code("layer_norm", seed, 3)) == ("layer_norm", seed, 3, 0, 2)


def test_a_code_of_another_version_says_so():
    sign = codes.written(codes.Coded("scores", 5, 1, version=codes.VERSION + 1))
    with pytest.raises(hc.HandcalcError, match=f"numbers of version {codes.VERSION + 1}, but this handcalc"):
        hc.load(sign)


@pytest.mark.parametrize("typed", ["", "SA1", "ZZ1-3297", "SA4-329T", "SA1-32", "SA1-0OUV", 7, None, "☃"])
def test_what_is_no_code_gets_one_plain_sentence(typed):
    with pytest.raises(hc.HandcalcError, match="code") as error:
        hc.load(typed)
    assert str(error.value).count(". ") == 0


@pytest.mark.parametrize("arguments", [("nothing",), ("softmax", -1), ("softmax", 1, 4), ("softmax", 10**20)])
def test_what_has_no_code_gets_one_plain_sentence(arguments):
    with pytest.raises(hc.HandcalcError):
        hc.code(*arguments)


# the ladder ---------------------------------------------------------------------------------------


def test_a_ladder_fades_the_result_first_and_ends_in_fresh_numbers():
    worked, some, every, fresh = hc.faded_examples(hc.examples.self_attention(), convention="rows")
    assert worked.blank == ()
    assert some.blank == ("Z",)
    assert every.blank == fresh.blank == tuple(every.calculation.steps)
    assert (worked.calculation["X"].values == every.calculation["X"].values).all()
    assert (fresh.calculation["X"].values != every.calculation["X"].values).any()
    assert sorted(fresh.calculation["X"].values.flat) == sorted(every.calculation["X"].values.flat)
    assert {rung.calculation.convention for rung in (worked, some, every, fresh)} == {"rows"}


def test_a_ladder_climbs_on_a_topic_with_chosen_blanks():
    rungs = hc.faded_examples("softmax", ["E", "A"], seed=3)
    assert rungs[1].blank == ("E", "A")
    assert (rungs[2].calculation["S"].values == hc.problem("softmax", 3)["S"].values).all()
    assert (rungs[3].calculation["S"].values == hc.problem("softmax", 4)["S"].values).all()
    assert results(hc.problem("projections")) == ["Q", "K", "V"]


def test_a_ladder_of_nothing_gets_one_plain_sentence():
    with pytest.raises(hc.HandcalcError, match="starts from a calculation or a topic's name"):
        hc.faded_examples(7)
    with pytest.raises(hc.HandcalcError, match="'P' is not a step here"):
        hc.faded_examples("softmax", ["P"])
    given = hc.Matrix(np.zeros((2, 2)), "A")
    with pytest.raises(hc.HandcalcError, match="No good fresh numbers were found for 'Nothing'"):
        hc.faded_examples(hc.Calculation((given @ given).named("B"), title="Nothing"))
