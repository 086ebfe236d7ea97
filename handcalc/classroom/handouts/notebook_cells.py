"""Cells of a notebook, as nbformat has them."""

from __future__ import annotations

from typing import Any


def markdown_cell(source: str) -> dict[str, Any]:
    """A cell to read."""
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(source)}


def code_cell(source: str) -> dict[str, Any]:
    """A cell to run, which nobody has run yet."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(source),
    }


def join_lines(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def size_in_words(rows: int, columns: int) -> str:
    """`2 rows of 3 numbers`"""
    numbers = f"{columns} number{'s' * (columns > 1)}"
    return numbers if rows == 1 else f"{rows} rows of {numbers}"


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)
