"""Mistakes in normalizing: along the wrong line, not divided, the mask too late or on the wrong side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.notation.expression import Constant, Power
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Number, said
from handcalc.operations import Divide, Mask, Means, Sums
from handcalc.operations.reductions import Reduction
from handcalc.practice.mistakes.confusables import confusables_of
from handcalc.practice.mistakes.mal_rule import MalRule, WrongResult
from handcalc.practice.mistakes.mistake_registry import (
    ALONG_EACH_ROW,
    IN_PERCENT,
    MASK_ADDED,
    MASK_AFTER_SOFTMAX,
    MASK_LEFT_OUT,
    MASK_WRONG_SIDE,
    NOT_DIVIDED,
    NOT_NORMALISED,
    QUERIES_MASKED,
    ROW_SOFTMAX,
    TRUE_MEANS_HIDDEN,
    WINDOW_BOTH_SIDES,
    WINDOW_TOO_WIDE,
    ZERO_FOR_MINUS_INFINITY,
)
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay, recompute
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    expect_operation,
    is_exponential,
    is_normalization,
    mask_of,
)
from handcalc.record.matrix import Matrix

WRONG_LINE_NAMES = {family.of(axis) for family in (ROW_SOFTMAX, ALONG_EACH_ROW) for axis in LINE_OF_AXIS}


def _wrong_axis(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Along each row instead of each column, or the other way round."""
    along = expect_operation(node, Reduction)
    axis, values = along.axis, along.transposed().compute(replay.read(node.inputs[0]))
    is_softmax_sum = confusables_of(replay.calculation).is_divisor(node)
    name = (ROW_SOFTMAX if is_softmax_sum else ALONG_EACH_ROW).of(LINE_OF_AXIS[1 - axis])
    sentence = (
        f"This runs along each {LINE_OF_AXIS[1 - axis]}; it should run along each {LINE_OF_AXIS[axis]}."
    )
    yield WrongResult(name, sentence, values.T if values.shape != node.shape else values)


def _mean_not_divided(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    count = node.inputs[0].values.size // node.values.size
    yield WrongResult(NOT_DIVIDED, f"Added up, but not divided by {count}.", replay.follow(node) * count)


def _not_normalised(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    if not is_normalization(node):
        return
    top, bottom = node.inputs
    line = LINE_OF_AXIS[expect_operation(bottom, Sums).axis]
    yield WrongResult(
        NOT_NORMALISED, f"Each {line} must add up to 1: divide it by its sum.", replay.read(top)
    )
    yield WrongResult(
        IN_PERCENT,
        "These are percentages; write shares that add up to 1, not to 100.",
        100 * replay.follow(node),
    )


def _normalized_otherwise(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Shares of the wrong lines, or taken before anything was hidden."""
    if not is_normalization(node):
        return
    top, bottom = node.inputs
    axis, powers = expect_operation(bottom, Sums).axis, replay.read(top)
    sentence = f"Here each {LINE_OF_AXIS[1 - axis]} adds up to 1; each {LINE_OF_AXIS[axis]} must."
    sums = powers.sum(axis=1 - axis, keepdims=True)
    along = powers / np.where(sums == 0, 1, sums)  # padding has nothing to divide
    yield WrongResult(ROW_SOFTMAX.of(LINE_OF_AXIS[1 - axis]), sentence, along)
    yield from _masked_after(top, axis, replay)


def _masked_after(powers: Matrix, axis: int, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Weights for all keys, hidden ones removed only afterwards: the rest does not add up to 1."""
    if not is_exponential(powers):
        return
    (scores,) = powers.inputs
    while scores.is_idle:
        scores = scores.inputs[0]
    hidden = mask_of(scores)
    if hidden is None:
        return
    seen = recompute(powers, replay.read(scores.inputs[0]))
    if seen is not None:
        seen = replay.on_paper(powers, seen)
        shares = seen / replay.on_paper(powers, seen.sum(axis=axis, keepdims=True))
        sentence = "The mask came after softmax: by then hidden keys had already taken their share."
        yield WrongResult(MASK_AFTER_SOFTMAX, sentence, np.where(hidden.allowed, shares, 0))
        yield WrongResult(MASK_LEFT_OUT, "Nothing was hidden: the mask was left out.", shares)
        yield from (one for one in _turned(shares, hidden.allowed, 0.0) if one.mistake == QUERIES_MASKED)


def _hidden_by_zero(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    power = Power(Constant(float(np.e), "e"), Constant(0))
    sentence = said("Hidden scores become {}, not 0: {} is 1, not 0.", Number("-∞"), power)
    scores, allowed = replay.read(node.inputs[0]), expect_operation(node, Mask).allowed
    yield WrongResult(ZERO_FOR_MINUS_INFINITY, sentence, np.where(allowed, scores, 0.0))


def _masks(node: Matrix, replay: LearnerReplay) -> Iterator[WrongResult]:
    """Another mask than the one meant, or none."""
    scores, allowed = replay.read(node.inputs[0]), expect_operation(node, Mask).allowed
    yield WrongResult(MASK_LEFT_OUT, "Nothing was hidden: the mask was left out.", scores)
    yield from _turned(scores, allowed, -np.inf)
    sentence = said("The mask is inverted: what may be seen was hidden, and the rest was kept.")
    yield WrongResult(TRUE_MEANS_HIDDEN, sentence, np.where(allowed, -np.inf, scores))
    sentence = said("0 and 1 were added; a mask adds 0 and {}.", Number("-∞"))
    for added in (allowed, ~allowed):
        yield WrongResult(MASK_ADDED, sentence, scores + added)
    yield from _windows(scores, allowed)


def _windows(scores: Values, allowed: Flags) -> Iterator[WrongResult]:
    """A sliding window that looks ahead, too, or is counted without oneself."""
    places: Values = np.subtract.outer(np.arange(allowed.shape[0]), np.arange(allowed.shape[1]))
    for back in (-places, places):  # from a query to a key, in either convention
        width = int(back[allowed].max()) + 1
        if allowed.shape[0] == allowed.shape[1] > width > 1 and _is_window(allowed, back, width):
            both = "The window extends to both sides; a query may not look at later tokens."
            yield WrongResult(WINDOW_BOTH_SIDES, both, np.where(abs(back) < width, scores, -np.inf))
            wide = f"The window is too wide: {width} tokens are seen, the query's own among them."
            seen = (back >= 0) & (back <= width)
            yield WrongResult(WINDOW_TOO_WIDE, wide, np.where(seen, scores, -np.inf))


def _is_window(allowed: Flags, back: Values, width: int) -> bool:
    return bool((allowed == ((back >= 0) & (back < width))).all())


def _turned(values: Values, allowed: Flags, hidden: float) -> Iterator[WrongResult]:
    """The mask the other way round: earlier tokens are hidden, or padding as a query."""
    if allowed.shape[0] != allowed.shape[1]:
        return
    lines = [not allowed.any(axis=axis).all() for axis in (1, 0)]  # a row, a column of it hides everything
    name, words = MASK_WRONG_SIDE, "The mask hides the wrong side: a query may not look at later tokens."
    if any(lines):
        key, query = ("row", "column") if lines[0] else ("column", "row")
        name = QUERIES_MASKED
        words = f"Padding is hidden as a key, in its {key}; here it was hidden as a query, in its {query}."
    yield WrongResult(name, words, np.where(allowed.T, values, hidden))


MAL_RULES: tuple[MalRule, ...] = (
    MalRule(_wrong_axis, (Sums, Means), is_whole=True),
    MalRule(_mean_not_divided, (Means,)),
    MalRule(_not_normalised, (Divide,)),
    MalRule(_normalized_otherwise, (Divide,), is_whole=True),
    MalRule(_hidden_by_zero, (Mask,)),
    MalRule(_masks, (Mask,), is_whole=True),
)
