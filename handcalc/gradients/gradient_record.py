"""From a record, the record of its slopes: each operation's own rule, from the loss back to the givens.

Reverse accumulation (Linnainmaa 1970; Rumelhart, Hinton and Williams 1986): every matrix gets, from each that
reads it, what it contributes to the loss through that one; these are added up (reverse_pass.py).
"""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError, shape_text, short
from handcalc.gradients.gradient_names import slope_name
from handcalc.gradients.reverse_pass import Back
from handcalc.notation.names import BACKWARD, has_slopes
from handcalc.operations import Constant
from handcalc.record.calculation import Calculation, describe_non_calculation
from handcalc.record.matrix import Matrix


def gradients(calculation: Calculation, loss: str = "L", *, joint: bool = True) -> Calculation:
    """The slopes of a loss, which is one number, for every given and step: a calculation that includes the
    forward one.

    >>> x = hc.Matrix([[3]], "x")
    >>> slopes = hc.gradients(hc.Calculation((x * x).named("L")), "L")
    >>> slopes.of("x")
    backward.dx = x + x  (1 by 1, slopes of L)
    6

    The block `backward` (`backward.head_1`, …) has a step dW_Q for W_Q, of the same shape, and so on;
    `.of("W_Q")` finds it. With `joint`, a softmax and its logarithm have one rule each, dS = A ⊙ (dA −
    ΣA⊙dA); without it, the slopes of E and E_sum are steps as well. At a corner the slope is PyTorch's: 0 for
    max(0, x) and |x| at 0. Raises HandcalcError for a name that is not there, a loss of more than one number,
    and an operation without slopes.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(f"gradients needs a calculation; got {describe_non_calculation(calculation)}.")
    if not isinstance(joint, bool):
        raise HandcalcError(f"joint is {short(joint)}; it must be True or False.")
    end = calculation[loss]
    if end.shape != (1, 1):
        raise HandcalcError(
            f"{end.display_name} is {shape_text(end.shape)}; a loss must be one number, "
            "such as hc.half_squared_distance(Z, target)."
        )
    if has_slopes(calculation):
        raise HandcalcError(_taken(calculation))
    back = Back(calculation, end, joint=joint)
    return calculation.with_more(back.run(), title=f"{calculation.title}, and backwards")


def slope_of(calculation: Calculation, name: str) -> Matrix:
    """The slope of the loss for one matrix of a calculation that `gradients` made; of its shape.

    It is zeros where the loss does not depend on it. Raises HandcalcError where there are no slopes.
    """
    matrix, loss = calculation[name], loss_of(calculation)
    if has_slopes([matrix.name]):
        raise HandcalcError(f"{matrix.display_name} is a slope itself; slopes of slopes are not calculated.")
    wanted = slope_name(matrix.name or name)
    if wanted in calculation:
        return calculation[wanted]
    stepwise = vars(calculation).get("_stepwise")
    if stepwise is None:
        forward = calculation.without(BACKWARD)
        back = Back(forward, forward[loss], joint=False, with_constants=True)
        stepwise = forward.with_more(back.run(), title=calculation.title)
        vars(calculation)["_stepwise"] = stepwise
    return stepwise[wanted] if wanted in stepwise else matrix.filled(matrix.values * 0).named("zeros")


def loss_of(calculation: Calculation) -> str:
    """The name of the loss whose slopes `gradients` found; HandcalcError where there are none."""
    starts = _starts(calculation)
    if not starts:
        raise HandcalcError(
            'There are no slopes in this calculation; hc.gradients(calculation, "L") finds them.'
        )
    return next(name for name in calculation if slope_name(name) in starts)


def _starts(calculation: Calculation) -> list[str]:
    """The slope of the loss for itself: the only one that is a number of the formula."""
    return [
        name
        for name, matrix in calculation.items()
        if has_slopes([name]) and isinstance(matrix.operation, Constant)
    ]


def _taken(calculation: Calculation) -> str:
    if _starts(calculation):
        return "This calculation already has slopes; call hc.gradients on the one without them."
    return f"This calculation has a block called {BACKWARD}, where its slopes would go; give it another name."
