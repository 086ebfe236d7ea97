"""Oracle of named mistakes in places: each made by loops."""

import math

import loops
from known_mistakes import Known
from paper_positions import waves


def of_places(make):
    return lambda see, right: make(see("formula of PE"), right)


def unit(formula):
    return math.radians(formula["turn"]) if "turn" in formula else 1.0


def halves(formula, right):
    """Row k is the sine of wave k, row d/2 + k its cosine."""
    n, d, base = formula["count"], formula["d_model"], formula["base"]
    half = d // 2
    return [
        [
            (math.sin if i < half else math.cos)(p * unit(formula) / base ** (2 * (i % half) / d))
            for p in range(n)
        ]
        for i in range(d)
    ]


def own_exponent(formula, right):
    n, d, base = formula["count"], formula["d_model"], formula["base"]
    return [
        [(math.cos if i % 2 else math.sin)(p * unit(formula) / base ** (i / d)) for p in range(n)]
        for i in range(d)
    ]


def swapped(formula, right):
    """Row k is taken for place k, column p for feature p."""
    n, d, base = formula["count"], formula["d_model"], formula["base"]
    return [
        [(math.cos if p % 2 else math.sin)(i * unit(formula) / base ** (2 * (p // 2) / d)) for p in range(n)]
        for i in range(d)
    ]


def along_the_batch(formula, right):
    return [[row[0]] * len(row) for row in waves(formula)]


def other_unit(formula, right):
    """The same number, read as degrees where it is radians, or the other way."""
    n, d, base = formula["count"], formula["d_model"], formula["base"]
    by = formula["turn"] if "turn" in formula else math.pi / 180
    return [
        [(math.cos if i % 2 else math.sin)(p * by / base ** (2 * (i // 2) / d)) for p in range(n)]
        for i in range(d)
    ]


def next_door(by):
    """Each column's neighbour, where all of them have one: counted from 0 in place of 1, or the other way."""

    def make(see, right):
        places = [place + by for place in see("formula of X")["indices"]]
        if min(places) < 0:
            raise IndexError("there is none before the first")
        return [[row[place] for place in places] for row in see("W_E")]

    return make


def moved_along(see, right):
    """The first sentence, places and all, in the other order."""
    places = see("formula of sentence_2.X_moved")["indices"]
    see("X_moved")  # in the second sentence alone
    whole = loops.add(see("X_words"), see("P"))
    return [[row[place] for place in places] for row in whole]


KNOWN = (
    Known("places-from-one", "PE", of_places(lambda formula, right: waves(formula, first_place=1))),
    Known("sin-cos-in-halves", "PE", of_places(halves)),
    Known("own-exponent", "PE", of_places(own_exponent)),
    Known("place-and-feature-swapped", "PE", of_places(swapped)),
    Known("place-along-the-batch", "PE", of_places(along_the_batch)),
    Known("degrees-for-radians", "PE", of_places(other_unit)),
    Known("looked-up-next-door", "X", next_door(-1)),
    Known("looked-up-next-door", "X", next_door(1)),
    Known("term-left-out", "X", lambda see, right: see("X_moved")),
    Known("places-moved-with-words", "X", moved_along),
)
