"""Widgets on a page: a sheet to fill in, a question that holds its answer back, a sentence with a switch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets
from ipywidgets import DOMWidget, widget_serialization

from handcalc.views.widget_script import Kind, PageWidget

# where the widget would be; what is read stands before it
GUESS_PLACE = '<span class="hc-guess-place"></span>'


class Practising(PageWidget, kind=Kind("practice_widget")):
    """The page's side of practising: it shows its state, and sends what is typed.

    `on_message(message)` gets `{"typed": [step, row, column, text]}`, and `{"ask": word, "step": name}` where
    the word is "hint", "next", "back" or "whole".
    """

    spec = traitlets.Dict().tag(sync=True)
    blank: Any = traitlets.List().tag(sync=True)
    places = traitlets.Int(2).tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    file = traitlets.Unicode().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    messages = traitlets.Dict().tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)
    back = traitlets.Bool(default_value=False).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)  # problems that were finished
    plan: Any = traitlets.Dict().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    hints = traitlets.Dict().tag(sync=True)
    spent: Any = traitlets.List().tag(sync=True)
    finished = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, on_message: Callable[[Any], None], fallback: Callable[[], dict[str, str]]) -> None:
        super().__init__()
        self._fallback = fallback
        self.on_msg(lambda _, message, __: on_message(message))

    def fallback(self) -> dict[str, str]:
        return self._fallback()


class Asking(PageWidget, kind=Kind("guess_widget")):
    """The page's side of a guess: the question, and its answer, which it keeps back until it is asked for.

    `kept` is the guess and its verdict, {"guess": text, "verdict": word}; `on_message` gets a new one.
    What the answer shows is a widget, `child`, or HTML, `shown`.
    """

    name = traitlets.Unicode().tag(sync=True)  # "lesson.question"
    question = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Enum(("choice", "number", "words", "order")).tag(sync=True)
    options: Any = traitlets.List().tag(sync=True)  # [[text, HTML], ...]
    answer: Any = traitlets.Any().tag(sync=True)  # which option, counted from 1, or the number, or None
    told = traitlets.Unicode().tag(sync=True)  # the answer as HTML
    because = traitlets.Unicode().tag(sync=True)
    places = traitlets.Int(2).tag(sync=True)
    slips: Any = traitlets.List().tag(sync=True)  # [[answer, HTML], ...]: what a wrong one would have meant
    drawn = traitlets.Dict().tag(sync=True)  # the drawing that it is asked on, from views/asking
    kept = traitlets.Dict().tag(sync=True)
    heard = traitlets.Int(0).tag(sync=True)  # how many guesses have come: the same one may come again
    notice = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Unicode().tag(sync=True)
    child = traitlets.Instance(DOMWidget, allow_none=True).tag(sync=True, **widget_serialization)

    def __init__(self, on_message: Callable[[Any], None], **state: Any) -> None:
        super().__init__(**state)
        self.on_msg(lambda _, message, __: on_message(message))

    def fallback(self) -> dict[str, str]:
        """Nothing: the question stands before it."""
        return {"text/plain": "", "text/html": GUESS_PLACE}


class SentenceSwitch(PageWidget, kind=Kind("sentence_widget")):
    """The words of a sentence, the arcs of the asking word, and a button for each ending of `still`."""

    words: Any = traitlets.List().tag(sync=True)
    own = traitlets.Int().tag(sync=True)
    endings: Any = traitlets.List().tag(sync=True)  # [[last word, shares], ...]
    before = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)

    def __init__(self, still: Any, *, before: str, note: str) -> None:
        self._still = still
        endings = [list(ending) for ending in still.endings]
        super().__init__(words=still.words, own=still.own, endings=endings, before=before, note=note)

    def fallback(self) -> dict[str, str]:
        """A line of words for each ending, in inline colours."""
        return {"text/plain": repr(self._still), "text/html": self._still._repr_html_()}


def widget_of(thing: Any) -> Any:
    """The widget that a thing is, or has, as practice does; None if there is none."""
    found = thing if isinstance(thing, DOMWidget) else getattr(thing, "widget", None)
    return found if isinstance(found, DOMWidget) else None


def display_both(stored: dict[str, str], widget: Asking) -> None:
    """Show the stored HTML, and below it the widget."""
    from IPython.display import display

    display(stored, raw=True)  # type: ignore[no-untyped-call]
    display(widget)  # type: ignore[no-untyped-call]
