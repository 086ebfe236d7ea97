"""The figures of this lesson, which its notebook draws."""

from handcalc.course.scores_to_weights.growth import growth
from handcalc.course.scores_to_weights.mixture import mixture
from handcalc.course.scores_to_weights.variance import variance

__all__ = ["growth", "mixture", "variance"]
