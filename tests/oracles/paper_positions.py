"""Oracle of positions: a lesson's topics in plain loops, and its named mistakes."""

import math

import loops
from paper import Known, shares


def lookup(s, name, table):
    indices = s[f"formula of {name}"]["indices"]
    return s.write(name, [[row[index] for index in indices] for row in s[table]])


def wave(formula, i, p, unit=None):
    """Feature i of place p: sine and cosine by turns, each pair slower than the one before."""
    by = unit_of(formula) if unit is None else unit
    return (math.cos if i % 2 else math.sin)(p * by / formula["base"] ** (2 * (i // 2) / formula["d_model"]))


def unit_of(formula):
    return math.radians(formula["turn"]) if "turn" in formula else 1.0


def table(formula, number):
    """A number for each feature and place."""
    return [[number(i, p) for p in range(formula["count"])] for i in range(formula["d_model"])]


def waves(formula, first_place=0):
    return table(formula, lambda i, p: wave(formula, i, p + first_place))


def positional_encoding(s):
    PE = s.write("PE", waves(s["formula of PE"]))
    s.write("X", loops.add(s["X_words"], PE))


def asked(s, prefix, words):
    X = s.write(f"{prefix}.X", loops.add(words, s["P"]))
    K = s.write(f"{prefix}.K", loops.product(s["W_K"], X))
    S = s.write(f"{prefix}.S", loops.product(loops.transposed(K), s["q"]))
    shares(s, S, prefix=f"{prefix}.")


def order_matters(s):
    asked(s, "sentence_1", s["X_words"])
    asked(s, "sentence_2", lookup(s, "sentence_2.X_moved", "X_words"))


TOPICS = {
    "embedding_lookup": lambda s: lookup(s, "X", "W_E"),
    "positional_encoding": positional_encoding,
    "order_matters": order_matters,
}


def of_places(make):
    return lambda see, right: make(see("formula of PE"), right)


def halves(formula, right):
    """Row k is the sine of wave k, row d/2 + k its cosine."""
    half = formula["d_model"] // 2
    return table(formula, lambda i, p: wave(formula, 2 * (i % half) + (i >= half), p))


def own_exponent(formula, right):
    base, d = formula["base"], formula["d_model"]
    return table(
        formula, lambda i, p: (math.cos if i % 2 else math.sin)(p * unit_of(formula) / base ** (i / d))
    )


def swapped(formula, right):
    """Row k is taken for place k, column p for feature p."""
    return table(formula, lambda i, p: wave(formula, p, i))


def along_the_batch(formula, right):
    return [[row[0]] * len(row) for row in waves(formula)]


def other_unit(formula, right):
    """The same number, read as degrees where it is radians, or the other way."""
    by = formula["turn"] if "turn" in formula else math.pi / 180
    return table(formula, lambda i, p: wave(formula, i, p, by))


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
