"""One small class an operation: how to compute it, the arithmetic of one cell, and how to write the formula.

Nothing else in the package knows the operations by name, but `views/browser/operations.js`, which
evaluates the same ones; a test holds the two equal.
"""

from handcalc.operations.arithmetic import Add, Divide, MatMul, Multiply, Power, Subtract
from handcalc.operations.base import Operation, Shape, plain
from handcalc.operations.constants import Constant, Positions
from handcalc.operations.functions import Exp, Floor, Mask, Relu, Sqrt
from handcalc.operations.indexing import Concat, Gather, Slice, Transpose
from handcalc.operations.reductions import Means, SubtractMax, Sums

KINDS: dict[str, type[Operation]] = {
    kind.name: kind
    for kind in (
        *(MatMul, Add, Subtract, Multiply, Divide, Power, Exp, Sqrt, Relu, Floor, Mask),
        *(Sums, Means, SubtractMax, Transpose, Concat, Slice, Gather, Constant, Positions),
    )
}

__all__ = [
    "KINDS",
    "Add",
    "Concat",
    "Constant",
    "Divide",
    "Exp",
    "Floor",
    "Gather",
    "Mask",
    "MatMul",
    "Means",
    "Multiply",
    "Operation",
    "Positions",
    "Power",
    "Relu",
    "Shape",
    "Slice",
    "Sqrt",
    "Subtract",
    "SubtractMax",
    "Sums",
    "Transpose",
    "plain",
]
