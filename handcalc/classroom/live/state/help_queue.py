"""The help queue: who needs help now and why: wrong numbers, silence, or able to explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from handcalc.classroom.insight.conversations import COULD_EXPLAIN, SILENT, STUCK
from handcalc.classroom.live.state.pauses import Pause, working_time
from handcalc.classroom.live.state.seats import Seat, WrongStep
from handcalc.notation.sentences import Called, html_of, said

LONG_WRONG_SECONDS = 180.0  # for a step to be wrong
LONG_SILENT_SECONDS = 240.0  # without a sign of a student who is not ready
MANY_CORRECTIONS = 3  # corrections of a step that is still wrong
MAX_STEP_HINTS = 2  # hints to one step
MAX_EXPLAINERS = 3  # students named who could explain
WRONG_KIND = "wrong"  # with wrong numbers, and no reason yet to call the student stuck
KIND_ORDER = {STUCK: 0, WRONG_KIND: 0, SILENT: 1, COULD_EXPLAIN: 2}


class Need(NamedTuple):
    """A student to go to: number and sheet, the kind of need, the step, and the reason (HTML)."""

    number: int
    code: str
    kind: str
    step: str
    reason: str


class _Ranked(NamedTuple):
    """A need, and the figures by which it is ranked among those of its kind, the first counting most."""

    figures: tuple[float, ...]
    need: Need


class WrongSince:
    """The time since when each step of each sheet is wrong: that of its last number when first seen."""

    def __init__(self) -> None:
        self._since: dict[str, dict[str, float]] = {}

    def seen(self, sheet: Seat, at: float, rests: Sequence[Pause] = ()) -> dict[str, float]:
        """The seconds of work for which each wrong step of a sheet has been wrong."""
        before, begun = self._since.get(sheet.entry.code, {}), min(sheet.wrote or at, at)
        self._since[sheet.entry.code] = {step: before.get(step, begun) for step in sheet.wrong}
        now = working_time(at, rests)
        begun_at = self._since[sheet.entry.code]
        return {step: now - working_time(since, rests) for step, since in begun_at.items()}


def find_needs(
    sheets: Sequence[Seat], since: WrongSince, at: float, rests: Sequence[Pause] = ()
) -> list[Need]:
    """Needs in order: most wrong numbers first; then the quiet, the longest first; then who could explain.

    Time in which the class rested does not count, so that all of it stands still while it rests.
    """
    wrong = {sheet.entry.code: since.seen(sheet, at, rests) for sheet in sheets}
    of_student: dict[int, list[Seat]] = {}
    for sheet in sorted(sheets, key=lambda one: -one.wrote):  # the sheet worked on last comes first
        of_student.setdefault(sheet.entry.number, []).append(sheet)
    found = []
    for own in of_student.values():
        quiet = working_time(at, rests) - working_time(min(max(sheet.last for sheet in own), at), rests)
        if any(sheet.is_seated for sheet in own) and (ranked := _need(own, wrong, quiet)):
            found.append(ranked)
    found.sort(
        key=lambda one: (KIND_ORDER[one.need.kind], *(-figure for figure in one.figures), one.need.number)
    )
    ready = [one for one in found if one.need.kind == COULD_EXPLAIN]
    return [one.need for one in found if one not in ready[MAX_EXPLAINERS:]]


def _need(own: Sequence[Seat], wrong: Mapping[str, Mapping[str, float]], quiet: float) -> _Ranked | None:
    """The need of one student, and how great it is; None where all is well."""
    number, latest = own[0].entry.number, own[0].entry.code
    if all(sheet.is_right for sheet in own):
        count = sum(sheet.hints for sheet in own)
        hints = f", {count} hint{'s' * (count != 1)}" if count else ""
        return _Ranked((-count,), Need(number, latest, COULD_EXPLAIN, "", f"everything right{hints}"))
    steps = [(sheet, step) for sheet in own for step in sheet.wrong]
    if steps:
        return _wrong(steps, wrong)
    unfinished = next((sheet for sheet in own if sheet.blank), None)
    if quiet >= LONG_SILENT_SECONDS and unfinished:
        blank, size = unfinished.blank, unfinished.size
        left = f"{blank} of {size} blank" if blank < size else "nothing typed"
        reason = f"quiet for {quiet // 60:.0f} min, {left}"
        return _Ranked((quiet,), Need(number, unfinished.entry.code, SILENT, "", reason))
    return None


def _wrong(steps: Sequence[tuple[Seat, str]], since: Mapping[str, Mapping[str, float]]) -> _Ranked:
    """The need of a student with wrong numbers: their count, and the step in most need of help."""

    def urgency(place: tuple[Seat, str]) -> tuple[float, int]:
        sheet, step = place
        return _urgency(sheet.wrong[step], since[sheet.entry.code][step]), sheet.wrong[step].missed

    sheet, step = max(steps, key=urgency)
    urgent, count = urgency((sheet, step))[0], sum(one.wrong[name].missed for one, name in steps)
    minutes = int(since[sheet.entry.code][step] // 60) if urgent else 0
    reason = _why_wrong(count, step, minutes, *sheet.wrong[step][1:])
    kind = STUCK if urgent else WRONG_KIND
    return _Ranked((count, urgent), Need(sheet.entry.number, sheet.entry.code, kind, step, reason))


def _urgency(wrong: WrongStep, seconds: float) -> float:
    """The urgency of a wrong step; 0 where the student may well find the mistake."""
    if seconds < LONG_WRONG_SECONDS and wrong.again < MANY_CORRECTIONS and wrong.hints < MAX_STEP_HINTS:
        return 0.0
    return seconds + 60 * wrong.again + 60 * wrong.hints + wrong.missed


@lru_cache(maxsize=4096)
def _why_wrong(count: int, step: str, minutes: int, again: int, hints: int) -> str:
    """The strongest reason to go there, in one short line."""
    effort = f" for {minutes} min" if minutes else ""
    if hints >= MAX_STEP_HINTS:
        effort = ", all hints used"
    elif again >= MANY_CORRECTIONS:
        effort = f" after {again} corrections"
    return html_of(said("{} wrong: {}{}", str(count), Called(step), effort))
