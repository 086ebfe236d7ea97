"""A guess before the answer, which is hidden until the learner commits to one or asks to see it."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from os import PathLike
from typing import Any

from handcalc.course.guess_log import MAX_GUESS_LENGTH, VERDICTS, GuessLog, log_in
from handcalc.course.questions import Question, question
from handcalc.foundation import extras, lazy_rooms
from handcalc.foundation.atomic_files import write_whole
from handcalc.foundation.run_note import run_note
from handcalc.notation.sentences import html_of
from handcalc.practice.exercise.line_log import clean_text

UNKEPT = "You still see the answer, but your guess is not kept."
RUN = "Run this cell to commit to a guess; it is kept beside the notebook."
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOX = "max-width:46em;padding-left:13px;border-left:3px solid rgba(127,127,127,0.35)"
QUIET = "opacity:0.75;font-size:90%"
# With a kernel the widget below takes the place of what is stored; what else JupyterLab puts there goes.
# Without one the cells of a matrix are as wide as each other, and its caption stays on one line.
STYLE = (
    "<style>.jp-OutputArea-child:has(.hc-guess-static) + .jp-OutputArea-child:not(:has(.handcalc-guess)),"
    ".jp-OutputArea-child:has(.hc-guess-static):has(+ .jp-OutputArea-child .handcalc-guess)"
    "{display:none}"
    ".hc-guess-static [data-drawn] :is(td,th,caption){font-size:14px}"
    ".hc-guess-static [data-drawn] td{min-width:1.8em;padding:2px 4px;text-align:center}"
    ".hc-guess-static [data-drawn] caption{white-space:nowrap;text-align:left}</style>"
)


class Guess:
    """A question of a lesson, and what its answer shows; `widget` is what the page has of it.

    One that is asked `anew` says nothing of an earlier guess.
    """

    def __init__(
        self, asked: Question, shown: Any, log: GuessLog, on: Any = None, *, anew: bool = False
    ) -> None:
        self.asked, self.shown, self.log = asked, shown, log
        self.drawn = self._drawn(shown if on is None else on, on is not None)
        views = lazy_rooms.view("page_widgets") if extras.has_extra("notebook") else None
        self.child = views.widget_of(shown) if views else None
        self.state: dict[str, Any] = {
            "name": asked.name,
            "question": html_of(asked.question),
            "kind": asked.kind,
            "options": [[str(option), html_of(option)] for option in asked.options],
            "answer": None if asked.kind == "words" else asked.answer,
            "told": html_of(asked.answer_text),
            "because": html_of(asked.because),
            "places": asked.places,
            "slips": [[said, html_of(told)] for said, told in asked.slips],
            "drawn": self.drawn.spec() if self.drawn else {},
            "shown": "" if self.child or self._explorer or self._is_on_its_sheet else as_html(shown),
        }
        kept = None if anew else log.latest.get(asked.name)
        self.widget: Any = views and views.Asking(
            self.on_message, **self.state, kept=kept._asdict() if kept else {}, child=self.child
        )

    def _drawn(self, on: Any, is_handed_in: bool) -> Any:
        """The drawing that the question is asked on; None where it is told in words."""
        asked, drawings = self.asked, lazy_rooms.view("asking.drawings")
        options = tuple(map(str, asked.options))
        cards = tuple(map(html_of, asked.options)) if asked.kind == "order" else ()
        said = drawings.Asks(asked.drawn, asked.cell, asked.reads, asked.sentence, asked.asks, options, cards)
        found = drawings.drawing(said, on, as_html, is_handed_in=is_handed_in)
        is_other = asked.kind == "number" and found and not asked.is_answer(found.answer())
        return None if is_other else found

    @property
    def _is_on_its_sheet(self) -> bool:
        """Whether the answer shows only the sheet that the question is asked on."""
        return self.drawn is not None and self.shown is self.drawn.original

    @property
    def notice(self) -> str:
        return f"{self.log.trouble} {UNKEPT}" if self.log.trouble else ""

    def on_message(self, message: Any) -> None:
        """Handle the page's message: a guess and its verdict, which are kept."""
        match message:
            case {"guess": str(guess), "verdict": str(verdict)} if verdict in VERDICTS:
                guess = clean_text(guess, MAX_GUESS_LENGTH)
                at = datetime.now(UTC).isoformat(timespec="seconds")
                self.log.add(question=self.asked.name, guess=guess, verdict=verdict, at=at)
                with self.widget.hold_sync():
                    self.widget.notice = self.notice
                    self.widget.kept = {"guess": guess, "verdict": verdict}
                    self.widget.heard += 1

    def fallback(self) -> dict[str, str]:
        """The view for readers without a kernel, the same whoever runs it: the answer opens when they ask."""
        asked = self.asked
        listed = "".join(f"<li>{html_of(option)}</li>" for option in asked.options)
        options = (
            f'<ol type="a" style="list-style-type:lower-alpha">{listed}</ol>'
            if listed and asked.kind != "order"
            else ""
        )
        because = f"<p><b>Answer:</b> {html_of(asked.answer_text)}</p><p>{html_of(asked.because)}</p>"
        answer = f"<details><summary>Show the answer</summary>{because}{as_html(self.shown)}</details>"
        drawn = self.drawn.html() if self.drawn else ""
        told = (
            f'{STYLE}<div class="hc-guess-static"><div style="{BOX}"><p><b>Your guess:</b> '
            f'{html_of(asked.question)}</p>{drawn}{options}<p style="{QUIET}">{run_note(RUN)}</p></div>'
            f"{answer}</div>"
        )
        return {"text/plain": repr(self), "text/html": told}

    def save_html(self, path: str | PathLike[str]) -> None:
        """Write the question as one HTML file: no kernel, no network, on a phone too."""
        write_whole(path, self._page())

    def _page(self) -> str:
        state = self.state | {"kept": {}, "notice": ""}
        if self.child is not None and self._explorer is None:
            state["shown"] = as_html(self.shown)
        page = lazy_rooms.view("saved_page").question_page
        return str(page(str(self.asked.question), state, self._explorer, self.fallback()["text/html"]))

    @property
    def _explorer(self) -> Any:
        """The explorer in the answer, to be live on a page."""
        return self.child if hasattr(self.child, "variants") else getattr(self.shown, "opened", None)

    def framed(self) -> Any:
        """The question on a page of its own, for use without widgets."""
        told = f"Your guess is not kept here. For the live question: {extras.install('notebook')}"
        return lazy_rooms.view("framed_page").FramedPage(self._page(), told, repr(self))

    def _display_(self) -> Any:
        """The object that marimo shows."""
        return self.widget or self.framed()

    def _ipython_display_(self) -> None:
        """Show two outputs: the stored one, which needs no kernel, and the widget that replaces it."""
        if self.widget:
            lazy_rooms.view("page_widgets").display_both(self.fallback(), self.widget)
        else:
            from IPython.display import display

            display(self.framed())  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        options = zip(LETTERS, self.asked.options, strict=False)
        return "\n".join([f"Your guess: {self.asked.question}", *(f"  {a}) {text}" for a, text in options)])


def as_html(thing: Any) -> str:
    """Anything as HTML, as a notebook would show it; the items of a list one below the other."""
    if thing is None:
        return ""
    if isinstance(thing, list | tuple) and any(_rich(part) for part in thing):
        return "".join(map(as_html, thing))
    return _rich(thing) or f"<pre>{escape(repr(thing))}</pre>"


def _rich(thing: Any) -> str:
    for method in ("_repr_mimebundle_", "_repr_html_"):
        if not isinstance(thing, type) and (made := getattr(thing, method, None)):
            found = made()
            found = found[0] if isinstance(found, tuple) else found
            found = found.get("text/html") if isinstance(found, dict) else found
            if found:
                return str(found)
    return ""


def guess(name: str, shown: object = None, *, on: object = None, folder: str | PathLike[str] = ".") -> Guess:
    """Ask a question of a lesson, such as "positions.who_bites"; the answer and `shown` follow a guess.

    >>> hc.guess("positions.who_bites", hc.examples.positions()["A"])
    Your guess: “bites” looks for a living being. Where does most of its attention go in “dog bites man”?
      a) dog
      b) man
      c) dog and man alike

    `shown` is anything that a notebook can show: a matrix, a calculation, a picture, an explorer, a number.
    `on` is the calculation, or the matrix, that the question is drawn on, where `shown` is another one.
    A guess is kept in `folder`, in handcalc-log.jsonl, as soon as somebody commits to it; next time it is
    shown with its answer. Raises HandcalcError for a question that does not exist.
    """
    return Guess(question(name), shown, log_in(folder), on)
