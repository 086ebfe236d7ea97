"""The lessons of the course, in their order; what is known of each stands in course.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Lesson(NamedTuple):
    """One lesson: its notebook, without ending; the lessons that it needs; about how long it takes."""

    name: str
    notebook: str
    title: str
    needs: tuple[str, ...]
    minutes: int
    place: tuple[int, int]  # row and column on the map

    @property
    def number(self) -> str:
        """Its number in the row of notebooks, `07`."""
        return self.notebook[:2]


@cache
def lessons() -> Mapping[str, Lesson]:
    """All lessons by name, in the order of the notebooks."""
    with Path(__file__).with_name("course.toml").open("rb") as file:
        found = tomllib.load(file)
    return {
        name: Lesson(name, **entry | {field: tuple(entry[field]) for field in ("needs", "place")})
        for name, entry in found.items()
    }
