"""What a benchmark found: rows of a table and the targets it was held against; as text and as JSON."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

Row = dict[str, str | int | float]


@dataclass(frozen=True)
class Target:
    """A bound on one measured number: `bound` is the most it may be, or the least if `at_least`."""

    name: str
    measured: float
    bound: float
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the measured number keeps to its bound."""
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    def as_json(self) -> dict[str, Any]:
        """The target as plain JSON values."""
        bound = {"at_least" if self.at_least else "at_most": self.bound}
        measured = rounded(self.measured) if isfinite(self.measured) else None  # none could be made
        return {"name": self.name, "measured": measured, "met": self.is_met} | bound

    def __str__(self) -> str:
        words = "at least" if self.at_least else "at most"
        verdict = "met" if self.is_met else "MISSED"
        return f"{self.name}: {number(self.measured)} ({words} {number(self.bound)}: {verdict})"


@dataclass(frozen=True)
class Report:
    """One benchmark's findings; `skipped` says in a sentence why there are none."""

    title: str
    rows: list[Row] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    skipped: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The same keys every time, skipped or not."""
        return {
            "title": self.title,
            "machine": machine(),
            "skipped": self.skipped,
            "rows": [{key: rounded(value) for key, value in row.items()} for row in self.rows],
            "targets": [target.as_json() for target in self.targets],
        }

    def __str__(self) -> str:
        body = [f"  skipped: {self.skipped}"] if self.skipped else table(self.rows)
        return "\n".join([self.title, *body, *(f"  {target}" for target in self.targets)])


def table(rows: list[Row]) -> list[str]:
    """Lines with the rows' keys as heads, words at the left and numbers at the right; a gap is empty."""
    heads = list(dict.fromkeys(key for row in rows for key in row))
    lines = [heads, *([number(row.get(head, "")) for head in heads] for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    aligns = ["<" if isinstance(rows[0].get(head), str) else ">" for head in heads]
    formats = [f"{{:{align}{width}}}" for align, width in zip(aligns, widths, strict=True)]
    return ["  " + "  ".join(formats).format(*line) for line in lines]


def number(value: str | float) -> str:
    """Three significant digits, whole numbers as they are, words too."""
    if isinstance(value, str | int) or value >= 1000:
        return f"{value:.0f}" if isinstance(value, float) else str(value)
    return f"{value:.3g}"


def rounded(value: str | float) -> str | int | float:
    """A measured number to four significant digits: more of them is noise."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def machine() -> dict[str, str | int]:
    """Where this was measured."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
