"""Matching a submission to a sheet of the class: by its code, however spelt, and by nothing else."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from handcalc.classroom.folder import tickets
from handcalc.classroom.submissions import input_limits
from handcalc.foundation.errors import HandcalcError

EXAMPLE_CODE = "SA1-0000"  # no code has a 0, so no sheet has this one
Names = Mapping[str, Sequence[str]]  # the codes of each name, by `register.plain_name`
MAX_SPELT_LETTERS = 60  # letters of a code, with anything between its signs
CODE_IN_TEXT = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9]{2}[1-3ILZilz][-–—_. ]?[A-Za-z0-9]{4,20}(?![A-Za-z0-9])", re.ASCII
)


class Codes:
    """The codes of a class, and those seen in one file."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._spelt: dict[str, str] = {}
        self.strange = ""  # the first code in the file that is valid, but of no sheet of this class

    def read(self, text: object) -> str:
        """The code as the register spells it; empty for anything that is not a code of this class."""
        if not isinstance(text, str) or len(text) > MAX_SPELT_LETTERS:
            return ""
        if text not in self._spelt:
            if len(self._spelt) >= input_limits.MAX_FOREIGN_CODES and text not in self._known:
                return ""
            self._spelt[text] = spell_if_code(text)
        code = self._spelt[text]
        if code and code not in self._known:
            self.strange = self.strange or code
            return ""
        return code

    def inside(self, text: str) -> Iterator[str]:
        """The codes of this class in a text, such as the name of a file."""
        for found in (*CODE_IN_TEXT.finditer(text), *tickets.TICKET_IN_TEXT.finditer(text)):
            if code := self.read(found[0]):
                yield code

    def named(self, source: str) -> str:
        """The code in the name of a file, or of the folder that it is in; nothing where there is none."""
        return next(iter([*self.inside(source)][::-1]), "")

    @property
    def missing(self) -> str:
        """The trouble with a file in which there is no code of this class: the end of a sentence."""
        if self.strange:
            return f"has the code {self.strange}, which no sheet in this class has"
        return f"does not say which sheet it is: put the sheet's code, such as {EXAMPLE_CODE}, in its name"


def spell_if_code(text: str) -> str:
    """A code as we spell it, or nothing."""
    if not any(map(str.isdigit, text)):
        return ""
    try:
        return tickets.spell_code_or_ticket(text)
    except HandcalcError:
        return ""
