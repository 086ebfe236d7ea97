"""A shape to guess on a blank matrix, beside the shapes of its operands."""

from __future__ import annotations

from typing import Any

from handcalc.record.equations import typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.asking.asked_sheet import FLOW, SheetQuestion
from handcalc.views.sheet_tables import VEILED

KIND = "shape"


class ShapeQuestion:
    """The asked matrix, even its shape untold, and the matrices that it reads."""

    def __init__(self, sheet: SheetQuestion) -> None:
        self.original = None
        self.matrix = sheet.asked.matrix
        self.reads = sheet.shown or [m for m in sheet.calculation.record if m.name and m is not self.matrix]

    def answer(self) -> None:
        """A shape is no number."""

    def spec(self) -> dict[str, Any]:
        """The data that the page draws."""
        asked = {"kind": KIND, "name": _name(self.matrix), "shape": list(self.matrix.shape)}
        return asked | {"reads": [{"name": _name(m), "shape": list(m.shape)} for m in self.reads]}

    def html(self) -> str:
        """Blank tables for readers without a kernel."""
        body = "".join(map(_blank, self.reads))
        return (
            f'<div data-drawn="{KIND}" style="{FLOW}">{body}<p><b>{_name(self.matrix)}</b> ? by ?</p></div>'
        )


def _name(matrix: Matrix) -> str:
    return str(typeset_equation(matrix)["name"])


def _blank(matrix: Matrix) -> str:
    rows, columns = matrix.shape
    row = f'<tr>{f"""<td style="background:{VEILED};width:1.6em">&nbsp;</td>""" * columns}</tr>'
    return f"<table><caption><b>{_name(matrix)}</b> {rows} by {columns}</caption>{row * rows}</table>"
