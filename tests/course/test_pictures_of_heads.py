"""Fans, a stack mixed as a sum, and the tower: what they say of the record, and what they refuse."""

import lesson_pictures
import pytest

import handcalc as hc
from handcalc.course.heads import figures as heads_figures

CALC = hc.examples.heads()
SHARES = [CALC["head_1.A"], CALC["head_2.A"]]


def test_fans_say_every_share_of_every_head():
    assert heads_figures.fans(SHARES, "chase").alt == (
        "How “chase” shares out its attention. Attention head 1: 0.77 to dogs, 0.05 to chase, 0.19 to cats; "
        "Attention head 2: 0.94 to dogs, 0.06 to chase, 0.00 to cats."
    )
    assert heads_figures.fans(SHARES[1], 0).alt.endswith("head 2: 0.49 to dogs, 0.03 to chase, 0.49 to cats.")


def test_each_head_has_a_colour_and_a_line_style_of_its_own():
    fans = heads_figures.fans(SHARES, "chase").axes
    styles = [{line.get_linestyle() for line in fan.lines} for fan in fans]
    assert [len(some) for some in styles] == [1, 1]
    assert styles[0] != styles[1]


@pytest.mark.slow
def test_a_stack_is_mixed_as_a_sum_of_what_each_band_brings():
    W_O, Z = CALC["W_O"].values, [CALC[f"head_{h}.Z"].values for h in (1, 2)]
    alt = hc.draw.concat_heads(CALC["Z"]).alt
    for k, part in enumerate((W_O[:, :2] @ Z[0], W_O[:, 2:] @ Z[1])):
        first = " ".join(f"{x:.2f}" for x in part[0])
        assert f"columns {2 * k + 1} to {2 * k + 2} of W O times Z of head {k + 1} bring {first}" in alt


def test_the_tower_has_the_rows_of_the_source_page():
    alt = lesson_pictures.PICTURES["tower"]().alt
    page = {"W_Q": "128 to 191", "W_K": "640 to 703", "W_V": "1152 to 1215"}
    assert all(f"{kind} of head 3 in rows {rows}" in alt for kind, rows in page.items())


@pytest.mark.slow
def test_the_small_maps_say_what_each_head_looks_at_most():
    alt = lesson_pictures.PICTURES["heads"]().alt
    assert alt.startswith("What column 11, B, looks at most. layer 1, head 1: C (row 1) 0.64; ")
    assert "layer 3, head 2: C (row 1) 0.43, B (row 11) 0.30; layer 3, head 3: A (row 7) 0.16." in alt
