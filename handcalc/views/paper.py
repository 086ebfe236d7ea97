"""Sheets for a pencil and their keys, set by Typst: as PDF to print, or as pictures for a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from handcalc.foundation.errors import HandcalcError, short
from handcalc.foundation.extras import needed
from handcalc.foundation.progress import with_progress
from handcalc.views.paper_sheet import ROOMS, PaperSheet, write_sheets

__all__ = ["PaperSheet", "Printing", "can_be_written", "paper_called", "set_cards", "set_pages", "set_pdf"]

PAPERS = ("a4", "letter")
SHEETS, CARDS = "paper_pages.typ", "paper_cards.typ"  # the second half of the template
COMMON_LETTERS = "\u0530"  # Latin, Greek and Cyrillic letters come before: Typst's own typefaces have them
OUR_SIGNS = frozenset("₀₁₂₃₄₅₆₇₈₉ᵀ−√Σ→↓⊙·∞≈›…–—“”‘’")
TOO_LARGE = re.compile("«(.*)»")  # the template's message for a sheet without room
PAGE = re.compile(rb"/Type ?/Page\b")


class Printing(NamedTuple):
    """The options for printing sheets."""

    paper: str = "a4"
    is_key: bool = False  # blanks are filled in
    halves: bool = False  # two sheets share a page, where those of their kind have room


def set_pdf(sheets: Sequence[PaperSheet], title: str, how: Printing) -> tuple[bytes, int]:
    """A tagged PDF (PDF/UA-1) of sheets, one after the other, and how many pages it has.

    The bytes are the same every time. Raises HandcalcError for what does not fit on the paper.
    """
    data = _set(sheets, title, how, format="pdf", pdf_standards=["ua-1"])
    return data, len(PAGE.findall(data))


def set_cards(title: str, note: str, cards: Sequence[Mapping[str, Any]], paper: str) -> bytes:
    """A tagged PDF of cards to cut out, each with name, sheets, link and QR code, and the register."""
    data = {"title": title, "paper": paper_called(paper), "note": note, "cards": cards}
    pages: bytes = _compiled(CARDS, data, format="pdf", pdf_standards=["ua-1"])
    return pages


def set_pages(sheet: PaperSheet) -> list[bytes]:
    """The pages of one sheet as SVG."""
    pages = _set([sheet], sheet.calculation.title, Printing(), format="svg")
    return pages if isinstance(pages, list) else [pages]


def paper_called(name: str) -> str:
    """A paper's name, checked; HandcalcError in one plain sentence."""
    if not isinstance(name, str) or name.lower() not in PAPERS:
        raise HandcalcError(f"paper is {short(name)}; it must be {' or '.join(map(repr, PAPERS))}.")
    return name.lower()


@lru_cache(maxsize=4096)
def can_be_written(text: str) -> bool:
    """Whether there is a text, and the typefaces of this computer have all its letters."""
    return bool(text) and all(letter.isspace() or _has_letter(letter) for letter in text)


def _set(sheets: Sequence[PaperSheet], title: str, how: Printing, **options: Any) -> Any:
    """The sheets as Typst sets them, with smaller parts of large matrices where a sheet lacks room."""
    data = {"title": title, "paper": paper_called(how.paper), "halves": how.halves}
    for room in ROOMS:
        written = with_progress(sheets, "Drawing sheets")
        data["sheets"] = write_sheets(written, key=how.is_key, room=room)
        try:
            return _compiled(SHEETS, data, **options)
        except needed("typst", "paper").TypstError as error:
            if not (found := TOO_LARGE.search(error.message)):
                raise
            large = found[1]
    raise HandcalcError(f"{large} is too large for this paper: each step must fit on one page.")


def _compiled(half: str, data: Mapping[str, Any], **options: Any) -> Any:
    text = json.dumps(data, ensure_ascii=False)
    fonts = _typefaces(is_enough=all(letter < COMMON_LETTERS for letter in set(text) - OUR_SIGNS))
    typst = needed("typst", "paper")
    return typst.compile(_template(half), font_paths=fonts, sys_inputs={"data": text}, **options)


@cache
def _typefaces(*, is_enough: bool) -> Any:
    """Typst's own typefaces; those of this computer and DejaVu only where these are not enough."""
    more = [] if is_enough else [str(Path(_font_manager().__file__).parent / "mpl-data" / "fonts" / "ttf")]
    return needed("typst", "paper").Fonts(include_system_fonts=not is_enough, font_paths=more)


@lru_cache(maxsize=4096)
def _has_letter(letter: str) -> bool:
    if not letter.isprintable() or category(letter) == "Co":
        return False
    if letter < COMMON_LETTERS:
        return True
    entries = _font_manager().fontManager.ttflist
    files = {entry.fname for entry in entries if "Last Resort" not in entry.name}
    return any(letter in _letters(file) for file in sorted(files))


@cache
def _letters(file: str) -> frozenset[str]:
    """The letters of a typeface; none if its file is gone or damaged."""
    try:
        return frozenset(map(chr, _font_manager().get_font(file).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()


@cache
def _template(half: str) -> bytes:
    return b"".join(Path(__file__).with_name(name).read_bytes() for name in ("paper_matrices.typ", half))


def _font_manager() -> Any:
    """Matplotlib's list of the local typefaces; it is slow to load, and most sheets do without."""
    from matplotlib import font_manager

    return font_manager
