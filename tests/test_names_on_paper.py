"""Names in every script: what mathtext has no letters for is left to fonts that have them."""

import pytest

import handcalc as hc
from handcalc.views.captions import caption

WIDE = 500.0


def drawn(matrix):
    """Each piece of the caption: its text, and whether mathtext sets it."""
    return [(piece.text, piece.math) for line in caption(matrix, WIDE) for piece in line]


@pytest.mark.filterwarnings("ignore:Glyph .* missing")  # where no such font is installed
@pytest.mark.parametrize("name", ["查询", "クエリ", "키", "𠮷"])
def test_a_name_that_mathtext_has_no_letters_for_is_plain_text(name, caplog):
    given = hc.Matrix([[1, 2]], name)
    assert drawn(given)[0] == (name, False)
    title, formula = drawn((given * 2).named("B"))
    assert title[1]
    assert formula == (f"= {name}·2", False)
    assert not caplog.records  # mathtext says so in the log when it writes ¤ instead


@pytest.mark.parametrize("name", ["W_Q", "Ω_σ", "Ключ", "A'", "é"])
def test_a_name_that_mathtext_has_letters_for_is_set(name):
    assert drawn(hc.Matrix([[1, 2]], name))[0][1]
