"""The text over a drawn matrix, fitted to its width: name, formula and meaning, line by line.

Lengths are points. Formulas are set on one line by matplotlib's own mathtext, broken where a hand would
break them; a name that mathtext cannot read is written as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from matplotlib import font_manager
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from handcalc.equations import right_sides
from handcalc.explanation import Explanation
from handcalc.latex import Latex
from handcalc.markup import Spoken, Text
from handcalc.matrix import Matrix

NAME, QUIET, LABEL, NUMBER = 10.0, 8.5, 8.0, 9.0  # sizes of type
LINE, BREATH = 12.5, 5.0  # from one line to the next; from one piece of a line to the next
FALLBACKS = (
    "Noto Sans CJK SC",
    "PingFang SC",
    "Microsoft YaHei",
    "Hiragino Sans GB",
)  # for tokens in Chinese
_measure = TextToPath()


class Piece(NamedTuple):
    """A stretch of one line in one style, starting at x."""

    x: float
    text: str
    math: bool = False
    is_name: bool = False

    @property
    def size(self) -> float:
        return NAME if self.is_name else QUIET

    @property
    def end(self) -> float:
        """Where it stops."""
        return self.x + width(self.text, self.size, bold=self.is_name, math=self.math)


Line = list[Piece]


@cache
def font(size: float, *, bold: bool = False) -> FontProperties:
    """The typeface of every text on the sheet, whatever the reader's own settings are."""
    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    family = ["DejaVu Sans", *(name for name in FALLBACKS if name in installed)]
    weight = "bold" if bold else "normal"
    return FontProperties(family=family, size=size, weight=weight, math_fontfamily="dejavusans")


@lru_cache(maxsize=8192)
def width(text: str, size: float, *, bold: bool = False, math: bool = False) -> float:
    """How wide a text is; ValueError if mathtext cannot read it."""
    wide, _, _ = _measure.get_text_width_height_descent(text, font(size, bold=bold), math)
    return float(wide)


def caption(
    matrix: Matrix,
    room: float,
    *,
    brief: bool = False,
    note: str | None = None,
    number: int | None = None,
) -> list[Line]:
    """Name, formula and meaning as lines of at most `room`, or of the widest piece; `brief`: the name.

    The meaning stays on the formula's line if there is room for all of it. `note` is added to it, and a
    step's `number` stands before its name.
    """
    counted = [] if number is None else [Piece(0, f"{number}.")]
    start = counted[0].end + BREATH / 2 if counted else 0.0
    lines = [[*counted, _title(matrix)._replace(x=start)]]
    if not brief:
        pieces, math = _formula(matrix)
        _fill(lines, pieces, math, room, BREATH / 2 if math else BREATH)
    for words in filter(None, (None if brief else matrix.meaning, note)):
        _fill(lines, words.replace("-∞", "−∞").split(), False, room, 1.6 * BREATH)
    return lines


def line(explanation: Explanation, room: float) -> list[Line]:
    """The arithmetic of one cell as lines of at most `room`."""
    lines: list[Line] = [[]]
    _fill(lines, *_pieces(explanation.written(OneLine), explanation.written(Signs)), room, 0)
    return lines


def _fill(lines: list[Line], pieces: Sequence[str], math: bool, room: float, gap: float) -> None:
    """Go on writing on the last line if all fits there, else from the next one on; edits `lines`."""
    whole = Piece(0, _joined(pieces, math), math).end
    start = lines[-1][-1].end + gap if lines[-1] else 0.0
    if start and start + whole > room and (whole <= room or not math):
        lines.append([])
        start = 0.0
    now: list[str] = []
    for piece in pieces:
        if (now or start) and Piece(start, _joined([*now, piece], math), math).end > room:
            _write(lines, start, now, math)
            lines.append([])
            now, start = [], 0.0
        now.append(piece)
    _write(lines, start, now, math)


def _write(lines: list[Line], start: float, pieces: list[str], math: bool) -> None:
    if pieces:
        lines[-1].append(Piece(start, _joined(pieces, math), math))


def _joined(pieces: Sequence[str], math: bool) -> str:
    return f"${{}}{' '.join(pieces)}$" if math else " ".join(pieces)


def _title(matrix: Matrix) -> Piece:
    """The name in bold, W with Q below; of an unnamed operand its formula, Kᵀ."""
    tex = f"${matrix.symbol().write(Bold(symbolic=True))}$"
    math = can_be_set(tex)
    return Piece(0, tex if math else matrix.symbol().write(Signs(symbolic=True)), math, is_name=True)


def _formula(matrix: Matrix) -> tuple[list[str], bool]:
    """`= Kᵀ Q` in pieces between which a line may break, and whether they are mathtext."""
    if matrix.operation is None:
        return ["given"], False
    (first, *rest), math = _pieces(*right_sides(matrix, OneLine, Signs))
    return ([f"= {first}", *rest] if math else ["=", first, *rest]), math


def _pieces(tex: str, words: str) -> tuple[list[str], bool]:
    """What mathtext can set, between its breaks, and True; else the words, and False."""
    pieces = _breakable(tex)
    math = all(can_be_set(f"${piece}$") for piece in pieces)
    return (pieces, True) if math else (words.split(), False)


def _breakable(tex: str) -> list[str]:
    """Cut at the spaces outside braces."""
    pieces, depth = [""], 0
    for before, letter in zip(" " + tex, tex, strict=False):
        depth += (letter == "{") - (letter == "}")
        if letter == " " and not depth and before != "\\":
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=1024)
def can_be_set(tex: str) -> bool:
    """Whether mathtext can read it and has letters for it."""
    if not _letters().issuperset(map(ord, tex)):
        return False  # mathtext would write ¤, plain text finds another font
    try:
        width(tex, NAME, math=True)
    except ValueError:
        return False
    return True


@cache
def _letters() -> frozenset[int]:
    """The code points of both typefaces in which mathtext sets names."""
    faces = map(font_manager.findfont, ("DejaVu Sans", "DejaVu Sans:bold"))
    plain, bold = (font_manager.get_font(face).get_charmap() for face in faces)
    return frozenset(plain.keys() & bold.keys())


class OneLine(Latex):
    """LaTeX as mathtext sets it, without stacked fractions."""

    stacks_fractions = False
    font = "mathrm"
    _signs = {" ": r"\; ", "·": r"\,\cdot\, ", "/": r"\, \div\, "}  # noqa: RUF012 - read only

    def name(self, name: str) -> str:
        parts = self.parts(name)
        letter, below = self.upright(parts.letter), self.upright(parts.below)
        return rf"\{self.font}{{{letter}}}" + (rf"_{{\mathrm{{{below}}}}}" if below else "")

    def index(self, text: str) -> str:
        return text.replace(",", "{,}")  # or there would be a gap

    def brackets(self, inside: str) -> str:
        return f"({inside})"

    def power(self, base: str, exponent: str) -> str:
        """An exponent's own subscripts would be too small to read: they stand beside their letter."""
        flat = re.sub(r"_{(\\mathrm{[^{}]*})}", r"\\,\1", exponent)
        return f"{base}^{{{flat}}}"

    def transposed(self, inside: str) -> str:
        """The T goes after the subscript, not over it."""
        return inside + (r"{}" if "_" in inside else "") + r"^{\mathrm{T}}"

    def root(self, inside: str) -> str:
        return f"√{inside}" if " " in inside else rf"\sqrt{{{inside}}}"

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = ", ".join(parts)
        return rf"⌊{inside}⌋" if function == "floor" else rf"\mathrm{{{function}}}({inside})"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return f"[{f'{sign} '.join(parts)}]"

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = "Σ" if function == "sum" else rf"\mathrm{{{function}}}"
        return rf"{sign}_{{\mathrm{{{arrow}}}}}\,{inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        text = " ".join(rf"\mathrm{{{self.upright(word)}}}\ " for word in words.split())
        return f"{text} {', '.join(parts)}".strip()

    @staticmethod
    def upright(words: str) -> str:
        """Plain words as mathtext reads them."""
        words = words.translate(str.maketrans("^~\\", "ˆ∼∖"))  # mathtext cannot write these
        return re.sub(r"([\s$%#&_{}])", r"\\\1", words)


class Bold(OneLine):
    """The name over a matrix."""

    font = "mathbf"


class Signs(Spoken):
    """What mathtext has no letters for: signs as ever, and only names and exponents in words."""

    infix, root, transposed, along = Text.infix, Text.root, Text.transposed, Text.along
