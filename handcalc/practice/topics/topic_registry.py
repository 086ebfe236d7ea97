"""The list of everything to practise, drawn or as an example, with its letters and numbers in codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from functools import cache
from typing import NamedTuple, TypeVar

from handcalc.foundation.lazy_rooms import room
from handcalc.practice.topics.rng import Rng
from handcalc.record.calculation import Calculation

Entry = TypeVar("Entry")


class Entries(MutableMapping[str, Entry]):
    """Entries of topics, by their names. The first look-up enters the lessons' own topics.

    So practice imports no lesson, while a lesson's topics import from practice what draws have in common.
    A learner's own sentence is a topic, too, in no list: `of_sentence` makes its entry.
    """

    def __init__(self, of_sentence: Callable[[str], Entry] | None = None) -> None:
        self.entered: dict[str, Entry] = {}  # so far
        self.unlisted: dict[str, Entry] = {}  # found by their names, but in no list: the collection's
        self.of_sentence = of_sentence

    def __getitem__(self, name: str) -> Entry:
        if self.of_sentence and is_sentence(name):
            return self.of_sentence(name)
        _enter_lessons()
        return self.entered[name] if name in self.entered else self.unlisted[name]

    def __setitem__(self, name: str, entry: Entry) -> None:
        self.entered[name] = entry

    def __delitem__(self, name: str) -> None:
        del self.entered[name]

    def __iter__(self) -> Iterator[str]:
        _enter_lessons()
        return iter(self.entered)

    def __len__(self) -> int:
        _enter_lessons()
        return len(self.entered)


@cache
def _enter_lessons() -> None:
    room("course.lesson_topics").enter_all()


Draw = Callable[[Rng, int], Calculation]
SENTENCE = "sentence/"  # the beginning of a sentence's name: sentence/the_cat_sat
SENTENCE_LETTERS, SENTENCE_NUMBER = "SN", 99


def is_sentence(name: object) -> bool:
    """Whether a topic is a learner's own sentence."""
    return isinstance(name, str) and name.startswith(SENTENCE)


def _draw_of_sentence(name: str) -> Draw:
    draw: Draw = room("practice.topics.own_sentence").draw_of(name)
    return draw


TOPICS = Entries[Draw](_draw_of_sentence)
TOPIC_LETTERS = Entries[str](lambda _: SENTENCE_LETTERS)  # the letters of a topic, or an example, in codes
TOPIC_NUMBERS = Entries[int](lambda _: SENTENCE_NUMBER)  # its number in the check sign of codes
OWN_TOPICS: set[str] = set()  # custom topics, from a file or notebook: see own_topics.py
OWN_FIRST = "Y"  # the first letter of custom topics, and of no others
OWN_LETTERS = {f"{OWN_FIRST}{letter}": place for place, letter in enumerate("ABCDEFGHJKLMNPQRSTUVWXZ")}


class Example(NamedTuple):
    """A lesson's worked example: always the same numbers, then the drawn ones that practise the same."""

    make: Callable[[], Calculation]
    after: tuple[str, int, int]  # topic, seed and level


EXAMPLES = Entries[Example]()


def lesson_topic(name: str, letters: str, number: int) -> Callable[[Draw], Draw]:
    """Make a topic of a way to draw: problems, codes, paper, practice and mistakes.md have it then.

    Letters and number are part of codes: never change them, and give a new topic the next number.
    """

    def enter(draw: Draw) -> Draw:
        _reserve(name, letters, number)
        TOPICS[name] = draw
        return draw

    return enter


def lesson_example(
    name: str, letters: str, number: int, *, after: tuple[str, int, int]
) -> Callable[[Callable[[], Calculation]], Callable[[], Calculation]]:
    """Make a sheet with a code of a lesson's worked example, which can be faded like any other.

    `after` has topic, seed and level of the fresh numbers that follow. As with topics, letters, number and
    what the function returns are part of codes: they stay as they are.
    """

    def enter(make: Callable[[], Calculation]) -> Callable[[], Calculation]:
        _reserve(name, letters, number)
        EXAMPLES[name] = Example(make, after)
        return make

    return enter


def collection_topic(name: str, letters: str, number: int) -> Callable[[Draw], Draw]:
    """Make a topic of a sheet of the public collection, `by_hand/NAME`: found by its name, in no other list.

    Its numbers are taken as they are drawn: nobody promises that every mistake shows in them.
    """

    def enter(draw: Draw) -> Draw:
        _check_free(letters, number)
        TOPICS.unlisted[name], TOPIC_LETTERS.unlisted[name] = draw, letters
        TOPIC_NUMBERS.unlisted[name] = number
        return draw

    return enter


def is_of_the_collection(name: str) -> bool:
    """Whether a topic is a sheet of the public collection."""
    return name in TOPICS and name in TOPICS.unlisted


def _reserve(name: str, letters: str, number: int) -> None:
    _check_free(letters, number)
    TOPIC_LETTERS[name], TOPIC_NUMBERS[name] = letters, number


def _check_free(letters: str, number: int) -> None:
    assert not letters.startswith(OWN_FIRST), f"{letters} are those of a topic of somebody's own"
    for entries, value in ((TOPIC_NUMBERS, number), (TOPIC_LETTERS, letters)):
        taken = {*entries.entered.values(), *entries.unlisted.values()}
        assert value not in taken, f"{value} is taken"
