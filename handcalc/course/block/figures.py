"""The figures of this lesson, which its notebook draws."""

from handcalc.course.block.directions import directions
from handcalc.course.block.normalisation import normalisation

__all__ = ["directions", "normalisation"]
