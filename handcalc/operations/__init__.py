"""One small class an operation: how to compute it, the arithmetic of one cell, and how to write the formula.

Nothing else in the package knows the operations by name, but `views/browser/operations.js`, which
evaluates the same ones; a test holds the two equal.
"""

from handcalc.operations.arithmetic import Add, Divide, MatMul, Multiply, Raise, Subtract
from handcalc.operations.base import Operation, Shape, plain
from handcalc.operations.constants import Fixed, Positions
from handcalc.operations.functions import Exp, Floor, Mask, Relu, Sqrt
from handcalc.operations.lines import Lower, Means, Sums
from handcalc.operations.picks import Concat, LookUp, Slice, Transpose

KINDS: dict[str, type[Operation]] = {
    kind.name: kind
    for kind in (
        *(MatMul, Add, Subtract, Multiply, Divide, Raise, Exp, Sqrt, Relu, Floor, Mask),
        *(Sums, Means, Lower, Transpose, Concat, Slice, LookUp, Fixed, Positions),
    )
}

__all__ = [
    "KINDS",
    "Add",
    "Concat",
    "Divide",
    "Exp",
    "Fixed",
    "Floor",
    "LookUp",
    "Lower",
    "Mask",
    "MatMul",
    "Means",
    "Multiply",
    "Operation",
    "Positions",
    "Raise",
    "Relu",
    "Shape",
    "Slice",
    "Sqrt",
    "Subtract",
    "Sums",
    "Transpose",
    "plain",
]
