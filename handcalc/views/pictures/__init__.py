"""Pictures of calculations, `hc.draw`, and their parts: grids, planes, bars, room for labels."""

from handcalc.views.pictures import draw

__all__ = ["draw"]
