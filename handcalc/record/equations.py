"""A matrix's name and formula, typeset for a browser: the same for the page, the static sheet and a file."""

from __future__ import annotations

import re
from typing import Any

from handcalc.foundation.errors import cut
from handcalc.notation import numbers
from handcalc.notation.markup import ENTITIES, Html, Markup, Prose, Spoken, Text
from handcalc.notation.sentences import Called, Sentence, Typeset, join_sentences, said
from handcalc.operations import Constant
from handcalc.record.matrix import Matrix
from handcalc.record.rendering import MAX_FORMULA_AS_NAME, home_of

NAME_AMONG_WORDS = re.compile(r"\b[^\W\d_]+_\w+")  # among words
MAX_BADGE_LETTERS = 6  # letters of a constant that stands in a badge


def typeset_equation(matrix: Matrix, home: str | None = None) -> dict[str, Any]:
    """HTML of text, <sub> and <sup> alone: the name, and the right side of its equation.

    For tool tips and screen readers, without tags: `called` is what the name is in words, before and after
    a cell's place (Q[2,1] of head 1), and `spoken` the whole equation. A given has no formula, an unnamed
    matrix no name. With `home` its name is the one that a sheet of that block has for it.
    """
    called = Spoken(home=home).around_place(matrix.name or "")
    formula, right = right_sides(matrix, Html, Spoken)
    return {
        "name": Prose(home=home).name(matrix.name) if matrix.name else "",
        "formula": formula,
        "called": called,
        "spoken": " = ".join(filter(None, ("".join(called), right))),
    }


def meaning_of(matrix: Matrix) -> str:
    """A matrix's meaning as HTML; a word with an underscore in it is a name: slopes of L for W_Q."""
    return _with_names((matrix.meaning or "").translate(ENTITIES), Prose())


def meaning_in_words(matrix: Matrix) -> str:
    """The same in words, for listeners: slopes of L for W Q."""
    return _with_names(matrix.meaning or "", Spoken())


def _with_names(words: str, markup: Markup) -> str:
    return NAME_AMONG_WORDS.sub(lambda found: markup.name(found[0]), words) if "_" in words else words


def badge(matrix: Matrix) -> str:
    """The badge of its operation, as HTML: ÷√d_k, e^x, Σ; empty for a given."""
    if matrix.operation is None:
        return ""
    written = [_constant(m) if _is_constant(m) else None for m in matrix.inputs]
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", matrix.operation.badge(written))


def _is_constant(matrix: Matrix) -> bool:
    """Whether it belongs to the formula: √d_k, which no given can change."""
    return matrix.name is None and not matrix.is_given and all(_is_constant(m) for m in matrix.inputs)


def _constant(matrix: Matrix) -> str:
    """A constant as HTML, if that is short."""
    in_letters = matrix.symbol().write(Text(symbolic=True))
    return matrix.symbol().write(Html(symbolic=True)) if len(in_letters) <= MAX_BADGE_LETTERS else ""


def formula_sentence(matrix: Matrix) -> Sentence:
    """The equation, as a part of a sentence."""
    written = typeset_equation(matrix)
    right = " = ".join(filter(None, (written["name"], written["formula"])))
    return Sentence(Typeset(matrix.formula, right))


def sentence_of_sizes(*matrices: Matrix) -> Sentence:
    """The values of symbols that the formulas of some matrices use without giving a number: d_k = 2."""
    waiting, seen = [*matrices], {*matrices}
    found: dict[str, str] = {}
    while waiting:
        matrix = waiting.pop()
        fixed = matrix.operation
        if isinstance(fixed, Constant) and fixed.symbol:
            found.setdefault(fixed.symbol, numbers.show(fixed.value))
        inline = [read for read in matrix.inputs if read.name is None and read not in seen]
        seen.update(inline)
        waiting += inline
    return join_sentences(", ", (said("{} = {}", Called(symbol), number) for symbol, number in found.items()))


def spoken_name(matrix: Matrix) -> str:
    """A matrix's name in a sentence for listeners: S scaled, or the formula it stands for."""
    return cut(matrix.symbol().write(Spoken(symbolic=True)), MAX_FORMULA_AS_NAME)


def right_sides(matrix: Matrix, *kinds: type[Markup]) -> list[str]:
    """The formula right of the equals sign, with names seen from the matrix's block; empty for a given."""
    if matrix.operation is None:
        return [""] * len(kinds)
    formula, home = matrix.operation.formula(*(m.symbol() for m in matrix.inputs)), home_of(matrix)
    return [formula.write(kind(symbolic=True, home=home)) for kind in kinds]
