"""The figures of this lesson, which its notebook draws."""

from handcalc.course.block.directions import directions
from handcalc.course.block.normalization import normalization

__all__ = ["directions", "normalization"]
