"""Who needs help now, and why in a few words: stuck, silent, and who could explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handcalc.classroom.insight.conversations import COULD_EXPLAIN, SILENT, STUCK
from handcalc.classroom.insight.sheets import Sheet, students_of
from handcalc.classroom.standing import BLANK, MISSED
from handcalc.sentences import Called, Sentence, html, said

if TYPE_CHECKING:
    from handcalc.classroom.live.grid import Seat

LONG_WRONG = 180.0  # seconds that a step may be wrong
LONG_SILENT = 240.0  # seconds without a word from somebody who is not ready
TRIES = 3  # corrections of one step that is still wrong
ALL_HINTS = 2  # hints to one step
MANY = 3  # of those who could explain


@dataclass(frozen=True)
class Need:
    """Somebody to go to: the student's number and sheet, of which kind, in which step, and why (HTML)."""

    number: int
    code: str
    kind: str
    step: str
    reason: str


class Since:
    """Since when each step of each sheet is wrong, as far as it was seen."""

    def __init__(self) -> None:
        self._since: dict[tuple[str, str], float] = {}

    def seen(self, sheet: Sheet, at: float) -> dict[str, float]:
        """For how many seconds the wrong steps of a sheet have been wrong."""
        code, wrong = sheet.entry.code, sheet.wrong_steps()
        for step in sheet.steps:
            if step not in wrong:
                self._since.pop((code, step), None)
        return {step: at - self._since.setdefault((code, step), at) for step in wrong}


def needs(seats: Sequence[Seat], sheets: Sequence[Sheet], since: Since, at: float) -> list[Need]:
    """Those who are stuck, the longest first; who is silent; then a few who could explain."""
    found: dict[str, list[tuple[float, Need]]] = {STUCK: [], SILENT: [], COULD_EXPLAIN: []}
    ready = {student.number for student in students_of(sheets) if student.has_all_right}
    for seat, sheet in zip(seats, sheets, strict=True):
        wrong = since.seen(sheet, at)
        if not seat.learner:
            continue
        for kind, order, step, reason in _of(sheet, wrong, sheet.entry.number in ready):
            found[kind].append((order, _need(sheet, kind, step, reason)))
    for some in found.values():
        some.sort(key=lambda one: -one[0])
    chosen = [*found[STUCK], *found[SILENT], *found[COULD_EXPLAIN][:MANY]]
    return list({need.number: need for _, need in reversed(chosen)}.values())[::-1]


def _of(sheet: Sheet, wrong: dict[str, float], is_ready: bool) -> list[tuple[str, float, str, Sentence]]:
    """What holds of one sheet: kind, how urgent, step, reason."""
    if is_ready:
        hints = sum(sheet.standing.hints.values()) if sheet.standing else 0
        with_ = f", {hints} hint{'s' * (hints != 1)}" if hints else ""
        return [(COULD_EXPLAIN, -hints, "", Sentence(f"all right{with_}"))]
    stuck = [one for step, seconds in wrong.items() if (one := _stuck(sheet, step, seconds))]
    if stuck:
        return [max(stuck, key=lambda one: one[1])]
    if sheet.quiet >= LONG_SILENT:
        blank = sum(counts[BLANK] for counts in sheet.steps.values())
        size = sum(sum(counts.values()) for counts in sheet.steps.values())
        left = f", {blank} of {size} blank" if size else ", nothing typed"
        return [(SILENT, sheet.quiet, "", Sentence(f"quiet for {sheet.quiet // 60:.0f} min{left}"))]
    return []


def _stuck(sheet: Sheet, step: str, seconds: float) -> tuple[str, float, str, Sentence] | None:
    assert sheet.standing
    hints, again = sheet.standing.hints.get(step, 0), sheet.standing.again.get(step, 0)
    if seconds < LONG_WRONG and again < TRIES and hints < ALL_HINTS:
        return None
    efforts = f" for {seconds // 60:.0f} min" * (seconds >= 60)
    efforts += f" after {again} corrections" * (again >= TRIES)
    efforts += ", all hints used" * (hints >= ALL_HINTS)
    urgency = seconds + 60 * again + 60 * hints + sheet.steps[step][MISSED]
    return STUCK, urgency, step, said("{} wrong{}", Called(step), efforts)


def _need(sheet: Sheet, kind: str, step: str, reason: Sentence) -> Need:
    return Need(sheet.entry.number, sheet.entry.code, kind, step, html(reason))
