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

MAX_SLIPS = 3  # wrong numbers; of more, slips explain some by chance
LAST_RANK = 90  # of the ranks
MIN_NUMBERS_TO_JUDGE = 4  # numbers of a step: all the same, or mostly wrong one by one, they come of guessing


class SearchRank(NamedTuple):
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
        is_few = written < MIN_NUMBERS_TO_JUDGE or wrong <= self.most_share * written
        fits = self.least_wrong <= wrong <= (self.most_wrong or wrong)
        return is_few and fits and numbers <= (self.most_numbers or numbers)


ROUNDING_NAMES = (str(ROUNDED_TOO_EARLY), str(CUT_OFF))  # explain small numbers that come of many a mistake
SLIP_CONDITIONS: dict[str, Any] = {
    "least": 1,
    "alone": LAST_RANK,
    "off_by": 1,
    "most_wrong": MAX_SLIPS,
    "most_share": 0.5,
    "all_from": MAX_SLIPS,
}

PLACES_RANK = SearchRank("places", 5)  # shows in certain places, told from these alone
SEARCH_RANKS = (
    SearchRank("step", 10, least_wrong=2),
    SearchRank("step", 15, most_numbers=1),
    SearchRank("blank steps", 20, least_wrong=2, unless_before=True),
    SearchRank("step", 30, ROUNDING_NAMES, least_wrong=2),
    SearchRank("other lines", 40, alone=40, least_wrong=2),
    SearchRank("line", 50, alone=50, least_wrong=2),
    SearchRank("copied line", 55, least=3, alone=55, least_wrong=2),
    SearchRank("swapped", 60, alone=LAST_RANK, off_by=1, least_wrong=2, most_wrong=6, most_share=0.5),
    SearchRank("operand", 65, least=3, alone=LAST_RANK, least_wrong=2),
    SearchRank("number", 70, (str(SIGN_LOST),), **SLIP_CONDITIONS),
    SearchRank("number", 71, (str(PRODUCT_LEFT_OUT), str(TERM_LEFT_OUT)), **SLIP_CONDITIONS),
    SearchRank("number", 72, (str(ROW_FOR_COLUMN),), **SLIP_CONDITIONS),
    SearchRank("fewer places", 73, **SLIP_CONDITIONS, tolerance=0.0),
    SearchRank("other line", 74, (str(WRONG_LINE),), **SLIP_CONDITIONS),
    SearchRank("step", 75, ROUNDING_NAMES, most_wrong=1),
    SearchRank("step", 80, most_wrong=1),
    SearchRank("line", 85, most_wrong=1, unless_before=True),
    SearchRank("blank steps", LAST_RANK, most_wrong=1, unless_before=True),
)


def ranks_as_data() -> list[dict[str, Any]]:
    """The table as lists, words and numbers, for JSON."""
    return [{**row._asdict(), "names": [*row.names]} for row in (PLACES_RANK, *SEARCH_RANKS)]
