"""Mistakes in cutting, stacking, looking up and choosing: other rows or columns, another order or place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from handcalc.notation.expression import Quotient, Symbol
from handcalc.notation.numbers import Values, counted
from handcalc.operations import Argmax, Concat, Gather, Patches, Positions, Slice
from handcalc.practice.mistakes import mistake_registry as mistake
from handcalc.practice.mistakes.in_products import confusables_of
from handcalc.practice.mistakes.mal_rule import Candidate, candidate, last_word, mal_rule, used_instead
from handcalc.practice.replay.error_carried_forward import LearnerReplay
from handcalc.practice.replay.patterns import (
    LINE_OF_AXIS,
    expect_operation,
    is_product,
    is_slope,
    operation_of,
    without_transpose,
)
from handcalc.record.matrix import Matrix

MAX_PARTS_REORDERED = 3  # with more parts, not every order is tried
SIDE_OF_AXIS = ("above", "beside")


@mal_rule(Slice, is_whole=True)
def _head_cut_otherwise(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """One of the parts of a whole, cut from the numbers in a row, token by token; or every second line."""
    op = expect_operation(node, Slice)
    whole, size = replay.read(node.inputs[0]), op.stop - op.start
    parts, left = divmod(whole.shape[op.axis], size)
    which, off = divmod(op.start, size)
    if left or off or parts < 2 or whole.shape[1 - op.axis] < 2 or not _is_cut_up(node, parts, replay):
        return
    line, token = LINE_OF_AXIS[1 - op.axis], LINE_OF_AXIS[op.axis]
    across = whole if op.axis else whole.T  # a token is a row, as programs store it
    run = across.reshape(parts, -1, size)[which]
    yield candidate(mistake.HEADS_BY_TOKENS, run if op.axis else run.T, line, token, token)
    apart = across[:, which::parts]
    yield candidate(
        mistake.HEADS_INTERLEAVED,
        apart if op.axis else apart.T,
        _ordinal(parts),
        line,
        line,
        counted(op.start),
        op.stop,
    )


def _is_cut_up(node: Matrix, parts: int, replay: LearnerReplay) -> bool:
    """Whether all numbers a part was cut from went into named parts of its size, as queries go into heads."""
    cut, found = expect_operation(node, Slice), set()
    for step in replay.calculation.steps.values():
        other = operation_of(step, Slice)
        if other and step.inputs == node.inputs and other.axis == cut.axis:
            found |= {other.start} if other.stop - other.start == cut.stop - cut.start else set()
    return node.name is not None and found >= {part * (cut.stop - cut.start) for part in range(parts)}


def _ordinal(count: int) -> str:
    return {2: "second", 3: "third", 4: "fourth", 8: "eighth"}.get(count, f"{count}th")


@mal_rule(Concat, is_whole=True)
def _stacked(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A stack whose numbers were put together part by part, as if tokens did not matter."""
    axis, parts = expect_operation(node, Concat).axis, parts_alike(node, replay)
    if not parts or parts[0].shape[1 - axis] < 2:
        return
    run = np.stack([part if axis else part.T for part in parts])
    joined = run.reshape(run.shape[1], -1)
    line = LINE_OF_AXIS[axis]
    yield candidate(mistake.HEADS_BY_TOKENS, joined if axis else joined.T, line, line, case="stacked")


def parts_alike(node: Matrix, replay: LearnerReplay) -> list[Values]:
    """The parts of a stack, if they are several of one shape."""
    parts = [replay.read(part) for part in node.inputs]
    is_even = len(parts) > 1 and len({part.shape for part in parts}) == 1
    return parts if is_even else []


@mal_rule(Concat, is_whole=True, judges=False)
def _out_of_order(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The parts of a stack in every other order; of many, from the last to the first."""
    for first, case, joined in orders_of(node, replay):
        yield candidate(mistake.STACKED_IN_OTHER_ORDER, joined, without_transpose(first), case=case)


def orders_of(stack: Matrix, replay: LearnerReplay) -> Iterator[tuple[Matrix, str, Values]]:
    """Each other order: which part comes first, the case of its sentence, and the stack."""
    axis, places = expect_operation(stack, Concat).axis, range(len(stack.inputs))
    orders = (
        list(permutations(places))[1:] if len(places) <= MAX_PARTS_REORDERED else [tuple(reversed(places))]
    )
    for order in orders:
        first = stack.inputs[order[0]]
        goes = (("not on top", "not on the left"), ("below", "on the right"))[len(places) == 2]
        case = "after the first" if order[0] == 0 else goes[axis]
        yield first, case, np.concatenate([replay.read(stack.inputs[place]) for place in order], axis=axis)


@mal_rule(Concat, judges=False)
def _added_up(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A stack with the sum of its parts in it: once, and 0 below, or in the place of each."""
    axis, parts = expect_operation(node, Concat).axis, parts_alike(node, replay)
    if not parts or is_slope(node):
        return
    total, names = sum(parts), [without_transpose(part) for part in node.inputs]
    for rest in (total, np.zeros_like(total)):
        yield candidate(
            mistake.HEADS_ADDED,
            np.concatenate([total, *[rest] * (len(parts) - 1)], axis=axis),
            names[0],
            names[-1],
            SIDE_OF_AXIS[axis],
            case="in the stack",
        )


@mal_rule(Positions, is_whole=True)
def _waves(node: Matrix, _: LearnerReplay) -> Iterator[Candidate]:
    """Sine and cosine of a wrong angle, or in a wrong row."""
    op = expect_operation(node, Positions)
    for made in (*_in_other_places(op), *_in_other_rows(op), *_in_other_unit(op)):
        yield made if op.axis == 0 else made._replace(values=made.values.T)


def _in_other_places(op: Positions) -> Iterator[Candidate]:
    feature, place = np.arange(op.d_model)[:, None], np.arange(op.count)
    pair, odd = feature - feature % 2, feature % 2 == 1
    yield candidate(mistake.PLACES_FROM_ONE, op.waves(place + 1, pair, odd))
    yield candidate(mistake.PLACE_ALONG_THE_BATCH, op.waves(0 * place, pair, odd))
    line, other = LINE_OF_AXIS[op.axis], LINE_OF_AXIS[1 - op.axis]
    for is_cosine in (odd, place % 2 == 1):
        for size in {op.d_model, op.count}:
            exponent = (place - place % 2) * op.d_model / size
            yield candidate(
                mistake.PLACE_AND_FEATURE_SWAPPED, op.waves(feature, exponent, is_cosine), line, other
            )


def _in_other_rows(op: Positions) -> Iterator[Candidate]:
    feature, place = np.arange(op.d_model)[:, None], np.arange(op.count)
    half = (op.d_model + 1) // 2
    if op.d_model > 2:
        line = LINE_OF_AXIS[1 - op.axis]
        yield candidate(
            mistake.SIN_COS_IN_HALVES, op.waves(place, 2 * (feature % half), feature >= half), line
        )
    if op.d_model > 1:
        exponent = Quotient(Symbol("2k"), Symbol("d_model"))
        yield candidate(mistake.OWN_EXPONENT, op.waves(place, feature, feature % 2 == 1), exponent)


def _in_other_unit(op: Positions) -> Iterator[Candidate]:
    """A calculator that takes radians for degrees, or degrees for radians."""
    turn = 1.0 if op.turn is None else np.degrees(op.turn)
    unit, used = ("radians", "degrees") if op.turn is None else ("degrees", "radians")
    values = Positions(op.count, op.d_model, op.base, turn=float(turn)).compute()
    yield candidate(mistake.DEGREES_FOR_RADIANS, values, unit, used)


@mal_rule(Gather, is_whole=True)
def _looked_up(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The column before, or after, each one that was meant: counted from 0, not from 1, or the other way."""
    op, table = expect_operation(node, Gather), replay.read(node.inputs[0])
    for by, word in ((-1, "before"), (1, "after")):
        places = np.array(op.indices) + by
        if places.min() >= 0 and places.max() < table.shape[op.axis]:
            yield candidate(
                mistake.LOOKED_UP_NEXT_DOOR, table.take(places, op.axis), LINE_OF_AXIS[1 - op.axis], word
            )


@mal_rule(Concat, is_whole=True)
def _window_not_moved_on(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """A window without its oldest token, and with a new one: neither was done."""
    first = node.inputs[0]
    part = operation_of(first, Slice)
    if (
        part is None
        or part.axis != expect_operation(node, Concat).axis
        or first.inputs[0].shape != node.shape
    ):
        return
    yield candidate(mistake.WINDOW_NOT_MOVED_ON, replay.read(first.inputs[0]), LINE_OF_AXIS[1 - part.axis])


@mal_rule(Patches, is_whole=True)
def _patches_misread(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The same squares with their pixels, or the squares themselves, in another order; or other squares."""
    cut = expect_operation(node, Patches)
    seen = replay.read(node.inputs[0])
    picture, p = (seen if cut.axis else seen.T), cut.size
    usual = [(top, left) for top in range(0, len(picture), p) for left in range(0, picture.shape[1], p)]
    down = sorted(usual, key=lambda corner: corner[::-1])
    inside = [(r, c) for r in range(len(picture) - p + 1) for c in range(picture.shape[1] - p + 1)]
    ways = (
        (mistake.PIXELS_BY_COLUMNS, mistake.PIXELS_BY_COLUMNS.says(), usual, True),
        (mistake.PATCHES_BY_COLUMNS, mistake.PATCHES_BY_COLUMNS.says(), down, False),
        (mistake.PATCHES_OVERLAP, mistake.PATCHES_OVERLAP.says(p), inside, False),
    )
    for name, sentence, corners, is_down in ways:
        found = _columns(picture, corners[: len(usual)], p, is_down=is_down)
        yield Candidate(name, sentence, found if cut.axis else found.T)


def _columns(picture: Values, corners: list[tuple[int, int]], p: int, *, is_down: bool) -> Values:
    squares = [picture[top : top + p, left : left + p] for top, left in corners]
    return np.stack([(square.T if is_down else square).ravel() for square in squares]).T


@mal_rule(Slice, is_whole=True, judges=False)
def _other_part(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Another column than the one meant; or, of several, those one earlier or one later."""
    cut, whole = expect_operation(node, Slice), replay.read(node.inputs[0])
    width, line = cut.stop - cut.start, LINE_OF_AXIS[1 - cut.axis]
    for start in range(whole.shape[cut.axis] - width + 1):
        values = Slice(start, start + width, cut.axis).compute(whole)
        if width == 1 and start != cut.start and (node.name or start):  # else: _first_place
            yield candidate(
                mistake.WRONG_COLUMN.of(line), values, line, counted(start), line, counted(cut.start)
            )
        elif width > 1 and abs(start - cut.start) == 1:
            name = mistake.NOT_SHIFTED if start < cut.start else mistake.SHIFTED_TWICE
            yield candidate(name, values, line, line, counted(cut.start), cut.stop)


@mal_rule(Argmax)
def _argmax(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    choice, numbers = expect_operation(node, Argmax), replay.read(node.inputs[0])
    line, axis = LINE_OF_AXIS[1 - choice.axis], choice.axis
    right = replay.follow(node)
    yield candidate(mistake.ROWS_FROM_ZERO, right - 1, line, line, line)
    yield candidate(mistake.NUMBER_FOR_ITS_ROW, numbers.max(axis=axis, keepdims=True), line)
    lowest = replay.compute(node, {node.inputs[0]: -numbers})
    if lowest is not None:
        yield candidate(mistake.LOWEST_FOR_HIGHEST, lowest)


@mal_rule(Concat)
def _other_kept(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """Another projection of the new token joins what is kept: its query in place of its key."""
    new = node.inputs[-1]
    if len(node.inputs) < 2 or not is_product(new):
        return
    for other in confusables_of(replay.calculation).others(new):
        if other.shape == new.shape and not {*other.inputs}.isdisjoint(new.inputs):
            sentence = mistake.CACHE_OF_QUERIES.says(other, new)
            name = mistake.CACHE_OF_QUERIES.of(_several(last_word(other)))
            yield from used_instead(name, node, other, new, replay, sentence)


def _several(noun: str) -> str:
    """The plural: queries, of query."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and not noun.endswith("ey") else f"{noun}s"


@mal_rule(Slice)
def _first_place(node: Matrix, replay: LearnerReplay) -> Iterator[Candidate]:
    """The first column or row of a table, in place of a later one that a formula reads in passing."""
    part = expect_operation(node, Slice)
    if node.name or part.stop - part.start > 1 or not part.start:
        return
    first = Slice(0, 1, part.axis).compute(replay.read(node.inputs[0]))
    line = LINE_OF_AXIS[1 - part.axis]
    yield candidate(mistake.PLACE_STARTS_AGAIN, first, line, node.inputs[0], line, part.start + 1)
