"""Mistakes with functions of one number: powers, roots, logarithms, activations left out or mistaken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Raised, Symbol, WrittenNumber
from handcalc.notation.numbers import Values, format_constant
from handcalc.operations import Absolute, Exp, LeakyRelu, Log, Operation, Relu, Sigmoid, Sqrt, Sums, Tanh
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.candidate import Candidate
from handcalc.practice.mistakes.mal_rule import mal_rule
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    expect_operation,
    is_constant,
    operation_of,
    squared_numbers,
    without_transpose,
)
from handcalc.record.matrix import Matrix

E_TO_THE_X = Raised(WrittenNumber(float(np.e), "e"), Symbol("x"))


@mal_rule(Exp)
def _powers(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    exponents, base, word = _power(node, replay)
    sentence = mistake.TIMES_FOR_POWER.says(word, word)
    yield Candidate(mistake.TIMES_FOR_POWER, sentence, base * exponents)
    for other in {2.0, 3.0, 10.0} - {base}:
        sentence = mistake.WRONG_BASE.says(f"{other:g}", word)
        yield Candidate(mistake.WRONG_BASE, sentence, np.asarray(other**exponents))
    if base != np.e:
        yield Candidate(mistake.WRONG_BASE, mistake.WRONG_BASE.says("e", word), np.exp(exponents))
        return
    for places in range(1, replay.places + 1):
        rough = round(np.e, places)
        sentence = mistake.ROUNDED_TOO_EARLY.says(f"{rough:g}", E_TO_THE_X, case="e")
        yield Candidate(mistake.ROUNDED_TOO_EARLY, sentence, np.asarray(rough**exponents))


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
        yield Candidate(mistake.POWER_OF_ZERO, mistake.POWER_OF_ZERO.says(), powers, at=zero)


@mal_rule(Exp)
def _times_rounded_base(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """2.72 times s in place of e^s: where s is large, that is not e times s."""
    exponents, base, word = _power(node, replay)
    for places in range(1, max(replay.places, 2) + 1) if base == np.e else ():
        rough = round(base, places)
        sentence = mistake.TIMES_FOR_POWER.says(word, f"{rough:g}")
        yield Candidate(mistake.TIMES_FOR_POWER, sentence, rough * exponents)


@mal_rule(Relu)
def _relu_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside = replay.read(node.inputs[0])
    yield Candidate(mistake.RELU_LEFT_OUT, mistake.RELU_LEFT_OUT.says(), inside)
    yield Candidate(mistake.SIGN_LOST, mistake.SIGN_LOST.says(case="in a ReLU"), np.abs(inside))


@mal_rule(Sigmoid, Tanh, Log)
def _function_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    function = expect_operation(node, Operation).name
    name = mistake.TANH_LEFT_OUT if operation_of(node, Tanh) else mistake.FUNCTION_LEFT_OUT
    yield Candidate(name, name.says(function), replay.read(node.inputs[0]))


@mal_rule(Sqrt)
def _root_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    if not is_constant(node.inputs[0]):
        yield Candidate(mistake.ROOT_LEFT_OUT, mistake.ROOT_LEFT_OUT.says(), replay.read(node.inputs[0]))


@mal_rule(Log)
def _other_logarithm(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    with np.errstate(all="ignore"):
        tens = np.log10(replay.read(node.inputs[0]))
    yield Candidate(mistake.OTHER_LOGARITHM, mistake.OTHER_LOGARITHM.says(), tens)


@mal_rule(Sigmoid, Tanh)
def _other_function(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside = replay.read(node.inputs[0])
    if operation_of(node, Tanh):
        yield Candidate(mistake.SIGMOID_FOR_TANH, mistake.SIGMOID_FOR_TANH.says(), Sigmoid().compute(inside))
    else:
        yield Candidate(mistake.TANH_FOR_SIGMOID, mistake.TANH_FOR_SIGMOID.says(), np.tanh(inside))


@mal_rule(LeakyRelu)
def _leaky(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    inside, alpha = replay.read(node.inputs[0]), expect_operation(node, LeakyRelu).alpha
    part = format_constant(alpha)
    yield Candidate(
        mistake.RELU_FOR_LEAKY_RELU,
        mistake.RELU_FOR_LEAKY_RELU.says(part),
        np.maximum(inside, 0),
    )
    yield Candidate(mistake.RELU_LEFT_OUT, mistake.RELU_LEFT_OUT.says(part, case="leaky"), inside)


@mal_rule(Absolute)
def _sign_kept(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    yield Candidate(
        mistake.FUNCTION_LEFT_OUT,
        mistake.FUNCTION_LEFT_OUT.says(case="absolute"),
        replay.read(node.inputs[0]),
    )


@mal_rule(Sqrt, judges=False)
def _absolutes(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """|x₁| + |x₂| for √(x₁² + x₂²)."""
    x = squared_numbers(node.inputs[0])
    if x is not None:
        axis = expect_operation(node.inputs[0], Sums).axis
        sentence = mistake.ABSOLUTES_SUMMED.says(without_transpose(x))
        yield Candidate(
            mistake.ABSOLUTES_SUMMED, sentence, np.abs(replay.read(x)).sum(axis=axis, keepdims=True)
        )
