"""A calculation of several blocks in figures: the map, then the sheet of each; or one block alone."""

import cases
from drawings import axes_of, texts_of

import handcalc as hc
from handcalc.views.sections import fit_sections, sections

ENCODER = cases.build("encoder_layer")


def labels(picture):
    return [ax.get_label() for ax in axes_of(picture)]


def said(picture):
    return " ".join(text.get_text() for text in texts_of(picture))


def test_the_map_comes_first_then_every_matrix_of_every_block():
    calculation = cases.build("multi_head_attention")
    picture = calculation.figure()
    assert labels(picture)[0] == "map"
    assert set(calculation) <= set(labels(picture))


def test_a_block_alone_has_its_own_matrices_and_its_inputs():
    picture = ENCODER.figure("attention.head_1", theme="dark")
    inside = {f"attention.head_1.{name}" for name in ENCODER.blocks["attention.head_1"].steps}
    named = {label for label in labels(picture) if label in ENCODER}
    assert inside <= named
    assert named - inside == {"X", *(f"attention.head_1.W_{name}" for name in "QKV")}


def test_what_comes_from_elsewhere_says_from_where():
    assert "from Add & norm 1 › Layer norm" in said(ENCODER.figure("ff"))


def test_a_cell_is_marked_on_every_sheet_that_shows_it():
    plain, marked = (ENCODER.figure("ff", explain=cell) for cell in (None, ("ff.H", 0, 0)))
    assert "= " in said(marked).removeprefix(said(plain))
    assert sum(len(ax.patches) for ax in axes_of(marked)) > sum(len(ax.patches) for ax in axes_of(plain))


def test_too_much_for_one_picture_is_a_map_and_a_sentence_on_how_to_see_a_block():
    stack = ENCODER
    for _ in range(2):
        g = cases.givens(1)
        stack = hc.encoder_layer(stack.result, g.heads, g.W_O, g.norms[0], g.ff, g.norms[1])
    assert len(fit_sections(sections(stack))) < len(sections(stack))
    picture = stack.figure()
    assert labels(picture) == ["map"]
    assert 'calc.figure("layer_3.add_norm_2.norm") draws a block' in said(picture)
