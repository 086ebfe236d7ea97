"""What an answer may be: a number, a text, a list of lists; or words for what is the matter with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from handcalc.classroom.reading import limits

COMPUTED = "is computed by code here; write its numbers in"
TOO_MUCH = "is too much to read; write its numbers in"


class UnreadError(Exception):
    """What is the matter with an answer, to be put after its name."""

    @property
    def reason(self) -> str:
        """The words."""
        return str(self.args[0])


class Unread:
    """Stands for a name whose value cannot be told without running code."""

    def __init__(self, reason: str = COMPUTED) -> None:
        self.reason = reason


class Rows(list[Any]):
    """A list that knows how much is in it, with all that the lists in it hold, and how deep it goes."""

    __slots__ = ("depth", "holds", "is_array")

    def __init__(self, values: Iterable[Any], *, is_array: bool = False) -> None:
        super().__init__(values)
        self.is_array = is_array
        self.holds = sum(size(value) for value in self)
        self.depth: int = 1 + max((value.depth for value in self if isinstance(value, Rows)), default=0)
        if self.holds > limits.MOST_NUMBERS or self.depth > limits.DEEPEST_LIST:
            raise UnreadError(TOO_MUCH)

    @property
    def plain(self) -> list[Any]:
        """The same as Python's own lists."""
        return [value.plain if isinstance(value, Rows) else value for value in self]


class Answers(dict[str, Any]):
    """Answers by the names of their steps, in one level: those to a block have its path before them.

    `has_more` says that more was written than is kept.
    """

    has_more = False

    def keep(self, name: str, value: Any) -> None:
        """Note an answer, or all those to a block. Raises UnreadError for more than anybody writes."""
        if isinstance(value, Answers):
            path = f"{name}." if name else ""
            for inner, answer in [*value.items()]:
                self.keep(f"{path}{inner}", answer)
        elif len(name) <= limits.LONGEST_NAME:
            self[name] = value
        if len(self) > limits.MOST_NUMBERS:
            raise UnreadError(TOO_MUCH)


READABLE = (Rows, Answers, float, str, bool, type(None))


def size(value: Any) -> int:
    """How many values there are in a value."""
    if isinstance(value, Answers):
        return 1 + sum(map(size, value.values()))
    return max(value.holds, 1) if isinstance(value, Rows) else 1
