"""The ways to write an expression: plain text, HTML, LaTeX and MathML."""

from __future__ import annotations

from collections.abc import Sequence

from handcalc import numbers
from handcalc.expressions import Cell

GREEK = {"gamma": "γ", "beta": "β", "epsilon": "ε"}
# what LaTeX has a command for
LATEX_FUNCTIONS = {"arctan", "cos", "cosh", "exp", "ln", "log", "max", "min", "sin", "sinh", "tan", "tanh"}
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})  # to import `html` takes time


def name_parts(name: str) -> tuple[str, str]:
    """A name as a letter and its subscript: W_Q is (W, Q), head_1.Q is (Q, head 1)."""
    prefix, _, last = name.rpartition(".")
    letter, _, below = last.partition("_")
    below = ", ".join(part.replace("_", " ") for part in (below, prefix.replace(".", " ")) if part)
    return GREEK.get(letter, letter), below


class Markup:
    """How the pieces of an expression look; with `symbolic`, cells are named instead of put in as numbers.

    With `brief`, of a long sum the largest terms are written (abridging.py).
    """

    stacks_fractions = False  # a fraction bar needs no brackets
    raises_exponents = False  # neither does what stands higher up

    def __init__(self, *, symbolic: bool = False, places: int | None = 2, brief: bool = False) -> None:
        self.symbolic, self.places, self.is_brief = symbolic, places, brief

    def cell(self, cell: Cell) -> str:
        if self.symbolic:
            return self.cell_name(cell)
        return self.number(numbers.show(cell.value, self.places))

    def cell_name(self, cell: Cell) -> str:
        raise NotImplementedError

    def number(self, text: str) -> str:
        raise NotImplementedError

    def name(self, name: str) -> str:
        raise NotImplementedError

    def brackets(self, inside: str) -> str:
        raise NotImplementedError

    def negative(self, inside: str) -> str:
        return f"-{inside}"

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        raise NotImplementedError

    def fraction(self, top: str, bottom: str) -> str:
        raise NotImplementedError

    def power(self, base: str, exponent: str) -> str:
        raise NotImplementedError

    def root(self, inside: str) -> str:
        raise NotImplementedError

    def call(self, function: str, parts: Sequence[str]) -> str:
        raise NotImplementedError

    def transposed(self, inside: str) -> str:
        raise NotImplementedError

    def along(self, function: str, arrow: str, inside: str) -> str:
        raise NotImplementedError

    def words(self, words: str, parts: Sequence[str]) -> str:
        raise NotImplementedError

    def note(self, words: str) -> str:
        """Words among the arithmetic: `379 more`."""
        return words

    def noted(self, terms: str, words: str, value: float) -> str:
        """Some terms of a sum, and a note on what they make up; no terms where they are left out."""
        raise NotImplementedError

    def _made_up(self, words: str, value: float) -> tuple[str, str]:
        """The words of a note, and the number that goes with them where numbers are put in."""
        if self.symbolic:
            return words, ""
        return f"{words}: ", self.number(numbers.show(value, self.places))


class Text(Markup):
    """`0·0.26 + 10·0.03`, `e^(-0.58)`, `3 / √3`: one line that can be read aloud or evaluated."""

    def cell_name(self, cell: Cell) -> str:
        return cell.label

    def number(self, text: str) -> str:
        return text

    def name(self, name: str) -> str:
        return GREEK.get(name, name)

    def brackets(self, inside: str) -> str:
        return f"({inside})"

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return (sign if sign in "· " else f" {sign} ").join(parts)

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{exponent}"

    def root(self, inside: str) -> str:
        return f"√{inside}"

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = ", ".join(parts)
        return f"⌊{inside}⌋" if function == "floor" else f"{function}({inside})"

    def transposed(self, inside: str) -> str:
        return inside + "ᵀ"

    def along(self, function: str, arrow: str, inside: str) -> str:
        return f"{'Σ' if function == 'sum' else function}{arrow} {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return f"{words} {', '.join(parts)}".strip()

    def noted(self, terms: str, words: str, value: float) -> str:
        return f"{terms} ({''.join(self._made_up(words, value))})".strip()


class Html(Text):
    """`e<sup>S<sub>scaled</sub></sup>`: formulas as text with <sub> and <sup>, and nothing else in it.

    `prefix` is left out of names: within head_1.S, head_1.Q is Q.
    """

    raises_exponents = True
    _signs = {"-": "−", "/": "÷"}  # noqa: RUF012 - read only

    def __init__(self, *, prefix: str = "") -> None:
        super().__init__(symbolic=True)
        self.prefix = prefix

    def number(self, text: str) -> str:
        return numbers.typeset(text).translate(ENTITIES)

    def name(self, name: str) -> str:
        letter, below = name_parts(name.removeprefix(self.prefix).translate(ENTITIES))
        return f"{letter}<sub>{below}</sub>" if below else letter

    def negative(self, inside: str) -> str:
        return f"−{inside}"

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return super().infix(self._signs.get(sign, sign), parts)

    def power(self, base: str, exponent: str) -> str:
        return f"{base}<sup>{exponent}</sup>"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return super().words(words.translate(ENTITIES), parts)


class Latex(Markup):
    r"""`0 \cdot 0.26 + 10 \cdot 0.03`, `e^{-0.58}`, `\frac{3}{\sqrt{3}}`."""

    stacks_fractions = raises_exponents = True
    _signs = {"·": r" \cdot ", " ": r" \, "}  # noqa: RUF012 - read only
    _arrows = {"↓": r"\downarrow", "→": r"\rightarrow"}  # noqa: RUF012

    def cell_name(self, cell: Cell) -> str:
        index = f"[{numbers.counted(cell.row)},{numbers.counted(cell.column)}]"
        return self.name(cell.matrix.name or "") + index

    def number(self, text: str) -> str:
        return text.replace(numbers.INFINITY, r"\infty ")

    def name(self, name: str) -> str:
        letter, below = name_parts(name)
        letter = {"γ": r"\gamma", "β": r"\beta", "ε": r"\epsilon"}.get(letter, letter)
        letter = letter if len(letter) == 1 or letter.startswith("\\") else rf"\text{{{letter}}}"
        return rf"{letter}_{{\text{{{below}}}}}" if below else letter

    def brackets(self, inside: str) -> str:
        return rf"\left({inside}\right)"

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        return self._signs.get(sign, f" {sign} ").join(parts)

    def fraction(self, top: str, bottom: str) -> str:
        return rf"\frac{{{top}}}{{{bottom}}}"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = ", ".join(parts)
        if function == "floor":
            return rf"\left\lfloor {inside} \right\rfloor"
        known = rf"\{function}" if function in LATEX_FUNCTIONS else rf"\text{{{function}}}"
        return rf"{known}\left({inside}\right)"

    def transposed(self, inside: str) -> str:
        return rf"{inside}^{{\mathsf{{T}}}}"

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = r"\sum" if function == "sum" else rf"\text{{{function}}}"
        return rf"{sign}_{{{self._arrows[arrow]}}} {inside}"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return rf"\text{{{words} }} {', '.join(parts)}".strip()

    def note(self, words: str) -> str:
        return rf"\text{{{words}}}"

    def noted(self, terms: str, words: str, value: float) -> str:
        words, number = self._made_up(words, value)
        below = rf"_{{\text{{{words}}}{number}}}"
        return rf"\underbrace{{{terms}}}{below}" if terms else rf"\underbrace{{\cdots}}{below}"


class MathML(Markup):
    """What browsers draw by themselves, with no script and no network; wrap it in `<math>`."""

    stacks_fractions = raises_exponents = True

    def cell_name(self, cell: Cell) -> str:
        row, column = numbers.counted(cell.row), numbers.counted(cell.column)
        return self.name(cell.matrix.name or "") + f"<mtext>[{row},{column}]</mtext>"

    def number(self, text: str) -> str:
        if text.startswith("-"):
            return f"<mrow><mo>−</mo><mn>{text[1:]}</mn></mrow>"
        return f"<mn>{text}</mn>"

    def name(self, name: str) -> str:
        letter, below = name_parts(name.translate(ENTITIES))
        return f"<msub><mi>{letter}</mi><mtext>{below}</mtext></msub>" if below else f"<mi>{letter}</mi>"

    def brackets(self, inside: str) -> str:
        return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"

    def negative(self, inside: str) -> str:
        return f"<mrow><mo>−</mo>{inside}</mrow>"

    def infix(self, sign: str, parts: Sequence[str]) -> str:
        shown = {"-": "−", " ": "\u2062"}.get(sign, sign)  # U+2062 is the invisible times
        return f"<mrow>{f'<mo>{shown}</mo>'.join(parts)}</mrow>"

    def fraction(self, top: str, bottom: str) -> str:
        return f"<mfrac>{self._row(top)}{self._row(bottom)}</mfrac>"

    def power(self, base: str, exponent: str) -> str:
        return f"<msup>{self._row(base)}{self._row(exponent)}</msup>"

    def root(self, inside: str) -> str:
        return f"<msqrt>{inside}</msqrt>"

    def call(self, function: str, parts: Sequence[str]) -> str:
        inside = "<mo>,</mo>".join(parts)
        if function == "floor":
            return f"<mrow><mo>⌊</mo>{inside}<mo>⌋</mo></mrow>"
        return f"<mrow><mi>{function}</mi><mo>(</mo>{inside}<mo>)</mo></mrow>"

    def transposed(self, inside: str) -> str:
        return f"<msup>{self._row(inside)}<mi>T</mi></msup>"

    def along(self, function: str, arrow: str, inside: str) -> str:
        sign = "<mo>Σ</mo>" if function == "sum" else f"<mi>{function}</mi>"
        return f"<mrow><msub>{sign}<mo>{arrow}</mo></msub>{inside}</mrow>"

    def words(self, words: str, parts: Sequence[str]) -> str:
        return f"<mrow><mtext>{words.translate(ENTITIES)}&#160;</mtext>{'<mo>,</mo>'.join(parts)}</mrow>"

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
