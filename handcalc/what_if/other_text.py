"""Another text for a model: the same record on other tokens of its vocabulary, as many as it has room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from handcalc.formulas.masks import causal_mask
from handcalc.foundation.errors import HandcalcError, kind, listed, short
from handcalc.notation.labels import Labels
from handcalc.operations import Gather, Mask, Operation, Slice
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MOST_TOKENS = 64  # where nothing else says how many a model can read


class Reading(NamedTuple):
    """Where a record looks up its text: each token is a column of a table, or with tokens as rows a row."""

    at: Matrix  # what was looked up
    vocabulary: tuple[str, ...]
    signs: int  # that every text begins with, such as "<"; nobody types them
    most: int  # tokens, with the signs

    @property
    def tokens(self) -> tuple[str, ...]:
        """What it reads now."""
        return tuple(self.vocabulary[k] for k in _looked_up(self.at).indices)

    @property
    def known(self) -> list[str]:
        """The tokens that can be typed."""
        return [word for word in self.vocabulary if _is_word(word)]

    @property
    def between(self) -> str:
        """What stands between two tokens of a text: nothing between letters."""
        return "" if all(len(word) == 1 for word in self.vocabulary) else " "

    @property
    def text(self) -> str:
        """What it reads now, without the signs that it begins with."""
        return self.between.join(self.tokens[self.signs :])

    def read(self, text: Any) -> tuple[str, ...]:
        """The tokens of another text. Raises HandcalcError for one that the model cannot read."""
        if not isinstance(text, str):
            raise HandcalcError(f"A text is written as a string, not as {kind(text)}.")
        unit = "words" if self.between else "letters"
        typed = text.split() if self.between else list("".join(text.split()))
        if not typed:
            raise HandcalcError(f"The text is empty; the model knows the {unit} {listed(self.known)}.")
        for word in typed:
            if word not in self.known:
                raise HandcalcError(
                    f"The model knows the {unit} {listed(self.known)}; it cannot read {short(word)}."
                )
        if len(typed) + self.signs > self.most:
            room = self.most - self.signs
            one = unit[: None if room > 1 else -1]
            raise HandcalcError(f"The model has room for {room} {one}; this text has {len(typed)}.")
        return (*self.tokens[: self.signs], *typed)


def reading(calculation: Calculation) -> Reading | None:
    """Where a text is looked up, if that is one place and the result has a number for each token."""
    found = [m for m in calculation.record if isinstance(m.operation, Gather) and _words(m)]
    result = calculation.result
    axis = int(calculation.convention == "columns")
    if len(found) != 1 or not isinstance(_labels(result)[axis], tuple):
        return None
    (at,) = found
    whole = Reading(at, _words(at), 0, 0)
    tokens = whole.tokens
    signs = next((k for k, word in enumerate(tokens) if _is_word(word)), None)
    if _looked_up(at).axis != axis or _labels(result)[axis] != tokens or signs is None:
        return None
    return whole._replace(signs=signs, most=_room(calculation, at, axis))


def with_text(calculation: Calculation, found: Reading, tokens: Sequence[str]) -> Calculation:
    """The record that reads these tokens; every label that named the old ones names these."""
    old_tokens, axis = found.tokens, _looked_up(found.at).axis
    fresh = [found.vocabulary.index(token) for token in tokens]

    def operation_of(old: Matrix) -> Operation | None:
        if old is found.at:
            return Gather(fresh, axis)
        if _is_first_places(old, len(old_tokens), axis):
            return Slice(0, len(tokens), axis)
        if isinstance(old.operation, Mask) and len(tokens) != len(old_tokens) and _is_causal(old):
            return Mask(causal_mask(len(tokens)) if axis else causal_mask(len(tokens)).T)
        return old.operation

    def relabelled(old: Matrix, new: Matrix) -> Matrix:
        sides = []
        for side, (was, now) in enumerate(zip(_labels(old), _labels(new), strict=True)):
            is_named = side == axis and was == old_tokens
            has_other = isinstance(was, tuple) and (now is not None or len(was) != new.shape[side])
            sides.append(tuple(tokens) if is_named else now if has_other else was)
        return new.described(old.description._replace(rows=sides[0], columns=sides[1]))

    def read_again(old: Matrix, inputs: tuple[Matrix, ...]) -> Matrix:
        if old.operation is None:
            return _cut(old, tokens, axis) if _is_of_tokens(old, found.at, axis) else old
        operation = operation_of(old)
        assert operation is not None
        if inputs == old.inputs and operation is old.operation:
            return old
        return relabelled(old, Matrix.computed(operation, *inputs))

    before, after = (found.between.join(words[found.signs :]) for words in (old_tokens, tokens))
    return calculation.rewritten(read_again, title=_entitled(calculation.title, before, after))


def token_sides(calculation: Calculation, found: Reading) -> tuple[list[int], list[int], bool]:
    """Which matrices have a row for each token, which a column; whether a text may have another length."""
    tokens, places = found.tokens, {word: k for k, word in enumerate(found.vocabulary)}
    count = len(found.vocabulary)
    others = [found.vocabulary[(places[word] + 1) % count] for word in tokens]
    for length in (len(tokens) - 1, len(tokens) + 1, len(tokens)):
        probe = (*others, others[-1])[:length]
        if not found.signs < length <= found.most:
            continue
        try:
            new = with_text(calculation, found, probe)
        except HandcalcError:
            continue
        pairs = list(zip(calculation.record, new.record, strict=True))
        sides = [
            [
                k
                for k, (a, b) in enumerate(pairs)
                if _labels(a)[side] != _labels(b)[side] or a.shape[side] != b.shape[side]
            ]
            for side in (0, 1)
        ]
        return sides[0], sides[1], length != len(tokens)
    return [], [], False


def _entitled(title: str, before: str, after: str) -> str:
    start = f" {title} ".rfind(f" {before} ")
    if start < 0:
        return title if before == after else f"{title}, what if: it reads {after}"
    return title[:start] + after + title[start + len(before) :]


def _looked_up(at: Matrix) -> Gather:
    assert isinstance(at.operation, Gather)
    return at.operation


def _words(at: Matrix) -> tuple[str, ...]:
    """The vocabulary of a table in which something is looked up: a label for each entry, no two alike."""
    table = at.inputs[0]
    words = _labels(table)[_looked_up(at).axis]
    return words if table.is_given and isinstance(words, tuple) and len({*words}) == len(words) else ()


def _labels(matrix: Matrix) -> tuple[Labels, Labels]:
    return matrix.description.rows, matrix.description.columns


def _is_word(token: str) -> bool:
    return any(sign.isalnum() for sign in token)


def _is_of_tokens(given: Matrix, at: Matrix, axis: int) -> bool:
    """Whether a given has a column for each token; the table has not, though all its words may be read."""
    table = at.inputs[0]
    words = _words(at)
    return given is not table and _labels(given)[axis] == tuple(words[k] for k in _looked_up(at).indices)


def _is_first_places(matrix: Matrix, count: int, axis: int) -> bool:
    """Whether it takes as many places from a given as there are tokens."""
    taken = matrix.operation
    if not isinstance(taken, Slice) or not matrix.inputs[0].is_given:
        return False
    return (taken.start, taken.stop, taken.axis) == (0, count, axis)


def _is_causal(matrix: Matrix) -> bool:
    mask, causal = matrix.operation, causal_mask(matrix.shape[0])
    return isinstance(mask, Mask) and any(np.array_equal(mask.allowed, one) for one in (causal, causal.T))


def _room(calculation: Calculation, at: Matrix, axis: int) -> int:
    count = len(_looked_up(at).indices)
    rooms = [MOST_TOKENS]
    for m in calculation.record:
        if m.operation is None and _is_of_tokens(m, at, axis):
            rooms.append(count)
        elif _is_first_places(m, count, axis):
            rooms.append(m.inputs[0].shape[axis])
        elif isinstance(m.operation, Mask) and not _is_causal(m):
            rooms.append(count)
    return max(count, min(rooms))


def _cut(given: Matrix, tokens: Sequence[str], axis: int) -> Matrix:
    values = given.values[:, : len(tokens)] if axis else given.values[: len(tokens)]
    about = {"columns" if axis else "rows": tuple(tokens)}
    return given.filled(values).replace(**about)
