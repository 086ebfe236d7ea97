"""A matrix's name and formula, typeset for a browser: the same for the page, the static sheet and a file."""

from __future__ import annotations

from typing import Any

from handcalc.errors import cut
from handcalc.markup import Html, Markup, Prose, Spoken
from handcalc.matrix import Matrix
from handcalc.names import home_of
from handcalc.sentences import Sentence, Typeset
from handcalc.written import LONGEST


def equation(matrix: Matrix, home: str | None = None) -> dict[str, Any]:
    """HTML of text, <sub> and <sup> alone: the name, and what is right of its equals sign.

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


def formula(matrix: Matrix) -> Sentence:
    """The equation, as a part of what is said."""
    written = equation(matrix)
    right = " = ".join(filter(None, (written["name"], written["formula"])))
    return Sentence(Typeset(matrix.formula, right))


def in_words(matrix: Matrix) -> str:
    """What a sentence for listeners calls a matrix: its name, S scaled, or the formula it stands for."""
    return cut(matrix.symbol().write(Spoken(symbolic=True)), LONGEST)


def right_sides(matrix: Matrix, *kinds: type[Markup]) -> list[str]:
    """What is right of the equals sign, names seen from the block of the matrix; nothing of a given."""
    if matrix.operation is None:
        return [""] * len(kinds)
    formula, home = matrix.operation.formula(*(m.symbol() for m in matrix.inputs)), home_of(matrix)
    return [formula.write(kind(symbolic=True, home=home)) for kind in kinds]
