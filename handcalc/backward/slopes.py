"""From a record, the record of its slopes: each operation's own rule, from the loss back to the givens.

Reverse accumulation (Linnainmaa 1970; Rumelhart, Hinton and Williams 1986): every matrix gets, from each that
reads it, what it contributes to the loss through that one; these are added up.
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce

from handcalc.backward import joint as joint_
from handcalc.backward.folding import folded, number
from handcalc.backward.naming import Namer, slope_name
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError, short, size
from handcalc.matrix import Matrix
from handcalc.names import BACKWARD
from handcalc.operands import constant
from handcalc.operations import Constant, Passed, Repeat, Sums


def gradients(calculation: Calculation, loss: str = "L", *, joint: bool = True) -> Calculation:
    """The slopes of a loss, one number, for every given and step: a calculation, with the forward one in it.

    In the block `backward` (`backward.head_1`, …) stands a step dW_Q for W_Q, of the same shape, and so on;
    `.of("W_Q")` finds it. With `joint` a softmax has one rule, dS = A ⊙ (dA − ΣA⊙dA), and so has the
    logarithm of one; without, the slopes of E and E_sum are steps as well.
    Raises HandcalcError for a name that is not there, a loss of more than one number, and an operation
    through which no slope goes back.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"gradients needs a calculation; got {short(calculation)}.")
    end = calculation[loss]
    if end.shape != (1, 1):
        raise HandcalcError(
            f"{end.display_name} is {size(end.shape)}; slopes are those of one number, a loss, "
            "such as hc.half_squared_distance(Z, target)."
        )
    if any(name.startswith("backward.") for name in calculation):
        raise HandcalcError("This calculation has slopes already; take gradients of the one without them.")
    back = _Back(calculation, end, joint=joint)
    return calculation.with_more(back.run(), title=f"{calculation.title}, and backwards")


def slope_of(calculation: Calculation, name: str) -> Matrix:
    """The slope of the loss for one matrix of a calculation that `gradients` made; of its shape.

    It is zeros where the loss does not depend on it. Raises HandcalcError where there are no slopes.
    """
    matrix = calculation[name]
    wanted = slope_name(matrix.name or name)
    if wanted in calculation:
        return calculation[wanted]
    forward, loss = calculation.without(BACKWARD), loss_of(calculation)
    stepwise = gradients(forward, loss, joint=False)
    return stepwise[wanted] if wanted in stepwise else matrix.filled(matrix.values * 0).named("zeros")


def loss_of(calculation: Calculation) -> str:
    """The name of the loss whose slopes `gradients` found; HandcalcError where there are none."""
    starts = [
        name
        for name, matrix in calculation.items()
        if name.startswith(f"{BACKWARD}.") and isinstance(matrix.operation, Constant)
    ]
    if not starts:
        raise HandcalcError(
            'There are no slopes in this calculation; hc.gradients(calculation, "L") finds them.'
        )
    return next(name for name in calculation if slope_name(name) in starts)


class _Back:
    """One way back, from the loss."""

    def __init__(self, calculation: Calculation, loss: Matrix, *, joint: bool) -> None:
        self.record, self.loss = calculation.record, loss
        self.named = Namer(calculation)
        self.needed = self._needed()
        readers: dict[Matrix, list[Matrix]] = defaultdict(list)
        for matrix in self.record:
            if matrix in self.needed:
                for read in matrix.inputs:
                    readers[read].append(matrix)
        self.joints = joint_.joints([m for m in self.record if m in self.needed], readers) if joint else {}
        self.flows: dict[Matrix, list[Matrix]] = defaultdict(list)
        self.found: list[Matrix] = []

    def _needed(self) -> set[Matrix]:
        """What the loss depends on: givens, what has a name, and what is calculated from those."""
        before, waiting = {self.loss}, [self.loss]
        while waiting:
            for read in waiting.pop().inputs:
                if read not in before:
                    before.add(read)
                    waiting.append(read)
        moving: set[Matrix] = set()
        for matrix in self.record:
            if matrix in before and (matrix.name or not moving.isdisjoint(matrix.inputs)):
                moving.add(matrix)
        return moving

    def run(self) -> list[Matrix]:
        """Every slope under its name, the loss's own first."""
        start = self.named(constant(1), self.loss, "The slope of the loss for itself.")
        self.found.append(start)
        self._go_on(constant(1), self.loss)
        for matrix in reversed(self.record):
            if matrix is not self.loss and self.flows.get(matrix):
                self._go_on(self._flow(matrix), matrix)
        return self.found

    def _flow(self, matrix: Matrix) -> Matrix:
        """All that came back to a matrix, under a name if that has one."""
        flow = folded(reduce(lambda a, b: a + b, self.flows[matrix]))
        if matrix.name is None or matrix.is_idle:
            return flow
        flow = _full(flow, matrix.shape)
        if flow.name is not None or number(flow) is not None or flow.is_given:
            flow = Passed()(flow)
        named: Matrix = self.named(flow, matrix, self.why.get(matrix, ""))
        self.found.append(named)
        return named

    def _go_on(self, flow: Matrix, matrix: Matrix) -> None:
        """Hand a matrix's slope on to what it was calculated from."""
        if matrix in self.joints:
            self._through_joint(flow, self.joints[matrix])
        elif matrix.operation is not None:
            self._through(flow, matrix)

    def _through_joint(self, flow: Matrix, joint: joint_.Joint) -> None:
        mean = None
        if not joint.is_logarithm:
            flow = _full(flow, joint.shares.shape)
            mean = joint_.mean_slope(joint, flow)
            if joint.shares.name:
                mean = self.named.mean(mean, joint.shares)
                self.found.append(mean)
        self._add(joint.scores, joint_.slope(joint, flow, mean), JOINT_WHY)

    def _through(self, flow: Matrix, matrix: Matrix) -> None:
        operation = matrix.operation
        assert operation is not None  # a given hands nothing on
        moving = [m for m in matrix.inputs if m in self.needed]
        can_be_thin = operation.repeats and not operation.needs_check
        if not (can_be_thin and all(m.shape == matrix.shape for m in moving)):
            flow = _full(flow, matrix.shape)
        for operand, read in enumerate(matrix.inputs):
            if read in self.needed:
                slope = operation.slope(operand, flow, matrix.inputs, matrix)
                if slope is not None:
                    self._add(read, _summed(slope, read.shape), operation.slope_why(operand))

    def _add(self, matrix: Matrix, slope: Matrix, why: str) -> None:
        self.flows[matrix].append(folded(slope))
        self.why[matrix] = why if len(self.flows[matrix]) == 1 else SEVERAL_WHY

    @property
    def why(self) -> dict[Matrix, str]:
        """Why each slope is what it is."""
        found: dict[Matrix, str] = self.__dict__.setdefault("_why", {})
        return found


JOINT_WHY = (
    "Shares can only be moved around: a score counts by how far its share's slope lies above their mean."
)
SEVERAL_WHY = "It counts in several ways, and what it does in each is added up."


def _full(flow: Matrix, shape: tuple[int, int]) -> Matrix:
    """A number, a row or a column repeated until it has this shape."""
    for axis in (0, 1):
        if flow.shape[axis] == 1 and shape[axis] > 1:
            flow = Repeat(shape[axis], axis)(flow)
    return flow


def _summed(slope: Matrix, shape: tuple[int, int]) -> Matrix:
    """What was repeated to fit counts every time: added up until it has this shape."""
    for axis in (0, 1):
        if shape[axis] == 1 and slope.shape[axis] > 1:
            slope = Sums(axis)(slope)
    return slope
