"""Who needs help now, and why in a few words: stuck, silent, and who could explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from handcalc.classroom.insight.conversations import COULD_EXPLAIN, SILENT, STUCK
from handcalc.classroom.live.rests import Rest, worked
from handcalc.classroom.standing import BLANK, MISSED, RIGHT
from handcalc.sentences import Called, html, said

if TYPE_CHECKING:
    from handcalc.classroom.live.grid import Seat

LONG_WRONG = 180.0  # seconds that a step may be wrong
LONG_SILENT = 240.0  # seconds without a word from somebody who is not ready
TRIES = 3  # corrections of one step that is still wrong
ALL_HINTS = 2  # hints to one step
MANY = 3  # of those who could explain


class Need(NamedTuple):
    """Somebody to go to: the student's number and sheet, of which kind, in which step, and why (HTML)."""

    number: int
    code: str
    kind: str
    step: str
    reason: str


class Wrong(NamedTuple):
    """A step with wrong numbers: how many, how often it was corrected, how many hints it had."""

    missed: int
    again: int
    hints: int


class Facts(NamedTuple):
    """What of a sheet says whether somebody needs help; `is_right` where every number is."""

    number: int
    code: str
    is_here: bool
    last: float
    wrong: Mapping[str, Wrong]
    hints: int
    blank: int
    size: int
    is_right: bool
    wrote: float


class Since:
    """Since when each step of each sheet is wrong: since the last number before that was seen."""

    def __init__(self) -> None:
        self._since: dict[str, dict[str, float]] = {}

    def seen(self, sheet: Facts, at: float, rests: Sequence[Rest] = ()) -> dict[str, float]:
        """For how many seconds of work the wrong steps of a sheet have been wrong."""
        before, begun = self._since.get(sheet.code, {}), min(sheet.wrote or at, at)
        self._since[sheet.code] = {step: before.get(step, begun) for step in sheet.wrong}
        now = worked(at, rests)
        return {step: now - worked(since, rests) for step, since in self._since[sheet.code].items()}


def facts(seat: Seat) -> Facts:
    """What is known of a sheet."""
    entry, found = seat.entry, seat.standing
    steps = found.steps if found else {}
    wrong = {
        step: Wrong(counts[MISSED], found.again.get(step, 0), found.hints.get(step, 0))
        for step, counts in steps.items()
        if found and counts[MISSED]
    }
    size = sum(sum(counts.values()) for counts in steps.values())
    right, blank = (found.count(state) if found else 0 for state in (RIGHT, BLANK))
    hints = sum(found.hints.values()) if found else 0
    is_here = bool(seat.learner) and not seat.has_left
    is_right = right == size > 0
    return Facts(
        entry.number, entry.code, is_here, seat.last, wrong, hints, blank, size, is_right, seat.wrote
    )


def needs(sheets: Sequence[Facts], since: Since, at: float, rests: Sequence[Rest] = ()) -> list[Need]:
    """Those who are stuck, the most urgent first; who is silent; then a few who could explain.

    Time in which the class rested does not count, so that all of it stands still while it rests. Of a
    student's sheets the one where they were last is named.
    """
    found: dict[str, list[tuple[float, Need]]] = {STUCK: [], SILENT: [], COULD_EXPLAIN: []}
    unready = {sheet.number for sheet in sheets if not sheet.is_right}
    latest: dict[int, float] = {}
    for sheet in sheets:
        latest[sheet.number] = max(latest.get(sheet.number, 0.0), sheet.last)
    now = worked(at, rests)
    quiet = {number: now - worked(min(last, at), rests) for number, last in latest.items()}
    for sheet in sorted(sheets, key=lambda one: -one.wrote):
        wrong = since.seen(sheet, at, rests)
        if sheet.is_here:
            urgency, need = _need(sheet, wrong, quiet[sheet.number], sheet.number not in unready)
            found.get(need.kind, []).append((urgency, need))
    for some in found.values():
        some.sort(key=lambda one: -one[0])
    chosen = [need for _, need in [*found[STUCK], *found[SILENT], *found[COULD_EXPLAIN]]]
    once = list({need.number: need for need in reversed(chosen)}.values())[::-1]
    ready = [need for need in once if need.kind == COULD_EXPLAIN]
    return [need for need in once if need not in ready[MANY:]]


def _need(sheet: Facts, wrong: Mapping[str, float], quiet: float, is_ready: bool) -> tuple[float, Need]:
    """What holds of one sheet, and how urgent it is; of no kind where all is well."""
    number, code = sheet.number, sheet.code
    if is_ready:
        hints = f", {sheet.hints} hint{'s' * (sheet.hints != 1)}" if sheet.hints else ""
        return -sheet.hints, Need(number, code, COULD_EXPLAIN, "", f"everything right{hints}")
    stuck = {step: _urgency(sheet.wrong[step], seconds) for step, seconds in wrong.items()}
    step = max(stuck, key=lambda step: stuck[step], default="")
    if step and stuck[step]:
        reason = _why_stuck(step, int(wrong[step] // 60), *sheet.wrong[step][1:])
        return stuck[step], Need(number, code, STUCK, step, reason)
    if quiet >= LONG_SILENT and sheet.blank:
        left = f"{sheet.blank} of {sheet.size} blank" if sheet.blank < sheet.size else "nothing typed"
        return quiet, Need(number, code, SILENT, "", f"quiet for {quiet // 60:.0f} min, {left}")
    return 0.0, Need(number, code, "", "", "")


def _urgency(wrong: Wrong, seconds: float) -> float:
    """Nothing where somebody may well find it."""
    if seconds < LONG_WRONG and wrong.again < TRIES and wrong.hints < ALL_HINTS:
        return 0.0
    return seconds + 60 * wrong.again + 60 * wrong.hints + wrong.missed


@lru_cache(maxsize=4096)
def _why_stuck(step: str, minutes: int, again: int, hints: int) -> str:
    efforts = f" for {minutes} min" * (minutes >= 1)
    efforts += f" after {again} corrections" * (again >= TRIES)
    efforts += ", all hints used" * (hints >= ALL_HINTS)
    return html(said("{} wrong{}", Called(step), efforts))
