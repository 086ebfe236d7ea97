"""Pictures by name, `hc.draw.words(A, "it")`, of any calculation; each reads the record and is a figure.

They are drawn at a notebook's width, with an alternative text that gives their numbers; `theme` is
"light" or "dark". What a single lesson draws stands in its folder, `handcalc/course/heads/figures.py`.
"""

from handcalc.views.pictures.heads import concat_heads as concat_heads
from handcalc.views.pictures.heads import stacked_heads as stacked_heads
from handcalc.views.pictures.loop import loop as loop
from handcalc.views.pictures.losses import loss_curve as loss_curve
from handcalc.views.pictures.losses import losses as losses
from handcalc.views.pictures.matrices import changes as changes
from handcalc.views.pictures.matrices import kv_cache as kv_cache
from handcalc.views.pictures.matrices import mask as mask
from handcalc.views.pictures.positional_encoding import positional_encoding as positional_encoding
from handcalc.views.pictures.residual_stream import residual_stream as residual_stream
from handcalc.views.pictures.shares import attention_weights as attention_weights
from handcalc.views.pictures.shares import compare_weights as compare_weights
from handcalc.views.pictures.shares import head_maps as head_maps
from handcalc.views.pictures.words import hops as hops
from handcalc.views.pictures.words import permutations as permutations
from handcalc.views.pictures.words import words as words
