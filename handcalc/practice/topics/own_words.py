"""The words of a learner's own sentence, and the numbers that follow from their letters."""

from __future__ import annotations

import re
from collections import Counter

from handcalc.foundation.errors import HandcalcError, short

FEWEST_WORDS, MOST_WORDS, LONGEST_WORD = 2, 8, 20
MOST_OF_A_GROUP = 2  # letters that are counted
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
PUNCTUATION = '.,;:!?…"“”„«»()¿¡'
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def split_sentence(text: object) -> list[str]:
    """The words of a sentence, in small letters. Raises HandcalcError for fewer than 2, or more than 8."""
    if not isinstance(text, str):
        raise HandcalcError(f"The sentence is {short(text)}; it must be text, such as 'the cat sat'.")
    words = [word for part in re.split(r"[\s_-]+", text.lower()) if (word := part.strip(PUNCTUATION))]
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        count = f"{len(words)} word{'s' * (len(words) != 1)}"
        raise HandcalcError(
            f"The sentence {short(text)} has {count}; it needs {FEWEST_WORDS} to {MOST_WORDS}."
        )
    for word in words:
        if not WORD.fullmatch(word) or len(word) > LONGEST_WORD:
            raise HandcalcError(f"{short(word)} is not a word of at most {LONGEST_WORD} letters or digits.")
    return words


def groups(count: int) -> list[str]:
    """The alphabet in so many groups of letters: `a–e`, `f–i`, …"""
    found: dict[int, str] = {}
    for letter in ALPHABET:
        place = _group(letter, count)
        found[place] = found.get(place, letter)[0] + "–" + letter
    return [found[place] for place in range(count)]


def count_letters(word: str, count: int) -> list[int]:
    """The count of a word's letters in each group, at most 2; another sign goes by its Unicode number."""
    counts = Counter(_group(letter, count) for letter in word if letter not in "'’")
    return [min(counts[group], MOST_OF_A_GROUP) for group in range(count)]


def _group(letter: str, count: int) -> int:
    place = ALPHABET.find(letter)
    return place * count // len(ALPHABET) if place >= 0 else ord(letter) % count
