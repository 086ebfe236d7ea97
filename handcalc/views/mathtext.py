"""Names of matrices among words, as matplotlib's own mathtext sets them; what it cannot set stays plain."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from matplotlib import font_manager
from matplotlib.textpath import TextToPath

from handcalc.notation.names import split_name
from handcalc.record.matrix import Matrix
from handcalc.views.captions import NAME, font

_measure = TextToPath()


def mathtext_name(matrix: Matrix) -> str:
    """A matrix's name for `math=True`: bold, with what is below it below."""
    parts = split_name(matrix.display_name)
    letter, below = upright(parts.letters), upright(parts.below)
    tex = rf"$\mathbf{{{letter}}}" + (rf"_{{\mathrm{{{below}}}}}$" if below else "$")
    return tex if can_be_set(tex) else matrix.display_name.replace("$", r"\$")


@lru_cache(maxsize=1024)
def mathtext_width(text: str, size: float) -> float:
    """How wide a text with formulas in it is; ValueError if mathtext cannot read it."""
    wide, _, _ = _measure.get_text_width_height_descent(text, font(size), True)
    return float(wide)


@lru_cache(maxsize=1024)
def can_be_set(tex: str) -> bool:
    """Whether mathtext can read it and has letters for it."""
    if not _letters().issuperset(map(ord, tex)):
        return False  # mathtext would write ¤, plain text finds another font
    try:
        mathtext_width(tex, NAME)
    except ValueError:
        return False
    return True


@cache
def _letters() -> frozenset[int]:
    """The code points of both typefaces in which mathtext sets names."""
    faces = map(font_manager.findfont, ("DejaVu Sans", "DejaVu Sans:bold"))
    plain, bold = (font_manager.get_font(face).get_charmap() for face in faces)
    return frozenset(plain.keys() & bold.keys())


def upright(words: str) -> str:
    """Plain words as mathtext reads them."""
    words = words.translate(str.maketrans("^~\\", "ˆ∼∖"))  # mathtext cannot write these
    return re.sub(r"([\s$%#&_{}])", r"\\\1", words)
