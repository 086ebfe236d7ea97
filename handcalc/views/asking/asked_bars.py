"""A share to guess as a bar: the labels of its column, and the share of each."""

from __future__ import annotations

from html import escape
from typing import Any

from handcalc.views.asking.asked_sheet import SheetQuestion

KIND = "bars"
ROOM = "display:inline-block;width:12em;height:1em;border:1px solid rgba(127,127,127,.5)"


class BarsQuestion:
    """The column of the asked share as bars; `sheet` is the question's sheet."""

    def __init__(self, sheet: SheetQuestion) -> None:
        self.original = None  # its numbers are told as bars, not as a sheet
        matrix, self.row, column = sheet.asked
        self.sheet = sheet
        self.labels = list(matrix.rows or [f"row {i + 1}" for i in range(matrix.shape[0])])
        self.shares = matrix.values[:, column or 0].tolist()

    def answer(self) -> float | None:
        """The asked share."""
        return self.sheet.answer()

    def spec(self) -> dict[str, Any]:
        """The data that the page draws."""
        return {"kind": KIND, "labels": self.labels, "at": self.row, "shares": self.shares}

    def html(self) -> str:
        """The same for readers without a kernel."""
        bar = f'<td><span style="{ROOM}"></span></td>'
        lines = [
            f"<tr><th>{escape(label)}</th>{bar}<td>{'?' if k == self.row else ''}</td></tr>"
            for k, label in enumerate(self.labels)
        ]
        return f'<div data-drawn="{KIND}"><table>{"".join(lines)}</table></div>'
