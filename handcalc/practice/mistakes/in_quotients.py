"""Mistakes in dividing and averaging: scaling, softmax and its mask, means, along the wrong line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handcalc.formulas.handout import root_of_a_number
from handcalc.notation.expression import Raised, WrittenNumber
from handcalc.notation.numbers import Values
from handcalc.notation.sentences import Number
from handcalc.operations import Add, Divide, Exp, Mask, Maxima, Means, Multiply, Power, Sqrt, Sums
from handcalc.operations.reductions import Reduction
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.in_products import confusables_of
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, mal_rule
from handcalc.practice.replay.error_carried_forward import Flags, LearnerReplay
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    expect_operation,
    is_constant,
    is_length,
    is_normalisation,
    is_product,
    is_slope,
    is_variance,
    operation_of,
    weighted_mean,
    without_transpose,
)
from handcalc.record.matrix import Matrix

SIZE_WORDS = {"d_model": "the number of features", "n": "the number of tokens"}

WRONG_LINE_NAMES = {
    family.of(axis) for family in (mistake.ROW_SOFTMAX, mistake.ALONG_EACH_ROW) for axis in LINE_OF_AXIS
}


@mal_rule(Divide, when=root_of_a_number)
def _scaling(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    (root,) = node.inputs[1].inputs
    scores, number = replay.read(node.inputs[0]), float(root.values[0, 0])
    symbol = root.display_name
    if is_slope(node):
        yield candidate(mistake.SCALE_FORGOTTEN, scores, root)
    else:
        yield candidate(mistake.NOT_SCALED, scores, root)
    yield candidate(mistake.DIVIDED_BY_SIZE.of(symbol), scores / number, root)
    yield candidate(mistake.UPSIDE_DOWN, scores * np.sqrt(number), root, case="root")
    for name, count in _other_sizes(node, number):
        sizes = SIZE_WORDS[name], count, root, f"{number:g}"
        yield candidate(mistake.DIVIDED_BY_OTHER_ROOT.of(name), scores / np.sqrt(count), *sizes)


def _other_sizes(node: Matrix, number: float) -> Iterator[tuple[str, int]]:
    """The sizes that could be taken for d_k: that of the inputs (d_model), and how many tokens there are."""
    scores = node.inputs[0]
    if not is_product(scores):
        return
    projection = next((without_transpose(m) for m in scores.inputs if is_product(without_transpose(m))), None)
    sizes = [("d_model", projection.inputs[0].shape[1])] if projection else []
    sizes += [("n", count) for count in dict.fromkeys(scores.shape) if count not in dict(sizes).values()]
    yield from ((name, count) for name, count in sizes if count not in (1, number))  # √1 changes nothing


@mal_rule(Divide)
def _quotients(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A plain division, by a temperature or a feature: left out, or upside down."""
    if root_of_a_number(node) or is_normalisation(node):
        return
    top, bottom = node.inputs
    yield candidate(mistake.NOT_DIVIDED, replay.read(top), top, bottom)
    with np.errstate(all="ignore"):
        inverse = replay.read(bottom) / replay.read(top)
    yield candidate(mistake.UPSIDE_DOWN, inverse, bottom, top)


@mal_rule(Sums, Means, Maxima, is_whole=True)
def _wrong_axis(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Along each row instead of each column, or the other way round."""
    along = expect_operation(node, Reduction)
    axis, values = along.axis, along.transposed().compute(replay.read(node.inputs[0]))
    is_softmax_sum = confusables_of(replay.calculation).is_divisor(node)
    name = (mistake.ROW_SOFTMAX if is_softmax_sum else mistake.ALONG_EACH_ROW).of(LINE_OF_AXIS[1 - axis])
    sentence = mistake.ALONG_EACH_ROW.says(LINE_OF_AXIS[1 - axis], LINE_OF_AXIS[axis])
    yield Candidate(name, sentence, values.T if values.shape != node.shape else values)


@mal_rule(Means)
def _mean_not_divided(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    count = node.inputs[0].values.size // node.values.size
    yield candidate(mistake.NOT_DIVIDED, replay.follow(node) * count, count, case="mean")


@mal_rule(Divide, when=is_normalisation)
def _not_normalised(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    top, bottom = node.inputs
    line = LINE_OF_AXIS[expect_operation(bottom, Sums).axis]
    yield candidate(mistake.NOT_NORMALISED, replay.read(top), line)
    percent = 100 * replay.follow(node)
    yield candidate(mistake.IN_PERCENT, percent)
    yield candidate(mistake.IN_PERCENT, replay.shown(percent, 0))


@mal_rule(Divide, when=is_normalisation, is_whole=True)
def _normalised_otherwise(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Shares of the wrong lines, or taken before anything was hidden."""
    top, bottom = node.inputs
    axis, powers = expect_operation(bottom, Sums).axis, replay.read(top)
    sums = powers.sum(axis=1 - axis, keepdims=True)
    along = powers / np.where(sums == 0, 1, sums)  # padding has nothing to divide
    yield candidate(
        mistake.ROW_SOFTMAX.of(LINE_OF_AXIS[1 - axis]), along, LINE_OF_AXIS[1 - axis], LINE_OF_AXIS[axis]
    )
    yield from _masked_after(top, axis, replay)


def _masked_after(powers: Matrix, axis: int, replay: LearnerReplay) -> Iterator[Candidate]:
    """Weights for all keys, hidden ones removed only afterwards: the rest does not add up to 1."""
    if not operation_of(powers, Exp):
        return
    (scores,) = powers.inputs
    while scores.is_idle:
        scores = scores.inputs[0]
    hidden = operation_of(scores, Mask)
    if hidden is None:
        return
    seen = replay.compute(powers, {powers.inputs[0]: replay.read(scores.inputs[0])})
    if seen is not None:
        seen = replay.on_paper(powers, seen)
        shares = seen / replay.on_paper(powers, seen.sum(axis=axis, keepdims=True))
        yield candidate(mistake.MASK_AFTER_SOFTMAX, np.where(hidden.allowed, shares, 0))
        yield candidate(mistake.MASK_LEFT_OUT, shares)
        yield from (one for one in _turned(shares, hidden.allowed, 0.0) if one.name == mistake.QUERIES_MASKED)


def _turned(values: Values, allowed: Flags, hidden: float) -> Iterator[Candidate]:
    """The mask the other way round: earlier tokens are hidden, or padding as a query."""
    if allowed.shape[0] != allowed.shape[1]:
        return
    lines = [not allowed.any(axis=axis).all() for axis in (1, 0)]  # a row, a column of it hides everything
    name = mistake.QUERIES_MASKED if any(lines) else mistake.MASK_WRONG_SIDE
    key_and_query = ("row", "column") if lines[0] else ("column", "row")
    yield candidate(name, np.where(allowed.T, values, hidden), *(key_and_query if any(lines) else ()))


@mal_rule(Mask)
def _hidden_by_zero(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    power = Raised(WrittenNumber(float(np.e), "e"), WrittenNumber(0))
    scores, allowed = replay.read(node.inputs[0]), expect_operation(node, Mask).allowed
    yield candidate(mistake.ZERO_FOR_MINUS_INFINITY, np.where(allowed, scores, 0.0), Number("-∞"), power)


@mal_rule(Mask, is_whole=True)
def _masks(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Another mask than the one meant, or none."""
    scores, allowed = replay.read(node.inputs[0]), expect_operation(node, Mask).allowed
    yield candidate(mistake.MASK_LEFT_OUT, scores)
    yield from _turned(scores, allowed, -np.inf)
    yield candidate(mistake.TRUE_MEANS_HIDDEN, np.where(allowed, -np.inf, scores))
    for added in (allowed, ~allowed):
        yield candidate(mistake.MASK_ADDED, scores + added, Number("-∞"))
    yield from _windows(scores, allowed)


@mal_rule(Mask, is_whole=True, judges=False)
def _other_masks(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A causal mask where padding is to be hidden, or padding hidden as a key and as a query."""
    scores, allowed = replay.read(node.inputs[0]), expect_operation(node, Mask).allowed
    hidden = [~allowed.any(axis=axis) for axis in (1, 0)]
    if allowed.shape[0] != allowed.shape[1] or not any(lines.any() for lines in hidden):
        return
    square = np.ones(allowed.shape, dtype=bool)
    key = int(hidden[1].any())  # the axis along which a key lies
    causal = np.tril(square) if key else np.triu(square)
    yield candidate(mistake.CAUSAL_FOR_PADDING, np.where(causal, scores, -np.inf))
    words = (LINE_OF_AXIS[1 - key], LINE_OF_AXIS[key])
    yield candidate(
        mistake.PADDING_BOTH_WAYS, np.where(allowed & allowed.T, scores, -np.inf), *words, words[0]
    )


def _windows(scores: Values, allowed: Flags) -> Iterator[Candidate]:
    """A sliding window that looks ahead, too, or is counted without oneself."""
    places: Values = np.subtract.outer(np.arange(allowed.shape[0]), np.arange(allowed.shape[1]))
    for back in (-places, places):  # from a query to a key, in either convention
        width = int(back[allowed].max()) + 1
        if allowed.shape[0] == allowed.shape[1] > width > 1 and _is_window(allowed, back, width):
            yield candidate(mistake.WINDOW_BOTH_SIDES, np.where(abs(back) < width, scores, -np.inf))
            seen = (back >= 0) & (back <= width)
            yield candidate(mistake.WINDOW_TOO_WIDE, np.where(seen, scores, -np.inf), width)


def _is_window(allowed: Flags, back: Values, width: int) -> bool:
    return bool((allowed == ((back >= 0) & (back < width))).all())


@mal_rule(Means, when=is_variance)
def _n_minus_1(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The spread of a sample, as spreadsheets have it: STDEV, not STDEV.P."""
    count = node.inputs[0].values.size // node.values.size
    if count > 1:
        yield candidate(mistake.N_MINUS_1, replay.follow(node) * count / (count - 1), count - 1, count)


@mal_rule(Divide, judges=False)
def _n_for_n_minus_1(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The spread of all there is where that of a sample was asked for: STDEV.P, not STDEV."""
    total, count = node.inputs
    if operation_of(total, Sums) and operation_of(total.inputs[0], Power) and is_constant(count):
        less = float(count.values[0, 0])
        if total.inputs[0].values.size == total.values.size * (less + 1):
            values = replay.follow(node) * less / (less + 1)
            yield candidate(mistake.N_FOR_N_MINUS_1, values, f"{less + 1:g}", f"{less:g}")


@mal_rule(Add, judges=False)
def _eps_left_out(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    spread, eps = node.inputs
    if is_constant(eps) and 0 < eps.values[0, 0] < 1 and (operation_of(spread, Sqrt) or _is_spread(spread)):
        yield candidate(mistake.EPS_LEFT_OUT, replay.read(spread), f"{eps.values[0, 0]:g}")


def _is_spread(step: Matrix) -> bool:
    is_sum_of_squares = operation_of(step, Divide) and operation_of(step.inputs[0].inputs[0], Power)
    return is_variance(step) or bool(is_sum_of_squares)


@mal_rule(Divide)
def _times_temperature(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    top, bottom = node.inputs
    if is_constant(bottom):
        yield candidate(mistake.TIMES_TEMPERATURE, replay.read(top) * replay.read(bottom), bottom)


@mal_rule(Sums)
def _highest_for_right(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The highest number of each column, where the one is asked for that a 1 points at."""
    inside, axis = node.inputs[0], expect_operation(node, Sums).axis
    if inside.name or operation_of(inside, Multiply) is None:
        return
    for numbers, pointing in (inside.inputs, inside.inputs[::-1]):
        ones = replay.read(pointing)
        if numbers.shape == pointing.shape and np.isin(ones, (0, 1)).all() and (ones.sum(axis) == 1).all():
            highest = replay.read(numbers).max(axis=axis, keepdims=True)
            yield candidate(mistake.HIGHEST_FOR_RIGHT, highest, numbers, pointing)


@mal_rule(Exp, Divide, is_whole=True)
def _from_corner(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Few queries, the last ones, under the first columns of a causal mask: only the first keys are seen."""
    powers = node.inputs[0] if is_normalisation(node) else node
    if not operation_of(powers, Exp) or powers.shape[0] == powers.shape[1]:
        return
    height, width = powers.shape
    corner = np.ones((height, width), dtype=bool)
    seen = np.triu(corner) if height > width else np.tril(corner)
    scores = replay.read(powers.inputs[0])
    if not np.isfinite(scores).all():
        return
    hidden = replay.compute(powers, {powers.inputs[0]: np.where(seen, scores, -np.inf)})
    if hidden is None:
        return
    shares = hidden / hidden.sum(axis=int(height < width), keepdims=True)
    yield candidate(mistake.MASK_FROM_CORNER, hidden if powers is node else shares)


@mal_rule(Divide, judges=False)
def _divided_twice(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A dot product over one length and then over the other: by their sum. One alone is `not-divided`."""
    first, last = node.inputs
    if is_length(last) and operation_of(first, Divide) and is_length(first.inputs[1]):
        dot, length = first.inputs
        yield candidate(
            mistake.LENGTHS_ADDED,
            replay.read(dot) / (replay.read(length) + replay.read(last)),
            without_transpose(length),
            without_transpose(last),
            case="divided",
        )


@mal_rule(Sums)
def _mean_not_weighted(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    if (found := weighted_mean(node)) and is_slope(found.slopes):
        axis, slopes = expect_operation(node, Sums).axis, replay.read(found.slopes)
        yield candidate(mistake.MEAN_NOT_WEIGHTED, slopes.mean(axis=axis, keepdims=True), found.shares)
        yield candidate(
            mistake.SHARES_LEFT_OUT, slopes.sum(axis=axis, keepdims=True), found.shares, case="in the mean"
        )


@mal_rule(Sums)
def _averaged(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A mean where a sum is asked for, as where a batch is averaged."""
    count = node.inputs[0].values.size // node.values.size
    if count > 1 and not confusables_of(replay.calculation).is_divisor(node):
        yield candidate(mistake.AVERAGED, replay.follow(node) / count, count)
