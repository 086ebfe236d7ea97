"""Short codes for paper: a few characters that stand for exactly these numbers, such as SA1-4292.

Two letters name the topic, a digit the level; then come the version of the draws, the seed, and a check
sign. The code of an unusual sheet (tokens as rows, some steps given, other places) has a few signs more.
No two signs look alike; where a similar one is typed, it is read as the intended one. The check sign
detects any single wrong sign, and any two that are swapped.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.accepted_types import Convention
from handcalc.notation.validation import read_places
from handcalc.practice.exercise.options import SheetOptions, read_blank
from handcalc.practice.exercise.time_plan import plan_minutes
from handcalc.practice.topics import (
    EXAMPLES,
    OWN_LETTERS,
    OWN_TOPICS,
    TOPIC_LETTERS,
    TOPIC_NUMBERS,
    TOPICS,
    problems,
)
from handcalc.practice.topics.own_words import split_sentence
from handcalc.practice.topics.problems import DRAW_VERSION, problem
from handcalc.practice.topics.topic_registry import SENTENCE, SENTENCE_LETTERS, SENTENCE_NUMBER
from handcalc.record.calculation import Calculation

CODE_SIGNS = "23456789ACEFHJKMNPRTWXY"  # as many as a prime number, so that the check sign catches every slip
CODE_BASE = len(CODE_SIGNS)
MISTAKEN_SIGNS = str.maketrans("BGSZIL", "865211", " -–—_.\t\n")  # signs that look like one in use
BEFORE_WORDS = "~"  # before the words of a learner's own sentence: SN2-4292~the-cat-sat
MIN_CODE_SEED_SIGNS, MAX_CODE_SEED_SIGNS = 2, 12  # signs of a seed
MAX_SEED_AND_OPTION_SIGNS = 17  # with more, two places of the check sum would weigh the same
NOT_DRAWN = 1  # the version of a worked example
WITH_OPTIONS = 11  # added to the version where options follow the seed


class CodeParts(NamedTuple):
    """The parts of a code."""

    topic: str
    seed: int
    level: int
    options_number: int = 0  # SheetOptions as a number

    @property
    def numbers(self) -> Calculation:
        """The calculation that the code stands for, tokens as columns."""
        made = EXAMPLES.get(self.topic)
        return made.make() if made else problem(self.topic, self.seed, self.level)

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of its steps, from any draw: which numbers are good to practise with takes longer."""
        return tuple(self.any_draw.steps)

    @property
    def any_draw(self) -> Calculation:
        """Numbers of this kind, good to practise with or not."""
        if self.topic in EXAMPLES:
            return self.numbers
        return TOPICS[self.topic](problems.stream(self.topic, self.seed, self.level), self.level)


def code(
    topic: str,
    seed: int = 1,
    level: int = 1,
    *,
    blank: Iterable[str] | None = None,
    places: int = 2,
    convention: Convention = "columns",
) -> str:
    """The code of the numbers of `problem(topic, seed, level)` and of how a sheet asks for them.

    >>> hc.code("self_attention", 7), hc.code("worked_example", convention="rows")
    ('SA1-4292', 'WE1-H42239')

    Raises HandcalcError for an unknown topic or level, for a seed below 0 or of 17 digits, and for
    options that `Exercise` refuses.
    """
    found = code_parts(topic, seed, level)
    is_usual = blank is None and read_places(places) == SheetOptions().places
    if not (is_usual and isinstance(convention, str) and convention == SheetOptions().convention):
        numbers = found.numbers.in_convention(convention)
        options = SheetOptions(read_blank(blank, numbers), places, convention)
        found = found._replace(options_number=options.as_number(numbers.steps))
    return write_code(found)


def load(code: str) -> Calculation:
    """The calculation that a code stands for; case, spaces and hyphens do not matter.

    >>> hc.load("SA1-4292")["X"]
    X  (5 by 3, given)
        x₁  x₂  x₃
    f₁   0   2   1
    f₂   0   0   0
    f₃   2   1   2
    f₄   1   0   0
    f₅   0   0   0

    Raises HandcalcError for anything that is not a code, and for a code of a later handcalc.
    """
    numbers, options = expand_code(read_code(code))
    return numbers.in_convention(options.convention)


def expand_code(found: CodeParts) -> tuple[Calculation, SheetOptions]:
    """The numbers of a code, tokens as columns, and how they are asked for."""
    numbers = found.numbers
    return numbers, SheetOptions.of_number(found.options_number, numbers.steps)


def plan_code(code: str, minutes: float) -> tuple[str, int]:
    """The code of the same numbers with only the blanks that fit, and how many problems make up the time.

    Its blanks follow from sizes, so all seeds have the same.
    """
    found = read_code(code)
    steps = found.any_draw
    options = SheetOptions.of_number(found.options_number, steps.steps)
    plan = plan_minutes(steps, minutes, options.blank)
    blank = None if plan.blank == tuple(steps.steps) else plan.blank
    number = options._replace(blank=blank).as_number(steps.steps)
    return write_code(found._replace(options_number=number)), plan.problems


def whole_code(code: str) -> str:
    """The code of the same numbers with all steps blank."""
    found = read_code(code)
    options = SheetOptions.of_number(found.options_number, found.steps)
    return write_code(found._replace(options_number=options._replace(blank=None).as_number(found.steps)))


def following_code(code: str) -> str:
    """The code for the next numbers, asked for in the same way."""
    found = read_code(code)
    if found.topic not in EXAMPLES:
        return write_code(found._replace(seed=found.seed + 1))
    after = CodeParts(*EXAMPLES[found.topic].after)
    steps, (numbers, options) = tuple(after.numbers.steps), expand_code(found)
    if steps != tuple(numbers.steps):  # then it is unknown which of them were to be blank
        options = options._replace(blank=None)
    return write_code(after._replace(options_number=options.as_number(steps)))


def is_code(text: object) -> bool:
    """Whether this is meant to be a code: not the name of a topic, and with a digit in it."""
    is_word = isinstance(text, str) and problems.topic_name(text) not in TOPIC_LETTERS
    return is_word and any(map(str.isdigit, str(text)))


def code_parts(topic: str, seed: int = 1, level: int = 1) -> CodeParts:
    """The parts of the code of a topic or an example. Raises HandcalcError in one sentence for neither."""
    name = problems.topic_name(topic)
    return CodeParts(name, 0, 1) if name in EXAMPLES else CodeParts(*problems.read_topic(topic, seed, level))


def write_code(found: CodeParts) -> str:
    """The code with these parts. Raises HandcalcError for a seed that has no room in it."""
    return _written(TOPIC_LETTERS[found.topic], found)


def _written(letters: str, found: CodeParts) -> str:
    seed, options_signs = _signs(found.seed), _signs(found.options_number, 1) if found.options_number else ""
    most = largest_seed(found.options_number)
    if not 0 <= found.seed <= most:
        raise HandcalcError(
            f"The seed is {short(found.seed)}; for a code it is a whole number from 0 to {most}."
        )
    version = _version(letters)
    begin = (
        CODE_SIGNS[version + WITH_OPTIONS] + CODE_SIGNS[len(seed)] if options_signs else CODE_SIGNS[version]
    )
    body = begin + seed + options_signs
    words = found.topic.removeprefix(SENTENCE).split("_") if letters == SENTENCE_LETTERS else []
    end = f"{BEFORE_WORDS}{'-'.join(words)}" if words else ""
    return f"{letters}{found.level}-{body}{CODE_SIGNS[_check(letters, found.level, body, words)]}{end}"


def spell_code(code: str) -> str:
    """A code as it is written, also where its topic is a custom one that is not known here.

    Raises HandcalcError for anything else.
    """
    return _written(*_read(code))


def read_code(code: str) -> CodeParts:
    """The parts of a code. Raises HandcalcError if it is not a code, and if its topic is not known here."""
    letters, found = _read(code)
    if found.topic:
        return found
    listed = [*TOPIC_LETTERS.items(), *TOPIC_LETTERS.unlisted.items()]
    topic = next((name for name, own in listed if own == letters), None)
    if topic is None:
        raise HandcalcError(
            f"{short(code)} is the code of a custom topic: import the file it comes from, or name that with "
            "--file."
        )
    return found._replace(topic=topic)


def is_code_of_own_topic(code: str) -> bool:
    """Whether a code, as it is written, belongs to a custom topic, which others do not have."""
    return code[:2] in OWN_LETTERS


def level_of(code: str) -> int:
    """The level in a code, also where its topic is not known here."""
    return _read(code)[1].level


def seed_of(code: str) -> int:
    """The seed in a code, also where its topic is not known here."""
    return _read(code)[1].seed


def largest_seed(options_number: int = 0) -> int:
    """The largest seed that has room in a code beside these options; below 0 where there is no room."""
    room = (
        min(MAX_CODE_SEED_SIGNS, MAX_SEED_AND_OPTION_SIGNS - len(_signs(options_number, 1)))
        if options_number
        else MAX_CODE_SEED_SIGNS
    )
    return CODE_BASE**room - 1 if room >= MIN_CODE_SEED_SIGNS else -1


def _read(code: str) -> tuple[str, CodeParts]:
    """The letters of a code, and all of its parts but the topic."""
    if not isinstance(code, str):
        raise HandcalcError(f"The code is {short(code)}; it is a word such as {short(_example())}.")
    begin, _, spelt = code.partition(BEFORE_WORDS)
    words = split_sentence(spelt) if spelt else []
    signs = begin.upper().translate(MISTAKEN_SIGNS)
    letters, level, body = _letters().get(signs[:2]), signs[2:3], signs[3:]
    is_one = (
        letters
        and level in ("1", "2", "3")
        and MIN_CODE_SEED_SIGNS + 2 <= len(body) <= MAX_SEED_AND_OPTION_SIGNS + 3
    )
    is_whole = bool(words) == (letters == SENTENCE_LETTERS)
    if not letters or not is_one or not is_whole or not set(body) <= set(CODE_SIGNS):
        raise HandcalcError(f"{short(code)} is not a code; a code looks like {short(_example())}.")
    if body[-1] != CODE_SIGNS[_check(letters, int(level), body[:-1], words)]:
        raise HandcalcError(
            f"{short(code)} is not a code: one of its characters is mistyped; please check it."
        )
    version = CODE_SIGNS.index(body[0]) % WITH_OPTIONS
    if version != _version(letters):
        raise HandcalcError(
            f"{short(code)} stands for numbers of version {version}, but this handcalc draws those "
            f"of version {_version(letters)}; install the one that the code comes from."
        )
    topic = SENTENCE + "_".join(words) if words else ""
    if body[0] == CODE_SIGNS[version]:
        return letters, CodeParts(topic, _number(body[1:-1]), int(level))
    end = 2 + CODE_SIGNS.index(body[1])
    return letters, CodeParts(topic, _number(body[2:end]), int(level), _number(body[end:-1]))


def _version(letters: str) -> int:
    """The sign for the version of the draws; a worked example is not drawn."""
    return NOT_DRAWN if letters in {TOPIC_LETTERS[name] for name in EXAMPLES} else DRAW_VERSION


@cache
def _letters() -> dict[str, str]:
    """The letters of all topics and examples, and those kept for custom topics, as typed signs are read."""
    return {letters.translate(MISTAKEN_SIGNS): letters for letters in _counts()}


@cache
def _counts() -> dict[str, int]:
    """The number of each topic's letters in the check sign."""
    return {
        letters: TOPIC_NUMBERS[name]
        for name, letters in (*TOPIC_LETTERS.items(), *TOPIC_LETTERS.unlisted.items())
        if name not in OWN_TOPICS
    } | {SENTENCE_LETTERS: SENTENCE_NUMBER, **OWN_LETTERS}


def _signs(number: int, fewest: int = MIN_CODE_SEED_SIGNS) -> str:
    found = ""
    while number > 0 or len(found) < fewest:
        number, rest = divmod(number, CODE_BASE)
        found = CODE_SIGNS[rest] + found
    return found


def _number(signs: str) -> int:
    number = 0
    for sign in signs:
        number = number * CODE_BASE + CODE_SIGNS.index(sign)
    return number


def _check(letters: str, level: int, body: str, words: Iterable[str] = ()) -> int:
    """A sum in which every place weighs differently, modulo a prime: no single slip leaves it the same."""
    places = [_counts()[letters], level, *map(CODE_SIGNS.index, body)]
    found = sum((place + 2) * value for place, value in enumerate(places))
    return (found + sum(place * ord(letter) for place, letter in enumerate("-".join(words), 1))) % CODE_BASE


def _example() -> str:
    return code("self_attention", 7)
