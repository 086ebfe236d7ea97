"""The marks of a class: what is known of every file and phone, and the table that the teacher opens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from handcalc.classroom import tables
from handcalc.classroom.marking.jobs import Result, from_json, to_json
from handcalc.classroom.marking.whose import Names
from handcalc.classroom.register import Entry, Register
from handcalc.classroom.standing import BLANK, CLOSE, FOLLOWING, MISSED, RIGHT, Standing
from handcalc.errors import HandcalcError
from handcalc.files import shown, whole_files

COLUMNS = ("name", "code", "right", "following", "wrong", "blank", "mistakes", "trouble")
NOTHING = "Nothing was handed in."
SET_ASIDE = "set_aside"  # the key of what was handed in, too, and does not count


@dataclass(frozen=True)
class Told:
    """A result as it is told: what counts has a standing, what does not has a sentence."""

    result: Result
    counts: bool
    trouble: str


class Marks:
    """All results of a class, source by source; what comes later from the same source takes its place."""

    def __init__(self, register: Register, results: Iterable[Result] = ()) -> None:
        self.register = register
        self._names = Names(register)
        self.results: dict[str, list[Result]] = {}
        self._told: list[Told] = []
        self.add(results)

    def add(self, results: Iterable[Result]) -> None:
        """Take in what was marked now, for what was known of the same sources."""
        self._told = []
        new: dict[str, list[Result]] = {}
        for result in results:
            new.setdefault(result.source, []).append(result)
        for source, found in new.items():
            self.results.pop(source, None)  # and it stands at the end: what is as full, and later, counts
            self.results[source] = found

    def forget(self, begin: str) -> None:
        """Know nothing of the sources that begin like this any more."""
        self._told = []
        self.results = {name: found for name, found in self.results.items() if not name.startswith(begin)}

    @property
    def every(self) -> Iterator[Result]:
        for found in self.results.values():
            yield from found

    def counting(self) -> dict[str, Result]:
        """For each code what counts: where most is right or follows; of what is as full the latest."""
        found: dict[str, tuple[int, Result]] = {}
        for result in self.every:
            if standing := result.standing:
                full = standing.count(RIGHT) + standing.count(FOLLOWING)
                if result.code not in found or full >= found[result.code][0]:
                    found[result.code] = (full, result)
        return {code: result for code, (_, result) in found.items()}

    def told(self) -> list[Told]:
        """Every result, and what there is to say of it."""
        self._told = self._told or list(self._tell())
        return self._told

    def _tell(self) -> Iterator[Told]:
        counting = self.counting()
        for result in self.every:
            best = counting.get(result.code)
            counts = best is result
            said = [result.trouble]
            if result.written and not counts and best:
                said = [f"{shown(best.source)} was handed in for the same sheet and counts instead."]
            elif standing := result.standing:
                said += [_unread(standing)]
            said += [self._names.conflict(result)]
            yield Told(result, counts, " ".join(filter(None, said)))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of marks.csv: sheet by sheet as the register has them, then what is nobody's."""
        found: dict[str, list[Told]] = {}
        for told in self.told():
            found.setdefault(told.result.code, []).append(told)
        for entry in self.register:
            mine = sorted(found.pop(entry.code, []), key=lambda told: not told.counts)
            yield from (_row(entry, told) for told in mine)
            if not mine:
                yield _row(entry, None)
        for rest in found.values():
            yield from (_row(None, told, self._names.only(told.result.source)) for told in rest)

    def save(self, folder: Path) -> None:
        """Write marks.csv and marks.json, both or neither."""
        with whole_files([folder / "marks.csv", folder / "marks.json"]) as (table, kept):
            table.write(tables.written(COLUMNS, self.rows()).encode("utf-8", "replace"))
            for place, told in enumerate(self.told()):
                kept.write(b",\n" if place else b"[\n")
                line = json.dumps(_kept(told), ensure_ascii=False, separators=(",", ":"))
                kept.write(line.encode("utf-8", "replace"))
            kept.write(b"\n]\n" if self.results else b"[]\n")


def read_marks(path: Path, register: Register) -> Marks:
    """What was marked before; nothing where there is no file. Raises HandcalcError where it is another."""
    try:
        written = json.loads(path.read_text("utf-8"))
        return Marks(register, [_result(one) for one in written])
    except FileNotFoundError:
        return Marks(register)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        raise HandcalcError(
            f"{shown(path)} cannot be read; delete it, or mark everything again with --again."
        ) from None


def _row(entry: Entry | None, told: Told | None, name: str = "") -> dict[str, Any]:
    """One row of marks.csv; without marks its counts are empty, never 0."""
    name, code = (entry.who, entry.code) if entry else (name, told.result.code if told else "")
    empty: dict[str, Any] = dict.fromkeys(COLUMNS, None)
    row = empty | {"name": name, "code": code, "trouble": told.trouble if told else NOTHING}
    standing = told.result.standing if told and told.counts else None
    return row | _counts(standing) if standing else row


def _counts(standing: Standing) -> dict[str, Any]:
    names = dict.fromkeys(one.name for one in standing.mistakes)
    return {
        "right": standing.count(RIGHT),
        "following": standing.count(FOLLOWING),
        "wrong": standing.count(MISSED) + standing.count(CLOSE),
        "blank": standing.count(BLANK),
        "mistakes": "; ".join(names),
    }


def _unread(standing: Standing) -> str:
    """What could not be read counts as blank, and is told."""
    first, *others = standing.problems or ("",)
    return f"{first} ({len(others)} more could not be read.)" if others else first


def _kept(told: Told) -> dict[str, Any]:
    """A result as marks.json has it; the standing of what does not count is set aside."""
    kept = to_json(told.result) | {"trouble": told.trouble}
    if told.result.written and not told.counts:
        kept |= {"standing": None, SET_ASIDE: kept["standing"]}
    return kept


def _result(kept: Mapping[str, Any]) -> Result:
    """A result as it was found, without what was said of it beside others."""
    standing = kept["standing"] or kept.get(SET_ASIDE)
    found = from_json({**kept, "standing": standing})
    if standing:
        Standing.from_json(standing).count(RIGHT)  # that it is one is found out now
    return replace(found, trouble="") if standing else found
