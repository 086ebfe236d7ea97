"""The pictures of the lessons by name, `hc.draw.words(A, "it")`; each reads the record and is a figure.

They are drawn at a notebook's width, with an alternative text that gives their numbers; `theme` is
"light" or "dark".
"""

from handcalc.views.pictures.arrows import arrows, cosines
from handcalc.views.pictures.chain import chain, fading
from handcalc.views.pictures.changes import changes
from handcalc.views.pictures.counts import counts, lengths
from handcalc.views.pictures.directions import directions
from handcalc.views.pictures.fans import fans
from handcalc.views.pictures.growth import growth
from handcalc.views.pictures.hatched import mask
from handcalc.views.pictures.hops import hops
from handcalc.views.pictures.jacobian import jacobian
from handcalc.views.pictures.joined import joined
from handcalc.views.pictures.kept import kept
from handcalc.views.pictures.layer import layer
from handcalc.views.pictures.loop import loop
from handcalc.views.pictures.losses import losses
from handcalc.views.pictures.mixture import mixture
from handcalc.views.pictures.normed import normed
from handcalc.views.pictures.one_page import one_page
from handcalc.views.pictures.orders import orders
from handcalc.views.pictures.pairs import pairs
from handcalc.views.pictures.probabilities import shares
from handcalc.views.pictures.road import road
from handcalc.views.pictures.score_tables import score_tables
from handcalc.views.pictures.small_maps import heads
from handcalc.views.pictures.squares import painted, patches
from handcalc.views.pictures.tower import tower
from handcalc.views.pictures.valley import valley
from handcalc.views.pictures.waves import clocks, waves
from handcalc.views.pictures.way_back import way_back
from handcalc.views.pictures.words import words

__all__ = [
    "arrows",
    "chain",
    "changes",
    "clocks",
    "cosines",
    "counts",
    "directions",
    "fading",
    "fans",
    "growth",
    "heads",
    "hops",
    "jacobian",
    "joined",
    "kept",
    "layer",
    "lengths",
    "loop",
    "losses",
    "mask",
    "mixture",
    "normed",
    "one_page",
    "orders",
    "painted",
    "pairs",
    "patches",
    "road",
    "score_tables",
    "shares",
    "tower",
    "valley",
    "waves",
    "way_back",
    "words",
]
