"""Ownership of a file: the code decides, and the file's name must not contradict it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.sources import PHONE_SOURCE
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import cut

MAX_PATH_PARTS = 2  # how much of a file's way is looked at: its name, and its folder's
MAX_NAME_WORDS = 4  # words of a name


class FileNames:
    """The names of a class, as they are found in the names of files."""

    def __init__(self, register: Register) -> None:
        self._register, self._students = register, register.students
        self._numbers: dict[str, set[int]] = {}
        for entry in register:
            if entry.name:
                self._numbers.setdefault("".join(_words(entry.name)), set()).add(entry.number)

    def conflict(self, result: SheetResult) -> str:
        """A sentence where a file is called after another student than the one whose sheet is in it."""
        entry = self._register.by_code.get(result.code)
        if entry is None or not entry.name or result.source.startswith(PHONE_SOURCE):
            return ""
        named = self._named(result.source)
        if not named or entry.number in named:
            return ""
        other = self._students[min(named)][0].name
        return (
            f"{short_path(result.source)} is called after {cut(other)}, but {entry.code} is the sheet of "
            f"{cut(entry.name)}."
        )

    def only(self, source: str) -> Sequence[RegisterEntry]:
        """The sheets of the one student after whom a file is called."""
        named = self._named(source)
        return self._students[min(named)] if len(named) == 1 else ()

    def _named(self, source: str) -> set[int]:
        """The students whose whole name is in a file's name, or in that of its folder."""
        words = _words(" ".join(source.split("/")[-MAX_PATH_PARTS:]))
        found: set[int] = set()
        for first in range(len(words)):
            for last in range(first + 1, min(first + MAX_NAME_WORDS, len(words)) + 1):
                found |= self._numbers.get("".join(words[first:last]), set())
        return found


def _words(text: str) -> list[str]:
    """Words without accents, case and signs."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.findall(r"[^\W\d_]+", kept)
