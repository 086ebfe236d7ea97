"""Reasons to refuse a request, each a class of its own: the web makes a status of it."""

from __future__ import annotations

from handcalc.foundation.errors import HandcalcError

ANSWERS_UNSTORED = "The teacher’s computer cannot store this just now; this page keeps it and tries again."
MARKS_UNSTORED = "Marks cannot be stored: {}; answers are."
NOT_LET_IN = "Your teacher has to let you in first."
CLASS_OVER = "The class is over. What you typed is kept."
CLASS_PAUSED = "Your teacher has paused the class. What you typed is kept."


class RefusedError(HandcalcError):
    """A request that cannot be carried out; `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


class StrangerError(RefusedError):
    """The request has no ticket, no code of this class, or asks for another learner's data."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 403)


class TooManyError(RefusedError):
    """Too much in too little time; in `seconds` there is room again."""

    def __init__(self, sentence: str, seconds: float = 1.0) -> None:
        super().__init__(sentence, 429)
        self.seconds = seconds


class PausedError(HandcalcError):
    """The class rests: nothing is taken until it goes on."""

    status = 423


class UnstoredError(HandcalcError):
    """Nothing could be stored: the page keeps it and tries again."""

    status = 503
