"""What a learner types into a blank: a number, or a little arithmetic that comes to one: 1/3, 2*3+1, e^2."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

SIGNS = str.maketrans(
    {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", ":": "/", "^": "**", ",": ".", "∞": "inf"}
)
NAMES = {"e": math.e, "inf": math.inf}
INFIX: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
LONGEST = 80


def parse_number(text: str) -> float | None:
    """The number that a text comes to; None if it is none. An empty text and `____` are NaN: not attempted.

    >>> parse_number("1/3"), parse_number("2*3+1"), parse_number("-2,5"), parse_number("seven")
    (0.3333333333333333, 7.0, -2.5, None)
    """
    plain = text.strip()
    if not plain.strip("_"):
        return math.nan
    try:
        tree = ast.parse(plain.translate(SIGNS).replace("√", "sqrt"), mode="eval")
        found = _value(tree.body) if len(plain) <= LONGEST else None
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return None if found is None or math.isnan(found) else float(found)


def _value(node: ast.expr) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value is not True:
        return float(node.value)
    if isinstance(node, ast.Name):
        return NAMES.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inside = _value(node.operand)
        return inside if inside is None or isinstance(node.op, ast.UAdd) else -inside
    if isinstance(node, ast.BinOp) and type(node.op) in INFIX:
        left, right = _value(node.left), _value(node.right)
        return None if left is None or right is None else INFIX[type(node.op)](left, right)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "sqrt"
        and len(node.args) == 1
    ):
        inside = _value(node.args[0])
        return None if inside is None else math.sqrt(inside)
    return None
