"""Short codes for paper: a few signs that stand for exactly these numbers, such as SA1-329T.

Two letters name the topic, a digit the level; then come the version of the draws, the seed and a check
sign. No sign is there that could be taken for another; where one that looks like it is typed in its place,
it is read as what was meant. Any one wrong sign, and any two that changed places, are noticed.
"""

from __future__ import annotations

from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.practice import problems
from handcalc.practice.problems import VERSION, problem

SIGNS = "23456789ACEFHJKMNPRTWXY"  # as many as a prime number, so that the check sign catches every slip
BASE = len(SIGNS)
MEANT = str.maketrans("BGSZIL", "865211", " -–—_.\t\n")  # what looks like a sign that is used
SHORTEST, LONGEST = 2, 12  # signs of a seed
TOPIC_LETTERS = {  # only ever to be added to: the order is in the check sign
    "dot_product": "DP",
    "matrix_product": "MP",
    "linear_layer": "WX",
    "softmax": "SM",
    "softmax_base_3": "SP",
    "softmax_temperature": "ST",
    "projections": "PR",
    "scores": "SC",
    "self_attention": "SA",
    "causal_self_attention": "CA",
    "cross_attention": "XA",
    "multi_head_attention": "MH",
    "layer_norm": "NR",
    "feed_forward": "FF",
    "missing_weight": "MW",
}


def code(topic: str, seed: int = 1, level: int = 1) -> str:
    """The code for the numbers of `problem(topic, seed, level)`.

    >>> code("self_attention", 7)
    'SA1-329T'

    Raises HandcalcError for a topic or level that there is not, and for a seed below 0 or of 17 digits.
    """
    name, seed, level = problems.read(topic, seed, level)
    if not 0 <= seed < BASE**LONGEST:
        raise HandcalcError(f"The seed is {seed}; for a code it is a whole number from 0 to {BASE**LONGEST}.")
    body = SIGNS[VERSION] + _signs(seed)
    return f"{TOPIC_LETTERS[name]}{level}-{body}{SIGNS[_check(name, level, body)]}"


def load(code: str) -> Calculation:
    """The calculation that a code stands for; case, spaces and hyphens do not matter.

    Raises HandcalcError in one sentence for a code that is none, or was made by a later handcalc.
    """
    return problem(*read(code))


def read(code: str) -> tuple[str, int, int]:
    """Topic, seed and level of a code."""
    if not isinstance(code, str):
        raise HandcalcError(f"The code is {code!r}; it is a word such as {_example()!r}.")
    signs = code.upper().translate(MEANT)
    topics = {letters.translate(MEANT): name for name, letters in TOPIC_LETTERS.items()}
    topic, level, body = topics.get(signs[:2]), signs[2:3], signs[3:]
    is_one = topic and level in ("1", "2", "3") and SHORTEST + 2 <= len(body) <= LONGEST + 2
    if not topic or not is_one or not set(body) <= set(SIGNS):
        raise HandcalcError(f"{code!r} is no code; one looks like {_example()!r}.")
    if body[-1] != SIGNS[_check(topic, int(level), body[:-1])]:
        raise HandcalcError(f"{code!r} is no code: one of its signs is mistyped; please look again.")
    if body[0] != SIGNS[VERSION]:
        raise HandcalcError(
            f"{code!r} stands for numbers of version {SIGNS.index(body[0])}, but this handcalc draws those "
            f"of version {VERSION}; install the one that the code comes from."
        )
    return topic, _number(body[1:-1]), int(level)


def _signs(number: int) -> str:
    found = ""
    while number or len(found) < SHORTEST:
        number, rest = divmod(number, BASE)
        found = SIGNS[rest] + found
    return found


def _number(signs: str) -> int:
    number = 0
    for sign in signs:
        number = number * BASE + SIGNS.index(sign)
    return number


def _check(topic: str, level: int, body: str) -> int:
    """A sum in which every place weighs differently, modulo a prime: no single slip leaves it the same."""
    places = [list(TOPIC_LETTERS).index(topic), level, *map(SIGNS.index, body)]
    return sum((place + 2) * value for place, value in enumerate(places)) % BASE


def _example() -> str:
    return code("self_attention", 7)
