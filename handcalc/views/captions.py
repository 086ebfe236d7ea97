"""The text over a drawn matrix, fitted to its width: name, formula and meaning, line by line.

Lengths are points. A formula is the one that pages show, `e<sup>S<sub>scaled</sub></sup>`: its subscripts and
exponents become stretches of smaller type, lower or higher.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from html import escape, unescape
from math import fsum
from typing import NamedTuple

from matplotlib import font_manager
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from handcalc.notation.markup import Html
from handcalc.record.equations import meaning_of, right_sides
from handcalc.record.matrix import Matrix

NAME_SIZE, QUIET_SIZE, LABEL_SIZE, NUMBER_SIZE = 10.0, 8.5, 8.0, 9.0  # sizes of type
LINE_HEIGHT, STRETCH_GAP = 12.5, 5.0  # from one line to the next; from one stretch of a line to the next
SCRIPT_SCALE = 0.75  # type below or above the line
SCRIPT_RISE = {"sub": -0.2, "sup": 0.4}  # how far it is moved, in sizes of what it belongs to
# for tokens in Chinese
FALLBACK_FONTS = "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans GB"
_measure = TextToPath()


class Piece(NamedTuple):
    """A stretch of one line in one style, starting at x; `rise` lifts it above the line."""

    x: float
    text: str
    size: float = QUIET_SIZE
    is_name: bool = False
    bold: bool = False
    rise: float = 0.0

    @property
    def end(self) -> float:
        """The x at which it stops."""
        return self.x + caption_width(self.text, self.size, bold=self.bold)


Line = list[Piece]


@cache
def font(size: float, *, bold: bool = False) -> FontProperties:
    """The typeface of every text on the sheet, regardless of the reader's own settings."""
    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    family = ["DejaVu Sans", *(name for name in FALLBACK_FONTS if name in installed)]
    weight = "bold" if bold else "normal"
    return FontProperties(family=family, size=size, weight=weight, math_fontfamily="dejavusans")


def caption_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text."""
    return fsum(advance(letter, bold) for letter in text) * size


@lru_cache(maxsize=4096)
def advance(letter: str, bold: bool) -> float:
    """The width of one letter in type of size 1."""
    wide, _, _ = _measure.get_text_width_height_descent(letter, font(100.0, bold=bold), False)
    return float(wide) / 100


def caption(matrix: Matrix, room: float, *, brief: bool = False, note: str | None = None) -> list[Line]:
    """Name, formula and meaning as lines of at most `room`, or of the widest word; `brief`: the name.

    The meaning stays on the formula's line if there is room for all of it. `note` is added to it.
    """
    lines = [name(matrix)]
    if not brief:
        (formula,) = right_sides(matrix, Html)
        text = f"= {formula}" if formula and matrix.name else "given" if matrix.is_given else ""
        _fill(lines, _words(text), room, STRETCH_GAP / 2 if formula else STRETCH_GAP, stays=bool(formula))
    for words in filter(None, (None if brief else meaning_of(matrix), note and escape(note, quote=False))):
        _fill(lines, _words(words.replace("-∞", "−∞")), room, 1.6 * STRETCH_GAP)
    return lines


def name(matrix: Matrix) -> Line:
    """A matrix's name in bold, W with a small Q below; without a name its formula, Kᵀ."""
    text = matrix.symbol().write(Html(symbolic=True))
    return [piece._replace(is_name=True, bold=not piece.rise) for piece in _set(text, NAME_SIZE, bold=True)]


def wrap_markup(html: str, room: float, size: float = QUIET_SIZE, *, bold: bool = False) -> list[Line]:
    """Text with <sub> and <sup> as lines of at most `room`."""
    lines: list[Line] = [[]]
    _fill(lines, _words(html, size, bold=bold), room, 0)
    return lines


def _fill(lines: list[Line], words: Sequence[Line], room: float, gap: float, *, stays: bool = False) -> None:
    """Continue on the last line if all fits there, else from the next one on; edits `lines`.

    What `stays` begins on the last line even if it is too long for any.
    """
    space = caption_width(" ", QUIET_SIZE)
    whole = sum(word[-1].end for word in words) + space * (len(words) - 1)
    x = lines[-1][-1].end + gap if lines[-1] else 0.0
    if x and x + whole > room and (whole <= room or not stays):
        lines.append([])
        x = 0.0
    for word in words:
        if lines[-1] and x + word[-1].end > room:
            lines.append([])
            x = 0.0
        _write(lines[-1], _shifted(word, x), space)
        x = lines[-1][-1].end + space


def _write(line: Line, word: Line, space: float) -> None:
    """Add a word; plain ones are one stretch."""
    first, last = word[0], line[-1] if line else None
    is_next = last is not None and abs(last.end + space - first.x) < 1e-6
    if last and is_next and last._replace(x=0, text="") == first._replace(x=0, text=""):
        line[-1] = last._replace(text=f"{last.text} {first.text}")
        word = word[1:]
    line += word


def _shifted(line: Line, x: float) -> Line:
    return [piece._replace(x=piece.x + x) for piece in line]


def _words(html: str, size: float = QUIET_SIZE, *, bold: bool = False) -> list[Line]:
    """A formula cut at the spaces on the line: `=` stays with the next part."""
    cut = re.sub(r" (?![^<]*</su)", "\0", html).replace("=\0", "= ", 1)
    return [_set(word, size, bold=bold) for word in cut.split("\0") if word]


def _set(html: str, size: float, *, bold: bool = False) -> Line:
    """Text with <sub> and <sup> as stretches of type, the first one at 0."""
    line: Line = []
    for text, now, rise in _levels(html, size):
        x = line[-1].end if line else 0.0
        line.append(Piece(x, text, now, bold=bold and not rise, rise=rise))
    return line


def _levels(html: str, size: float) -> Iterator[tuple[str, float, float]]:
    """Each stretch of text with its size and rise."""
    levels = [(size, 0.0)]
    for tag, text in re.findall(r"<(/?su[bp])>|([^<]+)", html):
        now, rise = levels[-1]
        if text:
            yield unescape(text), now, rise
        elif tag.startswith("/"):
            levels.pop()
        else:
            levels.append((max(SCRIPT_SCALE * now, SCRIPT_SCALE * QUIET_SIZE), rise + SCRIPT_RISE[tag] * now))
