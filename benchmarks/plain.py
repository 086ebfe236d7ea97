"""Plain pages of the same numbers: what a sheet's page is held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

Rows = Sequence[Sequence[str]]
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>plain</title></head><body>{}</body></html>"""
SHOWN = """() => {
    const found = {};
    for (const cell of document.querySelectorAll("td[data-step][data-row]")) {
        const { step, row, column } = cell.dataset;
        ((found[step] ??= {})[row] ??= {})[column] = cell.textContent;
    }
    return Object.fromEntries(Object.entries(found).map(([name, rows]) =>
        [name, Object.values(rows).map((row) => Object.values(row))]));
}"""  # the numbers that stand on an explorer's page, by matrix


def tables(path: Path, matrices: Mapping[str, Rows]) -> Path:
    """A table for each matrix and nothing else."""
    parts = []
    for name, rows in matrices.items():
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        parts.append(f"<table><caption>{escape(name)}</caption>{body}</table>")
    path.write_text(PAGE.format("".join(parts)), "utf-8")
    return path


def slider(path: Path, given: tuple[str, int, int], watched: tuple[str, int, int]) -> Path:
    """A slider and two numbers of a table that follow it: the least that a move can cost a page."""
    places = (
        f'data-step="{step}" data-row="{row}" data-column="{column}"'
        for step, row, column in (given, watched)
    )
    cells = "".join(f"<td {place}></td>" for place in places)
    script = """document.querySelector("input").oninput = (event) => {
        const { value } = event.target;
        for (const cell of document.querySelectorAll("td")) cell.textContent = cell.dataset.value = value;
    };"""
    control = '<p class="hc-control"><input type="range" min="-10" max="10" step="0.1"></p>'
    body = f"<table><tr>{cells}</tr></table>{control}"
    page = f'<div class="handcalc-explorer"><div class="hc-stage">{body}</div></div><script>{script}</script>'
    path.write_text(PAGE.format(page), "utf-8")
    return path
