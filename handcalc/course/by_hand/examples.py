"""The public collection "AI by Hand": 46 sheets of ImagineAILab/ai-by-hand-excel, © 2024 Tom Yeh, MIT."""

from __future__ import annotations

from handcalc.course.by_hand import collection
from handcalc.course.by_hand.collection import Themes
from handcalc.foundation.errors import HandcalcError, short
from handcalc.record.calculation import Calculation

__all__ = ["by_hand"]


def by_hand(name: str | None = None, *, as_published: bool = False) -> Calculation | Themes:
    """A sheet of the public collection "AI by Hand", by its own name or a short one; without one, all names.

    >>> hc.examples.by_hand("self_attention_small")["Z"].values.round(2)
    array([[10.31, 10.11, 15.03,  3.06],
           [ 2.83,  2.97,  4.13,  1.53],
           [ 4.59,  4.5 ,  2.11,  7.7 ]])
    >>> hc.examples.by_hand("Temperature/small", as_published=True).slips
    Q13: 1, typed in, though the rounded shares add up to 0.99; it should be the sum so far, 0.99

    The sheets are by Tom Yeh (github.com/ImagineAILab/ai-by-hand-excel, © 2024, MIT licence): names, numbers
    and formulas are his. Where a sheet has slips, the calculation is the right one; `as_published` has the
    sheet's own numbers, with its `.slips`. Raises HandcalcError for another name, and says which are near.
    """
    if not isinstance(as_published, bool):
        raise HandcalcError(f"as_published is {short(as_published)}; it must be True or False.")
    if name is None:
        return collection.themes()
    found = collection.find_sheet(name)
    return collection.as_published(found) if as_published else collection.build(found)
