"""A look back on guesses: the question, the guess, and the answer."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from os import PathLike
from typing import NamedTuple

from handcalc.course.catalogue import lessons
from handcalc.course.guess_log import KeptGuess, log_in
from handcalc.course.questions import Question, question_files, read_questions
from handcalc.notation.sentences import html_of

NONE = "There are no guesses yet: run a lesson and commit to one."
SAID = {
    "right": "✓ right",
    "second": "✓ right on the second try",
    "close": "≈ close",
    "wrong": "✗ not quite",
    "tried": "✗ not quite, with a second try left",
    "shown": "– shown without a guess",
    "own": "· in your own words",
}
HEADS = ("Lesson", "Question", "Your guess", "Answer", "Result")
LINE = "border-bottom:1px solid rgba(127,127,127,0.35)"
CELL = f"text-align:left;vertical-align:top;padding:4px 10px;{LINE}"


class Guessed(NamedTuple):
    """A question, and the last guess at it."""

    asked: Question
    kept: KeptGuess


class Guesses:
    """The last guess at each question, in the order of the lessons; an iterable of `Guessed`."""

    def __init__(self, latest: dict[str, KeptGuess]) -> None:
        self._found = [Guessed(asked, latest[asked.name]) for asked in _all() if asked.name in latest]

    def __iter__(self) -> Iterator[Guessed]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return "\n".join([self._summary(), *(_line(guessed) for guessed in self)])

    def _repr_html_(self) -> str:
        if not self._found:
            return f"<p>{NONE}</p>"
        heads = "".join(f'<th scope="col" style="{CELL}">{head}</th>' for head in HEADS)
        rows = "".join(f"<tr>{_cells(guessed)}</tr>" for guessed in self)
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<p>{self._summary()}</p><div style="overflow-x:auto">{table}</div>'

    def _summary(self) -> str:
        if not self._found:
            return NONE
        counts = {verdict: sum(kept.verdict == verdict for _, kept in self) for verdict in SAID}
        told = ", ".join(f"{count} {SAID[verdict][2:]}" for verdict, count in counts.items() if count)
        return f"{len(self)} question{'s' * (len(self) > 1)}: {told}."


def _all() -> Iterator[Question]:
    """Every question, in the order of the lessons."""
    known = question_files()
    for lesson in [*lessons(), *(name for name in known if name not in lessons())]:
        if lesson in known:
            yield from read_questions(lesson).values()


def _line(guessed: Guessed) -> str:
    asked, (guess, verdict) = guessed
    said = f" You said: {guess}." if guess else ""
    return f"{asked.question}{said} Answer: {asked.answer_text} ({SAID[verdict][2:]})"


def _cells(guessed: Guessed) -> str:
    asked, (guess, verdict) = guessed
    mine = next((html_of(option) for option in asked.options if option == guess), escape(guess))
    texts = (_place(asked), html_of(asked.question), mine, html_of(asked.answer_text), SAID[verdict])
    return "".join(f'<td style="{CELL}">{text}</td>' for text in texts)


def _place(asked: Question) -> str:
    """The path to the notebook that asks the question."""
    name = asked.name.partition(".")[0]
    lesson = lessons().get(name)
    return f'<a href="{lesson.notebook}.ipynb">{lesson.number}</a>' if lesson else escape(name)


def guesses(*, folder: str | PathLike[str] = ".") -> Guesses:
    """Look back on the guesses stored in `folder`: each question, your last guess, the answer.

    >>> hc.guesses()
    There are no guesses yet: run a lesson and commit to one.

    Raises HandcalcError where no such file is possible.
    """
    return Guesses(log_in(folder).latest)
