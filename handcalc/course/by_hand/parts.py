"""Parts of the collection's sheets: their givens as matrices, steps with words, and a registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from handcalc.record.matrix import Matrix
from handcalc.record.matrix_functions import concat, rows

Numbers = list[list[float]]


class StepWords(NamedTuple):
    """The words about a step: its meaning in brief, why it is there, and its stage."""

    meaning: str
    why: str
    stage: str = ""


WORDS = {
    "Z": StepWords(
        "weighted sums", "Each row of weights adds up what it looks for, from its bias on.", "Weigh"
    ),
    "A": StepWords("what is let through", "Without a bend between them, two layers would be one.", "Bend"),
    "E": StepWords("powers of e", "A power is never negative, and a larger score gets much more.", "Share"),
    "E_sum": StepWords(
        "their sum", "What all the powers add up to, so that each can be divided by it.", "Share"
    ),
    "P": StepWords("shares", "Each power divided by their sum: positive numbers that add up to 1.", "Share"),
    "x": StepWords("one step of the input", "A recurrent network reads one step after another.", "Read"),
    "s": StepWords(
        "all that the cell sees", "The new input and what was shown before, one above the other.", "Read"
    ),
    "h": StepWords("the new state", "What this step hands on, and shows.", "Hand on"),
    "c": StepWords("the new memory", "Some of the old memory, and some of what is new.", "Remember"),
}


class Sheet:
    """The givens of one sheet: `g("W1", "W")` is one of them as a matrix called W.

    `is_published` where its slips are to be made as the sheet makes them.
    """

    def __init__(self, short: str, givens: Mapping[str, Numbers], *, is_published: bool = False) -> None:
        self.short, self.givens, self.is_published = short, givens, is_published

    def __call__(self, key: str, name: str = "", meaning: str | None = None, **labels: Any) -> Matrix:
        return Matrix(self.givens[key], **labels).named(name or key, meaning)

    def __contains__(self, key: str) -> bool:
        return key in self.givens

    def zeros(self, key: str, name: str, height: int) -> Matrix:
        """A state to begin with: the sheet's, or zeros."""
        return Matrix(self.givens.get(key, [[0]] * height)).named(name, "the state to begin with")


Build = Callable[[Sheet], Iterable[Matrix]]
BUILDERS: dict[str, Build] = {}


def sheet(*names: str) -> Callable[[Build], Build]:
    """Enters the function that builds sheets of these short names."""

    def enter(build: Build) -> Build:
        BUILDERS.update(dict.fromkeys(names, build))
        return build

    return enter


def worded(name: str, result: Matrix, words: str = "", **labels: Any) -> Matrix:
    """A result under its name, with its entry in WORDS; `words` is the key where it is another."""
    told = WORDS[words or name]
    return result.named(name, told.meaning, why=told.why, stage=told.stage or None, **labels)


def noted(name: str, result: Matrix, meaning: str, why: str, stage: str | None = None) -> Matrix:
    """A result under its name, with words of its own."""
    return result.named(name, meaning, why=why, stage=stage)


def with_row(M: Matrix, place: int, row: Matrix) -> Matrix:
    """A matrix with one row, counted from 0, replaced."""
    parts = [rows(M, 0, place)] if place else []
    parts.append(row)
    if place + 1 < M.shape[0]:
        parts.append(rows(M, place + 1, M.shape[0]))
    return concat(parts)


def row_of(M: Matrix, place: int) -> Matrix:
    """One row, counted from 0."""
    return rows(M, place, place + 1)
