"""Names in every script: letters that the sheet's own typeface lacks are left to fonts that have them."""

import pytest

import handcalc as hc
from handcalc.views.captions import caption

WIDE = 500.0


def drawn(matrix):
    """Each piece of the caption: its text, and how far it is raised."""
    return [(piece.text, piece.rise) for line in caption(matrix, WIDE) for piece in line]


@pytest.mark.filterwarnings("ignore:Glyph .* missing")  # where no such font is installed
@pytest.mark.parametrize("name", ["查询", "クエリ", "키", "𠮷", "A'", "é", "Ключ", "$x^%{", "R&D <b>"])
def test_a_name_is_written_as_it_is(name):
    given = hc.Matrix([[1, 2]], name)
    assert drawn(given)[0] == (name, 0)
    title, *formula = drawn((given * 2).named("B"))
    assert title == ("B", 0)
    assert "".join(text for text, _ in formula).replace(" ", "") == f"={name}·2".replace(" ", "")


def test_what_is_below_the_line_is_lower_and_an_exponent_is_higher():
    S = hc.Matrix([[1, 2]], "S_scaled")
    (letter, below), rest = drawn(S)[:2], drawn(hc.exp(S).named("E"))[1:]
    assert letter == ("S", 0)
    assert below[0] == "scaled"
    assert below[1] < 0
    assert [text for text, _ in rest] == ["= e", "S", "scaled"]
    e, exponent, its_own = (rise for _, rise in rest)
    assert e == 0 < its_own < exponent
