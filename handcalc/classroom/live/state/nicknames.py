"""Names that learners give themselves, as others may see them."""

from __future__ import annotations

import unicodedata

LONGEST = 30  # letters
MARKS = 2  # accents above or below one letter
MARK, UNSEEN = "M", ("C", "Z")  # categories of characters


def cleaned(nick: str) -> str:
    """A nickname on one line, without characters that are unseen, turn the line round or climb out of it."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", nick[: 10 * LONGEST]):
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith(MARK) else 0
        if letter.isspace() or category == "Zs":
            kept.append(" ")
        elif not category.startswith(UNSEEN) and marks <= MARKS:
            kept.append(letter)
    words = " ".join("".join(kept).split())
    return words[:LONGEST].strip()
