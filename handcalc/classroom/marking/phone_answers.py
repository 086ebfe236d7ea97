"""What phones and laptops have sent to a live class, as sheets to be marked like any other."""

from __future__ import annotations

from handcalc.classroom.folder.folder_layout import DATABASE_FILE
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.extras import needed
from handcalc.practice.exercise.raw_answers import TypedText

PHONE_SOURCE = "phone of "  # how their sources begin: names of files there are none of


def read_phone_sheets(folder: ClassFolder, database: str = "") -> list[Submission] | None:
    """Everything that was typed, sheet by sheet and learner by learner; None where there is no database.

    Raises HandcalcError where there are answers and they cannot be read.
    """
    if not database and not (folder.path / DATABASE_FILE).exists():
        return None
    needed("sqlalchemy")
    from handcalc.classroom.store.answer_store import AnswerStore
    from handcalc.classroom.store.database import file_address

    store = AnswerStore(database or file_address(folder.path / DATABASE_FILE), folder.settings.title)
    try:
        kept = store.load()
    finally:
        store.close()
    nicks = {one.id: one.nick for one in kept.learners}
    typed: dict[tuple[int, str], list[TypedText]] = {}
    hints: dict[tuple[int, str], dict[str, int]] = {}
    for one in sorted(kept.answers, key=lambda one: one.at):  # when it was typed, not when it came
        typed.setdefault((one.learner, one.code), []).append(
            TypedText(one.step, one.row, one.column, one.text)
        )
    for one in kept.hints:
        asked = hints.setdefault((one.learner, one.code), {})
        asked[one.step] = asked.get(one.step, 0) + 1
    seats = [(seat.learner, seat.code) for seat in kept.seats]  # whoever waits has none
    return [
        Submission(
            f"{PHONE_SOURCE}{nicks[who]} ({who})",
            code,
            typed=tuple(typed[who, code]),
            hints=hints.get((who, code), {}),
        )
        for who, code in seats
        if (who, code) in typed
    ]
