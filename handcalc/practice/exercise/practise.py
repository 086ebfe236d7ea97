"""Practising on the page: fill the blanks, read at once what is right, go on with fresh numbers."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from datetime import date
from html import escape
from os import PathLike
from types import SimpleNamespace
from typing import Any

import numpy as np

from handcalc.foundation import extras, lazy_rooms
from handcalc.foundation.atomic_files import write_whole
from handcalc.foundation.errors import HandcalcError
from handcalc.foundation.run_note import run_note
from handcalc.notation.accepted_types import Convention
from handcalc.notation.numbers import Values
from handcalc.notation.validation import read_places
from handcalc.practice.exercise import codes, raw_answers
from handcalc.practice.exercise.answers import UnreadNumber
from handcalc.practice.exercise.attempt_log import AttemptLog
from handcalc.practice.exercise.feedback import Feedback
from handcalc.practice.exercise.line_log import clean_text, log_path
from handcalc.practice.exercise.options import read_blank
from handcalc.practice.exercise.parse_number import MAX_TYPED_LENGTH
from handcalc.practice.exercise.practice_file import practice_page, read_problems
from handcalc.practice.exercise.problem_series import CodedSeries, OwnSeries, Series, fresh_seed
from handcalc.practice.exercise.step_help import StepHelp
from handcalc.practice.exercise.time_plan import TimePlan, plan_minutes, read_minutes
from handcalc.record.calculation import Calculation, describe_non_calculation
from handcalc.record.matrix import Matrix

NOTHING_SAVED = "Your numbers are still marked, but nothing is saved."
SAME_NUMBERS_AGAIN = "These are the same numbers again: no other suitable ones were found."
KEPT_BY_BROWSER = "Your browser keeps what you type. To keep it in a file:"
NOT_MARKED = "Something went wrong here, and this was not marked; what you typed is kept."


class PageState(SimpleNamespace):
    """A stand-in where no widget is installed: it has the widget's state, and shows nothing."""

    def __init__(self) -> None:
        super().__init__(hint="", hints={}, spent=[], notice="", plan={}, hold_sync=nullcontext)


class Practice:
    """One problem after another; `widget` is what the page shows, `path` the file that keeps it.

    `notice` is one sentence where something is the matter, such as a file that cannot be written.
    """

    def __init__(self, series: Series, folder: str | PathLike[str]) -> None:
        self.series = series
        self.path = log_path(folder)
        self.attempt_log = AttemptLog(self.path)
        self.code = self._part = ""  # the problem; for a whole problem, the one it was opened from
        self.widget: Any = (
            lazy_rooms.view("page_widgets").Practising(self.on_message, self.fallback)
            if extras.has_extra("notebook")
            else PageState()
        )

    @property
    def notice(self) -> str:
        trouble = self.attempt_log.trouble
        return f"{trouble} {NOTHING_SAVED}" if trouble else ""

    @property
    def latest(self) -> str | None:
        """The problem that was worked on last, among those that ask in the same way."""
        return next((code for code in reversed(self.attempt_log.recent) if code in self.series), None)

    @property
    def before(self) -> str | None:
        """The problem opened before this one, if there is one; for a whole problem, its part."""
        if self._part:
            return self._part
        opened = list(self.attempt_log.opened)
        place = opened.index(self.code) if self.code in opened else len(opened)
        return next((code for code in reversed(opened[:place]) if code in self.series), None)

    def open(self, code: str, *, is_whole: bool = False) -> None:
        """Show a problem, with the texts typed into it before; a whole one asks for all of its steps."""
        exercise = self.series.whole(code) if is_whole else self.series.exercise(code)
        if not exercise.blank:
            raise HandcalcError("There is nothing to fill in: no step is blank.")
        self.exercise, self._part = exercise, self.code if is_whole else ""
        self.code = self.exercise.code or (
            f"{code}-all" if is_whole else code
        )  # the code in its usual spelling, for the file
        typed = self.attempt_log.typed(self.code)
        raw_answers.remember_texts(self.exercise, typed)
        with self.widget.hold_sync():
            self.widget.hint, self.widget.hints = "", {}
            self.widget.spec = self.exercise.calculation.to_spec()
            self.widget.blank = list(self.exercise.blank)
            self.widget.places = self.exercise.places
            self.widget.sizes = self.exercise.sizes
            self.widget.file = str(self.path.absolute())
            self.widget.back = self.before is not None
            self.widget.plan = self._plan()
            self._help = StepHelp(self.exercise)
            for step, count in self.attempt_log.hints(self.code):  # each on the numbers of its time
                self._marked(raw_answers.latest_texts(typed[:count]))
                self._give_hint(step)
            self.mark()
            self.widget.code = self.code  # last: the page opens a problem when its code changes

    def _plan(self) -> dict[str, Any]:
        """The problem's place in the series, whether it leaves steps out, and what a click hides."""
        opened = [code for code in self.attempt_log.opened if code in self.series]
        number = opened.index(self.code) if self.code in opened else len(opened)
        return {
            "number": number % self.series.problems + 1,
            "of": 1 if self._part else self.series.problems,
            "part": not self._part and len(self.exercise.blank) < len(self.exercise.calculation.steps),
            "hiding": raw_answers.count_hidden(self.exercise),
        }

    def on_message(self, message: Any) -> None:
        """Handle a message of the page: a typed number, or a button. Nobody would see a traceback here."""
        try:
            self._act(message if isinstance(message, dict) else {})
        except HandcalcError as error:
            self.widget.notice = str(error)
        except Exception:  # noqa: BLE001 - the page is where a learner reads of it
            self.widget.notice = NOT_MARKED

    def _act(self, message: dict[str, Any]) -> None:
        match message:
            case {"typed": [str(step), int(row), int(column), str(text)]}:
                self.write(step, row, column, text)
            case {"ask": "next"}:
                self.next()
            case {"ask": "back"} if self.before:
                self.open(self.before)
            case {"ask": "whole"} if not self._part:
                self.open_whole()
            case {"ask": "hint", "step": str(step)}:
                self.hint(step)

    def write(self, step: str, row: int, column: int, text: str) -> None:
        """Keep a typed text, and mark it."""
        if not raw_answers.has_field(self.exercise, step, row, column):
            return
        self.attempt_log.add(
            code=self.code, step=step, row=row, column=column, text=clean_text(text, MAX_TYPED_LENGTH)
        )
        feedback = self.mark()
        if feedback.is_complete and self.code not in self.attempt_log.finished:
            self.attempt_log.add(code=self.code, finished=True, day=date.today().isoformat())
            self.mark()

    def next(self) -> None:
        """Go on to the next numbers."""
        code = self.series.following(self._part or self.code)
        before = self.exercise.calculation.givens
        self.note_opened()
        self.open(code)
        self.note_opened()
        after = self.exercise.calculation.givens
        if all(np.array_equal(before[name].values, after[name].values) for name in after if name in before):
            self.widget.hint = SAME_NUMBERS_AGAIN

    def note_opened(self) -> None:
        """Keep which problem is being worked on."""
        self.attempt_log.add(code=self.code)
        self.widget.notice = self.notice

    def open_whole(self) -> None:
        """Open all steps of this problem, with the texts typed into some; `back` goes to these alone."""
        part, texts = self.code, self.texts
        self.open(part, is_whole=True)
        if not self.texts:
            for step, cells in texts.items():
                for place, text in cells.items():
                    row, column = map(int, place.split(","))
                    self.attempt_log.add(code=self.code, step=step, row=row, column=column, text=text)
            self.mark()

    def hint(self, step: str) -> None:
        """Say what to do, then give the arithmetic of the number marked wrong, and of no other one."""
        if step in self.exercise.blank and step not in self.widget.spent:
            self.attempt_log.add(code=self.code, hint=step)
            self._give_hint(step)
            self.mark()

    def _give_hint(self, step: str) -> None:
        if step in self.exercise.blank and (told := self._help.next_hint(step)):
            self.widget.hint = told.html
            self.widget.hints = self.widget.hints | {step: told.html}

    @property
    def texts(self) -> raw_answers.Texts:
        """The texts in the blanks: {step: {"row,column": text}}, counted from 0."""
        return self.attempt_log.texts(self.code)

    def mark(self) -> Feedback:
        """Mark the texts in the blanks, and show the marks on the page."""
        marked = self._marked(self.texts)
        feedback = marked.feedback
        with self.widget.hold_sync():
            self.widget.texts = raw_answers.texts_with_fields(self.exercise, self.texts)
            self.widget.states = marked.states
            self.widget.messages = marked.typeset
            self.widget.notice = self.notice
            self.widget.finished = feedback.is_complete
            self.widget.done = sum(code in self.series for code in self.attempt_log.finished)
            self.widget.spent = self._help.spent
            if feedback.is_complete:
                self.widget.hint = ""
        return feedback

    def _marked(self, texts: raw_answers.Texts) -> raw_answers.MarkedSheet:
        marked = raw_answers.mark_texts(self.exercise, texts, copied=True)
        return marked._replace(feedback=self._help.after(marked.feedback))

    def save_html(self, path: str | PathLike[str]) -> None:
        """Write this practice as one page that needs no Python: it marks, keeps and saves what is typed.

        >>> hc.practise("self_attention", seeds=20).save_html("practice.html")

        It has this problem; with `seeds` so many, with `minutes` as many as fit. No key is stored, but the
        page works it out from the givens: anyone who opens the browser's console can read it.
        Raises HandcalcError for a path that cannot be written.
        """
        write_whole(path, practice_page(self.series, self.code))

    def answers(self) -> tuple[dict[str, Values], list[UnreadNumber]]:
        """The numbers in the blanks, and for each text that is not a number a sentence that says why."""
        return raw_answers.read_texts(self.exercise, self.texts)

    def fallback(self) -> dict[str, str]:
        """The view for readers without a kernel: the same for everyone who runs it."""
        title, run = f"Practice: {self.exercise.calculation.title}.", "Run this cell to fill it in."
        return {"text/plain": f"{title} {run}", "text/html": f"<p>{escape(title)} {run_note(run)}</p>"}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        if isinstance(self.widget, PageState):
            return {"text/plain": repr(self), "text/html": self.framed()._repr_html_()}
        return self.widget._repr_mimebundle_(**options)

    def framed(self) -> Any:
        """The page that `save_html` writes, for where there are no widgets."""
        told = f"{KEPT_BY_BROWSER} {extras.install('notebook')}"
        page = practice_page(self.series, self.code)
        return lazy_rooms.view("framed_page").FramedPage(page, told, repr(self))

    def __repr__(self) -> str:
        return self.fallback()["text/plain"]


def practise(
    topic: str | Calculation,
    level: int = 1,
    *,
    seed: int | None = None,
    seeds: int | None = None,
    blank: Iterable[str] | None = None,
    minutes: float | None = None,
    places: int = 2,
    convention: Convention | None = None,
    folder: str | PathLike[str] = ".",
) -> Practice:
    """Fill in problems on the page: every number is marked as you type, and nothing is lost.

    >>> hc.practise("softmax", seed=1)
    Practice: Softmax. Run this cell to fill it in.

    `topic` is a topic of `hc.problem`, the code of a sheet, or a calculation of your own. Each learner gets
    different numbers of a topic, unless you give a `seed`. A calculation of your own starts with its own
    numbers and then shuffles them, if they suit other places. With `minutes=10` only so many steps are blank
    as fit, or several small problems follow one another; *All of it* opens the rest. `seeds=20` gives
    problems 1 to 20, the same for everyone. What is typed is kept in `folder`, in handcalc-log.jsonl; the
    next time, practice continues where it ended, unless `seed`, `seeds` or a code asks for particular
    numbers. If the file cannot be written, everything is still marked, and the page says that nothing is
    saved. `blank`, `places` and `convention` are those of `hc.Exercise`, and so are the errors.
    """
    time = None if minutes is None else read_minutes(minutes)
    count = None if seeds is None else read_problems(seeds)
    if isinstance(topic, Calculation):
        numbers = topic if convention is None else topic.in_convention(convention)
        return _continued(_own_series(numbers, blank, read_places(places), time, count), folder)
    if isinstance(topic, Matrix):
        what = describe_non_calculation(topic)
        raise HandcalcError(f"practise takes a topic, a code or a calculation, not {what}.")
    if codes.is_code(topic):
        series = CodedSeries(topic, time, count)
        return _opened(series, folder, series.first)
    convention = "columns" if convention is None else convention
    options: dict[str, Any] = {"blank": blank, "places": places, "convention": convention}
    if seed is None and seeds is not None:
        seed = 1
    first = codes.code(topic, fresh_seed() if seed is None else seed, level, **options)
    series = CodedSeries(first, time, count)
    return _continued(series, folder) if seed is None else _opened(series, folder, series.first)


def _own_series(
    numbers: Calculation,
    blank: Iterable[str] | None,
    places: int,
    minutes: float | None,
    problems: int | None,
) -> OwnSeries:
    asked = read_blank(blank, numbers)
    plan = TimePlan(asked) if minutes is None else plan_minutes(numbers, minutes, asked)
    return OwnSeries(numbers, plan.blank, places, problems or plan.problems)


def _opened(series: Series, folder: str | PathLike[str], code: str) -> Practice:
    practice = Practice(series, folder)
    practice.open(code)
    return practice


def _continued(series: Series, folder: str | PathLike[str]) -> Practice:
    """The problem worked on last; a first one is noted down, so that it is there the next time."""
    practice = Practice(series, folder)
    latest = practice.latest
    practice.open(latest or series.first)
    if latest is None:
        practice.note_opened()
    return practice
