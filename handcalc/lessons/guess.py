"""A guess before the answer, which is hidden until somebody commits to one or asks to see it."""

from __future__ import annotations

from html import escape
from typing import Any

from handcalc.lessons.questions import Question, question
from handcalc.sentences import html


class Guess:
    """A question of a lesson, and what its answer shows."""

    def __init__(self, asked: Question, shown: Any = None) -> None:
        self.asked, self.shown = asked, shown

    def fallback(self) -> dict[str, str]:
        """What readers without a kernel see: the answer opens when they ask for it."""
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        asked = self.asked
        options = "".join(f"<li>{html(option)}</li>" for option in asked.options)
        listed = f"<ol type='a'>{options}</ol>" if options else ""
        answer = f"<p><b>{html(asked.answer_text)}</b></p><p>{html(asked.because)}</p>{_shown(self.shown)}"
        return (
            f"<div class='handcalc-guess'><p><b>Your guess:</b> {html(asked.question)}</p>{listed}"
            f"<details><summary>I have a guess. Show the answer</summary>{answer}</details></div>"
        )

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.fallback()

    def __repr__(self) -> str:
        return f"Your guess: {self.asked.question}"


def _shown(thing: Any) -> str:
    """Anything as HTML, as a notebook would show it."""
    if thing is None:
        return ""
    for method in ("_repr_mimebundle_", "_repr_html_"):
        if made := getattr(thing, method, None):
            found = made()
            found = found[0] if isinstance(found, tuple) else found
            found = found.get("text/html") if isinstance(found, dict) else found
            if found:
                return str(found)
    return f"<pre>{escape(repr(thing))}</pre>"


def guess(name: str, shown: Any = None) -> Guess:
    """Ask a question of a lesson, such as "positions.who_bites"; the answer and `shown` come after a guess.

    `shown` is anything that a notebook can show: a matrix, a calculation, a picture, an explorer, a number.
    Raises HandcalcError for a question that there is not.
    """
    return Guess(question(name), shown)
