"""LaTeX: for papers, and for programs that set formulas from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from handcalc.notation import numbers
from handcalc.notation.markup import Markup

GREEK_COMMANDS = {"γ": r"\gamma", "β": r"\beta", "ε": r"\epsilon", "π": r"\pi", "Φ": r"\Phi"}
ESCAPED_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "&%$#_{}"} | {"\\": "∖", "^": "ˆ", "~": "∼"})
LATEX_BRACKETS = {"floor": (r"\lfloor", r"\rfloor"), "abs": ("|", "|")}  # as markup.AROUND
COMMANDS = {"arctan", "cos", "cosh", "exp", "ln", "log", "max", "min", "sin", "sinh", "tan", "tanh"}


class Latex(Markup):
    r"""`0 \cdot 0.26 + 10 \cdot 0.03`, `e^{-0.58}`, `\frac{3}{\sqrt{3}}`."""

    stacks_fractions = raises_exponents = True
    equals, about = " = ", r" \approx "
    forms: ClassVar[Mapping[str, str]] = {
        "brackets": r"\left({}\right)",
        "negative": "-{}",
        "fraction": r"\frac{{{}}}{{{}}}",
        "power": "{}^{{{}}}",
        "root": r"\sqrt{{{}}}",
        "transposed": r"{}^{{\mathsf{{T}}}}",
    }
    _signs: ClassVar[Mapping[str, str]] = {"·": r" \cdot ", " ": r" \, "}
    _arrows: ClassVar[Mapping[str, str]] = {"↓": r"\downarrow", "→": r"\rightarrow"}

    def number(self, text: str) -> str:
        digits, times_ten, power = text.partition(numbers.TIMES_TEN)
        raised = power.translate(numbers.FROM_SUPERSCRIPTS)
        return rf"{digits} \cdot 10^{{{raised}}}" if times_ten else text.replace(numbers.INFINITY, r"\infty ")

    def name(self, name: str) -> str:
        parts = self.parts(name)
        letter, below = GREEK_COMMANDS.get(parts.letter, parts.letter), parts.below
        letter = letter if len(letter) == 1 or letter.startswith("\\") else rf"\text{{{letter}}}"
        slope = rf"\mathrm{{{parts.d}}}" if parts.d else ""
        return slope + (rf"{letter}_{{\text{{{below}}}}}" if below else letter)

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return self._signs.get(sign, f" {sign} ").join(parts)

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = ", ".join(parts)
        if function in LATEX_BRACKETS:
            opening, closing = LATEX_BRACKETS[function]
            return rf"\left{opening} {inside} \right{closing}"
        known = (
            rf"\{function}" if function in COMMANDS else GREEK_COMMANDS.get(function, rf"\text{{{function}}}")
        )
        return rf"{known}\left({inside}\right)"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        inside = rf"{sign}\; ".join(parts)
        return rf"\left[{inside}\right]"

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = r"\sum" if function == "sum" else rf"\text{{{function}}}"
        return rf"{sign}_{{{self._arrows[arrow]}}} {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return rf"\text{{{words} }} {', '.join(parts)}".strip()

    def remark(self, terms: str, words: str) -> str:
        return rf"{terms} \;\text{{({words.translate(ESCAPED_SIGNS)})}}"

    def note(self, words: str) -> str:
        return rf"\text{{{words}}}"

    def noted(self, terms: str, words: str, value: float) -> str:
        words, number = self._made_up(words, value)
        below = rf"_{{\text{{{words}}}{number}}}"
        return rf"\underbrace{{{terms}}}{below}" if terms else rf"\underbrace{{\cdots}}{below}"
