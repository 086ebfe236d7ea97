"""Pictures by name, `hc.draw.words(A, "it")`, of any calculation; each reads the record and is a figure.

They are drawn at a notebook's width, with an alternative text that gives their numbers; `theme` is
"light" or "dark". What a single lesson draws stands in its folder, `handcalc/course/heads/figures.py`.
"""

from handcalc.views.pictures.attention_weights import attention_weights
from handcalc.views.pictures.changes import changes
from handcalc.views.pictures.compare_weights import compare_weights
from handcalc.views.pictures.concat_heads import concat_heads
from handcalc.views.pictures.head_maps import head_maps
from handcalc.views.pictures.hops import hops
from handcalc.views.pictures.kv_cache_picture import kv_cache
from handcalc.views.pictures.loop import loop
from handcalc.views.pictures.loss_curve import loss_curve
from handcalc.views.pictures.loss_history import losses
from handcalc.views.pictures.mask_table import mask
from handcalc.views.pictures.permutations import permutations
from handcalc.views.pictures.positional_encoding import positional_encoding
from handcalc.views.pictures.residual_stream import residual_stream
from handcalc.views.pictures.stacked_heads import stacked_heads
from handcalc.views.pictures.words import words

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
