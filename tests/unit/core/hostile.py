"""Values that nobody should hand in, for every public function: each is made anew, as some can be used up."""

import decimal
import itertools
import math
from fractions import Fraction

import malformed
import numpy as np

import handcalc as hc


class Raises:
    """An object whose named methods all raise."""


def raising(*methods, error=RuntimeError):
    def fail(*_, **__):
        raise error("no")

    return type("Raises", (Raises,), dict.fromkeys(methods, fail))()


class Wordy:
    def __repr__(self):
        return "a very long story " * 150  # 2,700 characters


class TwoLines:
    def __repr__(self):
        return "first line\nsecond line"


TEXTS = {
    "no text": "",
    "a space": " ",
    "two lines": "a\nb",
    "a NUL": "a\x00b",
    "an escape": "\x1b[31mred",
    "U+2028": "a\u2028b",
    "U+0085": "a\u0085b",
    "a lone surrogate": "a\ud800b",
    "right to left": "\u202eabc",
    "brackets": "Z[1,1]",
    "an equals sign": "a = b",
    "long text": "x" * 5000,
    "code": "2\nprint('X')\n#",
    "a page's end": "</script><!--<script>",
}
NUMBERS = {
    "10**400": 10**400,
    "-10**400": -(10**400),
    "10**5000": 10**5000,
    "10**12": 10**12,
    "-1": -1,
    "half": 0.5,
    "True": True,
    "NaN": math.nan,
    "infinity": math.inf,
    "a complex number": 1j,
    "numpy's complex number": np.complex128(1j),
    "a fraction": Fraction(1, 3),
    "a signalling decimal": decimal.Decimal("sNaN"),
    "a date": np.datetime64("2020-01-01"),
}
OBJECTS = {
    "None": None,
    "an object": object(),
    "a function": len,
    "a type": dict,
    "a module": math,
    "a slice": slice(1),
    "bytes": b"1",
    "a dictionary": {1: 2},
    "a dictionary of text": {"self": [[1]]},
    "a set": {1, 2},
    "an exception": ValueError("no"),
    "a matrix without a name": hc.Matrix([[1]]),
    "a calculation": hc.Calculation(hc.Matrix([[1]], "A")),
}
BROKEN = {
    "__array__ raises": raising("__array__"),
    "__iter__ raises": raising("__iter__"),
    "__len__ raises": raising("__len__", "__getitem__"),
    "__float__ raises": raising("__float__"),
    "__index__ raises": raising("__index__"),
    "__repr__ raises": raising("__repr__"),
    "__str__ raises": raising("__str__", "__repr__"),
    "__bool__ raises": raising("__bool__"),
    "__eq__ raises": raising("__eq__"),
    "__hash__ raises": raising("__hash__"),
    "everything raises": raising("__array__", "__iter__", "__float__", "__index__", "__repr__", "__eq__"),
    "a memory error": raising("__array__", "__iter__", "__float__", error=MemoryError),
    "every attribute": malformed.Everything(),
    "a long repr": Wordy(),
    "a repr of two lines": TwoLines(),
}
ARRAYS = {
    "an empty list": [],
    "ragged": [1, [2]],
    "ragged rows": [[1, 2], [3]],
    "text in a list": [["a"]],
    "NaN in a list": [[math.nan]],
    "10**400 in a list": [[10**400]],
    "None in a list": [[None]],
    "a broken number in a list": [[raising("__float__", "__repr__")]],
    "three axes": [[[1]]],
    "an array of no axes": np.array(1.0),
    "an empty array": np.zeros((0, 3)),
    "complex numbers": np.zeros((2, 2), complex),
    "an array of text": np.array([["a"]]),
    "an array of objects": np.full((2, 2), None),
    "a structured array": np.zeros(2, [("a", float)]),
    "masked numbers": np.ma.masked_array([[1.0, 2.0]], [[False, True]]),
    "nested 5,000 deep": malformed.nested(5000),
    "a list of itself": malformed.recursive(),
}
STREAMS = {
    "an endless count": itertools.count,
    "an endless repetition": lambda: itertools.repeat([1]),
    "an endless row": lambda: [itertools.count()],
    "a stream that fails": lambda: (1 // (2 - k) for k in range(9)),
}
HOSTILE = {
    **{
        name: lambda value=value: value
        for table in (TEXTS, NUMBERS, OBJECTS, BROKEN, ARRAYS)
        for name, value in table.items()
    },
    **STREAMS,
}
SENTENCE = 200  # the longest an error may be


def complaint(attempt):
    """What a call did wrong to whoever handed in a hostile value; None if it worked or said one sentence."""
    try:
        attempt()
    except hc.HandcalcError as error:
        said = str(error)
        if len(said) > SENTENCE or len(said.splitlines()) != 1 or not said.isprintable():
            return f"{len(said)} characters: {said[:120]!r}"
        return None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {str(error)[:120]}"
    return None
