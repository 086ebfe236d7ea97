"""Which explanations of wrong numbers are looked for, which comes first, and when one is claimed.

One table, of plain data: a page without Python can read `as_data()`. An explanation that is not claimed is
asked about.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from handcalc.practice.mistakes.mistake_registry import (
    CUT_OFF,
    PRODUCT_LEFT_OUT,
    ROUNDED_TOO_EARLY,
    ROW_FOR_COLUMN,
    SIGN_LOST,
    TERM_LEFT_OUT,
    WRONG_LINE,
)

MOST_SLIPS = 3  # wrong numbers; of more, slips explain some by chance
LAST = 90  # of the ranks
MANY = 4  # numbers of a step: all the same, or mostly wrong one by one, they come of guessing


class Rank(NamedTuple):
    """One kind of explanation: by which search it is found, where, and what it takes to be claimed.

    Of two kinds the one with the lower `rank` comes first. With `names` it is about these mistakes alone,
    and other kinds of the same search are not. It is looked for in steps of at most `most_numbers` numbers
    (0: of any size), of which at least `least_wrong` and at most `most_wrong` are wrong (0: any), and in
    steps of MANY numbers at most `most_share` of what was written; `unless_before`: where no other was
    found. Where `all_from` or more are wrong, it explains all of them, or none. Numbers agree within
    `tolerance` halves of the last place that was asked for (0: to the last digit).

    It is claimed if it explains `least` wrong numbers or more, more than `off_by` in the last digit away
    from what is right, and no other kind up to the rank `alone` explains them, too.
    """

    search: str
    rank: int
    names: tuple[str, ...] = ()
    least: int = 2
    alone: int = 0
    off_by: int = 0
    least_wrong: int = 1
    most_wrong: int = 0
    most_numbers: int = 0
    most_share: float = 1.0
    all_from: int = 0
    unless_before: bool = False
    tolerance: float = 1.0

    def is_tried(self, wrong: int, written: int, numbers: int) -> bool:
        """Whether it is looked for where so many of the numbers written are wrong."""
        is_few = written < MANY or wrong <= self.most_share * written
        fits = self.least_wrong <= wrong <= (self.most_wrong or wrong)
        return is_few and fits and numbers <= (self.most_numbers or numbers)


ROUGH = (str(ROUNDED_TOO_EARLY), str(CUT_OFF))  # explain small numbers that come of many a mistake
SLIP: dict[str, Any] = {
    "least": 1,
    "alone": LAST,
    "off_by": 1,
    "most_wrong": MOST_SLIPS,
    "most_share": 0.5,
    "all_from": MOST_SLIPS,
}

PLACES = Rank("places", 5)  # shows in certain places, told from these alone
RANKS = (
    Rank("step", 10, least_wrong=2),
    Rank("step", 15, most_numbers=1),
    Rank("blank steps", 20, least_wrong=2, unless_before=True),
    Rank("step", 30, ROUGH, least_wrong=2),
    Rank("other lines", 40, alone=40, least_wrong=2),
    Rank("line", 50, alone=50, least_wrong=2),
    Rank("copied line", 55, least=3, alone=55, least_wrong=2),
    Rank("swapped", 60, alone=LAST, off_by=1, least_wrong=2, most_wrong=6, most_share=0.5),
    Rank("operand", 65, least=3, alone=LAST, least_wrong=2),
    Rank("number", 70, (str(SIGN_LOST),), **SLIP),
    Rank("number", 71, (str(PRODUCT_LEFT_OUT), str(TERM_LEFT_OUT)), **SLIP),
    Rank("number", 72, (str(ROW_FOR_COLUMN),), **SLIP),
    Rank("fewer places", 73, **SLIP, tolerance=0.0),
    Rank("other line", 74, (str(WRONG_LINE),), **SLIP),
    Rank("step", 75, ROUGH, most_wrong=1),
    Rank("step", 80, most_wrong=1),
    Rank("line", 85, most_wrong=1, unless_before=True),
    Rank("blank steps", LAST, most_wrong=1, unless_before=True),
)


def as_data() -> list[dict[str, Any]]:
    """The table as lists, words and numbers, for JSON."""
    return [{**row._asdict(), "names": [*row.names]} for row in (PLACES, *RANKS)]
