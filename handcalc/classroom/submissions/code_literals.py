"""Literals in code, numbers, texts and lists of these, read from its syntax tree and never run."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection
from typing import Any

from handcalc.classroom.submissions import input_limits
from handcalc.practice.exercise.answers import Unread
from handcalc.practice.exercise.parse_number import parse_number

TOO_MUCH_TO_READ = "is too much to read; write its numbers in"
ARRAYS = {"array", "asarray", "matrix", "Matrix", "mat", "tensor"}
MODULE = re.compile(r"\b[^\W\d]\w*\.(?=[^\W\d])")  # of math.sqrt(3), hc.____
SUM_NODES = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


def read_literal(node: ast.expr, names: Collection[str], depth: int = 1) -> Any:
    """A number, a text or a list, as `exercise.check` takes it; `Unread` in the place of what is none.

    `names` are those that the notebook has assigned itself: `e` is no number then.
    """
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return _read_list(parts, names, depth)
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[first, *_]) if (
            called in ARRAYS and isinstance(first, ast.List | ast.Tuple)
        ):
            return read_literal(first, names, depth)
        case ast.Call(func=ast.Name(id="Fraction"), args=[above, below]):
            return _read_number(ast.BinOp(above, ast.Div(), below), names)
        case ast.Constant(value=None | bool() | str()):
            return node.value
        case ast.Constant(value=float(number)):
            return number
    return math.nan if isinstance(node, ast.Constant) and node.value is ... else _read_number(node, names)


def is_blank(value: Any) -> bool:
    """Whether there is no number in an answer, nor anything that was meant as one."""
    if isinstance(value, list):
        return all(map(is_blank, value))
    if isinstance(value, str):
        return not value.strip("_| \t\r\n")
    return value is None or (isinstance(value, float) and math.isnan(value))


def _read_list(parts: list[ast.expr], names: Collection[str], depth: int) -> Any:
    if depth > input_limits.MAX_LIST_DEPTH:
        return Unread(TOO_MUCH_TO_READ)
    found = [read_literal(part, names, depth + 1) for part in parts]
    unread = [value for value in found if isinstance(value, Unread)]
    is_open = any(isinstance(part, ast.Starred) for part in parts)  # their number cannot be told
    return unread[0] if unread and (is_open or len(unread) == len(found)) else found


def _read_number(node: ast.expr, names: Collection[str]) -> Any:
    """A little arithmetic, as the fields of a page take it; a sum with a slip stays the text that it is."""
    parts = [*ast.walk(node)]
    if any(isinstance(part, ast.Name) and part.id in names for part in parts):
        return Unread()
    try:
        text = MODULE.sub("", ast.unparse(node))
    except (ValueError, RecursionError):  # too many digits, too many brackets
        return Unread(TOO_MUCH_TO_READ)
    value, trouble = parse_number(text)
    if not trouble or text == "nan":
        return value
    return text if all(isinstance(part, SUM_NODES) for part in parts) else Unread()
