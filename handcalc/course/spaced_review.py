"""Ten minutes a day: what was practised comes back with fresh numbers, the later the better it went.

With the extra `review`, FSRS (open-spaced-repetition/py-fsrs) sets the days; else a Leitner box: twice as
many days each time that it goes well, and one day after a failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from html import escape
from os import PathLike
from typing import Any, NamedTuple

from handcalc.course.guess import Guess
from handcalc.course.guess_log import log_in
from handcalc.course.learner_progress import finished_problems
from handcalc.course.questions import Question, question
from handcalc.foundation import extras
from handcalc.foundation.errors import HandcalcError, listed
from handcalc.practice.exercise.practise import Practice, practise

LONGEST_BOX = 6  # 2^6 days
GOOD_SHARE, HARD_SHARE = 0.9, 0.6  # of the numbers that were right at first try
SHARES = {"right": 1.0, "second": 0.7, "close": 0.7, "wrong": 0.0, "shown": 0.0}  # of a guess, by its verdict
MOST_GUESSES = 3  # of one day
NOTHING = "Nothing is due: practise something, and it comes back here."


class Recall(NamedTuple):
    """One completed practice of a topic: the day, and how many numbers were right at first try."""

    day: date
    share: float


class ReviewedTopic(NamedTuple):
    """A topic at a level, and the day from which it is due again."""

    topic: str
    level: int
    due: date

    def __str__(self) -> str:
        name = self.topic.replace("_", " ")
        return name if self.level == 1 else f"{name} at level {self.level}"


class ReviewedGuess(NamedTuple):
    """A question, and the day from which it is due again."""

    asked: Question
    due: date


class Review:
    """The review that is due: the first due topic with fresh numbers, or None, and a few guesses."""

    def __init__(
        self,
        topics: Sequence[ReviewedTopic],
        guesses: Sequence[ReviewedGuess],
        today: date,
        folder: str | PathLike[str],
    ) -> None:
        self.due = [topic for topic in topics if topic.due <= today]
        self.later = [topic for topic in topics if topic.due > today]
        self.practice: Practice | None = None
        if self.due:
            self.practice = practise(self.due[0].topic, self.due[0].level, minutes=10, folder=folder)
            if self.practice.code in self.practice.attempt_log.finished:
                self.practice.next()
        asked = [one.asked for one in guesses if one.due <= today][:MOST_GUESSES]
        self.guesses = [Guess(one, None, log_in(folder), anew=True) for one in asked]

    def __repr__(self) -> str:
        """The topics and guesses due now, or else the next topic and its day."""
        count = len(self.guesses)
        guesses = [f"{count} guess{'es' * (count > 1)}"] if count else []
        if self.due or guesses:
            return f"Due today: {listed([*map(str, self.due), *guesses])}."
        if not self.later:
            return NOTHING
        return f"Nothing is due today. {self.later[0]} comes back on {_told(self.later[0].due)}."

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        display(HTML(f"<p>{escape(repr(self))}</p>"))  # type: ignore[no-untyped-call]
        for guess in self.guesses:
            display(guess)  # type: ignore[no-untyped-call]
        if self.practice:
            display(self.practice)  # type: ignore[no-untyped-call]


def _told(day: date) -> str:
    return f"{day.day} {day:%B}"


def review(*, folder: str | PathLike[str] = ".", today: date | None = None) -> Review:
    """Practise what is due today: topics with fresh numbers each time, and up to three guesses.

    >>> hc.review()
    Nothing is due: practise something, and it comes back here.

    The fewer numbers were right when first typed, the sooner a topic comes back; a guess that was wrong comes
    back sooner than one that was right. All of it is read from the file in `folder`; `today` is another day
    than today's. Finish the problem and call it again for the next one. Raises HandcalcError where no such
    folder is possible.
    """
    recalls: dict[tuple[str, int], list[Recall]] = {}
    for topic, level, day, problem in finished_problems(folder):
        share = problem.marks.right / problem.marks.typed if problem.marks.typed else 1.0
        recalls.setdefault((topic, level), []).append(Recall(day, share))
    due = [ReviewedTopic(*topic, next_day(sorted(times))) for topic, times in recalls.items()]
    topics = sorted(due, key=lambda topic: (topic.due, topic))
    guesses = sorted(_guesses(folder), key=lambda one: one.due)
    return Review(topics, guesses, today or date.today(), folder)


def _guesses(folder: str | PathLike[str]) -> Iterator[ReviewedGuess]:
    """The questions that can be asked without their sheet, of those with a guess."""
    for name, times in log_in(folder).times.items():
        with suppress(HandcalcError):  # no longer asked
            asked = question(name)
            recalls = [Recall(day, SHARES[verdict]) for day, verdict in times if verdict in SHARES]
            if recalls and (asked.options or not asked.cell):
                yield ReviewedGuess(asked, next_day(sorted(recalls)))


def next_day(times: Sequence[Recall]) -> date:
    """The day on which a topic is due after practice that went like this, the first time first."""
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
