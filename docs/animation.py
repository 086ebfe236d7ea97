"""Draw the animation in the README again: `.venv/bin/python docs/animation.py`.

X becomes Q, K and V, their products scores, the scores shares, and the shares Z; one product is seen being
made. Every number is the record's, and every file has the same bytes on every run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve
from PIL import Image

import handcalc as hc
from handcalc.notation import numbers
from handcalc.views.canvas import Page, Panel, Region, text_width
from handcalc.views.palette import THEMES, borders, mix, rgb, shades
from handcalc.views.picture import INCH, Picture

HERE = Path(__file__).parent
CALC = hc.examples.self_attention()
CELL = ("S", 1, 3)  # whose product is made
WIDE, HIGH, DPI = 704.0, 270.0, 104  # points, and dots to an inch
ROW, TYPE, CAPTION = 20.0, 10.5, 9.5
PLACES = {  # upper left corner of a matrix, and how wide its columns are
    "X": (14.0, 70.0, 23.0), "Q": (142.0, 26.0, 23.0), "K": (142.0, 106.0, 23.0), "V": (142.0, 186.0, 23.0),
    "S": (274.0, 66.0, 25.0), "A": (406.0, 66.0, 29.0), "Z": (554.0, 106.0, 34.0),
}  # fmt: skip
WAYS = [("X", "Q"), ("X", "K"), ("X", "V"), ("Q", "S"), ("K", "S"), ("S", "A"), ("A", "Z"), ("V", "Z")]
FOOT = (274.0, 248.0)  # where the arithmetic begins
BLINK, BEAT, REST = 60, 380, 1600  # milliseconds
LATER = 2  # pictures, from one of them to the next
LINE = 15.0  # the size of the arithmetic
ON_LINE: dict[str, Any] = {"ha": "left", "va": "baseline"}  # how a line of text stands
PLAYS = 3  # of the film: what moves for ever takes attention away
Shown = dict[str, np.ndarray]  # how much of every number is to be seen, from 0 to 1


class Moment(NamedTuple):
    """One picture of the film."""

    shown: Shown
    time: int  # milliseconds
    lit: tuple[tuple[str, int, int, str], ...] = ()  # cells with the name of their accent
    terms: int = 0  # of the product, that are written
    is_told: bool = False  # whether its result is written


def film() -> list[Moment]:
    """All moments in order."""
    shown = {name: np.zeros(CALC[name].shape) for name in PLACES}
    shown["X"][:] = 1
    moments = [Moment(shown, 2 * BEAT)]
    moments += wave(shown, "Q", "K", "V", rest=BLINK)
    moments += product(moments[-1].shown)
    for name, rest in (("S", BEAT), ("A", BEAT), ("Z", REST)):
        moments += wave(moments[-1].shown, name, rest=rest)
    return moments


def wave(shown: Shown, *names: str, rest: int) -> Iterator[Moment]:
    """Matrices fill from their upper left corners on, one soon after the other, a number in three steps."""
    last = max(sum(shown[name].shape) - 2 + LATER * count for count, name in enumerate(names)) + 3
    for at in range(1, last + 1):
        levels = {}
        for count, name in enumerate(names):
            rows, columns = np.indices(shown[name].shape)
            levels[name] = np.maximum(shown[name], np.clip((at - LATER * count - rows - columns) / 3, 0, 1))
        yield Moment(shown | levels, rest if at == last else BLINK)


def product(shown: Shown) -> Iterator[Moment]:
    """Row and column, term by term, and the sum, which drops into its cell."""
    name, row, column = CELL
    read = list(CALC.explain(*CELL).sources)
    accents = ("left", "right")
    pairs = [
        tuple((m.name or "", i, j, accents[k]) for k, (m, i, j) in enumerate(read[at : at + 2]))
        for at in range(0, len(read), 2)
    ]
    everything = tuple(cell for pair in pairs for cell in pair)
    target = ((name, row, column, "chosen"),)
    yield Moment(shown, 3 * BEAT // 2, everything + target)
    for count, pair in enumerate(pairs, start=1):
        yield Moment(shown, BEAT, pair + target, terms=count)
    done = shown[name].copy()
    done[row, column] = 1
    yield Moment(shown | {name: done}, 5 * BEAT // 2, everything + target, terms=len(pairs), is_told=True)


# drawing ------------------------------------------------------------------------------------------------


def drawn(moment: Moment, theme: str) -> Image.Image:
    """One moment as a picture."""
    size = (WIDE / INCH, HIGH / INCH)
    picture = Picture("", "", figsize=size, dpi=DPI, facecolor=THEMES[theme].paper)
    canvas = Page(theme, Region(picture, 0, 0)).sheet
    for start, end in WAYS:
        way(canvas, start, end, float(moment.shown[end].max()))
    for name in PLACES:
        matrix(canvas, name, moment)
    if moment.terms:
        arithmetic(canvas, moment)
    saved = BytesIO()
    picture.savefig(saved, format="png", dpi=DPI)
    return Image.open(saved).convert("RGB")


def matrix(canvas: Panel, name: str, moment: Moment) -> None:
    """Name, meaning and numbers."""
    x, y, wide = PLACES[name]
    here = CALC[name]
    head = text_width(name, 13, bold=True)
    canvas.write(x, y - 6, name, size=13, bold=True, **ON_LINE)
    quiet = {"size": CAPTION, "ink": canvas.theme.quiet}
    canvas.write(x + head + 5, y - 6, here.meaning or "", **quiet, **ON_LINE)
    colours = shades(here.values, canvas.theme, never_negative=here.never_negative)
    for (row, column), level in np.ndenumerate(moment.shown[name]):
        corner = x + column * wide, y + row * ROW
        cell(canvas, corner, wide, colours[row, column], here.values[row, column], level)
    for name_, row, column, accent in moment.lit:
        if name_ == name:
            frame = {"edgecolor": getattr(canvas.theme, accent), "linewidth": 2.2, "zorder": 3}
            style = {"linestyle": (0, (2.2, 1.2))} if accent == "right" else {}
            canvas.box(x + column * wide + 1, y + row * ROW + 1, wide - 2, ROW - 2, **frame, **style)


def cell(
    canvas: Panel, corner: tuple[float, float], wide: float, colour: Any, value: float, level: float
) -> None:
    """A number on its colour, as much of it as is to be seen."""
    paper = rgb(canvas.theme.paper)
    fill, edge = (
        mix(paper, colour, level),
        mix(borders(paper, canvas.theme), borders(colour, canvas.theme), level),
    )
    canvas.box(corner[0] + 1, corner[1] + 1, wide - 2, ROW - 2, facecolor=fill, edgecolor=edge, linewidth=0.6)
    if level > 0:
        ink = to_hex(mix(fill, rgb(canvas.theme.ink), level))
        text = numbers.typeset_number(numbers.show(value, 2))
        canvas.write(corner[0] + wide / 2, corner[1] + ROW / 2, text, size=TYPE, ink=ink, zorder=4)


def way(canvas: Panel, start: str, end: str, level: float) -> None:
    """A quiet ribbon from one matrix to the next; stronger once something has come of it."""
    x0, y0 = side(start, right=True)
    x1, y1 = side(end, right=False)
    if (start, end) == ("V", "Z"):
        y1 += 0.7 * ROW
    elif (start, end) == ("A", "Z"):
        y1 -= 0.7 * ROW
    bend = 0.55 * (x1 - x0)
    path = Curve([(x0 + 4, y0), (x0 + bend, y0), (x1 - bend, y1), (x1 - 5, y1)], [1, 4, 4, 4])
    ink = canvas.faint(0.18 + 0.3 * level, canvas.theme.quiet)
    ribbon = PathPatch(path, fill=False, edgecolor=ink, linewidth=2.4, capstyle="butt", clip_on=False)
    canvas.add_artist(ribbon)


def side(name: str, *, right: bool) -> tuple[float, float]:
    """The middle of a matrix's edge."""
    x, y, wide = PLACES[name]
    rows, columns = CALC[name].shape
    return x + right * columns * wide, y + rows * ROW / 2


def arithmetic(canvas: Panel, moment: Moment) -> None:
    """The product as far as it is made, in the accents of what it reads."""
    head, sum_, result = re.split(r" = ", numbers.typeset_number(str(CALC.explain(*CELL))))
    pieces = [(head, "chosen"), (" = ", "ink")]
    for count, term in enumerate(sum_.split(" + ")[: moment.terms]):
        left, right = term.split("·")
        pieces += [(" + ", "ink")] * (count > 0) + [(left, "left"), ("·", "ink"), (right, "right")]
    pieces += [(" = ", "ink"), (result, "chosen")] if moment.is_told else []
    x, y = FOOT
    for text, ink in pieces:
        is_bold = ink == "chosen"
        canvas.write(x, y, text, size=LINE, bold=is_bold, ink=getattr(canvas.theme, ink), **ON_LINE)
        x += text_width(text.replace(" ", "\u00a0"), LINE, bold=is_bold)


# files --------------------------------------------------------------------------------------------------


def saved(moments: list[Moment], theme: str) -> bytes:
    """The film as an animated WebP, which ends on its last moment."""
    first, *others = [drawn(moment, theme) for moment in moments]
    content = BytesIO()
    times = [moment.time for moment in moments]
    first.save(
        content,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=times,
        loop=PLAYS,
        lossless=True,
        method=6,
    )
    return content.getvalue()


def still(theme: str) -> bytes:
    """The last moment, for those who want nothing to move."""
    content = BytesIO()
    drawn(film()[-1], theme).quantize(128).save(content, "PNG", optimize=True)
    return content.getvalue()


def main() -> None:
    """Write the film and its still in light and dark."""
    moments = film()
    for theme in ("light", "dark"):
        (HERE / f"way-{theme}.webp").write_bytes(saved(moments, theme))
        (HERE / f"way-{theme}.png").write_bytes(still(theme))


if __name__ == "__main__":
    main()
