"""Names, symbols and sentences from callers, checked: every view can write them, on one line."""

from __future__ import annotations

import re
from typing import Any

from handcalc.foundation.errors import HandcalcError, short

MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 100, 500
BRACKETS = re.compile(r"[\[\]=]")  # in a name they would spoil  Z[2,1] = …
UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PLAIN_NAME = re.compile(r"[\w.]{1,100}")  # most names: nothing in it needs a closer look
SYMBOL = re.compile(r"[^\W_][\w.]*")


def read_name(name: Any, *, required: bool = False) -> str | None:
    """A matrix's name, or None for one that has none."""
    if name is None and not required:
        return None
    if type(name) is str and (
        (name.isidentifier() and len(name) <= MAX_NAME_LENGTH) or PLAIN_NAME.fullmatch(name)
    ):
        return name
    if not isinstance(name, str) or not name.strip() or BRACKETS.search(name) or UNWRITABLE.search(name):
        raise HandcalcError(f"A matrix's name is a word such as 'Q', without [ ] = in it, not {short(name)}.")
    if len(name) > MAX_NAME_LENGTH:
        raise HandcalcError(
            f"A name has at most {MAX_NAME_LENGTH} characters; {short(name)} has {len(name):,}."
        )
    return str(name)


def read_symbol(symbol: Any) -> str | None:
    """The symbol of a number that belongs to a formula: one word of letters, digits, _ and dots."""
    if symbol is None:
        return None
    if not isinstance(symbol, str) or len(symbol) > MAX_NAME_LENGTH or not SYMBOL.fullmatch(symbol):
        raise HandcalcError(
            f"A symbol is one word of letters, digits, _ and dots, such as 'd_k', not {short(symbol)}."
        )
    return str(symbol)


def read_text(text: Any, what: str) -> str | None:
    """A title, a meaning or a reason: text on one line, or None for none."""
    if text is None or (type(text) is str and text.isprintable() and len(text) <= MAX_TEXT_LENGTH):
        return text
    if not isinstance(text, str) or UNWRITABLE.search(text):
        raise HandcalcError(f"{what} is {short(text)}; it must be text on one line.")
    if len(text) > MAX_TEXT_LENGTH:
        raise HandcalcError(f"{what} has {len(text):,} characters; at most {MAX_TEXT_LENGTH} can be shown.")
    return str(text)
