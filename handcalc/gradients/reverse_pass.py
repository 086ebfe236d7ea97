"""One way back through a record, from the loss: the slope that each matrix gets from its readers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from handcalc.gradients import gradient_reasons
from handcalc.gradients import joint_rules as joint_
from handcalc.gradients.gradient_names import Namer
from handcalc.gradients.gradient_reasons import Reason
from handcalc.gradients.product_forms import plain_number
from handcalc.gradients.simplification import Folding, inside_of, repeated, stack_scatters
from handcalc.operations import Passed, Sums
from handcalc.record.calculation import Calculation
from handcalc.record.graph import readers_of
from handcalc.record.matrix import Matrix, constant

MAX_INLINE_SYMBOLS = (
    8  # symbols of a slope that is written where it is read; of more, it is a step of its own
)


class SlopePart(NamedTuple):
    """The slope that a matrix gets through one of its readers; `path` is the reader's block."""

    slope: Matrix
    path: str
    why: list[Reason]


class Back:
    """The slopes of a record, from loss to givens; `with_constants` also of numbers of the formula."""

    def __init__(
        self, calculation: Calculation, loss: Matrix, *, joint: bool, with_constants: bool = False
    ) -> None:
        self.record, self.loss = calculation.record, loss
        self.needed = self._needed(with_constants)
        self.folded = Folding(self.record)
        self.named = Namer(calculation, self.loss)
        moving = [m for m in self.record if m in self.needed]
        found = joint_.joints(moving, readers_of(moving))
        self.joints = found if joint else {}
        self.harmless = {one.shift for one in found.values()}
        self.parts: dict[Matrix, list[SlopePart]] = defaultdict(list)
        self.home: dict[Matrix, Matrix] = {}  # of one without a name: the step that it is part of
        self.symbols: dict[Matrix, int] = {}
        self.found: list[Matrix] = []

    def _needed(self, with_constants: bool) -> set[Matrix]:
        """The matrices that the loss depends on: givens, and steps calculated from givens."""
        before, waiting = {self.loss}, [self.loss]
        while waiting:
            for read in waiting.pop().inputs:
                if read not in before:
                    before.add(read)
                    waiting.append(read)
        moving: set[Matrix] = set()
        for matrix in self.record:
            is_start = matrix.is_given or (with_constants and matrix.name)
            if matrix in before and (is_start or not moving.isdisjoint(matrix.inputs)):
                moving.add(matrix)
        return moving | {self.loss}

    def run(self) -> list[Matrix]:
        """Every slope under its name, the loss's own first."""
        self.found.append(self.named(constant(1), self.loss, gradient_reasons.WHY_LOSS_ITSELF))
        self._go_on(constant(1), self.loss, [])
        for matrix in reversed(self.record):
            if matrix is not self.loss and matrix in self.parts:
                parts = self.parts.pop(matrix)
                why = parts[0].why if len(parts) == 1 else [Reason(gradient_reasons.WHY_SEVERAL_WAYS)]
                grad_output = self._flow(matrix, parts, why)
                self._go_on(
                    grad_output, matrix, why if grad_output.name is None and not self._is_step(matrix) else []
                )
        return self.found

    def _is_step(self, matrix: Matrix) -> bool:
        return matrix.name is not None and not matrix.is_idle

    # what comes back to a matrix --------------------------------------------------------------

    def _flow(self, matrix: Matrix, parts: list[SlopePart], why: list[Reason]) -> Matrix:
        """All that came back to a matrix, under a name where it is a step."""
        if not self._is_step(matrix):
            grad_output = self._added([part.slope for part in parts])
            return (
                self._seen(grad_output, matrix, why)
                if plain_number(inside_of(grad_output)) is None
                else inside_of(grad_output)
            )
        grad_output = repeated(self._by_block(matrix, parts[::-1]), matrix.shape)
        plain = inside_of(grad_output) if plain_number(inside_of(grad_output)) is not None else None
        if grad_output.name is not None or grad_output is plain or grad_output.is_given:
            grad_output = Passed()(grad_output)
        told = gradient_reasons.WHY_PARTS if _are_pieces(parts) else gradient_reasons.strongest_reason(why)
        named = self.named(grad_output, matrix, told)
        self.found.append(named)
        return plain or named  # a number goes on as one: P − Y, and not dln_p·(Y − P)

    def _added(self, slopes: Sequence[Matrix]) -> Matrix:
        together = stack_scatters(slopes)
        return together if together is not None else reduce(lambda a, b: self.folded(a + b), slopes)

    def _by_block(self, matrix: Matrix, parts: list[SlopePart]) -> Matrix:
        """All parts added up; those that come through one block of several as a step of that block."""
        groups: dict[str, list[SlopePart]] = defaultdict(list)
        common = _common([part.path for part in parts])
        for part in parts:
            groups[_next(part.path, common)].append(part)
        if len(groups) < 2:
            return self._added(self._shortest_first([part.slope for part in parts]))
        direct, through = [], []
        for path, group in groups.items():
            if path == common or len(group) == 1 or not self.named.is_free(matrix, path):
                direct += [part.slope for part in group]
            else:
                slope = repeated(self._by_block(matrix, group), matrix.shape)
                self.found.append(self.named.partly(slope, matrix, path))
                through.append(self.found[-1])
        return self._added([*self._shortest_first(direct), *through])

    def _shortest_first(self, slopes: Sequence[Matrix]) -> list[Matrix]:
        return sorted(slopes, key=lambda slope: (self._symbols(slope), slope.name is None))

    def _seen(self, grad_output: Matrix, matrix: Matrix, why: list[Reason]) -> Matrix:
        """The slope of an unnamed matrix: a step where it is read more than once, or would be too long."""
        count = self._symbols(grad_output)
        ways = 2 if matrix in self.joints else sum(m in self.needed for m in matrix.inputs)
        if count <= 1 or (ways < 2 and count <= MAX_INLINE_SYMBOLS):
            return grad_output
        named = self.named.inner(
            repeated(grad_output, matrix.shape),
            matrix,
            self.home[matrix],
            gradient_reasons.strongest_reason(why),
        )
        self.found.append(named)
        return named

    def _symbols(self, matrix: Matrix) -> int:
        """The number of names in its formula."""
        if matrix.name is not None or matrix.is_given:
            return 1
        if matrix not in self.symbols:
            waiting = [matrix]
            while waiting:
                now = waiting[-1]
                missing = [m for m in now.inputs if not m.name and m.inputs and m not in self.symbols]
                if missing:
                    waiting.extend(missing)
                else:
                    counts = [1 if m.name or m.is_given else self.symbols.get(m, 0) for m in now.inputs]
                    self.symbols[waiting.pop()] = sum(counts)
        return self.symbols[matrix]

    # what it hands on -------------------------------------------------------------------------

    def _go_on(self, grad_output: Matrix, matrix: Matrix, why: list[Reason]) -> None:
        """Hand a matrix's slope on to its inputs."""
        if matrix in self.joints:
            self._through_joint(grad_output, self.joints[matrix])
        elif matrix in self.harmless:
            self._add(matrix.inputs[0], grad_output, matrix, why)
        elif matrix.operation is not None:
            self._through(grad_output, matrix, why)

    def _through_joint(self, grad_output: Matrix, joint: joint_.Joint) -> None:
        grad_output, mean = repeated(grad_output, joint.shares.shape), None
        if not joint.is_logarithm:
            mean = self.folded(joint_.weighted_mean_slope(joint, grad_output))
            if joint.shares.name:
                mean = self.named.mean(mean, joint.shares)
                self.found.append(mean)
        slope = self.folded(joint_.joint_slope(joint, grad_output, mean))
        why = joint_.why(joint, slope)
        self._add(joint.scores, slope, joint.result, [Reason(why, 4)])

    def _through(self, grad_output: Matrix, matrix: Matrix, why: list[Reason]) -> None:
        operation = matrix.operation
        assert operation is not None  # a given hands nothing on
        moving = [m for m in matrix.inputs if m in self.needed]
        can_be_thin = operation.repeats and not operation.needs_check
        if not (can_be_thin and all(m.shape == matrix.shape for m in moving)):
            grad_output = repeated(grad_output, matrix.shape)
        for operand, read in enumerate(matrix.inputs):
            if read in self.needed:
                slope = operation.slope(operand, grad_output, matrix.inputs, matrix)
                if slope is not None:
                    summed = _summed(slope, read.shape)
                    reason = gradient_reasons.reason(
                        operation, operand, is_alone=len(moving) < 2, is_repeated=summed is not slope
                    )
                    self._add(read, summed, matrix, [*why, reason])

    def _add(self, read: Matrix, slope: Matrix, reader: Matrix, why: list[Reason]) -> None:
        step = reader if self._is_step(reader) else self.home[reader]
        self.home.setdefault(read, step)
        path = (step.name or "").rpartition(".")[0]
        self.parts[read].append(SlopePart(self.folded(slope), path, why))


def _summed(slope: Matrix, shape: tuple[int, int]) -> Matrix:
    """The slope added up along each axis that was repeated to fit, until it has this shape."""
    for axis in (0, 1):
        if shape[axis] == 1 and slope.shape[axis] > 1:
            slope = Sums(axis)(slope)
    return slope


def _common(paths: Sequence[str]) -> str:
    """The block around all of them."""
    first, *others = [path.split(".") if path else [] for path in paths]
    depth = len(first)
    for other in others:
        depth = next(
            (k for k in range(min(depth, len(other))) if first[k] != other[k]), min(depth, len(other))
        )
    return ".".join(first[:depth])


def _next(path: str, common: str) -> str:
    """The block in `common` that a path leads into; `common` itself if it leads no further."""
    inside = path.removeprefix(common).lstrip(".")
    return ".".join(filter(None, (common, inside.partition(".")[0])))


def _are_pieces(parts: Sequence[SlopePart]) -> bool:
    """Whether all of them were put back to where they were taken."""
    return len(parts) > 1 and stack_scatters([part.slope for part in parts]) is not None
