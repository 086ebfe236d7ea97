"""Words on a map: how wide they are, where they are broken, and what stands higher or lower.

Nothing is drawn here, and no font is asked: widths are those of a wide typeface, so that none is cut.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from handcalc.notation import numbers

TITLE, DETAIL = 13.0, 12.0  # sizes of type, in pixels
SMALLER = 0.85  # what stands higher or lower
NARROW, WIDE = 0.4, 0.98  # of letters, in ems
Run = tuple[str, int]  # a stretch of text, and whether it stands higher (1) or lower (-1)

_PART = re.compile(r"<(/?)(su[bp])>|([^<]+)")


@lru_cache(maxsize=4096)
def markup_runs(label: str) -> tuple[Run, ...]:
    """The stretches of a text with <sub> and <sup>."""
    found: list[Run] = []
    around: list[int] = []  # what is lower in something higher stays with it
    for closing, tag, text in _PART.findall(label):
        if text:
            inner = " " if around[1:] == [-1] else ""
            before = found.pop()[0] if around and found and found[-1][1] == around[0] else ""
            found.append((f"{before}{inner}{unescape(text)}", around[0] if around else 0))
        elif closing:
            around.pop()
        else:
            around.append(1 if tag == "sup" else -1)
    return tuple(found)


def plain_label(label: str) -> str:
    """The same in words and plain letters, for readers who listen: S scaled, γ₁."""
    return "".join([_plain(*run) for run in markup_runs(label)])


def _plain(text: str, shift: int) -> str:
    if not shift:
        return text
    if text.isdecimal():
        return text.translate(numbers.SUPERSCRIPTS if shift > 0 else numbers.SUBSCRIPTS)
    return f" to the power of {text}" if shift > 0 else f" {text}"


@lru_cache(maxsize=4096)
def label_width(label: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is at most."""
    ems = sum(sum(map(_ems, text)) * (SMALLER if shift else 1) for text, shift in markup_runs(label))
    return size * ems * (1.12 if bold else 1.0)


def _ems(letter: str) -> float:
    if letter in "iljtfrI.,:;'|!()[] 1":
        return NARROW
    if letter in "mwMW@%" or ord(letter) > 0x2E80:
        return WIDE
    return 0.7 if letter.isupper() else 0.62


def fitted(label: str, room: float, size: float, *, bold: bool = False, most: int = 2) -> list[str]:
    """The text in as many lines as it needs, but at most `most`; what does not fit ends in `…`."""
    if label_width(label, size, bold=bold) <= room:
        return [label]
    lines = [""]
    for word in label.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or label_width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [_cut(line, room, size, bold) for line in lines]


def _cut(label: str, room: float, size: float, bold: bool) -> str:
    if label_width(label, size, bold=bold) <= room:
        return label
    text = plain_label(label)  # what is cut is not typeset
    while text and label_width(_escaped(text) + "…", size, bold=bold) > room:
        text = text[:-1]
    return _escaped(text.rstrip()) + "…"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
