"""A matrix's name and formula, typeset for a browser: the same for the page, the static sheet and a file."""

from __future__ import annotations

from handcalc.markup import Html
from handcalc.matrix import Matrix


def equation(matrix: Matrix) -> dict[str, str]:
    """HTML of text, <sub> and <sup> alone: the name, and what is right of its equals sign.

    A given has no formula, an unnamed matrix no name. Where the formula repeats the prefix of the
    name (head_1.S = head_1.Kᵀ head_1.Q), `short` is the formula without it.
    """
    name = Html().name(matrix.name) if matrix.name else ""
    if matrix.operation is None:
        return {"name": name, "formula": ""}
    tree = matrix.operation.formula(*(m.symbol() for m in matrix.inputs))
    written = {"name": name, "formula": tree.write(Html())}
    short = tree.write(Html(prefix=own_prefix(matrix)))
    return written if short == written["formula"] else written | {"short": short}


def own_prefix(matrix: Matrix) -> str:
    """`head_1.` for head_1.S: in its own formula it can be left out, unless names would collide."""
    prefix = "".join((matrix.name or "").rpartition(".")[:2])
    names = {m.name or "" for m in matrix.reads()}
    return prefix if len({name.removeprefix(prefix) for name in names}) == len(names) else ""
