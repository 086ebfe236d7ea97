"""Operations, the parts of a calculation: each a class with a name, which joins KINDS by itself.

One that works number by number is a row of `arithmetic.py` or `functions.py`: a few trees and sentences, from
which `elementwise.py` has all the rest, and `make scripts` the browser's function and the one that formulas
call. Others say how they are computed and what one cell is; `views/browser/record/operations.js` does the
same in the browser. Tests hold both evaluators equal. Listed here is what other rooms ask for.
"""

from handcalc.operations.arithmetic import Add as Add
from handcalc.operations.arithmetic import Divide as Divide
from handcalc.operations.arithmetic import Multiply as Multiply
from handcalc.operations.arithmetic import Negate as Negate
from handcalc.operations.arithmetic import Power as Power
from handcalc.operations.arithmetic import Subtract as Subtract
from handcalc.operations.base import KINDS as KINDS
from handcalc.operations.base import Operation as Operation
from handcalc.operations.base import Shape as Shape
from handcalc.operations.base import plain as plain
from handcalc.operations.choosing import Argmax as Argmax
from handcalc.operations.choosing import FixedOneHot as FixedOneHot
from handcalc.operations.choosing import Maxima as Maxima
from handcalc.operations.choosing import OneHot as OneHot
from handcalc.operations.constants import Constant as Constant
from handcalc.operations.constants import Positions as Positions
from handcalc.operations.functions import Absolute as Absolute
from handcalc.operations.functions import Exp as Exp
from handcalc.operations.functions import Gelu as Gelu
from handcalc.operations.functions import LeakyRelu as LeakyRelu
from handcalc.operations.functions import Log as Log
from handcalc.operations.functions import Relu as Relu
from handcalc.operations.functions import Round as Round
from handcalc.operations.functions import Sigmoid as Sigmoid
from handcalc.operations.functions import Sign as Sign
from handcalc.operations.functions import Silu as Silu
from handcalc.operations.functions import Softplus as Softplus
from handcalc.operations.functions import Sqrt as Sqrt
from handcalc.operations.functions import Step as Step
from handcalc.operations.functions import Tanh as Tanh
from handcalc.operations.indexing import Concat as Concat
from handcalc.operations.indexing import Gather as Gather
from handcalc.operations.indexing import Passed as Passed
from handcalc.operations.indexing import Same as Same
from handcalc.operations.indexing import Scatter as Scatter
from handcalc.operations.indexing import Slice as Slice
from handcalc.operations.indexing import Transpose as Transpose
from handcalc.operations.masking import Keep as Keep
from handcalc.operations.masking import Mask as Mask
from handcalc.operations.matmul import MatMul as MatMul
from handcalc.operations.max_shift import SubtractMax as SubtractMax
from handcalc.operations.max_shift import exponent_limit as exponent_limit
from handcalc.operations.ordering import Rank as Rank
from handcalc.operations.ordering import Sample as Sample
from handcalc.operations.ordering import Sort as Sort
from handcalc.operations.patching import Patches as Patches
from handcalc.operations.reductions import Means as Means
from handcalc.operations.reductions import Repeat as Repeat
from handcalc.operations.reductions import Sums as Sums
from handcalc.operations.running import CumulativeMaxima as CumulativeMaxima
from handcalc.operations.running import CumulativeSums as CumulativeSums
