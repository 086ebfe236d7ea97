"""Ten minutes a day: what was practised comes back with fresh numbers, the later the better it went.

With the extra `review` it is FSRS (open-spaced-repetition/py-fsrs) that says when; else a Leitner box: twice
as many days each time that it goes well, and one day after a failure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from html import escape
from os import PathLike
from typing import Any, NamedTuple

from handcalc.course.learner_progress import finished_problems
from handcalc.foundation import extras
from handcalc.foundation.errors import listed
from handcalc.practice.exercise.practise import Practice, practise

LONGEST_BOX = 6  # 2^6 days
GOOD_SHARE, HARD_SHARE = 0.9, 0.6  # of the numbers that were right at first try
NOTHING = "Nothing is due: practise something, and it comes back here."


class Recall(NamedTuple):
    """One time that a topic was practised to the end: when, and how many numbers were right at first try."""

    day: date
    share: float


class ReviewedTopic(NamedTuple):
    """A topic at a level, and the day from which it is to be asked again."""

    topic: str
    level: int
    due: date

    def __str__(self) -> str:
        name = self.topic.replace("_", " ")
        return name if self.level == 1 else f"{name} at level {self.level}"


class Review:
    """What is due, and the practice of the first of it with fresh numbers; None where nothing is."""

    def __init__(self, topics: Sequence[ReviewedTopic], today: date, folder: str | PathLike[str]) -> None:
        self.due = [topic for topic in topics if topic.due <= today]
        self.later = [topic for topic in topics if topic.due > today]
        self.practice: Practice | None = None
        if self.due:
            self.practice = practise(self.due[0].topic, self.due[0].level, minutes=10, folder=folder)
            if self.practice.code in self.practice.attempt_log.finished:
                self.practice.next()

    def __repr__(self) -> str:
        """What is due now, and what comes next."""
        if self.due:
            return f"Due today: {listed(self.due)}."
        if not self.later:
            return NOTHING
        return f"Nothing is due today. {self.later[0]} comes back on {_told(self.later[0].due)}."

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        display(HTML(f"<p>{escape(repr(self))}</p>"))  # type: ignore[no-untyped-call]
        if self.practice:
            display(self.practice)  # type: ignore[no-untyped-call]


def _told(day: date) -> str:
    return f"{day.day} {day:%B}"


def review(*, folder: str | PathLike[str] = ".", today: date | None = None) -> Review:
    """Practise what is due today: topics that you have practised before, with fresh numbers each time.

    >>> hc.review()
    Nothing is due: practise something, and it comes back here.

    The fewer numbers were right when first typed, the sooner a topic comes back. What was practised is read
    from the files in `folder`; `today` is another day than today's. Finish the problem and call it again for
    the next one. Raises HandcalcError where no such folder is possible.
    """
    recalls: dict[tuple[str, int], list[Recall]] = {}
    for topic, level, day, problem in finished_problems(folder):
        share = problem.marks.right / problem.marks.typed if problem.marks.typed else 1.0
        recalls.setdefault((topic, level), []).append(Recall(day, share))
    due = [ReviewedTopic(*topic, next_day(sorted(times))) for topic, times in recalls.items()]
    return Review(sorted(due, key=lambda topic: (topic.due, topic)), today or date.today(), folder)


def next_day(times: Sequence[Recall]) -> date:
    """The day on which a topic is due that went so, from the first time on."""
    return _by_fsrs(times) if extras.has_extra("review") else _by_leitner_box(times)


def _by_leitner_box(times: Sequence[Recall]) -> date:
    box = 0
    for recall in times:
        box = min(box + 1, LONGEST_BOX) if recall.share >= GOOD_SHARE else 0
    return times[-1].day + timedelta(days=2**box)


def _by_fsrs(times: Sequence[Recall]) -> date:
    fsrs: Any = extras.needed("fsrs", "review")
    scheduler, card = (
        fsrs.Scheduler(enable_fuzzing=False, learning_steps=(), relearning_steps=()),
        fsrs.Card(),
    )
    for recall in times:
        grade = fsrs.Rating.Good if recall.share >= GOOD_SHARE else fsrs.Rating.Hard
        if recall.share < HARD_SHARE:
            grade = fsrs.Rating.Again
        noon = datetime(recall.day.year, recall.day.month, recall.day.day, 12, tzinfo=UTC)
        card, _ = scheduler.review_card(card, grade, noon)
    due: date = card.due.date()
    return max(due, times[-1].day + timedelta(days=1))
