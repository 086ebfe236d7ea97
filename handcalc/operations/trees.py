"""The arithmetic of one number as a tree, which a row of operations writes once: `1 / (1 + exp(-x))`.

From it come a function of numpy and one of the browser (`tree_code.py`), what a person reads
(`write_expression`) and, of a derivative, a record that explains itself (`elementwise.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from handcalc.notation import expression as ex
from handcalc.notation.expression import Expression, Sum
from handcalc.operations.bell_curve import share_below

WHOLE_FROM = 2.0**52  # from here on a float64 has no digits after the point


class Tree:
    """A node: `head` is the name of a primitive, or of a leaf that `value` tells from others of its kind."""

    __slots__ = ("head", "parts", "value")

    def __init__(self, head: str, *parts: Tree | float, value: Any = None) -> None:
        self.head, self.value = head, value
        self.parts = tuple(part if isinstance(part, Tree) else number_leaf(part) for part in parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.head, self.parts, self.value

    def __iter__(self) -> Iterator[Tree]:
        """Every node, the parts of one before it."""
        for part in self.parts:
            yield from part
        yield self

    def __add__(self, other: Tree | float) -> Tree:
        return Tree("+", self, other)

    def __radd__(self, other: float) -> Tree:
        return Tree("+", other, self)

    def __sub__(self, other: Tree | float) -> Tree:
        return Tree("-", self, other)

    def __rsub__(self, other: float) -> Tree:
        return Tree("-", other, self)

    def __mul__(self, other: Tree | float) -> Tree:
        return Tree("·", self, other)

    def __rmul__(self, other: float) -> Tree:
        return Tree("·", other, self)

    def __truediv__(self, other: Tree | float) -> Tree:
        return Tree("/", self, other)

    def __rtruediv__(self, other: float) -> Tree:
        return Tree("/", other, self)

    def __pow__(self, other: Tree | float) -> Tree:
        return Tree("^", self, other)

    def __neg__(self) -> Tree:
        return Tree("negative", self)


def number_leaf(value: float) -> Tree:
    """A number of the formula."""
    return Tree("number", value=value)


def parameter_leaf(field: str) -> Tree:
    """A number that the operation is made with: the alpha of a leaky ReLU."""
    return Tree("parameter", value=field)


def either(field: str, then: Tree, otherwise: Tree, *, is_: str | None = None) -> Tree:
    """One of two forms: by whether a parameter is there (and not 0), or by whether it is the number `is_`."""
    return Tree("either", then, otherwise, value=(field, is_))


x, other = (Tree("operand", value=place) for place in range(2))
y = Tree("result")  # in a derivative
pi = Tree("named", value="pi")


class Primitive(NamedTuple):
    """A function built into both evaluators: only here is a meaning written twice; tests hold the two equal.

    In code of numbers in Python and in JavaScript, of pieces of text in JavaScript (by the `m` of
    expression.js) and in Python.
    """

    python: str
    javascript: str
    writing: str
    expression: Callable[..., Expression]


def _function(name: str, javascript: str = "Math.{}") -> Primitive:
    called = f"{javascript.format(name)}({{}})"
    return Primitive(f"{name}({{}})", called, f'm.call("{name}", {{}})', partial(ex.FunctionCall, name))


def _e_to(power: Expression) -> Expression:
    return ex.Raised(ex.WrittenNumber(math.e, "e"), power)


PRIMITIVES: Mapping[str, Primitive] = {
    "+": Primitive("{} + {}", "{} + {}", "plus(m, {})", Sum),
    "-": Primitive("{} - {}", "{} - {}", "m.difference({})", ex.Difference),
    "·": Primitive("{} * {}", "{} * {}", "m.product({})", ex.Product),
    "/": Primitive("{} / {}", "{} / {}", "m.quotient({})", ex.Quotient),
    "^": Primitive("{} ** {}", "{} ** {}", "m.power({})", ex.Raised),
    "negative": Primitive(
        "0.0 - {}", "0 - {}", "m.negative({})", ex.Negative
    ),  # so that there is no minus zero
    "exp": Primitive("exp({})", "Math.exp({})", "m.power(m.e, {})", _e_to),
    "root": Primitive("sqrt({})", "Math.sqrt({})", "m.root({})", ex.Root),
    **{name: _function(name) for name in ("tanh", "log1p", "floor", "abs", "max", "min")},
    **{name: _function(name, "special.{}") for name in ("ln", "Φ", "step", "sign", "round")},
}


def rounded_half_away(a: Any, places: float) -> Any:
    """Rounded to `places` decimal places, half away from zero; a number with no more digits stays."""
    scale = 10.0**places
    is_whole = np.abs(a) >= WHOLE_FROM / scale
    near = np.floor(np.abs(np.where(is_whole, 0.0, a)) * scale + 0.5) / scale
    return np.where(is_whole, a, np.sign(a) * near + 0.0)


# What Python calls them by. Of 0 and −0 the larger is the first: max(0, x) is 0, as in the browser.
NUMPY_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "exp": np.exp, "sqrt": np.sqrt, "tanh": np.tanh, "log1p": np.log1p, "floor": np.floor, "abs": np.abs,
    "max": lambda a, b: np.maximum(b, a), "min": np.minimum, "ln": np.log, "Φ": share_below,
    "step": lambda a: np.heaviside(a, 0.0), "sign": np.sign, "round": rounded_half_away,
}  # fmt: skip
HEADS = "exp root tanh log1p floor abs max min ln Φ step sign round"
exp, root, tanh, log1p, floor, absolute, larger, smaller, ln, share, step, sign, rounded = (
    partial(Tree, head) for head in HEADS.split()
)
VALUES_OF_NAMED_NUMBERS = {"e": math.e, "pi": math.pi}


def choose_form(tree: Tree, parameters: Mapping[str, Any]) -> Tree:
    """The form of a tree that applies with these parameters."""
    if tree.head != "either":
        return tree
    field, named = tree.value
    is_first = parameters[field] == VALUES_OF_NAMED_NUMBERS[named] if named else bool(parameters[field])
    return choose_form(tree.parts[not is_first], parameters)


def write_expression(tree: Tree, parts: Sequence[Expression], parameters: Mapping[str, Any]) -> Expression:
    """The arithmetic as a person reads it, with these parts as its operands."""
    if tree.head in PRIMITIVES:
        inside = [write_expression(part, parts, parameters) for part in tree.parts]
        found: Expression = PRIMITIVES[tree.head].expression(*inside)
        return found
    if tree.head == "operand":
        return parts[int(tree.value)]
    if tree.head == "either":
        return write_expression(choose_form(tree, parameters), parts, parameters)
    if tree.head == "named":
        return ex.WrittenNumber(VALUES_OF_NAMED_NUMBERS[tree.value], "π")
    return ex.WrittenNumber(parameters[tree.value] if tree.head == "parameter" else tree.value)
