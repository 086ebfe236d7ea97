"""Functions of one number: a row for each operation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import Values, counted, format_constant
from handcalc.notation.sentences import Sentence
from handcalc.notation.validation import read_count, read_number
from handcalc.operations import trees
from handcalc.operations.base import M
from handcalc.operations.elementwise import NO_SLOPE, Domain, Elementwise
from handcalc.operations.pencil_powers import power_of_e
from handcalc.operations.trees import Tree, either, larger, ln, log1p, parameter_leaf, pi, root, tanh, x, y

LARGEST_POWER = 20  # of e; larger powers nobody works out by hand
LEAK = 0.01  # as in PyTorch
MOST_PLACES = 15  # that a float64 has


class Step(Elementwise):
    """1 where a number is positive, 0 (or `below`) elsewhere: the slope of a ReLU, 0 at 0 as in PyTorch."""

    name, fields, sign, can_overflow, is_never_negative = "step", ("below",), "> 0", False, True
    optional = frozenset({"below"})
    shown = either("below", larger(parameter_leaf("below"), trees.step(x)), trees.step(x))
    derivative = NO_SLOPE  # on both sides
    reason = "Writes 1 where a number is positive and {below} elsewhere: that much of it was let through."

    def __init__(self, below: float | None = None) -> None:
        self.below = None if below is None else read_number(below, "below", 0)


class Sign(Elementwise):
    """1 where a number is positive, -1 where it is negative, 0 at 0: the slope of |a|, as in PyTorch."""

    name, sign, can_overflow = "sign", "±1", False
    shown = trees.sign(x)
    derivative = NO_SLOPE
    reason = "Writes 1 for a positive number and −1 for a negative one: the slope of its size."


class Log(Elementwise):
    """ln a, the natural logarithm; a number that is not positive is an error that says where.

    The natural logarithm of every number: ln(x), the power of e that gives x.

    >>> hc.log([[1, 2]])
    ln(□)  (1 by 2)
    0  0.69

    Raises HandcalcError for a number that is not positive.
    """

    name, sign, is_never_negative = "log", "ln", False
    shown = ln(x)
    domain = Domain(lambda a: a > 0, "ln of a number that is not positive")
    derivative = 1 / x
    reason = "Takes the natural logarithm of every number, which undoes the exponential."
    derivative_reason = "The slope of ln x is 1 / x: small numbers count most."


class Exp(Elementwise):
    """base ^ a, with e as the base unless another is named.

    E to the power of every number, or another base: `exp(S)`, `exp(S, base=3)`.

    >>> hc.exp([[0, 1]])
    e^□  (1 by 2)
    1  2.72
    """

    name, fields, sign, is_never_negative = "exp", ("base",), "{base}^x", True
    shown = either("base", trees.exp(x), parameter_leaf("base") ** x, is_="e")
    derivative = either("base", y, y * Log.of(parameter_leaf("base")), is_="e")
    reason = "Raises {base} to the power of every number; 1 more means {base} times as much."
    derivative_reason = "The slope of e^x is e^x itself."

    def __init__(self, base: float = float(np.e)) -> None:
        self.base = read_number(base, "The base", 0)

    def by_hand(
        self, inputs: Sequence[Values], i: int, j: int, places: int, of_operands: int | None
    ) -> Sentence | None:
        power = float(inputs[0][i, j])
        is_common = self.base == np.e and abs(power) < LARGEST_POWER
        return power_of_e(power, places, of_operands) if is_common else None


class Sqrt(Elementwise):
    """√a; a negative number is an error that says where.

    The square root of every number, or of one: `sqrt(d_k)`.

    >>> hc.sqrt([[4, 2]])
    √□  (1 by 2)
    2  1.41
    """

    name, sign, is_never_negative = "sqrt", "√", True
    shown = root(x)
    domain = Domain(lambda a: a >= 0, "√ of a negative number")
    derivative = 1 / (2 * y)
    reason = "Takes the square root of every number, which undoes squaring."
    derivative_reason = "The slope of √x is 1 / (2√x)."

    def slope(self, operand: int, grad_output: M, inputs: Sequence[M], result: M) -> M | None:
        flat = np.argwhere(result.values == 0)
        if len(flat):
            row, column = (counted(int(k)) for k in flat[0])
            raise HandcalcError(
                f"The root has no slope at 0, and number [{row},{column}] of {inputs[0].display_name} is 0."
            )
        return super().slope(operand, grad_output, inputs, result)


class Tanh(Elementwise):
    """tanh a, between -1 and 1

    The hyperbolic tangent of every number: tanh x, between -1 and 1.

    >>> hc.tanh([[-1, 0, 1]])
    tanh(□)  (1 by 3)
    -0.76  0  0.76
    """

    name, sign = "tanh", "tanh"
    shown = tanh(x)
    derivative = 1 - y**2
    reason = "Squeezes every number into the range from −1 to 1; numbers near 0 hardly change."
    derivative_reason = "The slope of tanh is 1 − tanh²: steep near 0, flat far away."


class Sigmoid(Elementwise):
    """1 / (1 + e^(-a)), between 0 and 1

    The logistic function of every number: 1 / (1 + e^(-x)), between 0 and 1.

    >>> hc.sigmoid([[0, 2]])
    1 / (1 + e^(-□))  (1 by 2)
    0.50  0.88
    """

    name, sign, is_never_negative, ends_well = "sigmoid", "σ", True, True
    shown = 1 / (1 + trees.exp(-x))
    derivative = y * (1 - y)
    reason = "Squeezes every number into the range from 0 to 1; negative numbers end up below one half."
    derivative_reason = "The slope of σ is σ (1 − σ): steep near 0, flat far away."


class Softplus(Elementwise):
    """ln(1 + e^a), a ReLU without a corner; as max(0, a) + ln(1 + e^(-|a|)) no power is too large

    A smooth ReLU of every number: ln(1 + e^x), above 0 and close to x where x is large.

    >>> hc.softplus([[-2, 0, 100]])
    ln(1 + e^□)  (1 by 3)
    0.13  0.69  100
    """

    name, sign, is_never_negative = "softplus", "softplus", True
    shown = ln(1 + trees.exp(x))
    stable = larger(0, x) + log1p(trees.exp(-trees.absolute(x)))
    derivative = Sigmoid.of(x)
    reason = "Keeps large numbers and makes every negative one a small positive one, without a corner at 0."
    derivative_reason = "The slope of ln(1 + e^x) is σ(x): almost 1 far above 0, almost 0 far below."


class Silu(Elementwise):
    """a / (1 + e^(-a)), a·σ(a): a number lets itself through

    Every number times its own sigmoid: x / (1 + e^(-x)), also called swish (arXiv:1702.03118).

    >>> hc.silu([[-2, 0, 2]])
    □ / (1 + e^(-□))  (1 by 3)
    -0.24  0  1.76
    """

    name, sign, ends_well, is_never_negative = "silu", "SiLU", True, None
    shown = x / (1 + trees.exp(-x))
    derivative = Sigmoid.of(x) * (1 + x * (1 - Sigmoid.of(x)))
    reason = "Lets large numbers through and fades out negative ones: each is multiplied by its own sigmoid."
    derivative_reason = (
        "The slope of x σ(x) is σ(x) (1 + x (1 − σ(x))): about 1 far above 0, about 0 far below."
    )


class Relu(Elementwise):
    """max(0, a)

    Every number, but 0 in place of a negative one: max(0, x).

    >>> hc.relu([[-2, 3]]).values
    array([[0., 3.]])
    """

    name, sign, is_never_negative = "relu", "max 0", True
    shown = larger(0, x)
    derivative = Step.of(x)
    reason = "Keeps positive numbers and replaces all others with 0, so that they have no effect."
    derivative_reason = "What the ReLU let through counts in full; what it set to 0 does not count at all."


class LeakyRelu(Elementwise):
    """max(alpha·a, a): a negative number counts alpha of itself.

    Every number, but alpha times a negative one: max(alpha·x, x).

    >>> hc.leaky_relu([[-2, 3]], alpha=0.5).values
    array([[-1.,  3.]])

    Raises HandcalcError for an alpha that is not between 0 and 1.
    """

    name, fields, sign = "leaky_relu", ("alpha",), "leaky"
    shown = larger(parameter_leaf("alpha") * x, x)
    derivative = Step.of(x, below=parameter_leaf("alpha"))
    reason = "Keeps positive numbers, and of a negative one {alpha} of it, so that its slope is never 0."
    derivative_reason = "Positive numbers count in full, negative ones only {alpha} as much."

    def __init__(self, alpha: float = LEAK) -> None:
        self.alpha = read_number(alpha, "alpha", 0)
        if self.alpha >= 1:
            raise HandcalcError(
                f"alpha is {format_constant(self.alpha)}; it must be a number between 0 and 1, such as 0.1."
            )


class Absolute(Elementwise):
    """|a|, a number without its sign

    Every number without its sign: |x|.

    >>> hc.absolute([[-2, 3]]).values
    array([[2., 3.]])
    """

    name, sign, is_never_negative = "absolute", "|x|", True
    shown = trees.absolute(x)
    derivative = Sign.of(x)
    reason = "Leaves out the sign of every number, so that only its size counts."
    derivative_reason = (
        "If a positive number grows, so does its size; if a negative number grows, its size shrinks."
    )


class Floor(Elementwise):
    """⌊a⌋, the largest whole number up to a.

    Every number rounded down to a whole number: ⌊x⌋.

    >>> hc.floor([[1.5, -1.5]]).values
    array([[ 1., -2.]])
    """

    name, sign = "floor", "⌊x⌋"
    shown = trees.floor(x)
    derivative = NO_SLOPE
    reason = "Rounds every number down to a whole number, which is easier to work with by hand."


class Round(Elementwise):
    """a rounded to so many decimal places, half away from zero

    Every number rounded to so many decimal places, half away from zero, as a spreadsheet does.

    >>> hc.round([[0.126, -1.5]], places=2).values
    array([[ 0.13, -1.5 ]])
    >>> hc.round([[0.126, -1.5]]).values
    array([[ 0., -2.]])

    Raises HandcalcError for places that are not a whole number from 0 to 15.
    """

    name, fields, sign, can_overflow = "round", ("places",), "round", False
    shown = trees.rounded(x, parameter_leaf("places"))
    derivative = NO_SLOPE
    reason = "Rounds every number to {places} decimal places."

    def __init__(self, places: int = 0) -> None:
        self.places = read_count(places, "The number of places")
        if not 0 <= self.places <= MOST_PLACES:
            raise HandcalcError(f"There are {self.places} places; it must be from 0 to {MOST_PLACES}.")


# GELU, which GPT-2 and BERT have in place of ReLU ------------------------------------------------

CUBIC = 0.044715  # of Hendrycks and Gimpel, which makes tanh follow the bell curve
STRAIGHT_BEYOND = 40  # from where on a GELU is straight, whatever digits a float has


def bent(a: Tree, cubed: Tree) -> Tree:
    """tanh(√(2/π)·(a + 0.044715·a^3))"""
    return tanh(root(2 / pi) * (a + CUBIC * cubed))


def steepness(a: Tree, bend: Tree, squared: Tree) -> Tree:
    """The derivative of `0.5 * a * (1 + bend)`"""
    return 0.5 * (1 + bend) + 0.5 * a * (1 - bend**2) * (root(2 / pi) * (1 + 3 * CUBIC * squared))


class GeluSlope(Elementwise):
    """The slope of a GELU: Φ(a) + a·φ(a), φ the bell curve's height; approximate: with tanh"""

    name, fields, sign, abbreviation = "gelu_slope", ("approximate",), "GELU'", "GELU'"
    near = larger(-STRAIGHT_BEYOND, trees.smaller(x, STRAIGHT_BEYOND))  # beyond, it is 0 or 1
    shown = either(
        "approximate",
        steepness(x, bent(x, x**3), x**2),
        trees.share(x) + x * (trees.exp(-(x**2 / 2)) / root(2 * pi)),
    )
    stable = either(
        "approximate",
        steepness(near, bent(near, near * near * near), near * near),
        trees.share(near) + near * trees.exp(-(near * near) / 2) / root(2 * pi),
    )
    reason = "How steep GELU is there: about 1 for a large number, about 0 for a very negative one."

    def __init__(self, approximate: bool = True) -> None:
        self.approximate = Gelu(approximate).approximate


class Gelu(Elementwise):
    """0.5·a·(1 + tanh(√(2/π)·(a + 0.044715·a^3))); not approximate: a·Φ(a), Φ the normal distribution

    Every number times the share of a bell curve below it: x·Φ(x) (Hendrycks and Gimpel, arXiv:1606.08415).

    >>> hc.gelu([[-1, 0, 1]])
    GELU(□)  (1 by 3)
    -0.16  0  0.84

    `approximate` is the form with tanh, as in GPT-2; False is the exact one, as in BERT.
    """

    name, fields, sign, abbreviation, ends_well = "gelu", ("approximate",), "GELU", "GELU", True
    shown = either("approximate", 0.5 * x * (1 + bent(x, x**3)), x * trees.share(x))
    stable = either("approximate", 0.5 * x * (1 + bent(x, x * x * x)), x * trees.share(x))
    derivative = GeluSlope.of(x, approximate=parameter_leaf("approximate"))
    reason = (
        "Keeps large numbers and fades out negative ones, smoothly: "
        "each is multiplied by the share of a bell curve below it."
    )
    derivative_reason = "What the GELU let through counts almost in full, what it faded out hardly at all."

    def __init__(self, approximate: bool = True) -> None:
        if not isinstance(approximate, bool | np.bool_):
            raise HandcalcError(f"approximate is {short(approximate)}; it must be True or False.")
        self.approximate = bool(approximate)
