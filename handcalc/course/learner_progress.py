"""A learner's progress: the guesses and the practice of all lessons, from the files beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from handcalc.course.catalogue import lessons
from handcalc.course.guess_log import KeptGuess, log_in
from handcalc.course.lesson_topics import OTHERS, YOUR_OWN, by_lesson
from handcalc.course.questions import question_files, read_questions
from handcalc.foundation import atomic_files
from handcalc.foundation.errors import HandcalcError, many
from handcalc.notation.sentences import html_of
from handcalc.practice.exercise import codes, raw_answers
from handcalc.practice.exercise.attempt_log import AttemptLog
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.line_log import log_path
from handcalc.practice.marking.states import CORRECT
from handcalc.practice.mistakes.mistake_registry import describe_mistake

MAX_PROBLEMS = 30  # of one topic that are marked again, the latest ones
NONE = "Nothing is stored here yet: run a lesson and commit to a guess, or practise."
HEADS = ("Lesson", "Guesses", "Right at first try", "Practice", "Numbers right at first try", "Mistakes")
CELL = "text-align:left;vertical-align:top;padding:4px 10px;border-bottom:1px solid rgba(127,127,127,0.35)"


class TriedProblem:
    """A problem of practice; the marks of its numbers when first typed are worked out on demand."""

    def __init__(self, code: str, log: AttemptLog) -> None:
        self.code, self._log = code, log

    @property
    def is_finished(self) -> bool:
        """Whether it was solved."""
        return self.code in self._log.finished

    @property
    def day(self) -> str:
        """The day on which it was finished, 2026-11-25; empty where that is not known."""
        return self._log.finished.get(self.code, "")

    @cached_property
    def marks(self) -> FirstMarks:
        """The marks of its numbers when first typed."""
        exercise, typed = Exercise(self.code), self._log.typed(self.code)
        first = raw_answers.latest_texts([one for one in reversed(typed) if one.text.strip()])
        feedback = raw_answers.mark_texts(exercise, first).feedback
        names = dict.fromkeys(str(mistake.name) for mistake in feedback.mistakes)
        count = sum(map(len, raw_answers.texts_with_fields(exercise, first).values()))
        return FirstMarks(count, feedback.count(CORRECT), tuple(names))


class FirstMarks(NamedTuple):
    """The count of numbers typed, and of those right at first try, and the mistakes made."""

    typed: int
    right: int
    mistakes: tuple[str, ...]


class MadeMistake(NamedTuple):
    """A mistake that was made in some of the problems, in the order in which they were opened."""

    name: str
    made: tuple[bool, ...]

    @property
    def has_come_back(self) -> bool:
        """Whether it was made again after the first time."""
        return sum(self.made) > 1

    def __str__(self) -> str:
        """`not-scaled: once, not in the 2 problems since`"""
        count = len(self.made)
        since = count - 1 - max(place for place, was_made in enumerate(self.made) if was_made)
        if self.has_come_back:
            after = f", not in the last {since}" if since else ""
            return f"{self.name}: came back, in {sum(self.made)} of {count} problems{after}"
        return f"{self.name}: once, " + (
            f"not in the {many(since, 'problem')} since" if since else "in the last problem"
        )


class LessonProgress(NamedTuple):
    """A lesson: its questions, the guesses at them, and what was practised of its topics."""

    title: str
    questions: int
    guesses: Sequence[KeptGuess]
    problems: Sequence[TriedProblem]

    @property
    def right_guesses(self) -> int:
        """The number of guesses that were right at first try."""
        return sum(kept.verdict == "right" for kept in self.guesses)

    @property
    def finished(self) -> int:
        """The number of problems solved."""
        return sum(problem.is_finished for problem in self.problems)

    @property
    def mistakes(self) -> list[MadeMistake]:
        """The mistakes that were made, by name, those that came back first."""
        made = [problem.marks.mistakes for problem in self.problems]
        names = dict.fromkeys(name for mistakes in made for name in mistakes)
        found = [MadeMistake(name, tuple(name in mistakes for mistakes in made)) for name in names]
        return sorted(found, key=lambda made: not made.has_come_back)

    @property
    def done(self) -> str:
        """`4 of 6 guesses, 2 problems finished`"""
        guessed = f"{len(self.guesses)} of {self.questions} guesses" if self.guesses else ""
        finished = f"{many(self.finished, 'problem')} finished" if self.finished else ""
        return ", ".join(filter(None, (guessed, finished)))

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of its row in a table."""
        typed = sum(problem.marks.typed for problem in self.problems)
        right = sum(problem.marks.right for problem in self.problems)
        guessed = f"{len(self.guesses)} of {self.questions}" if self.questions else ""
        practised = f"{self.finished} of {many(len(self.problems), 'problem')}" if self.problems else ""
        return (
            self.title,
            guessed,
            f"{self.right_guesses}" if self.guesses else "",
            practised,
            f"{right} of {typed}" if typed else "",
            "; ".join(map(str, self.mistakes)),
        )


class Progress:
    """The progress stored in one folder; an iterable of `LessonProgress`, of the lessons that were begun."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.path = log_path(folder)

    @cached_property
    def _found(self) -> list[LessonProgress]:
        return list(_lessons(self.path))

    def __iter__(self) -> Iterator[LessonProgress]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def save(self, path: str | PathLike[str]) -> None:
        """Write all of it as one JSON file: what is shown here, and every stored line."""
        lines = self.path.read_text("utf-8", "replace").splitlines() if self.path.is_file() else []
        shown = [
            {
                "title": lesson.title,
                "questions": lesson.questions,
                "guesses": [kept._asdict() for kept in lesson.guesses],
                "problems": [
                    {"code": problem.code, "day": problem.day, **problem.marks._asdict()}
                    for problem in lesson.problems
                ],
                "mistakes": {made.name: made.made for made in lesson.mistakes},
            }
            for lesson in self
        ]
        text = json.dumps({"lessons": shown, "lines": lines}, ensure_ascii=False, indent=1)
        atomic_files.write_whole(path, f"{text}\n")

    def delete(self) -> str:
        """Delete the file with the guesses and the practice of this folder; says what is gone."""
        vars(self).pop("_found", None)
        if not self.path.is_file():
            return NONE
        try:
            self.path.unlink()
        except OSError as error:
            raise atomic_files.refusal(self.path, error) from None
        return f"Deleted: {self.path.name}."

    def __repr__(self) -> str:
        return "\n".join(filter(None, map(_line, self))) or NONE

    def _repr_html_(self) -> str:
        if not self._found:
            return f"<p>{NONE}</p>"
        heads = "".join(f'<th scope="col" style="{CELL}">{head}</th>' for head in HEADS)
        rows = "".join(f"<tr>{_row(lesson)}</tr>" for lesson in self)
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<div style="overflow-x:auto">{table}</div>'


def _line(lesson: LessonProgress) -> str:
    title, guessed, right, practised, numbers, mistakes = lesson.cells
    parts = []
    if lesson.guesses:
        parts.append(f"guesses {guessed}, {right} right at first try")
    if practised:
        parts.append(f"practice {practised} finished, {numbers or 'no'} numbers right at first try")
    return f"{title}: {'; '.join([*parts, *filter(None, [mistakes])])}"


def _row(lesson: LessonProgress) -> str:
    *texts, _ = lesson.cells
    told = [(str(made), describe_mistake(made.name)) for made in lesson.mistakes]
    mistakes = "".join(
        f"<div>{escape(said)}{f' ({html_of(what)})' * bool(what)}</div>" for said, what in told
    )
    return "".join(f'<td style="{CELL}">{text}</td>' for text in (*map(escape, texts), mistakes))


def _lessons(path: Path) -> Iterator[LessonProgress]:
    """The lessons that were begun, in their order; then practice that belongs to none."""
    topics = {name: title for title, names in by_lesson().items() for name in names}
    problems: dict[str, list[TriedProblem]] = {}
    for topic, found in _problems(path).items():
        problems.setdefault(topics.get(topic, YOUR_OWN), []).extend(found)
    latest = log_in(path.parent).latest
    questions = question_files()
    for name, lesson in lessons().items():
        title = f"{lesson.number} {lesson.title}"
        asked = list(read_questions(name).values()) if name in questions else []
        guesses = [latest[one.name] for one in asked if one.name in latest]
        tried = problems.pop(title, [])
        if guesses or tried:
            yield LessonProgress(title, len(asked), guesses, tried)
    for title in (OTHERS, YOUR_OWN):
        if tried := problems.pop(title, []):
            yield LessonProgress(title, 0, [], tried)


def _problems(path: Path) -> dict[str, list[TriedProblem]]:
    """The problems that were tried, by topic: the latest ones of each."""
    log, found = AttemptLog(path), dict[str, list[TriedProblem]]()
    for code in log.opened:
        with suppress(HandcalcError):  # numbers of your own, or of another version: they are in no code
            found.setdefault(codes.read_code(code).topic, []).append(TriedProblem(code, log))
    return {topic: tried[-MAX_PROBLEMS:] for topic, tried in found.items()}


def finished_problems(folder: str | PathLike[str]) -> Iterator[tuple[str, int, date, TriedProblem]]:
    """Topic, level, day and problem of all that was practised to the end on a day that is known."""
    for topic, tried in _problems(log_path(folder)).items():
        for problem in tried:
            with suppress(ValueError):
                yield topic, codes.level_of(problem.code), date.fromisoformat(problem.day), problem


def progress(*, folder: str | PathLike[str] = ".") -> Progress:
    """Look back on guesses and practice of all lessons stored in `folder`: what is done, and how it went.

    >>> hc.progress()
    Nothing is stored here yet: run a lesson and commit to a guess, or practise.

    Of each lesson it says how many guesses were right at first try, how many problems are finished, how many
    numbers were right when first typed, and which mistakes were made and whether they came back.
    `hc.progress().save("progress.json")` writes all of it into one file, `.delete()` deletes what is stored.
    Nothing leaves the computer. Raises HandcalcError where no such folder is possible.
    """
    return Progress(folder)
