"""Pictures by name, `hc.draw.words(A, "it")`, of any calculation; each reads the record and is a figure.

They are drawn at a notebook's width, with an alternative text that gives their numbers; `theme` is
"light" or "dark". What a single lesson draws stands in its folder, `handcalc/course/heads/figures.py`.
"""

from handcalc.views.pictures.heads import concat_heads, stacked_heads
from handcalc.views.pictures.loop import loop
from handcalc.views.pictures.loss_pictures import loss_curve, losses
from handcalc.views.pictures.matrices import changes, kv_cache, mask
from handcalc.views.pictures.positional_encoding import positional_encoding
from handcalc.views.pictures.residual_stream import residual_stream
from handcalc.views.pictures.shares import attention_weights, compare_weights, head_maps
from handcalc.views.pictures.words import hops, permutations, words

__all__ = [
    "attention_weights",
    "changes",
    "compare_weights",
    "concat_heads",
    "head_maps",
    "hops",
    "kv_cache",
    "loop",
    "loss_curve",
    "losses",
    "mask",
    "permutations",
    "positional_encoding",
    "residual_stream",
    "stacked_heads",
    "words",
]
