"""Copied work: numbers that are not right for a sheet, and are those of another one; a rule of whole sheets.

Two friends who make the same mistake, each on their own numbers, have not copied: numbers that a claimed
mistake explains are left out, and those that follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from handcalc.classroom.insight.sheet_progress import Standing, read_numbers, split_numbers
from handcalc.notation.numbers import Values
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.marking.marking import half_unit
from handcalc.practice.marking.states import WRONG
from handcalc.practice.replay.error_carried_forward import Flags

MIN_TO_TELL = 6  # numbers that are not right for the sheet: fewer may be the same by chance
MIN_TO_WITHHOLD = 10  # small sheets cannot show copying
COPIED_SHARE = 0.75  # of these numbers, those of one other sheet
UNSURE_SHARE = 0.9  # the same where nothing tells the owner
MIN_GAIN = 3  # numbers wrong on one's own sheet alone: many may follow from one
MIN_OTHER_GIVENS = 3  # givens in which two sheets differ: with fewer they count as the same sheet
MAX_TOGETHER = 1_000  # sheets, each compared with all others; a larger group is split in its order
MAX_COMPARED = 5  # other sheets compared with one


@dataclass(frozen=True)
class HandedIn:
    """The work handed in for the sheet of a code, by whatever way: `key` is the caller's name for it.

    Sheets of one `kind` ask for the same numbers.
    """

    key: Hashable
    code: str
    kind: Hashable
    standing: Standing

    @cached_property
    def numbers(self) -> Values:
        """All numbers written, NaN for a blank."""
        return np.array(read_numbers(self.standing.written))

    @cached_property
    def odd(self) -> Flags:
        """Flags for the numbers that are neither right for the sheet nor explained."""
        return self._signed("!")

    @cached_property
    def wrong(self) -> Flags:
        """Flags for those of them that do not follow, either."""
        return self._signed("!!")

    def _signed(self, sign: str) -> Flags:
        return np.array([one.endswith(sign) for one in self.standing.written.split()], dtype=bool)


@dataclass(frozen=True)
class CopiedWork:
    """The count of a sheet's odd numbers that are another's; where it is sure, the teacher decides."""

    code: str
    shared: int
    odd: int
    is_sure: bool

    def say(self, whose: str) -> str:
        """The sentence about it, without its end; `whose` is the other sheet."""
        count = "All" if self.shared == self.odd else f"{self.shared} of the"
        begin = f"{count} {self.odd} numbers that do not fit this sheet are those of {whose}"
        return begin if self.is_sure else f"{begin}: compare the two"


class CopySearch:
    """A search for copies in a class's work; `exercise` opens the sheet of a code.

    `codes` has all sheets of each kind: even of a sheet not handed in, the key may have been copied.
    """

    def __init__(self, exercise: Callable[[str], Exercise], codes: Mapping[Hashable, Sequence[str]]) -> None:
        self.exercise, self.codes = exercise, codes
        self._keys: dict[str, Values] = {}

    def find(self, sheets: Iterable[HandedIn]) -> dict[Hashable, CopiedWork]:
        """The work that seems to be copied, by its key."""
        alike: dict[tuple[Hashable, int], list[HandedIn]] = {}
        for sheet in sheets:
            if sheet.numbers.size:
                alike.setdefault((sheet.kind, sheet.numbers.size), []).append(sheet)
        told: dict[Hashable, CopiedWork] = {}
        for group in alike.values():
            for first in range(0, len(group), MAX_TOGETHER):
                self._in_group(group[first : first + MAX_TOGETHER], told)
        return told

    def _in_group(self, group: Sequence[HandedIn], told: dict[Hashable, CopiedWork]) -> None:
        numbers = np.array([one.numbers for one in group])
        self._unit = 2 * half_unit(self.exercise(group[0].code).places)  # the same for all of them
        self._keys |= {
            one.code: np.array(read_numbers(one.standing.key)) for one in group if one.standing.key
        }
        for sheet in group:
            if sheet.odd.sum() < MIN_TO_TELL:
                continue
            for other, code, shared in self._alike(sheet, group, numbers):
                mine, theirs = self._gain(sheet, code), self._gain(other, sheet.code) if other else 0
                is_many = int(sheet.odd.sum()) >= MIN_TO_WITHHOLD
                if mine > theirs:
                    told[sheet.key] = CopiedWork(code, shared, int(sheet.odd.sum()), is_many)
                    break
                is_alike = shared >= UNSURE_SHARE * sheet.odd.sum()
                if other and mine == theirs and is_alike:  # their owner cannot be told
                    told.setdefault(sheet.key, CopiedWork(code, shared, int(sheet.odd.sum()), False))

    def _alike(
        self, sheet: HandedIn, group: Sequence[HandedIn], numbers: Values
    ) -> Iterator[tuple[HandedIn | None, str, int]]:
        """The sources of a sheet's odd numbers: work that was handed in, the likest first; then keys."""
        for place, shared in self._likest(sheet, numbers):
            if self._differ(sheet.code, group[place].code):
                yield group[place], group[place].code, shared
        codes = self.codes.get(sheet.kind, ())
        codes = codes if len(codes) <= MAX_TOGETHER else [one.code for one in group]
        keys = np.array([self._key(code) for code in codes])
        for place, shared in self._likest(sheet, keys) if keys.ndim == 2 else ():
            if self._differ(sheet.code, codes[place]):
                yield None, codes[place], shared

    def _likest(self, sheet: HandedIn, numbers: Values) -> list[tuple[int, int]]:
        """The places of the sheets with most of its odd numbers, and how many they have."""
        with np.errstate(invalid="ignore"):
            same = np.abs(numbers[:, sheet.odd] - sheet.numbers[sheet.odd]) <= self._unit
        counts = same.sum(axis=1)
        found = np.argsort(-counts, kind="stable")[: MAX_COMPARED + 1]
        least = COPIED_SHARE * sheet.odd.sum()
        return [(int(place), int(counts[place])) for place in found if counts[place] >= least]

    def _differ(self, one: str, other: str) -> bool:
        """Whether two sheets give different numbers."""
        if one == other:
            return False
        mine, theirs = (self.exercise(code).calculation.givens.values() for code in (one, other))
        off = [np.sum(a.values != b.values) for a, b in zip(mine, theirs, strict=True) if a.shape == b.shape]
        return int(sum(off)) >= MIN_OTHER_GIVENS

    def _gain(self, sheet: HandedIn, code: str) -> int:
        """The drop in wrong odd numbers if a sheet is marked as another, where its numbers fit that one."""
        most = (1 - COPIED_SHARE) * sheet.odd.sum()
        counts = (self._wrong(sheet, code, names=names) for names in (False, True))  # the quick way first
        fewer = int(sheet.wrong.sum()) - next((wrong for wrong in counts if wrong <= most), np.inf)
        return int(fewer) if fewer >= MIN_GAIN else 0

    def _wrong(self, sheet: HandedIn, code: str, *, names: bool) -> int:
        """The count of odd numbers wrong on a sheet; with `names`, mistakes are looked for as well."""
        exercise = self.exercise(code).again()
        told = exercise.mark(split_numbers(sheet.numbers, exercise), names=names)
        wrong = np.concatenate([((told.cells[s] == WRONG) & told.odd[s]).ravel() for s in exercise.blank])
        return int(wrong[sheet.odd].sum())

    def _key(self, code: str) -> Values:
        if code not in self._keys:
            exercise = self.exercise(code)
            steps = [exercise.calculation[step].values.ravel() for step in exercise.blank]
            self._keys[code] = np.concatenate(steps)
        return self._keys[code]
