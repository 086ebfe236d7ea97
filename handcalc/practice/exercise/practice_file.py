"""Practice as one HTML file: filled in, marked and kept without Python, a server or a network."""

from __future__ import annotations

from typing import Any

from handcalc.foundation import lazy_rooms
from handcalc.foundation.errors import HandcalcError
from handcalc.notation.validation import read_whole
from handcalc.practice.exercise import raw_answers
from handcalc.practice.exercise.exercise import Exercise
from handcalc.practice.exercise.known_recipes import KnownRecipes, begin_by_step
from handcalc.practice.exercise.problem_series import Series

MOST_PROBLEMS = 200
TITLE = "Practice: {}"
FALLBACK = "<p>To fill this in, open the page where scripts may run.</p>"


def practice_page(series: Series, code: str) -> str:
    """The problems of a series, from one on, as a page."""
    found = page_problems(series, code)
    title = TITLE.format(found["problems"][0]["spec"]["title"])
    made: str = lazy_rooms.view("saved_page").practice_html(title, found, FALLBACK)
    return made


def page_problems(series: Series, code: str) -> dict[str, Any]:
    """The problems for the page: everything but the keys, which it can work out from the givens.

    `whole` is the code of the same numbers with every step blank; "" where that is so already.
    """
    known = KnownRecipes()
    problems = []
    for number in range(series.problems):
        code = series.following(code) if number else code
        problems.append(_page_problem(series, code, known))
    return {"problems": problems, **known.spec}


def read_problems(problems: int) -> int:
    """The number of problems in one go."""
    count = read_whole(problems, "The number of problems")
    if not 1 <= count <= MOST_PROBLEMS:
        raise HandcalcError(f"Practice has 1 to {MOST_PROBLEMS} problems in one go, not {count}.")
    return count


def _page_problem(series: Series, code: str, known: KnownRecipes) -> dict[str, Any]:
    asked, whole = series.exercise(code), series.whole(code)
    is_whole = asked.blank == whole.blank
    return {
        "code": _spelt(asked, code),
        "whole": "" if is_whole else _spelt(whole, f"{code}-all"),
        "spec": asked.calculation.to_spec(),
        "blank": list(asked.blank),
        "places": asked.places,
        "sizes": whole.sizes,
        "hints": {step: whole.hint(step, 1).html for step in whole.blank},
        "begin": begin_by_step(asked),
        "known": {"of": known.of(whole), **known.in_numbers(whole)},
        "hiding": raw_answers.count_hidden(asked),
    }


def _spelt(exercise: Exercise, code: str) -> str:
    return exercise.code or code
