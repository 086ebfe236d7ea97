"""The figures of this lesson, which its notebook draws."""

from handcalc.course.block.directions import directions
from handcalc.course.block.normed import normed

__all__ = ["directions", "normed"]
