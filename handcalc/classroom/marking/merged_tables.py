"""One sheet in several tables: what was typed in each is put together where nothing contradicts it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from handcalc.classroom.submissions.input_limits import MOST_SENTENCES
from handcalc.classroom.submissions.submission import HandedIn

MOST = 20  # tables of one sheet that are compared with one another
Texts = dict[tuple[str, int, int], str]


def joined(sheets: Iterable[HandedIn]) -> list[HandedIn]:
    """The same sheets in their order, each part with what the other parts of it say."""
    found = list(sheets)
    parts: dict[str, list[HandedIn]] = {}
    for sheet in found:
        if sheet.is_part:
            parts.setdefault(sheet.code, []).append(sheet)
    return [_with(sheet, parts[sheet.code]) if sheet.is_part else sheet for sheet in found]


def _with(sheet: HandedIn, parts: list[HandedIn]) -> HandedIn:
    """A part with all those that say the same as it in every blank that both of them fill."""
    texts, typed, unread = _texts(sheet), sheet.typed, {**sheet.unread}
    for other in parts if 1 < len(parts) <= MOST else ():
        more = _texts(other)
        if other is sheet or any(texts.get(place, text) != text for place, text in more.items()):
            continue
        new = (one for one in other.typed if one.text.strip() and one[:3] not in texts)
        typed = tuple(sorted([*typed, *new]))  # so that both of two parts say the same
        texts |= more
        unread = dict(sorted({**unread, **other.unread}.items()))
    return replace(sheet, typed=typed, unread=dict(list(unread.items())[:MOST_SENTENCES]))


def _texts(sheet: HandedIn) -> Texts:
    return {one[:3]: one.text.strip() for one in sheet.typed if one.text.strip()}
