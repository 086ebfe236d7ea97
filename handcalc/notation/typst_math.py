"""Formulas as Typst sets them, between the dollars; every word is quoted, so that none is a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from handcalc.notation import numbers
from handcalc.notation.markup import BRACKET_FUNCTIONS, Markup

COMMA = ' "," thin '


class TypstMath(Markup):
    """`"S" = "K"^upright("T") "Q"`: one letter is italic, a word upright."""

    raises_exponents = True
    forms: ClassVar[Mapping[str, str]] = {
        "negative": "−{}",
        "power": "attach({}, t: {})",
        "root": "sqrt({})",
        "transposed": "attach({}, t: upright(T))",
    }
    _signs: ClassVar[Mapping[str, str]] = {"·": " dot.c ", " ": " thin ", "-": " − ", "/": " div "}

    def number(self, text: str) -> str:
        return _quoted(numbers.typeset_number(text))

    def name(self, name: str) -> str:
        parts = self.parts(name)
        letter = _letters(parts.letter)
        named = f"attach({letter}, b: {_quoted(parts.below)})" if parts.below else letter
        return f'"{parts.d}" {named}' if parts.d else named

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return self._signs.get(sign, f" {_quoted(sign)} ").join(parts)

    def brackets(self, inside: str) -> str:
        return _between("(", inside, ")")

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = COMMA.join(parts)
        if function in BRACKET_FUNCTIONS:
            opening, closing = BRACKET_FUNCTIONS[function]
            return _between(opening, inside, closing)
        return f"{_quoted(function)} {_between('(', inside, ')')}"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return _between("[", f" {_quoted(sign)} thin ".join(parts), "]")

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = "Σ" if function == "sum" else function
        return f"attach({_quoted(sign)}, b: {_quoted(arrow)}) thin {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return " ".join([_quoted(f"{words} "), COMMA.join(parts)])


def _letters(text: str) -> str:
    return text if len(text) == 1 and text.isalpha() else _quoted(text)


def _between(opening: str, inside: str, closing: str) -> str:
    return f"{_quoted(opening)} {inside} {_quoted(closing)}"


def _quoted(text: str) -> str:
    """A text that no sign in it makes a command."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
