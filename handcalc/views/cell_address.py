"""Where a reader is, as text: a block's path, a matrix's name, or a number's, counted from 1."""

from __future__ import annotations

import re

from handcalc.foundation.errors import HandcalcError, short
from handcalc.notation.numbers import counted
from handcalc.record.calculation import Calculation
from handcalc.record.rendering import checked_cell

CELL_ADDRESS = re.compile(r"(.+)\[(\d+),\s*(\d+)\]")


def full_address(calculation: Calculation, text: str) -> str:
    """The same place by its whole path: `head_1.Z[2,1]` may be `attention.head_1.Z[2,1]`.

    Raises HandcalcError for what is not there.
    """
    if not isinstance(text, str):
        raise HandcalcError(f"open is a text such as 'head_1' or 'head_1.Z[2,1]', not {short(text)}.")
    paths = [path for path in calculation.blocks if path == text or path.endswith(f".{text}")]
    if paths:
        return text if text in paths else paths[-1]
    found = CELL_ADDRESS.fullmatch(text)
    matrix = calculation[found[1] if found else text]
    if not found:
        return matrix.name or ""
    row, column = checked_cell(matrix, int(found[2]) - 1, int(found[3]) - 1)
    return f"{matrix.name}[{counted(row)},{counted(column)}]"
