"""A calculation in the forms that the browser can switch to: tokens as rows, the handout's shortcuts."""

from __future__ import annotations

from typing import Any

from handcalc.calculation import CONVENTIONS, Calculation
from handcalc.formulas.handout import handout


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
