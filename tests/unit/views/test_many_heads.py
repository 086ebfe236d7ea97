"""What many heads are stacked into stands after them; beside the stack twelve of them would have no room."""

import numpy as np
import pytest

import handcalc as hc
from handcalc.views import paper
from handcalc.views.sheet_layout import tracks


def of_heads(count):
    draw = np.random.default_rng(count)
    heads = [tuple(draw.normal(size=(2, 4)) for _ in range(3)) for _ in range(count)]
    return hc.multi_head_attention(draw.normal(size=(4, 3)), heads, draw.normal(size=(4, 2 * count)))


@pytest.mark.parametrize(("count", "beside"), [(3, 3), (4, 0), (12, 0)])
def test_many_heads_stand_before_the_stack_that_is_made_of_them(count, beside):
    level = of_heads(count).level("")
    laid = tracks(level)
    (place,) = (k for k, track in enumerate(laid) if track.rows[0].main.matrix.display_name == "concat")
    row = laid[place].rows[0]
    assert len(row.right) == beside
    before = [track.rows[0].main.matrix.name for track in laid[:place]]
    assert [name for name in before if name.endswith(".Z")] == [
        f"head_{k}.Z" for k in range(1, count + 1) if not beside
    ]


def test_the_block_of_twelve_heads_fits_on_paper(printed):
    draw = np.random.default_rng(1)
    heads = [hc.Matrix(draw.normal(size=(32, 12)), f"Z_{k}") for k in range(12)]
    W_O = hc.Matrix(draw.normal(size=(8, 384)), "W_O")
    stacked = hc.Calculation((W_O @ hc.concat(heads).named("concat")).named("Z"))
    data, count = paper.set_pdf([paper.PaperSheet(stacked, ["Z"])], "Twelve heads", paper.Printing())
    assert 1 <= count == len(printed.pages(data)) <= 8
