"""The ways to write an expression: plain text, HTML, and words (LaTeX and MathML have rooms of their own)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from handcalc.notation import numbers
from handcalc.notation.names import GREEK, Name, split_name

if TYPE_CHECKING:
    from handcalc.notation.expression import CellRead

BRACKET_FUNCTIONS = {"floor": ("⌊", "⌋"), "abs": ("|", "|")}  # functions that are written as brackets
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})  # to import `html` takes time


class Markup:
    """A way of writing the pieces of an expression; with `symbolic`, cells are named, not put in as numbers.

    `home` is the block of the step whose formula is written; None in a sentence, which names every block.
    With `brief`, of a long sum the largest terms are written (truncation.py).
    """

    stacks_fractions = False  # a fraction bar needs no brackets
    raises_exponents = False  # neither does what stands higher up
    equals, about = " = ", " ≈ "
    forms: ClassVar[Mapping[str, str]] = {
        "brackets": "({})",
        "negative": "-{}",
        "power": "{}^{}",
        "root": "√{}",
        "transposed": "{}ᵀ",
    }

    def __init__(
        self,
        *,
        symbolic: bool = False,
        places: int | None = 2,
        brief: bool = False,
        home: str | None = None,
    ) -> None:
        self.symbolic, self.places, self.is_brief, self.home = symbolic, places, brief, home

    def cell(self, cell: CellRead) -> str:
        if self.symbolic:
            return self.address(cell.matrix.name or "", cell.row, cell.column)
        return self.number(numbers.operand(cell.value, self.places))

    def address(self, name: str, row: int, column: int) -> str:
        """A cell by its name, counted from 1."""
        return self.name(name) + self.index(f"[{numbers.counted(row)},{numbers.counted(column)}]")

    def index(self, text: str) -> str:
        return text

    def parts(self, name: str) -> Name:
        """The parts of a name, seen from where it is written."""
        return split_name(name, self.home)

    def number(self, text: str) -> str:
        return text

    def name(self, name: str) -> str:
        letter = name.removeprefix("d")
        return name.removesuffix(letter) + GREEK.get(letter, letter)

    def brackets(self, inside: str) -> str:
        return self.forms["brackets"].format(inside)

    def negative(self, inside: str) -> str:
        return self.forms["negative"].format(inside)

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return (sign if sign in "· " else f" {sign} ").join(parts)

    def fraction(self, top: str, bottom: str) -> str:
        return self.forms["fraction"].format(top, bottom)

    def power(self, base: str, exponent: str) -> str:
        return self.forms["power"].format(base, exponent)

    def root(self, inside: str) -> str:
        return self.forms["root"].format(inside)

    def call(self, function: str, parts: Sequence[str]) -> str:
        opening, closing = BRACKET_FUNCTIONS.get(function, (f"{function}(", ")"))
        return opening + ", ".join(parts) + closing

    def transposed(self, inside: str) -> str:
        return self.forms["transposed"].format(inside)

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return f"[{f'{sign} '.join(parts)}]"

    def along(self, function: str, arrow: str, inside: str) -> str:
        return f"{'Σ' if function == 'sum' else function}{arrow} {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return f"{words} {', '.join(parts)}".strip()

    def note(self, words: str) -> str:
        """Words among the arithmetic: `379 more`."""
        return words

    def remark(self, terms: str, words: str) -> str:
        """Arithmetic with a remark on it in brackets; the remark may contain any sign."""
        return f"{terms} ({words})"

    def noted(self, terms: str, words: str, value: float) -> str:
        """Some terms of a sum, and a note with their subtotal; no terms where they are left out."""
        return f"{terms} ({''.join(self._made_up(words, value))})".strip()

    def _made_up(self, words: str, value: float) -> tuple[str, str]:
        """The words of a note, and the number that goes with them where numbers are put in."""
        if self.symbolic:
            return words, ""
        return f"{words}: ", self.number(numbers.operand(value, self.places))


class Text(Markup):
    """`0·0.26 + 10·0.03`, `e^(-0.58)`, `3 / √3`: one line that a program can read, names as in code."""

    def address(self, name: str, row: int, column: int) -> str:
        return f"{name}[{numbers.counted(row)},{numbers.counted(column)}]"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return self.call("concat", parts)


class Html(Text):
    """`e<sup>S<sub>scaled</sub></sup>`: text with <sub> and <sup>, and nothing else in it.

    browser/record/expression.js writes the numbers in the same way; tests hold the two equal.
    """

    raises_exponents = True
    forms: ClassVar[Mapping[str, str]] = {**Text.forms, "negative": "−{}", "power": "{}<sup>{}</sup>"}
    _signs: ClassVar[Mapping[str, str]] = {"-": "−", "/": "÷"}

    address = Markup.address
    stacked = Markup.stacked

    def number(self, text: str) -> str:
        return numbers.typeset_number(text).translate(ENTITIES)

    def name(self, name: str) -> str:
        parts = self.parts(name.translate(ENTITIES))
        return f"{parts.letters}<sub>{parts.below}</sub>" if parts.below else parts.letters

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return super().infix(self._signs.get(sign, sign), parts)

    def along(self, function: str, arrow: str, inside: str) -> str:
        return f"{'Σ' if function == 'sum' else function}<sub>{arrow}</sub> {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return super().words(words.translate(ENTITIES), parts)

    def remark(self, terms: str, words: str) -> str:
        return super().remark(terms, words.translate(ENTITIES))


class Prose(Html):
    """HTML in a sentence, which names every block in words."""

    def parts(self, name: str) -> Name:
        return split_name(name, self.home, worded=True)


class Spoken(Prose):
    """`E = e to the power of S scaled`: for tool tips, and for readers who listen; no tags at all."""

    raises_exponents = False
    forms: ClassVar[Mapping[str, str]] = {**Html.forms, "transposed": "{} transposed"}

    def address(self, name: str, row: int, column: int) -> str:
        before, after = self.around_place(name)
        return f"{before}[{numbers.counted(row)},{numbers.counted(column)}]{after}"

    def around_place(self, name: str) -> list[str]:
        """A name in words, S scaled or γ₁, and its block: a cell's place goes between the two."""
        letter, own, block, d = self.parts(name)
        letter = f"{d} {letter}" if d else letter
        own = own.translate(numbers.SUBSCRIPTS) if own.isdecimal() else f" {own}"
        return [(letter + own).strip(), f" of {block}" if block else ""]

    def number(self, text: str) -> str:
        return numbers.typeset_number(text)

    def name(self, name: str) -> str:
        return "".join(self.around_place(name))

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        is_product = sign == " " or (sign == "·" and self.symbolic)
        return " times ".join(parts) if is_product else super().infix(sign, parts)

    def power(self, base: str, exponent: str) -> str:
        small = exponent.translate(numbers.SUPERSCRIPTS)
        return base + small if exponent.isdecimal() else f"{base} to the power of {exponent}"

    def root(self, inside: str) -> str:
        return f"the root of {inside}" if self.symbolic else f"√{inside}"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return {";": " above ", ",": " beside "}[sign].join(parts)

    def along(self, function: str, arrow: str, inside: str) -> str:
        what = {"max": "maximum", "argmax": "place of the highest number"}.get(function, function)
        return f"the {what} of each {'column' if arrow == '↓' else 'row'} of {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return Text.words(self, words, parts)

    def remark(self, terms: str, words: str) -> str:
        return Text.remark(self, terms, words)
