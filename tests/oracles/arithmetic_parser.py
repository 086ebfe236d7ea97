"""Oracle of the arithmetic in explanations: evaluates it, sharing nothing with handcalc but the grammar.

    sum      = '-' atom  |  product (('+' | '-') product)*
    product  = power (('·' | '/') power)*           from left to right
    power    = atom ('^' power)?                    from right to left
    atom     = number '°'? | 'e' | 'π' | '∞' | '(' sum ')' | '⌊' sum '⌋' | '√' atom | '|' sum '|'
             | ('max' | 'argmax' | 'large' | 'rank' | 'sample' | 'index' | 'round' | 'equal' | 'sin' | 'cos'
             | 'tanh' | 'ln' | 'Φ') '(' sum (',' sum)* ')'

A number may be a power of ten, 3.1·10⁻⁷ or 1.5e+12; it is one number, in brackets where it has to be.
A remark, such as (highest: row 2, “cat”), is no part of it.

A minus sign before a number may stand only where a sum begins and ends with it: a negative operand has to
be in brackets, and the parser refuses it elsewhere.
"""

import functools
import math
import re
from typing import NamedTuple

REMARK = re.compile(r" \((?:highest: |row |column |first bound |no bound )[^()]*\)")
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]\d+|·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)|(?P<word>[a-zπΦ]+)|(?P<sign>[-+·/^√⌊⌋|(),∞°]))"
)
# name -> the function, and how many times an error in x counts at most: the slope
FUNCTIONS = {
    "sin": (math.sin, lambda x: 1),
    "cos": (math.cos, lambda x: 1),
    "tanh": (math.tanh, lambda x: 1),
    "ln": (math.log, lambda x: 1 / x),
    "Φ": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, lambda x: 0.4),
}
CONSTANTS = {"e": math.e, "π": math.pi, "∞": math.inf}


def from_largest(values: list[float]) -> list[int]:
    return sorted(range(len(values)), key=lambda k: (-values[k], k))


def half_away(value: float, places: float) -> float:
    return math.copysign(math.floor(abs(value) * 10**places + 0.5) / 10**places, value)


COMPARING = {
    "max": max,
    "argmax": lambda values: 1 + values.index(max(values)),
    "large": lambda values: sorted(values[:-1], reverse=True)[round(values[-1]) - 1],
    "rank": lambda values: 1 + from_largest(values[:-1]).index(round(values[-1]) - 1),
    "sample": lambda values: next(
        (k + 1.0 for k, b in enumerate(values[:-1]) if b > values[-1]), len(values) - 1.0
    ),
    "index": lambda values: values[round(values[-1]) - 1],
    "round": lambda values: half_away(*values),
    "equal": lambda values: float(values[0] == values[1]),
    "step": lambda values: float(values[0] > 0),
    "sign": lambda values: float((values[0] > 0) - (values[0] < 0)),
}
CLOSING = {"(": ")", "⌊": "⌋", "|": "|"}
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
DEGREES = 1e-15  # the sine of degrees is rounded to 15 places
ROUNDING = 2.0**-52  # the largest relative error of one float64 operation, twice over


class Estimate(NamedTuple):
    """A value, and how far off float64 may be by now: the first-order bound of rounding errors."""

    value: float
    slack: float = 0.0


def rounded(value: float, slack: float) -> Estimate:
    """A newly computed value: what it inherits, and its own rounding; infinity has none."""
    return Estimate(value, slack + abs(value) * ROUNDING) if math.isfinite(value) else Estimate(value)


@functools.lru_cache(maxsize=10_000)  # many cells are written in the same way, and in several markups
def evaluate(text: str) -> Estimate:
    """The value of an arithmetic text; ValueError for one that is not in the grammar."""
    parser = Parser(REMARK.sub("", text))
    result = parser.sum()
    if parser.token != "":
        raise ValueError(f"{parser.token!r} is left over in {text!r}")
    return result


class Parser:
    """Recursive descent: one method for each line of the grammar."""

    def __init__(self, text: str) -> None:
        tokens, place, end = [], 0, len(text.rstrip())
        while place < end:
            match = TOKEN.match(text, place)
            if match is None:
                raise ValueError(f"{text[place:]!r} is no arithmetic, in {text!r}")
            tokens.append(match[match.lastgroup])
            place = match.end()
        self.text, self.coming = text, iter([*tokens, ""])
        self.token = next(self.coming)

    def take(self, *wanted: str) -> str:
        taken = self.token
        if wanted and taken not in wanted:
            raise ValueError(f"{taken!r} stands where one of {wanted} should, in {self.text!r}")
        self.token = next(self.coming, "")
        return taken

    def sum(self) -> Estimate:
        if self.token == "-":
            self.take()
            number = self.atom()
            if self.token not in ("", ")", "⌋", "|", ","):
                raise ValueError(f"a negative operand without brackets in {self.text!r}")
            return Estimate(-number.value, number.slack)
        terms = [self.product()]
        while self.token in ("+", "-"):
            sign = -1 if self.take() == "-" else 1
            term = self.product()
            terms.append(Estimate(sign * term.value, term.slack))
        return add(terms)

    def product(self) -> Estimate:
        left = self.power()
        while self.token in ("·", "/"):
            left = multiply(left, self.power()) if self.take() == "·" else divide(left, self.power())
        return left

    def power(self) -> Estimate:
        base = self.atom()
        if self.token != "^":
            return base
        self.take()
        return raise_to(base, self.power())

    def atom(self) -> Estimate:
        token = self.take()
        if token in COMPARING or token in FUNCTIONS:
            return call(token, self.arguments())
        if token == "√":
            inside = self.atom()
            root = math.sqrt(inside.value)
            return rounded(root, inside.slack / (2 * root) if root else math.sqrt(inside.slack))
        if token in CLOSING:
            inside = self.sum()
            self.take(CLOSING[token])
            return {"(": as_it_is, "⌊": floor_of, "|": size_of}[token](inside)
        if token in CONSTANTS:
            return Estimate(CONSTANTS[token])
        if not token[:1].isdigit():
            raise ValueError(f"{token!r} stands where a number should, in {self.text!r}")
        number = read_number(token)
        if self.token == "°":
            self.take()
            return Estimate(math.radians(number), DEGREES)
        return Estimate(number)

    def arguments(self) -> list[Estimate]:
        self.take("(")
        found = [self.sum()]
        while self.take(",", ")") == ",":
            found.append(self.sum())
        return found


def read_number(text: str) -> float:
    """The number of 2.83, of 1.5e+12 and of 3.1·10⁻⁷."""
    digits, _, power = text.partition("·10")
    return float(f"{digits}e{power.translate(LOWERED)}" if power else text)


def as_it_is(inside: Estimate) -> Estimate:
    return inside


def floor_of(inside: Estimate) -> Estimate:
    return Estimate(math.floor(inside.value))


def size_of(inside: Estimate) -> Estimate:
    return Estimate(abs(inside.value), inside.slack)


def add(terms: list[Estimate]) -> Estimate:
    """In whatever order the terms are added: every partial sum is at most the sum of their sizes."""
    if len(terms) == 1:
        return terms[0]
    total = math.fsum(t.value for t in terms) if all(math.isfinite(t.value) for t in terms) else -math.inf
    sizes = sum(abs(t.value) for t in terms)
    return rounded(total, sum(t.slack for t in terms) + len(terms) * sizes * ROUNDING)


def multiply(a: Estimate, b: Estimate) -> Estimate:
    return rounded(a.value * b.value, abs(a.value) * b.slack + abs(b.value) * a.slack)


def divide(a: Estimate, b: Estimate) -> Estimate:
    quotient = a.value / b.value
    return rounded(quotient, (a.slack + abs(quotient) * b.slack) / abs(b.value))


def raise_to(base: Estimate, exponent: Estimate) -> Estimate:
    """b^x: an error in x counts b^x ln b times, one in b counts x b^(x-1) times; pow adds a few roundings."""
    b, x = base.value, exponent.value
    if math.isinf(x):
        return Estimate(0.0)  # only e^(-∞) is ever written
    result = math.exp(x) if b == math.e else b**x
    slack = 2 * ROUNDING * abs(result)
    if exponent.slack:
        slack += abs(result * math.log(b)) * exponent.slack
    if base.slack:
        slack += abs(x) * (abs(b) + base.slack) ** (x - 1) * base.slack
    return rounded(result, slack)


def call(function: str, arguments: list[Estimate]) -> Estimate:
    slack = max(a.slack for a in arguments)
    if function in COMPARING:
        values = [a.value for a in arguments]
        return Estimate(COMPARING[function](values), slack if function in ("max", "large") else 0.0)
    (inside,) = arguments
    compute, slope = FUNCTIONS[function]
    value = compute(inside.value)
    return rounded(value, slack * slope(inside.value) + 2 * ROUNDING)
