"""The figures of this lesson, which its notebook draws."""

from handcalc.course.before_attention.chain import chain, fading
from handcalc.course.before_attention.score_tables import score_tables

__all__ = ["chain", "fading", "score_tables"]
