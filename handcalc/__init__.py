"""Self-attention and the transformer, calculated by hand, every number explained.

>>> import handcalc as hc
>>> calc = hc.examples.self_attention()
>>> print(calc.explain("Z", 1, 0))
Z[2,1] = 0·0.26 + 0·0.46 + 10·0.03 + 10·0.26 = 2.83
"""

from typing import TYPE_CHECKING, Any

import numpy as _numpy  # noqa: F401  # first: deep in a chain of imports, numpy's own takes 15% longer

from handcalc import examples
from handcalc.calculation import Calculation
from handcalc.errors import HandcalcError
from handcalc.explanation import Explanation
from handcalc.formulas.attention import (
    cross_attention,
    multi_head_attention,
    self_attention,
    split_heads,
)
from handcalc.formulas.basics import (
    column_means,
    column_sums,
    concat,
    exp,
    floor,
    lowered,
    relu,
    rows,
    softmax,
    sqrt,
)
from handcalc.formulas.handout import handout
from handcalc.formulas.transformer import (
    FeedForward,
    Norm,
    decoder_layer,
    embedding,
    encoder_layer,
    feed_forward,
    layer_norm,
    positional_encoding,
    residual,
)
from handcalc.lazy import view
from handcalc.matrix import Matrix, number

if TYPE_CHECKING:
    from handcalc.views.explorer import explore, present
    from handcalc.views.pictures import draw
    from handcalc.views.setup import check_setup

__version__ = "0.1.0"

_VIEWS = {
    "explore": "explorer",
    "present": "explorer",
    "check_setup": "setup",
    "draw": "pictures",
}  # name -> module in handcalc.views


def __getattr__(name: str) -> Any:
    """Widgets are imported when one is asked for, so that `import handcalc` stays as quick as numpy."""
    if name in _VIEWS:
        return getattr(view(_VIEWS[name]), name)
    raise AttributeError(f"module 'handcalc' has no attribute {name!r}")


__all__ = [
    "Calculation",
    "Explanation",
    "FeedForward",
    "HandcalcError",
    "Matrix",
    "Norm",
    "check_setup",
    "column_means",
    "column_sums",
    "concat",
    "cross_attention",
    "decoder_layer",
    "draw",
    "embedding",
    "encoder_layer",
    "examples",
    "exp",
    "explore",
    "feed_forward",
    "floor",
    "handout",
    "layer_norm",
    "lowered",
    "multi_head_attention",
    "number",
    "positional_encoding",
    "present",
    "relu",
    "residual",
    "rows",
    "self_attention",
    "softmax",
    "split_heads",
    "sqrt",
]
