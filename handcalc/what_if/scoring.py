"""The way from scores to shares, found in a record: what a softmax does to scores before it takes powers.

S / √d_k, a mask, a temperature: each of these steps may be there, be missing, or be another one. Which there
are is read off the operations, so any record with a softmax in it will do, in both conventions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from handcalc.formulas.masks import words_for
from handcalc.formulas.step_texts import STEP_TEXTS
from handcalc.notation.names import has_slopes
from handcalc.operations import Constant, Divide, Exp, Mask, MatMul, Same, Sqrt, SubtractMax, Sums, Transpose
from handcalc.record.graph import readers_of
from handcalc.record.matrix import Matrix, constant
from handcalc.record.matrix_functions import sqrt
from handcalc.record.rewriting import run_again

SCORING_KINDS = ("scaling", "mask", "temperature")  # in the order in which they come
SUFFIXES = {"scaling": "scaled", "mask": "masked", "temperature": "tempered"}
TEMPERATURE = "T"  # its name in formulas
NO_STEP, CAUSAL_STATE, GIVEN_MASK, BY_ROOT_OF_D_K, BY_D_K = "none", "causal", "given", "sqrt_d_k", "d_k"
State = str | float


class Scoring(NamedTuple):
    """Scores, the steps between them and their powers, by kind, and what reads the last of these."""

    scores: Matrix
    steps: Mapping[str, Matrix]
    reader: Matrix
    axis: int  # 0 where shares add up to 1 down each column, 1 along each row

    def now(self, kind: str) -> State:
        """The state of a step: "sqrt_d_k", "d_k", "causal", "given" or "none"; a temperature is a number."""
        step = self.steps.get(kind)
        if kind == "temperature":
            return 1.0 if step is None else float(step.inputs[1].values[0, 0])
        if step is None:
            return NO_STEP
        if isinstance(step.operation, Mask):
            return CAUSAL_STATE if np.array_equal(step.operation.allowed, self._causal()) else GIVEN_MASK
        return BY_ROOT_OF_D_K if isinstance(step.inputs[1].operation, Sqrt) else BY_D_K

    def choices(self, kind: str) -> tuple[State, ...]:
        """The choices for a step, if it makes sense; for a temperature, which is free, examples."""
        if kind == "temperature":
            return (0.5, 1.0, 2.0, 4.0)
        now = self.now(kind)
        if kind == "scaling":
            return (BY_ROOT_OF_D_K, BY_D_K, NO_STEP) if now != NO_STEP or self._product() else ()
        causal = (CAUSAL_STATE,) if self._is_of_one_sequence() and self._can_add_causal() else ()
        return tuple(dict.fromkeys([now, NO_STEP, *causal])) if now != NO_STEP or causal else ()

    def rebuilt(
        self, scores: Matrix, states: Mapping[str, State], *, has_places: bool = False
    ) -> list[Matrix]:
        """The steps after these scores: of each kind the one in the state asked for, or the present one.

        With `has_places`, a step that is not wanted leaves an idle one in its place.
        """
        found = [scores]
        for kind in SCORING_KINDS:
            if (step := self.step(kind, found[-1], states.get(kind, self.now(kind)))) is not None:
                found.append(step)
            elif has_places and self.choices(kind):
                found.append(self._placed(Same()(found[-1]), kind))
        return found

    def step(self, kind: str, scores: Matrix, state: State) -> Matrix | None:
        """One kind of step in one state, on these scores; None where no step is needed."""
        if state == self.now(kind):
            old = self.steps.get(kind)
            return old and run_again(old, (scores, *old.inputs[1:]))
        if state in (NO_STEP, 1.0):
            return None
        if kind == "mask":
            allowed = self._with_causal()
            words = words_for(allowed if self.axis == 0 else allowed.T)
            return self._placed(Mask(allowed)(scores), kind, words)
        if kind == "temperature":
            return self._placed(scores / constant(float(state), TEMPERATURE), kind)
        d_k = constant(self._length(), BY_D_K)
        by_root = state == BY_ROOT_OF_D_K
        return self._placed(scores / (sqrt(d_k) if by_root else d_k), kind, "" if by_root else "S_divided")

    def name(self, kind: str) -> str:
        """The name of a step: S_scaled, head_1.S_masked."""
        step = self.steps.get(kind)
        return (step.name if step else None) or f"{self.scores.name}_{SUFFIXES[kind]}"

    def _placed(self, step: Matrix, kind: str, words: str = "") -> Matrix:
        meaning, why, stage = STEP_TEXTS[words or f"S_{SUFFIXES[kind]}"]
        return step.described_like(self.scores).replace(
            name=self.name(kind), meaning=meaning, why=why, stage=self.scores.stage and stage
        )

    # what the scores are --------------------------------------------------------------------------

    def _product(self) -> tuple[Matrix, Matrix] | None:
        """Keys and queries, if the scores are their product: Kᵀ Q, or Q Kᵀ with tokens as rows."""
        if not isinstance(self.scores.operation, MatMul):
            return None
        left, right = self.scores.inputs
        keys, queries = (left, right) if self.axis == 0 else (right, left)
        return (keys.inputs[0], queries) if isinstance(keys.operation, Transpose) else None

    def _is_of_one_sequence(self) -> bool:
        """Whether keys and queries are calculated from the same tokens, so that one can be later."""
        found = self._product()
        return found is not None and (
            found[0] is found[1] or not set(found[0].reads()).isdisjoint(found[1].reads())
        )

    def _length(self) -> int:
        """d_k, how many numbers a key has."""
        product = self._product()
        if product is not None:
            return product[0].shape[self.axis]
        return int(_divisor(self.steps["scaling"]).value)

    def _can_add_causal(self) -> bool:
        """Whether a causal mask hides more than the present one does, and leaves every query a key."""
        allowed = self._with_causal()
        is_less = self.now("mask") in (NO_STEP, CAUSAL_STATE) or bool((allowed != self._allowed()).any())
        return is_less and bool(allowed.any(axis=self.axis).all())

    def _with_causal(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """The causal mask on top of the present one: what is padding stays hidden."""
        return self._causal() & self._allowed()

    def _allowed(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        step = self.steps.get("mask")
        operation = step.operation if step else None
        return operation.allowed if isinstance(operation, Mask) else np.ones(self.scores.shape, dtype=bool)

    def _causal(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        allowed = np.ones(self.scores.shape, dtype=bool)
        return np.triu(allowed) if self.axis == 0 else np.tril(allowed)


def scorings(record: Sequence[Matrix]) -> Iterator[Scoring]:
    """Every softmax of a record whose scores have a name, and whose steps nothing else reads.

    None where slopes go back through them: those would be slopes of other steps.
    """
    if has_slopes(m.name for m in record):
        return
    readers = readers_of(record)
    names = {m.name for m in record}
    for power in record:
        if isinstance(power.operation, Exp) and (axis := _shared_along(readers.get(power, ()))) is not None:
            found = _before(power, axis)
            between = [*found.steps.values()] + [power.inputs[0]] * (found.reader is not power)
            is_ours = all(len(readers[m]) == 1 for m in between)
            is_free = all(found.name(kind) not in names for kind in SCORING_KINDS if kind not in found.steps)
            if found.scores.name and all(m.name for m in found.steps.values()) and is_ours and is_free:
                yield found


def _shared_along(readers: Sequence[Matrix]) -> int | None:
    """The axis along which powers are added up, if their sum divides them."""
    sums = [m for m in readers if isinstance(m.operation, Sums)]
    divided = [m for m in readers if isinstance(m.operation, Divide) and m.inputs[1] in sums]
    return sums[0].operation.axis if divided and isinstance(sums[0].operation, Sums) else None


def _before(power: Matrix, axis: int) -> Scoring:
    reader, scores = power, power.inputs[0]
    if isinstance(scores.operation, SubtractMax):
        reader, scores = scores, scores.inputs[0]
    steps: dict[str, Matrix] = {}
    while (kind := _kind(scores)) is not None and kind not in steps:
        steps[kind], scores = scores, scores.inputs[0]
    return Scoring(scores, steps, reader, axis)


def _kind(step: Matrix) -> str | None:
    if isinstance(step.operation, Mask):
        return "mask"
    if not isinstance(step.operation, Divide):
        return None
    symbol = _divisor(step).symbol
    return {BY_D_K: "scaling", TEMPERATURE: "temperature"}.get(symbol or "")


def _divisor(step: Matrix) -> Constant:
    """The number that a step divides by, or by the root of, where it belongs to the formula, as d_k does."""
    divisor = step.inputs[1]
    inside = divisor.inputs[0] if isinstance(divisor.operation, Sqrt) else divisor
    return inside.operation if isinstance(inside.operation, Constant) else Constant(1)
