"""Ownership of a file: its numbers decide, then its code; its name must not contradict them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from handcalc.classroom.folder.register import Register, RegisterEntry
from handcalc.classroom.handouts.class_folder import ClassFolder
from handcalc.classroom.marking.jobs import SheetResult
from handcalc.classroom.marking.sources import PHONE_SOURCE
from handcalc.classroom.submissions.shown_givens import ShownGivens, list_shown, round_shown
from handcalc.classroom.submissions.submission import Submission
from handcalc.foundation.atomic_files import short_path
from handcalc.foundation.errors import cut

MAX_PATH_PARTS = 2  # parts of a file's path that are read: its name, and its folder's
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
        """A sentence if a file is named after another student than the owner of the sheet in it."""
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
        """The sheets of the one student whom a file is named after."""
        named = self._named(source)
        return self._students[min(named)] if len(named) == 1 else ()

    def _named(self, source: str) -> set[int]:
        """The students whose full name is in that of a file or its folder: Ann Lee is not Ann."""
        words = _words(" ".join(source.split("/")[-MAX_PATH_PARTS:]))
        found: set[int] = set()
        end = 0
        for first in range(len(words)):
            for last in range(min(first + MAX_NAME_WORDS, len(words)), max(first, end), -1):
                if numbers := self._numbers.get("".join(words[first:last])):
                    found |= numbers
                    end = last
                    break
        return found


class GivensOwners:
    """The owners of the numbers in a file: the sheets of a class by their givens."""

    def __init__(self, folder: ClassFolder) -> None:
        self._folder, self._register = folder, folder.register

    def settle(self, sheet: Submission) -> list[Submission]:
        """A sheet under the code whose numbers it has, with a sentence where another code stands on it."""
        if not sheet.givens:
            return [sheet]
        plain, codes = replace(sheet, givens=()), self._by_givens.get(self._key(sheet.givens), [])
        if sheet.code in codes:
            return [plain]
        file = short_path(sheet.source)
        if len(codes) != 1:
            about = f"The numbers that {file} gives are not those of {sheet.code}."
            return [replace(plain, trouble=" ".join(filter(None, [sheet.trouble, about])))]
        whose = f"handed in with {self._whose(sheet.code)} code {sheet.code}"
        told = f"{file} was made for sheet {codes[0]}, and {whose}"
        return [
            replace(plain, code=codes[0], foreign=f"{told}."),
            Submission(sheet.source, sheet.code, trouble=f"{told}: see that sheet."),
        ]

    def _whose(self, code: str) -> str:
        entry = self._register.by_code.get(code)
        return f"{cut(entry.who)}’s" if entry else "the"

    def _key(self, givens: ShownGivens) -> ShownGivens:
        return round_shown(givens, self._folder.settings.places)

    @cached_property
    def _by_givens(self) -> dict[ShownGivens, list[str]]:
        """The codes by givens: read once a file gives other numbers than its sheet has, and not before."""
        found: dict[ShownGivens, list[str]] = {}
        for entry in self._register:
            found.setdefault(list_shown(self._folder.numbers.exercise(entry.code)), []).append(entry.code)
        return found


def _words(text: str) -> list[str]:
    """Words and numbers without accents, case and signs; a number stays apart from the next one."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return [f"#{word}" if word.isdigit() else word for word in re.findall(r"[^\W\d_]+|\d+", kept)]
