"""The file of guesses: the question, what was said, and how it was; a line for each guess."""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

from handcalc.practice.exercise.line_log import LineLog, clean_text, log_path

FILE = "guesses.jsonl"
MAX_GUESS_LENGTH = 400  # characters of a guess in words
# "second" is right on the second try, "tried" wrong with a try left, "shown" without a guess, "own" compared
# by oneself
VERDICTS = ("right", "second", "close", "wrong", "tried", "shown", "own")


class KeptGuess(NamedTuple):
    """A guess, and how it was."""

    guess: str
    verdict: str


class GuessLog(LineLog):
    """What is known from the lines of one file: `latest` has the last guess at each question by its name."""

    def _forget(self) -> None:
        self.latest: dict[str, KeptGuess] = {}

    def _take(self, line: dict[str, Any]) -> None:
        match line:
            case {"question": str(name), "guess": str(guess), "verdict": str(verdict)} if verdict in VERDICTS:
                self.latest[name] = KeptGuess(clean_text(guess, MAX_GUESS_LENGTH), verdict)


def log_in(folder: str | PathLike[str]) -> GuessLog:
    """The guesses that are kept in a folder; raises HandcalcError where there can be no file."""
    return GuessLog(log_path(folder, FILE))
