"""MathML: how a notebook shows an explanation; browsers draw it with no script and no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from handcalc.notation import numbers
from handcalc.notation.markup import BRACKET_FUNCTIONS, ENTITIES, Markup


class MathML(Markup):
    """MathML, which browsers draw with no script and no network; wrap it in `<math>`."""

    stacks_fractions = raises_exponents = True
    equals, about = "<mo>=</mo>", "<mo>≈</mo>"
    forms: ClassVar[Mapping[str, str]] = {
        "brackets": "<mrow><mo>(</mo>{}<mo>)</mo></mrow>",
        "negative": "<mrow><mo>−</mo>{}</mrow>",
        "fraction": "<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>",
        "power": "<msup><mrow>{}</mrow><mrow>{}</mrow></msup>",
        "root": "<msqrt>{}</msqrt>",
        "transposed": "<msup><mrow>{}</mrow><mi>T</mi></msup>",
    }

    def index(self, text: str) -> str:
        return f"<mtext>{text}</mtext>"

    def number(self, text: str) -> str:
        digits, times_ten, power = text.partition(numbers.TIMES_TEN)
        if times_ten:
            raised = self.number(power.translate(numbers.FROM_SUPERSCRIPTS))
            return self.infix("·", [self.number(digits), self.power("<mn>10</mn>", raised)])
        if text.startswith("-"):
            return f"<mrow><mo>−</mo><mn>{text[1:]}</mn></mrow>"
        return f"<mn>{text}</mn>"

    def name(self, name: str) -> str:
        parts = self.parts(name.translate(ENTITIES))
        letter, below = parts.letter, parts.below
        name = f"<msub><mi>{letter}</mi><mtext>{below}</mtext></msub>" if below else f"<mi>{letter}</mi>"
        return f'<mrow><mi mathvariant="normal">{parts.d}</mi>{name}</mrow>' if parts.d else name

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        shown = {"-": "−", " ": "\u2062"}.get(sign, sign)  # U+2062 is the invisible times
        return f"<mrow>{f'<mo>{shown}</mo>'.join(parts)}</mrow>"

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = "<mo>,</mo>".join(parts)
        if function in BRACKET_FUNCTIONS:
            opening, closing = BRACKET_FUNCTIONS[function]
            return f"<mrow><mo>{opening}</mo>{inside}<mo>{closing}</mo></mrow>"
        return f"<mrow><mi>{function}</mi><mo>(</mo>{inside}<mo>)</mo></mrow>"

    def stacked(self, sign: str, parts: Sequence[str]) -> str:
        return f"<mrow><mo>[</mo>{f'<mo>{sign}</mo>'.join(parts)}<mo>]</mo></mrow>"

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = "<mo>Σ</mo>" if function == "sum" else f"<mi>{function}</mi>"
        return f"<mrow><msub>{sign}<mo>{arrow}</mo></msub>{inside}</mrow>"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return f"<mrow><mtext>{words.translate(ENTITIES)}&#160;</mtext>{'<mo>,</mo>'.join(parts)}</mrow>"

    def remark(self, terms: str, words: str) -> str:
        return f"<mrow>{terms}<mtext>&#160;({words.translate(ENTITIES)})</mtext></mrow>"

    def note(self, words: str) -> str:
        return f"<mtext>{words}</mtext>"

    def noted(self, terms: str, words: str, value: float) -> str:
        words, number = self._made_up(words.replace(" ", "\u00a0"), value)
        below = self._row(f"<mtext>{words}</mtext>{number}")
        braced = f"<munder>{self._row(terms or '<mo>⋯</mo>')}<mo>⏟</mo></munder>"
        return f"<munder>{braced}{below}</munder>"

    @staticmethod
    def _row(inside: str) -> str:
        return f"<mrow>{inside}</mrow>"
