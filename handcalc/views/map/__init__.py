"""The map of a calculation: a block diagram drawn from the record, never by hand.

`plan` lays it out once; `svg` and `figure` draw what it found.
"""

from __future__ import annotations

from handcalc.views.map.plan import Map, map_spec, plan
from handcalc.views.map.svg import svg

__all__ = ["Map", "map_spec", "plan", "svg"]
