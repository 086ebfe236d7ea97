"""The guesses in a learner's file: question, guess, verdict and time."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from os import PathLike
from typing import Any, NamedTuple

from handcalc.practice.exercise.line_log import LineLog, clean_text, log_path

MAX_GUESS_LENGTH = 400  # characters of a guess in words
# "second" is right on the second try, "tried" wrong with a try left, "shown" without a guess, "own" compared
# by oneself
VERDICTS = ("right", "second", "close", "wrong", "tried", "shown", "own")


class KeptGuess(NamedTuple):
    """A guess and its verdict."""

    guess: str
    verdict: str


class GuessLog(LineLog):
    """The guesses in the lines of one file, by question.

    `latest` has the last guess at it, `times` the day and the verdict of each guess, if the day is known.
    """

    def _forget(self) -> None:
        self.latest: dict[str, KeptGuess] = {}
        self.times: dict[str, list[tuple[date, str]]] = {}

    def _take(self, line: dict[str, Any]) -> None:
        match line:
            case {"question": str(name), "guess": str(guess), "verdict": str(verdict)} if verdict in VERDICTS:
                self.latest[name] = KeptGuess(clean_text(guess, MAX_GUESS_LENGTH), verdict)
                with suppress(ValueError):
                    day = date.fromisoformat(str(line.get("at", ""))[:10])
                    self.times.setdefault(name, []).append((day, verdict))


def log_in(folder: str | PathLike[str]) -> GuessLog:
    """The guesses kept in a folder; raises HandcalcError where there can be no file."""
    return GuessLog(log_path(folder))
