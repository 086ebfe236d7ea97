"""The marks of a class: results of every file and phone, and the table that the teacher opens."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from handcalc.classroom.folder import csv_tables
from handcalc.classroom.folder.folder_layout import MARKS_FILE, MARKS_TABLE
from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.folder.stored_numbers import StoredNumbers
from handcalc.classroom.insight.copied_work import MAX_TOGETHER, CopiedWork, CopySearch, HandedIn
from handcalc.classroom.insight.sheet_progress import BLANK, CLOSE, FOLLOWING, MISSED, RIGHT, Standing
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.marks_store import ToldResult, read_marks_file, write_marks_file
from handcalc.classroom.marking.ownership import FileNames
from handcalc.foundation.atomic_files import short_path, whole_files
from handcalc.foundation.errors import HandcalcError, cut, many
from handcalc.practice.marking.states import COUNTED

MARKS_COLUMNS = ("name", "code", "right", "following", "wrong", "blank", "mistakes", "trouble")
NOTHING_HANDED_IN = "Nothing was handed in."
FOREIGN_RANK, NO_WORK_RANK, OWN_RANK = range(3)  # a file that seems to be another student's counts last
WAITING_ENDS = "; it has no grade until you accept it"  # the end of the sentences about work that waits
MAX_TROUBLES_TOLD = 10  # sentences
IN_ZIP = re.compile(r"(?<=\.zip)/", re.IGNORECASE)
MAX_STRANGE_FILES = 10  # in a .zip, of nobody, with a row each


class ClassMarks:
    """All results of a class, source by source; later ones from a source replace its earlier ones.

    With the `numbers` of the class, copied work is found.
    """

    def __init__(
        self, register: Register, results: Iterable[SheetResult] = (), numbers: StoredNumbers | None = None
    ) -> None:
        self.register, self.numbers = register, numbers
        self._copied: dict[Hashable, CopiedWork] | None = None
        self._names = FileNames(register)
        self.results: dict[str, list[SheetResult]] = {}
        self._told: list[ToldResult] = []
        self._accepted: set[SheetResult] = set()
        self.add(results)

    def add(self, results: Iterable[SheetResult]) -> None:
        """Take in new results, in place of earlier ones from the same sources."""
        self._told, self._copied = [], None
        new: dict[str, list[SheetResult]] = {}
        for result in results:
            seen = replace(result, accepted=True)  # as it stands: with another number in it, it waits again
            if result.accepted or seen in self._accepted:
                self._accepted.add(seen)
            new.setdefault(result.source, []).append(seen if seen in self._accepted else result)
        for source, found in new.items():
            before = self.results.pop(source, [])  # moved to the end: of two as full, the later counts
            if any(one.foreign for one in found):  # a student's own numbers do not pass as another's
                found += [one for one in before if one.standing_json and not one.foreign]
            self.results[source] = found

    def forget(self, begin: str) -> None:
        """Forget the results of sources that begin like this."""
        self._told, self._copied = [], None
        self.results = {name: found for name, found in self.results.items() if not name.startswith(begin)}

    def accept(self, code: str) -> None:
        """Let work count that waits for the teacher. Raises HandcalcError where none does under this code."""
        entry = self.register.entry(code)
        best = self.counting().get(entry.code)
        if best is None or not self._waits(best):
            raise HandcalcError(f"{entry.code} does not wait for you; marks.csv says which sheets do.")
        self.add(replace(one, accepted=one is best or one.accepted) for one in self.results[best.source])

    @property
    def every(self) -> Iterator[SheetResult]:
        for found in self.results.values():
            yield from found

    def counting(self) -> dict[str, SheetResult]:
        """The result that counts for each code: one that does not wait for the teacher, before one that does.

        Of several of a kind the one with most numbers right or following counts; of equals the latest.
        """
        found: dict[str, tuple[tuple[int, int], SheetResult]] = {}
        for result in self.every:
            if standing := result.standing:
                full = self._rank(result, standing), standing.count(RIGHT) + standing.count(FOLLOWING)
                if result.code not in found or full >= found[result.code][0]:
                    found[result.code] = (full, result)
        return {code: result for code, (_, result) in found.items()}

    def _rank(self, result: SheetResult, standing: Standing) -> int:
        if result.accepted:
            return OWN_RANK
        copied = self._copy(result)
        is_none = standing.no_work or (copied and copied.is_sure)
        return FOREIGN_RANK if self._foreign(result) else NO_WORK_RANK if is_none else OWN_RANK

    def _foreign(self, result: SheetResult) -> str:
        """The reason why it seems to be another student's."""
        return " ".join(filter(None, [result.foreign, self._names.conflict(result)]))

    def _copy(self, result: SheetResult) -> CopiedWork | None:
        """The finding that its numbers are another sheet's, if they seem to be."""
        if self._copied is None:
            self._copied = self._search().find(self._handed_in()) if self.numbers else {}
        return None if result.accepted else self._copied.get((result.source, result.code))

    def _search(self) -> CopySearch:
        kinds: dict[Hashable, list[str]] = {}
        for entry in self.register:
            kinds.setdefault((entry.topic, entry.level), []).append(entry.code)
        assert self.numbers
        return CopySearch(lru_cache(MAX_TOGETHER)(self.numbers.exercise), kinds)

    def _handed_in(self) -> Iterator[HandedIn]:
        for result in self.every:
            entry = self.register.by_code.get(result.code)
            if entry and (standing := result.standing):
                kind = entry.topic, entry.level
                yield HandedIn((result.source, result.code), result.code, kind, standing)

    def _say_copied(self, result: SheetResult) -> str:
        """The sentence about it, without its end."""
        if not (copied := self._copy(result)):
            return ""
        entry = self.register.by_code[copied.code]
        whose = f"sheet {copied.code} ({cut(self.register.labels[entry.number])})"
        return copied.say(whose)

    def _waits(self, result: SheetResult) -> str:
        """The sentence about work that has no grade until the teacher accepts it."""
        standing = result.standing
        if result.accepted or not standing:
            return ""
        copied = self._copy(result)
        why = self._foreign(result).removesuffix(".") or standing.no_work
        why = why or (self._say_copied(result) if copied and copied.is_sure else "")
        return f"{why}{WAITING_ENDS} with --accept {result.code}." if why else ""

    def told(self) -> list[ToldResult]:
        """Every result, with the sentences about it."""
        self._told = self._told or list(self._tell())
        return self._told

    def _tell(self) -> Iterator[ToldResult]:
        counting = self.counting()
        for result in self.every:
            best = counting.get(result.code)
            counts = best is result
            waits = self._waits(result) if counts else ""
            perhaps = f"{copied}." if (copied := self._say_copied(result)) else ""
            said = [result.trouble, waits or " ".join(filter(None, [self._foreign(result), perhaps]))]
            if result.standing_json and not counts and best:
                said = [_instead(result, best), *said]
            elif standing := result.standing:
                said.insert(1, standing.unread)
            yield ToldResult(result, counts, " ".join(filter(None, said)), waits)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of marks.csv: sheet by sheet in the order of the register, then results of nobody."""
        found: dict[str, list[ToldResult]] = {}
        for told in self.told():
            found.setdefault(told.result.code, []).append(told)
        perhaps = self._perhaps(found.get("", ()))
        for entry in self.register:
            mine = sorted(found.pop(entry.code, []), key=lambda told: not told.counts)
            name = self.register.labels[entry.number]
            yield from (_row(entry, told, name) for told in mine)
            if not mine:
                yield _row(entry, None, name) | perhaps.get(entry.number, {})
        for rest in found.values():
            named = [(told, self._called(told.result.source)) for told in rest]
            yield from (_row(None, told, name) for told, name in named if name)
            yield from (_row(None, told) for told in gather_zips(told for told, name in named if not name))

    def _perhaps(self, unread: Iterable[ToldResult]) -> dict[int, dict[str, str]]:
        """For students of unread files the words in place of “nothing was handed in”, by number."""
        said = "Nothing was handed in, unless {} is this sheet."
        sources = [told.result.source for told in unread]
        return {
            entry.number: {"trouble": said.format(short_path(source))}
            for source in sources
            for entry in self._names.only(source)
        }

    def _called(self, source: str) -> str:
        """The name of the one student whom a file is named after."""
        return next((entry.name for entry in self._names.only(source)), "")

    def save(self, folder: Path) -> None:
        """Write marks.csv and marks.json, both or neither."""
        with whole_files([folder / MARKS_TABLE, folder / MARKS_FILE]) as (table, kept):
            table.write(csv_tables.write_csv(MARKS_COLUMNS, self.rows()).encode("utf-8", "replace"))
            write_marks_file(kept, self.told())


def read_marks(path: Path, register: Register, numbers: StoredNumbers | None = None) -> ClassMarks:
    """The earlier marks; none where there is no file. Raises HandcalcError where the file is another."""
    return ClassMarks(register, [told.result for told in read_marks_file(path) or []], numbers)


def _row(entry: RegisterEntry | None, told: ToldResult | None, name: str = "") -> dict[str, Any]:
    """One row of marks.csv; without marks its counts are empty, never 0."""
    code = entry.code if entry else told.result.code if told else ""
    empty: dict[str, Any] = dict.fromkeys(MARKS_COLUMNS, None)
    row = empty | {"name": name, "code": code, "trouble": told.trouble if told else NOTHING_HANDED_IN}
    standing = told.result.standing if told and told.counts else None
    return row | _counts(standing) if standing else row


def gather_zips(found: Iterable[ToldResult]) -> list[ToldResult]:
    """The same results, with one sentence for the files of a .zip that are nobody's, if they are many."""
    strange: dict[str, list[ToldResult]] = {}
    kept = []
    for told in found:
        archive, *inside = IN_ZIP.split(told.result.source, maxsplit=1)
        if inside and told.trouble and not told.result.code:
            strange.setdefault(archive, []).append(told)
        else:
            kept.append(told)
    for archive, files in strange.items():
        first = f"such as: {files[0].trouble}"
        why = f"{short_path(archive)} holds {len(files):,} files that are nobody’s, {first}"
        one = ToldResult(SheetResult(archive, trouble=why), counts=False, trouble=why)
        kept += [one] if len(files) > MAX_STRANGE_FILES else files
    return kept


def _instead(result: SheetResult, best: SheetResult) -> str:
    """The sentence that says which file does not count, and which does."""
    other = short_path(best.source) if best.source != result.source else "another file of this name"
    if result.standing_json == best.standing_json:  # two tables put together, or a copy
        return f"{short_path(result.source)} is counted with {other}, which is of the same sheet."
    return (
        f"{short_path(result.source)} does not count: {other} was handed in for the same "
        "sheet and counts instead."
    )


def _counts(standing: Standing) -> dict[str, Any]:
    names = dict.fromkeys(one.name for one in standing.mistakes)
    return {
        "right": standing.count(RIGHT),
        "following": standing.count(FOLLOWING),
        "wrong": standing.count(MISSED) + standing.count(CLOSE),
        "blank": standing.count(BLANK),
        "mistakes": "; ".join(names),
    }


def summarise_marks(marks: ClassMarks, folder: Path) -> list[str]:
    """A few lines; all of it is in the table."""
    standings = [one for result in marks.counting().values() if (one := result.standing)]
    sheets = len(marks.register)
    troubles = [told.trouble for told in gather_zips(marks.told()) if told.trouble]
    more = len(troubles) - MAX_TROUBLES_TOLD
    return [
        f"{folder / MARKS_TABLE}: {len(standings):,} of {many(sheets, 'sheet')} marked",
        f"  {_counted(standings)}",
        *(f"  {trouble}" for trouble in troubles[:MAX_TROUBLES_TOLD]),
        *[f"  … and {more} more in the column trouble"] * (more > 0),
    ]


def _counted(standings: list[Standing]) -> str:
    """All numbers of the class by state."""
    counts = {
        state: sum(one.count(state) for one in standings) for state in (RIGHT, FOLLOWING, MISSED, BLANK)
    }
    counts[MISSED] += sum(one.count(CLOSE) for one in standings)
    return ", ".join(f"{COUNTED[state].sign} {count:,} {state}" for state, count in counts.items())
