"""Pictures that a lesson draws beside the sheet: arrows, shares, a sentence, a walk, a layer."""

from handcalc.views.pictures import draw

__all__ = ["draw"]
