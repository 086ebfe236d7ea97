"""What an expression in code stands for: numbers, texts, lists of them, read from its tree and never run."""

from __future__ import annotations

import ast
import math
from typing import Any

from handcalc.classroom.submissions import bounded_arithmetic, input_limits
from handcalc.classroom.submissions.answer_values import (
    COMPUTED,
    READABLE,
    TOO_MUCH,
    Answers,
    Rows,
    Unread,
    UnreadError,
    size,
)
from handcalc.classroom.submissions.partial_parse import NO_NUMBER
from handcalc.practice.exercise.parse_number import parse_number

ARRAYS = {"array", "asarray", "matrix", "Matrix", "mat", "tensor"}
LISTS = {"list", "tuple"}


class Literals:
    """Reads expressions: `names` has what was assigned before, as a notebook has it when it is run."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.called: dict[str, str] = {}  # what functions are called here, if they were imported as something
        self._looked_at = self._in_all = 0

    def begin_cell(self) -> None:
        """What one cell costs is not taken from the next."""
        self._in_all += min(self._looked_at, input_limits.MAX_PARTS_LOOKED_AT)
        self._looked_at = 0

    def read(self, node: ast.expr) -> Any:
        """What an expression stands for, or Unread; a list has Unread where one number cannot be read."""
        found = self._value_or_unread(node, 0)
        return (found.unread or found) if isinstance(found, Rows) else found

    def spend(self, count: int) -> None:
        """Raise UnreadError once all there is to look at is more than anybody writes."""
        self._looked_at += count
        in_all = self._in_all + self._looked_at
        if self._looked_at > input_limits.MAX_PARTS_LOOKED_AT or in_all > input_limits.MAX_PARTS_IN_ALL:
            raise UnreadError(TOO_MUCH)

    def _value(self, node: ast.expr, depth: int) -> Any:
        self.spend(1)
        if depth > input_limits.MAX_EXPRESSION_DEPTH:
            raise UnreadError(TOO_MUCH)
        match node:
            case ast.Constant():
                return _constant(node.value)
            case ast.Name():
                return self._named(node.id)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module not in self.names:
                return _well_known(name)
            case ast.List() | ast.Tuple():
                return Rows(self._number_or_unread(part, depth + 1) for part in node.elts)
            case ast.Dict():
                return self._dictionary(node, depth)
        return self._worked(node, depth)

    def _worked(self, node: ast.expr, depth: int) -> Any:
        """What comes of some arithmetic, of a place in a list, of a call whose name says it all."""
        match node:
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return self._signed(node, depth)
            case ast.BinOp():
                return self._sum(node, depth)
            case ast.Subscript(value=ast.Name(id=name), slice=place):
                return self._picked(self._named(name), self._value(place, depth + 1))
            case ast.Call():
                return self._called(node, depth)
        raise UnreadError(COMPUTED)

    def _named(self, name: str) -> Any:
        if name not in self.names:
            return _well_known(name)
        value = self.names[name]
        if isinstance(value, Unread):
            raise UnreadError(value.reason)
        if not isinstance(value, READABLE):
            raise UnreadError(COMPUTED)
        self.spend(size(value))
        return value

    def _dictionary(self, node: ast.Dict, depth: int) -> Answers:
        """Texts and what they stand for; a value that cannot be read leaves the others."""
        found = Answers()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:  # {**answers}
                inner = self._value(value, depth + 1)
                if not isinstance(inner, Answers):
                    raise UnreadError(COMPUTED)
                found.keep("", inner)
                found.is_computed |= inner.is_computed
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                read = self._value_or_unread(value, depth + 1)
                found.keep(key.value, (read.unread or read) if isinstance(read, Rows) else read)
            elif not isinstance(key, ast.Constant):
                found.is_computed = True
        return found

    def _number_or_unread(self, node: ast.expr, depth: int) -> Any:
        """One number of a list costs none of the others; how many come out of a `*list` cannot be told."""
        found = self._value_or_unread(node, depth)
        if isinstance(found, Unread) and (found.reason == TOO_MUCH or isinstance(node, ast.Starred)):
            raise UnreadError(found.reason)
        return found

    def _value_or_unread(self, node: ast.expr, depth: int) -> Any:
        try:
            return self._value(node, depth)
        except UnreadError as error:
            return Unread(error.reason)
        except bounded_arithmetic.NoNumberError as error:
            return Unread(str(error.args[0]))

    def _signed(self, node: ast.UnaryOp, depth: int) -> float:
        value = _number(self._value(node.operand, depth + 1))
        return -value if isinstance(node.op, ast.USub) else value

    def _sum(self, node: ast.BinOp, depth: int) -> Any:
        left, right = self._value(node.left, depth + 1), self._value(node.right, depth + 1)
        if isinstance(node.op, ast.BitOr) and isinstance(left, Answers) and isinstance(right, Answers):
            return left.merged(right)
        if isinstance(node.op, ast.Mult) and (_is_list(left) or _is_list(right)):
            return self._repeated(left, right)
        if isinstance(node.op, ast.Add) and _is_list(left) and _is_list(right):
            self.spend(left.holds + right.holds)
            return Rows([*left, *right])
        calculate = bounded_arithmetic.OPERATORS.get(type(node.op))
        if calculate is None:
            raise UnreadError(COMPUTED)
        return bounded_arithmetic.worked(calculate, [_number(left), _number(right)])

    def _repeated(self, left: Any, right: Any) -> Rows:
        """`[____] * 3`"""
        rows, times = (left, right) if _is_list(left) else (right, left)
        if not isinstance(times, float) or not times.is_integer() or times < 0:
            raise UnreadError(COMPUTED)
        if (
            max(rows.holds, 1) * times > input_limits.MAX_NUMBERS
            or len(rows) * times > input_limits.MAX_NUMBERS
        ):
            raise UnreadError(TOO_MUCH)
        self.spend(max(rows.holds, len(rows)) * int(times))
        return Rows(list(rows) * int(times))

    def _picked(self, value: Any, place: Any) -> Any:
        """`answers["Q"]`, `rows[1]`"""
        if isinstance(value, Answers) and isinstance(place, str) and place in value:
            found = value[place]
        elif isinstance(value, Rows) and isinstance(place, float) and -len(value) <= place < len(value):
            found = value[int(place)] if place.is_integer() else Unread()
        else:
            found = Unread()
        if isinstance(found, Unread):
            raise UnreadError(found.reason)
        return found

    def _called(self, node: ast.Call, depth: int) -> Any:
        """`np.array([…])`, `math.sqrt(3)`, `float("nan")`: what they are called says what they are."""
        name, given = self.function(node), node.args
        if name in ARRAYS | LISTS and given:
            value = self._value(given[0], depth + 1)
            return Rows(value, is_array=name in ARRAYS) if isinstance(value, Rows) else value
        if name == "dict" and len(given) <= 1:
            words = [(ast.Constant(word.arg) if word.arg else None, word.value) for word in node.keywords]
            pairs: list[tuple[ast.Constant | None, ast.expr]] = [*((None, one) for one in given), *words]
            return self._dictionary(ast.Dict([key for key, _ in pairs], [value for _, value in pairs]), depth)
        if name not in bounded_arithmetic.FUNCTIONS or node.keywords or not 1 <= len(given) <= 2:
            raise UnreadError(COMPUTED)
        values = [_number_in(self._value(part, depth + 1)) for part in given]
        try:
            return bounded_arithmetic.worked(bounded_arithmetic.FUNCTIONS[name], values)
        except TypeError:  # so many arguments it does not take
            raise UnreadError(COMPUTED) from None

    def function(self, node: ast.Call) -> str:
        """The last name of what is called; nothing where the notebook gives that name another meaning."""
        match node.func:
            case ast.Name(id=name) if name not in self.names:
                return self.called.get(name, name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module not in self.names:
                return name
        return ""


def _constant(value: Any) -> Any:
    """A number as a float; `...` is a blank."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bounded_arithmetic.number(value)
    if value is Ellipsis:
        return math.nan
    if isinstance(value, str) and len(value) <= input_limits.MAX_ANSWER_LETTERS:
        return value
    raise UnreadError(TOO_MUCH if isinstance(value, str) else NO_NUMBER)


def _well_known(name: str) -> float:
    """`____`, `e`, `pi`, `inf`, whatever module they come from; any number of underscores is a blank."""
    if name in bounded_arithmetic.CONSTANTS or not name.strip("_"):
        return bounded_arithmetic.CONSTANTS.get(name, math.nan)
    raise UnreadError(COMPUTED)


def _is_list(value: Any) -> bool:
    return isinstance(value, Rows) and not value.is_array


def _number(value: Any) -> float:
    if not isinstance(value, float):
        raise UnreadError(COMPUTED)
    return value


def _number_in(value: Any) -> float:
    """A number, or one in a text: `float("nan")`, `Fraction("1/3")`."""
    if not isinstance(value, str):
        return _number(value)
    if value.strip().lower().lstrip("+-") == "nan":
        return math.nan
    found, trouble = parse_number(value)
    if trouble:
        raise UnreadError(NO_NUMBER)
    return found
