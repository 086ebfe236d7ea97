"""Reading arguments: numbers, matrices of numbers, whole numbers.

Whatever it is, it is read, or refused in one sentence: an object's own methods may raise anything, and a
stream may never end. In a matrix True and False count as 1 and 0, as in numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from contextlib import suppress
from itertools import chain, islice
from operator import index
from typing import Any, TypeGuard

import numpy as np

from handcalc.foundation.errors import HandcalcError, kind, shape_text, short
from handcalc.notation.numbers import Values, counted, sealed

MAX_STREAMED = 100_000  # rows, or numbers in a row, of something that does not know its length
PLAIN_NUMBERS = frozenset((int, float))
FLOAT64 = np.dtype(np.float64)
MAX_WHOLE_NUMBER = 10**18
MAX_NUMBERS_MADE = 10_000_000  # of a matrix that is made from its size alone: 80 MB
KIND_WORDS = {
    "U": "text",
    "S": "text",
    "O": "objects",
    "c": "complex numbers",
    "M": "dates",
    "m": "durations",
}
NOT_NUMBERS = (str, bytes, bytearray, dict, set, frozenset)  # iterable, but not a list of numbers


def read_values(values: Any, name: str) -> Values:
    """Read an argument as a matrix of finite numbers; a flat list is one column.

    Returns a read-only float64 array with two axes. Raises HandcalcError in one sentence.
    """
    array = read_array(values, name)
    if array.ndim > 2:
        raise HandcalcError(
            f"{name} has {array.ndim} axes, {shape_text(array.shape)}; a matrix has 2: rows and columns."
        )
    if array.ndim < 2:
        array = array.reshape(-1, 1)
    if array.size == 0:
        raise HandcalcError(f"{name} is empty, {shape_text(array.shape)}; it needs a row and a column.")
    if np.count_nonzero(np.isfinite(array)) != array.size:  # takes half as long as .all()
        row, column = (counted(int(i)) for i in np.argwhere(~np.isfinite(array))[0])
        raise HandcalcError(
            f"{name}[{row},{column}] is {array[row - 1, column - 1]}; a given must be a finite number."
        )
    return sealed(array)


def read_array(values: Any, name: str) -> Values:
    """Read numbers of any shape, NaN and infinities among them, as a float64 array of their own."""
    if type(values) is np.ndarray and values.dtype is FLOAT64:
        return np.array(values)  # a copy, as below
    try:
        return _read_array(values, name)
    except HandcalcError:
        raise
    except Exception:  # noqa: BLE001 - a foreign class may raise anything
        raise HandcalcError(f"{name} is {kind(values)} that cannot be read as a matrix of numbers.") from None


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is one plain number: neither complex, nor a date, nor True or False."""
    if isinstance(value, np.generic):
        return value.dtype.kind in "iuf"
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_number(value: Any, what: str, above: float = -np.inf, *, least: float = -np.inf) -> float:
    """Read a finite number that must be above another, or at least as large."""
    if (
        type(value) in PLAIN_NUMBERS and abs(value) < MAX_WHOLE_NUMBER and value > above and value >= least
    ):  # as most
        return float(value)
    bound = f" above {above}" if above > -np.inf else f" of at least {least}" if least > -np.inf else ""
    if not (is_number(value) and above < value < np.inf and value >= least):
        raise HandcalcError(f"{what} is {short(value)}; it must be a finite number{bound}.")
    try:
        return float(value)
    except OverflowError:
        raise HandcalcError(f"{what} is {short(value)}, which is too large.") from None


def read_whole(value: Any, what: str) -> int:
    """Read a whole number, numpy's too; 2.0, "2" and True are not whole numbers here."""
    try:
        if isinstance(value, bool):
            raise TypeError
        whole = index(value)
    except Exception:  # noqa: BLE001 - a foreign class may raise anything
        raise HandcalcError(f"{what} is {short(value)}; it must be a whole number.") from None
    return whole


def read_count(value: Any, what: str) -> int:
    """Read a whole number that counts or numbers something, none of it beyond what a matrix can hold."""
    whole = read_whole(value, what)
    if abs(whole) > MAX_WHOLE_NUMBER:
        raise HandcalcError(f"{what} is {short(value)}, which is too large.")
    return whole


def check_count_made(numbers: int, what: str) -> None:
    """Raise HandcalcError, which begins with `what`, for more numbers than a matrix is made with."""
    if numbers > MAX_NUMBERS_MADE:
        raise HandcalcError(f"{what}: more than {MAX_NUMBERS_MADE:,} numbers are too many.")


def read_axis(axis: Any) -> int:
    """Read the axis of an operation: 0 down each column, 1 along each row."""
    if type(axis) is int and axis in (0, 1):
        return axis
    if read_whole(axis, "The axis") not in (0, 1):
        raise HandcalcError(
            f"The axis is {short(axis)}; it must be 0 (down each column) or 1 (along each row)."
        )
    return index(axis)


def read_places(places: int) -> int:
    """The number of decimal places, checked. Raises HandcalcError if it is not 0 to 20."""
    if isinstance(places, bool) or not isinstance(places, int | np.integer) or not 0 <= places <= 20:
        raise HandcalcError(f"places is {short(places)}; it must be a whole number from 0 to 20.")
    return int(places)


def read_list(values: Any, wanted: str) -> list[Any]:
    """Read a list of anything that iterates and ends; raise HandcalcError(wanted) otherwise."""
    try:
        if not isinstance(values, NOT_NUMBERS):
            return _listed(values, "The list")
    except HandcalcError:
        raise
    except Exception:  # noqa: BLE001 - a foreign class may raise anything
        pass
    raise HandcalcError(wanted)


def _read_array(values: Any, name: str) -> Values:
    if hasattr(values, "detach"):  # a torch tensor
        values = values.detach().cpu()
        values = (values.double() if values.is_floating_point() else values).numpy()
    if not isinstance(values, np.ndarray):
        values = _as_array(values, name)
    if values.dtype.kind not in "biuf":
        what = KIND_WORDS.get(values.dtype.kind, "something else")
        raise HandcalcError(f"{name} holds {what}; a matrix holds plain numbers.")
    if _is_masked(values):
        raise HandcalcError(f"{name} has masked numbers; fill them in first, with filled().")
    return np.array(values, dtype=np.float64)  # a copy: nobody can change it from outside


def _as_array(values: Any, name: str) -> np.ndarray[Any, np.dtype[Any]]:
    """Check a nest of lists before numpy sees it, so that the error can say where."""
    if isinstance(values, NOT_NUMBERS) or values is None:
        raise HandcalcError(f"{name} is {short(values)}; a matrix is a list of rows of numbers.")
    if _is_plain(values):
        with suppress(OverflowError):  # the long way says which number it is
            return np.array(values, dtype=np.float64)
    if hasattr(values, "__array__"):  # a table, for example a DataFrame
        return np.asarray(values)
    if not isinstance(values, Iterable):
        return np.asarray([_number(values, name)])
    rows = [_listed(row, name) if _is_row(row) else row for row in _listed(values, name)]
    _check_ragged(rows, name)
    if any(_is_row(value) for row in rows if isinstance(row, list) for value in row):
        raise HandcalcError(f"{name} has 3 axes; a matrix has 2: rows and columns.")
    flat = [[_number(v, name) for v in r] if isinstance(r, list) else _number(r, name) for r in rows]
    return np.array(flat, dtype=np.float64)


def _is_plain(values: Any) -> bool:
    """Whether it is a list of rows of Python's own numbers, as most are: nothing else can be wrong."""
    if type(values) is not list or not values or any(type(row) is not list for row in values):
        return False
    return len({*map(len, values)}) == 1 and {*map(type, chain.from_iterable(values))} <= PLAIN_NUMBERS


def _check_ragged(rows: list[Any], name: str) -> None:
    """Raise HandcalcError unless every row has the same count, or every one is a number."""
    counts = [len(row) if isinstance(row, list) else 1 for row in rows]
    odd = next((i for i, count in enumerate(counts) if count != counts[0]), None)
    if odd is not None:
        raise HandcalcError(
            f"{name} is ragged: row 1 has {counts[0]} numbers, row {counted(odd)} has {counts[odd]}; "
            "all rows must have the same length."
        )
    if len({isinstance(row, list) for row in rows}) > 1:
        raise HandcalcError(f"{name} mixes numbers and lists; write every row as a list, as in [[1], [2]].")


def _listed(values: Any, name: str) -> list[Any]:
    """An iterable as a list; HandcalcError for a stream longer than anybody would write."""
    if isinstance(values, Sized):
        return list(values)  # type: ignore[call-overload, no-any-return]
    found = list(islice(values, MAX_STREAMED + 1))
    if len(found) > MAX_STREAMED:
        raise HandcalcError(f"{name} never ends, or has more than {MAX_STREAMED:,} numbers in a stream.")
    return found


def _is_row(value: Any) -> bool:
    return (
        isinstance(value, Iterable) and not isinstance(value, NOT_NUMBERS) and getattr(value, "ndim", 1) > 0
    )


def _is_masked(values: Any) -> bool:
    """Whether numpy.ma hides some of the numbers."""
    is_array = isinstance(values, np.ndarray) and type(values) is not np.ndarray
    return is_array and bool(np.any(getattr(values, "mask", False)))


def _number(value: Any, name: str) -> float:
    is_strange = isinstance(value, np.generic) and value.dtype.kind not in "biuf"
    if not (is_strange or isinstance(value, (*NOT_NUMBERS, complex)) or value is None or _is_masked(value)):
        try:
            return float(value)
        except Exception:  # noqa: BLE001 - a foreign class may raise anything
            pass
    raise HandcalcError(f"{name} holds {short(value)}, which is not a number.")
