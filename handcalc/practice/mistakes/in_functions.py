"""Mistakes with functions of one number: powers, roots, logarithms, activations left out or mistaken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Raised, Symbol, WrittenNumber
from handcalc.notation.numbers import Values, format_constant
from handcalc.operations import Absolute, Add, Exp, LeakyRelu, Log, Operation, Relu, Sigmoid, Sqrt, Sums, Tanh
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, mal_rule
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    expect_operation,
    is_constant,
    is_variance,
    operation_of,
    squared_numbers,
    without_transpose,
)
from handcalc.record.matrix import Matrix

E_TO_THE_X = Raised(WrittenNumber(float(np.e), "e"), Symbol("x"))


@mal_rule(Exp)
def _powers(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    exponents, base, word = _power(node, replay)
    yield candidate(mistake.TIMES_FOR_POWER, base * exponents, word, word)
    for other in {2.0, 3.0, 10.0} - {base}:
        yield candidate(mistake.WRONG_BASE, other**exponents, f"{other:g}", word)
    if base != np.e:
        yield candidate(mistake.WRONG_BASE, np.exp(exponents), "e", word)
        return
    for places in range(1, replay.places + 1):
        rough = round(np.e, places)
        yield candidate(mistake.ROUNDED_TOO_EARLY, rough**exponents, f"{rough:g}", E_TO_THE_X, case="e")


def _power(node: Matrix, replay: LearnerReplay) -> tuple[Values, float, str]:
    """The exponents, the base and how a sentence names it."""
    base = expect_operation(node, Exp).base
    return replay.read(node.inputs[0]), base, "e" if base == np.e else f"{base:g}"


@mal_rule(Exp)
def _power_of_zero(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    exponents, base, _ = _power(node, replay)
    zero = exponents == 0
    if zero.any():
        powers = np.where(zero, 0.0, base**exponents)
        yield candidate(mistake.POWER_OF_ZERO, powers, at=zero)


@mal_rule(Exp)
def _times_rounded_base(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """2.72 times s in place of e^s: where s is large, that is not e times s."""
    exponents, base, word = _power(node, replay)
    for places in range(1, max(replay.places, 2) + 1) if base == np.e else ():
        rough = round(base, places)
        yield candidate(mistake.TIMES_FOR_POWER, rough * exponents, word, f"{rough:g}")


@mal_rule(Relu)
def _relu_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside = replay.read(node.inputs[0])
    yield candidate(mistake.RELU_LEFT_OUT, inside)
    yield candidate(mistake.SIGN_LOST, np.abs(inside), case="in a ReLU")


@mal_rule(Sigmoid, Tanh, Log)
def _function_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    function = expect_operation(node, Operation).name
    name = mistake.TANH_LEFT_OUT if operation_of(node, Tanh) else mistake.FUNCTION_LEFT_OUT
    yield candidate(name, replay.read(node.inputs[0]), function)


@mal_rule(Sqrt)
def _root_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    if not is_constant(node.inputs[0]):
        yield candidate(mistake.ROOT_LEFT_OUT, replay.read(node.inputs[0]))


@mal_rule(Sqrt, judges=False)
def _root_of_a_sample(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The spread of a sample below the root alone: its variance was written down rightly."""
    inside = node.inputs[0]
    added = operation_of(inside, Add)
    variance = next((m for m in inside.inputs if is_variance(m)), inside) if added else inside
    if not is_variance(variance) or variance.inputs[0].values.size == variance.values.size:
        return
    count = variance.inputs[0].values.size // variance.values.size
    wrong = replay.read(variance) * count / (count - 1)
    values = replay.compute(inside, {variance: wrong}) if added else wrong
    if values is not None:
        yield candidate(mistake.N_MINUS_1, np.sqrt(values), count - 1, count)


@mal_rule(Log)
def _other_logarithm(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    with np.errstate(all="ignore"):
        tens = np.log10(replay.read(node.inputs[0]))
    yield candidate(mistake.OTHER_LOGARITHM, tens)


@mal_rule(Sigmoid, Tanh)
def _other_function(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside = replay.read(node.inputs[0])
    if operation_of(node, Tanh):
        yield candidate(mistake.SIGMOID_FOR_TANH, Sigmoid().compute(inside))
    else:
        yield candidate(mistake.TANH_FOR_SIGMOID, np.tanh(inside))


@mal_rule(LeakyRelu)
def _leaky(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside, alpha = replay.read(node.inputs[0]), expect_operation(node, LeakyRelu).alpha
    part = format_constant(alpha)
    yield candidate(mistake.RELU_FOR_LEAKY_RELU, np.maximum(inside, 0), part)
    yield candidate(mistake.RELU_LEFT_OUT, inside, part, case="leaky")


@mal_rule(Absolute)
def _sign_kept(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    yield candidate(mistake.FUNCTION_LEFT_OUT, replay.read(node.inputs[0]), case="absolute")


@mal_rule(Sqrt, judges=False)
def _absolutes(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """|x₁| + |x₂| for √(x₁² + x₂²)."""
    x = squared_numbers(node.inputs[0])
    if x is not None:
        axis = expect_operation(node.inputs[0], Sums).axis
        yield candidate(
            mistake.ABSOLUTES_SUMMED,
            np.abs(replay.read(x)).sum(axis=axis, keepdims=True),
            without_transpose(x),
        )
