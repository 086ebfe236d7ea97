"""The figures of this lesson, which its notebook draws."""

from handcalc.course.backwards.jacobian import jacobian
from handcalc.course.backwards.way_back import way_back

__all__ = ["jacobian", "way_back"]
