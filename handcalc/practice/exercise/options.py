"""Options of an exercise: which steps are blank, how many places, which convention."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from handcalc.foundation.errors import UnknownNameError, listed, short
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS, Convention
from handcalc.notation.validation import read_list, read_places
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix

MAX_ANSWER_PLACES = 20


class SheetOptions(NamedTuple):
    """The steps that are asked for (all, if None), decimal places, and the convention."""

    blank: tuple[str, ...] | None = None
    places: int = 2
    convention: Convention = "columns"

    def as_number(self, steps: Iterable[str]) -> int:
        """All options in one whole number, which is 0 for the usual ones.

        Raises HandcalcError for an unknown convention or an impossible number of places.
        """
        given = [self.blank is not None and name not in self.blank for name in steps]
        number = sum(is_given << place for place, is_given in enumerate(given))
        number = number * (MAX_ANSWER_PLACES + 1) + (read_places(self.places) - 2) % (MAX_ANSWER_PLACES + 1)
        return number * len(TOKEN_CONVENTIONS) + TOKEN_CONVENTIONS.index(self.convention)

    @classmethod
    def of_number(cls, number: int, steps: Iterable[str]) -> SheetOptions:
        """The options that `as_number` encoded."""
        number, convention = divmod(number, len(TOKEN_CONVENTIONS))
        given, places = divmod(number, MAX_ANSWER_PLACES + 1)
        blank = tuple(name for place, name in enumerate(steps) if not given >> place & 1)
        return cls(
            blank if given else None, (places + 2) % (MAX_ANSWER_PLACES + 1), TOKEN_CONVENTIONS[convention]
        )


def read_blank(blank: Iterable[str] | str | None, calculation: Calculation) -> tuple[str, ...]:
    """The names of the steps that are asked for, in the order of the calculation; all of them for None.

    A block stands for all the steps in it. Raises HandcalcError for anything but a list, and for a name that
    is neither a step nor a block.
    """
    if blank is None:
        return tuple(calculation.steps)
    wanted = f'blank is a list of the steps to fill in, as in ["Q"], not {short(blank)}.'
    names = [blank] if isinstance(blank, str) else read_list(blank, wanted)
    asked = {step for name in names for step in _steps_called(calculation, name)}
    return tuple(name for name in calculation.steps if name in asked)


def _steps_called(calculation: Calculation, name: str) -> list[str]:
    """The steps of a block, or the step of this name."""
    if isinstance(name, str) and name not in calculation.steps and name in list(calculation.blocks):
        return [step for step in calculation.steps if step.startswith(f"{name}.")]
    return [step_called(calculation, name).name or ""]


def step_called(calculation: Calculation, name: str) -> Matrix:
    """A step by its name, or by a short one that is its alone. Raises UnknownNameError if there is none."""
    found = calculation.get(name) if isinstance(name, str) else None
    if found is None or found.name not in calculation.steps:
        steps = listed(calculation.steps)
        blocks = f"; the blocks are {listed(calculation.blocks)}" if calculation.blocks else ""
        raise UnknownNameError(f"{short(name)} is not a step here; the steps are {steps}{blocks}.")
    return found
