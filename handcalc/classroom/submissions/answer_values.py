"""What an answer may be: a number, a text, a list of lists; or words for what is the matter with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from operator import is_
from typing import Any

from handcalc.classroom.submissions import input_limits
from handcalc.classroom.submissions.partial_parse import COMPUTED, Unread

__all__ = ["COMPUTED", "READABLE", "TOO_MUCH", "Answers", "Rows", "Unread", "UnreadError", "is_blank", "size"]

TOO_MUCH = "is too much to read; write its numbers in"


class UnreadError(Exception):
    """What is the matter with an answer, to be put after its name."""

    @property
    def reason(self) -> str:
        """The words."""
        return str(self.args[0])


class Rows(list[Any]):
    """A list that knows how much is in it, with all that the lists in it hold, and how deep it goes.

    `is_blank` says that there is no number in it; `unread` is there where nothing but what cannot be read is.
    """

    __slots__ = ("depth", "holds", "is_array", "is_blank", "unread")

    def __init__(self, values: Iterable[Any], *, is_array: bool = False) -> None:
        super().__init__(values)
        self.is_array = is_array
        self.holds = sum(size(value) for value in self)
        self.depth: int = 1 + max((value.depth for value in self if isinstance(value, Rows)), default=0)
        self.is_blank: bool = all(map(is_blank, self))
        unread = [value.unread if isinstance(value, Rows) else value for value in self]
        is_unread = bool(unread) and all(isinstance(value, Unread) for value in unread)
        self.unread: Unread | None = unread[0] if is_unread else None
        if self.holds > input_limits.MAX_NUMBERS or self.depth > input_limits.MAX_LIST_DEPTH:
            raise UnreadError(TOO_MUCH)

    @property
    def plain(self) -> list[Any]:
        """The same as Python's own lists."""
        return [value.plain if isinstance(value, Rows) else value for value in self]


class Answers(dict[str, Any]):
    """Answers by the names of their steps, in one level: those to a block have its path before them.

    `has_more` says that more was written than is kept, `is_computed` that code gives answers of its own.
    """

    has_more = False
    is_computed = False

    def keep(self, name: str, value: Any) -> None:
        """Note an answer, or all those to a block. Raises UnreadError for more than anybody writes."""
        if isinstance(value, Answers):
            path = f"{name}." if name else ""
            for inner, answer in [*value.items()]:
                self.keep(f"{path}{inner}", answer)
        elif len(name) <= input_limits.MAX_STEP_NAME_LETTERS:
            self[name] = value
        if len(self) > input_limits.MAX_NUMBERS:
            raise UnreadError(TOO_MUCH)

    def take(self, name: str, value: Any) -> None:
        """Note an answer, but a copy of a cell that was not filled in takes nothing away."""
        if isinstance(value, Answers):
            path = f"{name}." if name else ""
            for inner, answer in [*value.items()]:
                self.take(f"{path}{inner}", answer)
        elif self.get(name) is not value and (
            name not in self or is_blank(self[name]) or not is_blank(value)
        ):
            self.keep(name, value)

    def merged(self, others: Answers) -> Answers:
        """These and others, as `|` puts them together."""
        found = Answers({**self, **others})
        found.has_more = self.has_more or others.has_more
        found.is_computed = self.is_computed or others.is_computed
        return found


READABLE = (Rows, Answers, float, str, bool, type(None))


def size(value: Any) -> int:
    """How many values there are in a value."""
    if isinstance(value, Answers):
        return 1 + sum(map(size, value.values()))
    return max(value.holds, 1) if isinstance(value, Rows) else 1


def is_blank(value: Any) -> bool:
    """Whether there is no number in an answer, nor anything that was meant as one."""
    if isinstance(value, Rows):
        return value.is_blank
    if isinstance(value, str):
        return not value.strip("_| \t\r\n")
    return value is None or (isinstance(value, float) and math.isnan(value))


def replaced(whole: Rows, places: list[Any], read: Any) -> Any:
    """The same list with one value in it changed."""
    place = _place(places, len(whole))
    if place is None or isinstance(read, Answers):
        return Unread(COMPUTED)
    values = list(whole)
    inner = values[place]
    if len(places) > 1:
        read = replaced(inner, places[1:], read) if isinstance(inner, Rows) else Unread()
        if isinstance(read, Unread):
            return read
    elif isinstance(read, Unread) and isinstance(inner, Rows):
        return read
    values[place] = read
    return Rows(values, is_array=whole.is_array)


def innermost(whole: Rows, places: list[Any]) -> Rows:
    """The list in which the last of these places is."""
    for place in places[:-1]:
        whole = whole[int(place)]
    return whole


def substituted(value: Any, old: Rows, new: Any) -> Any:
    """A value with one list in it changed, wherever it stands; an array holds a copy of it."""
    if value is old:
        return new
    if not isinstance(value, Rows) or value.is_array or value.depth <= old.depth:
        return value
    parts = [substituted(part, old, new) for part in value]
    return value if all(map(is_, parts, value)) else Rows(parts)


def _place(places: list[Any], count: int) -> int | None:
    place = places[0] if places else None
    is_one = isinstance(place, float) and place.is_integer() and -count <= place < count
    return int(place) if is_one and isinstance(place, float) else None
