"""What the browser opens: a calculation in every form that it can switch to, if it is not too large."""

from __future__ import annotations

from typing import Any

from handcalc.calculation import CONVENTIONS, Calculation
from handcalc.errors import HandcalcError
from handcalc.formulas.handout import handout

MOST_NUMBERS = 20_000  # on one page; with more of them it takes minutes to open


def openable(calculation: Calculation, convention: str | None, action: str) -> Calculation:
    """The calculation in the convention that was asked for; `action` is what the person called.

    Raises HandcalcError for what is not a calculation, and for more numbers than a page can show.
    """
    if not isinstance(calculation, Calculation):
        raise HandcalcError(
            f"{action} takes a calculation, such as hc.examples.self_attention(), "
            f"not a {type(calculation).__name__}."
        )
    count = sum(m.values.size for m in calculation.record)
    if count > MOST_NUMBERS:
        raise HandcalcError(
            f"This sheet has {count:,} numbers; {action} shows up to {MOST_NUMBERS:,}. "
            "calc.figure() can still draw it."
        )
    return calculation if convention is None else calculation.in_convention(convention)


def variants(calculation: Calculation) -> list[dict[str, Any]]:
    """The calculation in every form that the browser can switch to; the sheet opens with the first."""
    kinds = {"exact": calculation, "handout": handout(calculation)}
    if kinds["handout"] is calculation:
        del kinds["handout"]
    order = sorted(CONVENTIONS, key=lambda convention: convention != calculation.convention)
    return [
        {"arithmetic": arithmetic, "spec": kind.in_convention(convention).to_spec()}
        for convention in order
        for arithmetic, kind in kinds.items()
    ]
