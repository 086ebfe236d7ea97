"""Fresh numbers for every sheet of the collection: `by-hand/NAME` as a topic."""

from __future__ import annotations

from functools import partial

import numpy as np

from handcalc.course.by_hand import collection
from handcalc.course.by_hand.parts import Numbers
from handcalc.foundation.errors import HandcalcError
from handcalc.practice.topics.rng import Rng
from handcalc.practice.topics.topic_registry import collection_topic
from handcalc.record.calculation import Calculation

# Letters and number of each sheet in codes, in the order of the themes: no slip in one sign makes two alike.
IN_CODES = (
    "ZA200 ZC201 ZD202 ZE203 ZF204 ZH205 ZJ207 ZK206 ZM208 ZN209 ZP210 ZQ211 ZR212 ZT213 ZU214 ZV215 "
    "ZW216 ZX217 ZY218 JA219 JC220 JD222 JE221 JF223 JH224 JJ225 JK226 JM227 JN228 JP229 JQ230 JR231 "
    "JT232 JU233 JV234 JW235 JX236 JY237 UA241 UC238 UD239 UE240 UF242 UH243 UJ244 UK245"
)
MAX_DRAWS = 50
KEPT = ("PE_", "E_", "mask", "g1", "g2", "dg", "h0", "c0", "C0", "n0")  # at every level
NEW_FROM_LEVEL = {
    "W": 2,
    "b": 2,
    "w": 2,
    "dW": 2,
    "xW": 2,
    "db": 2,
    "be": 2,
    "A": 1,
}  # of weights; all else from 1
SINGLE = {"T": (1, 1.5, 2, 4), "r": (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95), "alpha": (0.1, 0.2, 0.3)}
FACTORS = (-3, -2, -1, 1, 2, 3, 4, 5)  # of the workbook's exercises


def _drawn(name: str, rng: Rng, level: int) -> Calculation:
    """At level 1 the inputs are new, at 2 the weights as well, at 3 the inputs are larger, too."""
    for _ in range(MAX_DRAWS):
        try:
            return collection.build(name, _givens(name, rng, level))
        except HandcalcError:  # a division by 0, or a number that is too large
            continue
    return collection.build(name)


def _givens(name: str, rng: Rng, level: int) -> dict[str, Numbers]:
    given = collection.entry(name)["givens"]
    if name[:2] in ("w1", "w2", "w3"):
        return _exercise(given, rng)
    return {key: _matrix(key, values, rng, level) for key, values in given.items()}


def _matrix(key: str, values: Numbers, rng: Rng, level: int) -> Numbers:
    if key in SINGLE:
        return [[rng.pick(SINGLE[key])]]
    if key.startswith(KEPT) or level < _level_of(key):
        return values
    if key.startswith("T_"):
        return _shuffled_columns(values, rng)
    own = [number for row in values for number in row]
    larger = 2 if level == 3 and _level_of(key) == 1 else 1
    return [[rng.pick(own) * rng.pick((1, larger)) for _ in row] for row in values]


def _level_of(key: str) -> int:
    """The level from which on a given has fresh numbers."""
    return next((level for start, level in NEW_FROM_LEVEL.items() if key.startswith(start)), 1)


def _shuffled_columns(values: Numbers, rng: Rng) -> Numbers:
    """Other words: each column of 1 and 0 with its 1 in another row."""
    height, width = len(values), len(values[0])
    places = [rng.pick(range(height)) if any(row[j] for row in values) else -1 for j in range(width)]
    return [[int(places[j] == i) for j in range(width)] for i in range(height)]


def _exercise(given: dict[str, Numbers], rng: Rng) -> dict[str, Numbers]:
    """Factors drawn anew; a product that is given follows from a missing number that is whole."""
    found: dict[str, Numbers] = {
        key: [[rng.pick(FACTORS) for _ in row] for row in values] for key, values in given.items()
    }
    for key in given:
        if key.startswith("p"):
            A, B, b, d = (np.array(found.get(letter + key[1:], [[0]])) for letter in "ABbd")
            missing = rng.pick(FACTORS) * (d.item() or 1)
            product = (A @ B).item() if "A" + key[1:] in given else 0
            found[key] = [[int(product + b.item() + missing)]]
    return found


for _name, _sign in zip(collection.MODULE_OF, IN_CODES.split(), strict=True):
    collection_topic(f"by_hand/{_name}", _sign[:2], int(_sign[2:]))(partial(_drawn, _name))
