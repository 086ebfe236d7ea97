"""What people hand in that is not an answer, and objects that raise when they are inspected."""

import decimal
import itertools
import math
import random
from fractions import Fraction

import numpy as np

Q = [[2, 1, 0, 2], [0, 1, 1, 1], [3, 2, 2, 1]]


class Table:
    """What a DataFrame is to numpy."""

    def __init__(self, values, dtype=None):
        self.values, self.dtype_ = values, dtype

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype or self.dtype_)


class Broken:
    """An object that raises whatever it is asked."""

    def __init__(self, *methods):
        for method in methods:
            setattr(type(self), method, self.fail)

    def fail(self, *_, **__):
        raise RuntimeError("no")


class BrokenArray(Broken):
    def __array__(self, *_, **__):
        raise RuntimeError("no array")


class BrokenList(Broken):
    def __iter__(self):
        raise KeyError("no list")


class BrokenNumber(Broken):
    def __float__(self):
        raise ArithmeticError("no number")

    def __repr__(self):
        raise RuntimeError("no words either")


class Everything:
    """An object that has every attribute, and none that is of use."""

    def __getattr__(self, name):
        return None


def nested(depth):
    found = [1]
    for _ in range(depth):
        found = [found]
    return found


def recursive():
    found = []
    found.append(found)
    return found


def recursive_rows():
    found = [[1, 2, 3, 4], [0, 1, 1, 1]]
    found.append(found)
    return found


def malformed():
    """(what, answer) for the step Q, (3, 4)."""
    yield from (
        ("shape", np.ones(shape)) for shape in itertools.product(range(6), range(6)) if shape != (3, 4)
    )
    yield from (("flat", list(range(count))) for count in range(2, 16))
    yield from (("axes", np.ones(shape)) for shape in [(3, 4, 1), (1, 3, 4), (2, 2, 2, 2), (0,), (12,), (4,)])
    yield from (
        ("one number", number) for number in (0, 1.5, -3, 10**400, 10**5000, math.inf, Fraction(1, 3))
    )
    odd = [
        *(
            "two",
            "",
            " ",
            "1/2/",
            "____",
            "nan",
            "ü" * 5,
            "a\nb",
            "x" * 10**6,
            b"1",
            bytearray(b"12"),
            b"x" * 10**5,
        ),
        *(
            None,
            True,
            False,
            1j,
            complex(2, 0),
            np.complex64(1),
            np.bool_(1),
            {},
            {1: 2},
            {1, 2},
            frozenset([1]),
        ),
        *(len, print, object(), Ellipsis, NotImplemented, type, math, Exception("no"), slice(1), lambda: 1),
        *(np.datetime64("2020-01-01"), 10**400, -(10**400), 10**5000, decimal.Decimal("sNaN"), [1, 2], [[1]]),
        *(BrokenArray(), BrokenList(), BrokenNumber(), Broken(), Everything()),
        *("१" * 9, "\x00", "\u202e", "\ud800"),
    ]
    yield from (("a whole answer", thing) for thing in [*odd, "1/2"])
    for thing, (row, column) in itertools.product(odd, [(0, 0), (2, 3), (1, 2)]):
        answer = [list(row) for row in Q]
        answer[row][column] = thing
        yield "a cell", answer
    yield from (("a row", [Q[0], thing, Q[2]]) for thing in odd)
    yield from (("ragged", [Q[0][:a], Q[1][:b], Q[2]]) for a, b in itertools.product(range(4), range(4)))
    yield from (("too few rows", Q[:k]) for k in range(3))
    yield from (("nested", nested(depth)) for depth in (2, 3, 50, 5000))
    yield from (("recursive", thing) for thing in (recursive(), recursive_rows(), [recursive()] * 3))
    yield from (
        ("endless", thing) for thing in (itertools.count(), itertools.repeat(Q[0]), [itertools.count()] * 3)
    )
    yield from (("stream", thing) for thing in (iter([]), (1 for _ in range(5)), (row for row in ["a", "b"])))
    yield "a failing stream", (1 // (2 - k) for k in range(9))
    dtypes = (bool, complex, "U3", "S3", "datetime64[D]", "timedelta64[s]", "V4")
    yield from (("an array", np.zeros((3, 4), dtype)) for dtype in dtypes)
    yield "an array of nothing", np.full((3, 4), None)
    yield "a structured array", np.zeros((3, 4), dtype=[("a", float), ("b" * 300, int)])
    yield from (("a table", Table(v, d)) for v, d in ((Q[:2], None), ([["a"]], None), (Q, bool), (1, None)))
    yield from (("a ragged table", Table(v)) for v in ([[1], [2, 3]], [[None, 1]], [[{}]]))
    rng = random.Random(7)
    lists = [], [1], [1, 2, 3, 4], (), {"a": [1]}, np.ones(4), np.ones((3, 4)), iter([1])
    pool = [*odd, 1, 2.5, -3, *lists]
    for _ in range(150):
        rows = [rng.choice(pool) for _ in range(rng.choice((1, 2, 4, 5)))]
        yield "a mixture", rng.choice((rows, tuple(rows), [rows], [rows] * 3))
