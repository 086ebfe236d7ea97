"""Pictures of calculations, `hc.draw`, and what they are drawn with: grids, planes, bars, room for labels."""

from handcalc.views.pictures import draw

__all__ = ["draw"]
