"""All that everybody in a class has done, sheet by sheet; put together again after a restart."""

from __future__ import annotations

from handcalc.classroom.folder.stored_numbers import SheetOutline
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.live.marking.live_marks import Json
from handcalc.classroom.live.state.sheet_state import SheetState
from handcalc.classroom.store.answer_store import Kept


class SheetStates(dict[tuple[int, str], SheetState]):
    """The work of each learner on each code."""

    def __init__(self, folder: ClassFolder) -> None:
        super().__init__()
        self.folder = folder
        self._outlines: dict[str, SheetOutline] = {}
        self._came = 0.0

    def arrival(self, now: float) -> float:
        """When something comes: later than all before it, also where the clock was put back."""
        self._came = max(now, self._came + 1e-6)
        return self._came

    def outline(self, code: str) -> SheetOutline:
        """What a sheet asks for; read once. Raises HandcalcError for a code that is not of this class."""
        if code not in self._outlines:
            self._outlines[code] = self.folder.numbers.outline(code)
        return self._outlines[code]

    def begun(self, learner: int, code: str) -> SheetState:
        """What a learner has done on a sheet, nothing perhaps."""
        if (learner, code) not in self:
            self[learner, code] = SheetState(learner, code, self.outline(code))
        return self[learner, code]

    def of(self, learner: int) -> list[tuple[int, str]]:
        """The keys of all that a learner has done."""
        return [key for key in self if key[0] == learner]

    def page(self, work: SheetState) -> Json:
        """A sheet as the page shows it, and the `last` number of all sheets: pages count on from it."""
        return {**work.page(), "last": max(self[key].last for key in self.of(work.learner))}

    def restore(self, kept: Kept) -> None:
        """All that was stored; what is not in the register any more is passed over, and stays stored."""
        self._came = kept.heard
        known = self.folder.register.by_code
        joined = {one.id: one.at for one in kept.learners}
        for one in (row for row in kept.seats if row.code in known and row.learner in joined):
            self.begun(one.learner, one.code).at = joined[one.learner]
        for one in (row for row in kept.answers if row.code in known):
            work = self.begun(one.learner, one.code)
            work.keep([one])
            work.at = work.wrote = max(work.at, one.at)
        for one in (row for row in kept.hints if row.code in known):
            work = self.begun(one.learner, one.code)
            work.hints[one.step] = max(one.level, work.hints.get(one.step, 0))
        for one in (row for row in kept.marks if row.code in known):
            self.begun(one.learner, one.code).restore(one.upto, one.json)
