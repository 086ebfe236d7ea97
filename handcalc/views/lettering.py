"""Many short texts on a drawing, set letter by letter: one outline for each letter, reused at every place.

matplotlib lays every text out by itself, which takes longer than all else on a sheet of numbers. Letters have
no kerning here; numbers need none. In a PDF texts stay texts, which can be searched and copied.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib import font_manager
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgba
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform, Transform

from handcalc.notation.names import split_name
from handcalc.record.matrix import Matrix
from handcalc.views.captions import NAME_SIZE, advance, caption_width, font

POINT = 72.0  # to an inch
TEXT_FORMATS = ("pdf", "ps")  # kinds of file in which text is text
_outlines = TextToPath()
_measure = TextToPath()


class Word(NamedTuple):
    """A text at (x, y), moved by points; with `align` 0 it begins there, with 1 it ends there."""

    text: str
    x: float
    y: float
    right: float
    up: float
    size: float
    ink: str
    align: float = 0.0
    bold: bool = False
    reads_upwards: bool = False


class Letters(Artist):
    """Words whose places are in the units of `place`; `scale` shrinks type and distances in points."""

    def __init__(self, words: Sequence[Word], place: Transform, scale: float) -> None:
        super().__init__()
        self.words, self.place, self.scale = words, place, scale
        self.set_zorder(3)
        self.set_clip_on(False)

    def draw(self, renderer: RendererBase) -> None:
        """Put every letter where it belongs, all of one kind at once."""
        gc = renderer.new_gc()
        gc.set_linewidth(0)
        gc.set_snap(False)
        if self.figure is not None and self.figure.canvas.get_default_filetype() in TEXT_FORMATS:
            self._draw_texts(renderer, gc)
        else:
            self._draw_letters(renderer, gc)
        gc.restore()

    def _draw_letters(self, renderer: RendererBase, gc: Any) -> None:
        kinds: dict[tuple[Any, ...], list[tuple[float, float]]] = defaultdict(list)
        for word, x, y in self._starts():
            pixels, far = word.size * self._pixels, 0.0
            for letter in word.text:
                at = (x, y + far) if word.reads_upwards else (x + far, y)
                kinds[letter, word.bold, word.size, word.ink, word.reads_upwards].append(at)
                far += advance(letter, word.bold) * pixels
        for (letter, bold, size, ink, upwards), places in kinds.items():
            shape = Affine2D().scale(size * self._pixels).rotate_deg(90 if upwards else 0)
            gc.set_foreground(ink)
            outline = _outline(letter, bold)
            if len(outline):  # a space has none
                renderer.draw_markers(gc, outline, shape, Path(places), IdentityTransform(), to_rgba(ink))

    def _draw_texts(self, renderer: RendererBase, gc: Any) -> None:
        _, height = renderer.get_canvas_width_height()
        for word, x, y in self._starts():
            gc.set_foreground(word.ink)
            type_ = font(word.size * self.scale, bold=word.bold)
            down = height - y if renderer.flipy() else y
            renderer.draw_text(gc, x, down, word.text, type_, 90 if word.reads_upwards else 0)

    @property
    def _pixels(self) -> float:
        """The backend's dots in a point of the drawing."""
        return self.scale * float(self.figure.dpi) / POINT if self.figure is not None else 1.0

    def _starts(self) -> Iterator[tuple[Word, float, float]]:
        """Each word, and where its first letter's foot is on the canvas."""
        if not self.words:
            return
        for word, (x, y) in zip(
            self.words, self.place.transform([(w.x, w.y) for w in self.words]).tolist(), strict=True
        ):
            before = word.align * caption_width(word.text, word.size, bold=word.bold)
            right, up = (0, -before) if word.reads_upwards else (-before, 0)
            yield word, x + (word.right + right) * self._pixels, y + (word.up + up) * self._pixels

    def boxes(self) -> list[Bbox]:
        """The room that each word takes on the canvas."""
        found = []
        for word, x, y in self._starts():
            long = caption_width(word.text, word.size, bold=word.bold) * self._pixels
            high, low = 0.76 * word.size * self._pixels, 0.24 * word.size * self._pixels
            box = (x - high, y, x + low, y + long) if word.reads_upwards else (x, y - low, x + long, y + high)
            found.append(Bbox.from_extents(*box))
        return found

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """The room that all of it takes, so that nothing is cut where a figure is saved tight."""
        return Bbox.union(self.boxes()) if self.words else Bbox.null()


@cache
def _outline(letter: str, bold: bool) -> Path:
    """A letter in type of size 1, its foot at (0, 0)."""
    vertices, codes = _outlines.get_text_path(font(100.0, bold=bold), letter)
    return Path(np.reshape(vertices, (-1, 2)) / 100, codes)


def mathtext_name(matrix: Matrix) -> str:
    """A matrix's name for `math=True`: bold, with its subscript."""
    parts = split_name(matrix.display_name)
    letter, below = upright(parts.letters), upright(parts.below)
    tex = rf"$\mathbf{{{letter}}}" + (rf"_{{\mathrm{{{below}}}}}$" if below else "$")
    return tex if can_be_set(tex) else matrix.display_name.replace("$", r"\$")


@lru_cache(maxsize=1024)
def mathtext_width(text: str, size: float) -> float:
    """The width of a text with formulas in it; ValueError if mathtext cannot read it."""
    wide, _, _ = _measure.get_text_width_height_descent(text, font(size), True)
    return float(wide)


@lru_cache(maxsize=1024)
def can_be_set(tex: str) -> bool:
    """Whether mathtext can read it and has letters for it."""
    if not _letters().issuperset(map(ord, tex)):
        return False  # mathtext would write ¤, plain text finds another font
    try:
        mathtext_width(tex, NAME_SIZE)
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
