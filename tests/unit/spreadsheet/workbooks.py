"""Workbooks that tests make by hand, and what LibreOffice makes of one."""

import re
import subprocess
from pathlib import Path
from typing import Any

import cases
import numpy as np
import openpyxl

import handcalc as hc

WORD = re.compile(", “[^”]*”")  # (highest: row 2, “cat”)
CELLS = dict[str, Any]


def write(path: Path, *sheets: CELLS, titles: tuple[str, ...] = ("Sheet", "Second")) -> Path:
    """A workbook with these cells: {"B3": 2, "B4": "=B3*2"}."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, cells in zip(titles, sheets, strict=False):
        page = book.create_sheet(title)
        for where, value in cells.items():
            page[where] = value
    book.save(path)
    return path


def block(corner: str, rows: list[list[Any]]) -> CELLS:
    """The cells of a block whose first one this is; in a text, {c} and {r} are its column and its row."""
    column, row = openpyxl.utils.cell.coordinate_from_string(corner)
    first = openpyxl.utils.column_index_from_string(column)
    found = {}
    for i, line in enumerate(rows):
        for j, value in enumerate(line):
            letter = openpyxl.utils.get_column_letter(first + j)
            found[f"{letter}{row + i}"] = (
                value.format(c=letter, r=row + i) if isinstance(value, str) else value
            )
    return found


def like(corner: str, height: int, width: int, formula: str) -> CELLS:
    """A block of like formulas."""
    return block(corner, [[formula] * width for _ in range(height)])


def recalculated(program: Path, paths: list[Path], folder: Path) -> dict[str, Any]:
    """What LibreOffice calculates of these workbooks, by their stems: their cells with values alone."""
    profile = (folder / "profile").as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to", "xlsx"]
    out = folder / "out"
    subprocess.run([*command, "--outdir", out, *paths], check=True, capture_output=True, timeout=300)
    return {path.stem: openpyxl.load_workbook(out / path.name, data_only=True) for path in paths}


def defined_cells(path: Path, calculation: hc.Calculation) -> dict[str, tuple[str, str]]:
    """By name of the matrix, the sheet and the cells that a workbook has for it."""
    names = [about for about in openpyxl.load_workbook(path).defined_names.values() if not about.hidden]
    areas = [next(iter(about.destinations)) for about in names if "!" in about.attr_text]
    return {
        name: (sheet, area.replace("$", "")) for name, (sheet, area) in zip(calculation, areas, strict=True)
    }


def differences(book: Any, calculation: hc.Calculation, where: dict[str, tuple[str, str]]) -> list[Any]:
    """The cells that are not what the calculation has, to 1e-9; a hidden score is a text."""
    found = []
    for name, (sheet, area) in where.items():
        cells = book[sheet][area]
        rows = cells if isinstance(cells, tuple) else ((cells,),)
        for (i, j), wanted in np.ndenumerate(calculation[name].values):
            value = rows[i][j].value
            is_equal = value == "−∞" if wanted == -np.inf else isinstance(value, int | float)
            if not is_equal or (wanted != -np.inf and abs(value - wanted) > 1e-9 * max(1, abs(wanted))):
                found.append((name, i, j, value, wanted))
    return found


def differences_of_all(program: Path, made: dict[str, hc.Calculation], folder: Path) -> list[Any]:
    """The cells of all these that LibreOffice calculates otherwise."""
    paths = [folder / f"{name}.xlsx" for name in made]
    for path in paths:
        made[path.stem].save_xlsx(path)
    books = recalculated(program, paths, folder)
    return [
        (name, difference)
        for name, calculation in made.items()
        for difference in differences(
            books[name], calculation, defined_cells(folder / f"{name}.xlsx", calculation)
        )
    ]


def assert_same(found: hc.Calculation, wanted: hc.Calculation) -> None:
    """The same names in the same order, numbers, blocks and arithmetic.

    The words of a choice are read from labels: where there are none beside its numbers they are left out.
    """
    assert list(found) == list(wanted)
    assert list(found.givens) == list(wanted.givens)
    assert list(found.blocks) == list(wanted.blocks)
    assert found.convention == wanted.convention
    for name, matrix in wanted.items():
        np.testing.assert_allclose(found[name].values, matrix.values, rtol=1e-12, atol=1e-12)
    for name, i, j in cases.step_cells(wanted):
        told, meant = str(found.explain(name, i, j)), str(wanted.explain(name, i, j))
        has_words = any(m.rows for m in wanted[name].inputs)
        assert told == (meant if has_words else WORD.sub("", meant))
