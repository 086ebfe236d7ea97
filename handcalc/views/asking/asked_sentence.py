"""A question asked on a sentence: its words, the asking word, and the shares that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from handcalc.record.matrix import Matrix

KIND = "sentence"
WORD = (
    "display:inline-block;padding:1px 9px;margin:2px;border:1px solid rgba(127,127,127,.5);border-radius:1em"
)
OWN = "background:rgba(109,40,217,.25);font-weight:600"
SHARE = "background:rgba(109,40,217,{:.2f})"


def shares_by_word(words: Sequence[str], own: int | None, A: Matrix | None) -> list[float | None]:
    """The share that the asking word gives to each word, by the labels of A; None for a word not in A."""
    if A is None or own is None or not A.rows or not A.columns or words[own] not in A.columns:
        return []
    column = A.values[:, A.columns.index(words[own])]
    left = dict(zip(A.rows, column.tolist(), strict=True))
    return [left.pop(word, None) for word in words]


class SentenceDrawn:
    """A sentence with its asking word, and the places of those words that are options.

    `A` has the shares that are told with the answer; its rows and columns are labelled by words.
    """

    original = None  # it is no matrix that the answer shows again

    def __init__(self, sentence: str, asks: str, options: Sequence[str], A: Matrix | None) -> None:
        self.words = sentence.split()
        self.own = self.words.index(asks) if asks in self.words else None
        self.at = [self.words.index(option) if option in self.words else None for option in options]
        self.shares = shares_by_word(self.words, self.own, A)

    def answer(self) -> None:
        """It has no number of its own."""

    def spec(self) -> dict[str, Any]:
        """The data that the page draws."""
        return {"kind": KIND, "words": self.words, "own": self.own, "at": self.at, "shares": self.shares}

    def html(self) -> str:
        """The words, for readers without a kernel."""
        return drawn_words(self.words, self.own)


class Endings:
    """A sentence with several last words, and where one of its words looks with each: a line for each."""

    def __init__(self, sentence: str, asks: str, shares: Mapping[str, Matrix]) -> None:
        self.words = sentence.split()
        self.own = self.words.index(asks)
        self.endings = [
            (end, shares_by_word([*self.words[:-1], end], self.own, A)) for end, A in shares.items()
        ]

    def _repr_html_(self) -> str:
        lines = [drawn_words([*self.words[:-1], end], self.own, shares) for end, shares in self.endings]
        return f'{"".join(lines)}<p style="opacity:.75">{self!r}.</p>'

    def __repr__(self) -> str:
        return "; ".join(self._told(end, shares) for end, shares in self.endings)

    def _told(self, end: str, shares: Sequence[float | None]) -> str:
        words = [*self.words[:-1], end]
        most = max(range(len(words)), key=lambda k: shares[k] or 0)
        return (
            f"… {end}: “{words[self.own]}” gives {shares[most] or 0:.2f} of its attention to “{words[most]}”"
        )


def drawn_words(words: Sequence[str], own: int | None, shares: Sequence[float | None] = ()) -> str:
    """A line of words in inline colours: a word's share is written, and gives its colour's strength."""
    parts = []
    for k, word in enumerate(words):
        share = shares[k] if shares else None
        colour = OWN if k == own else SHARE.format(0.6 * share) if share else ""
        told = f' title="{share:.2f}"' if share is not None and share >= 0.005 else ""
        parts.append(f'<span{told} style="{WORD};{colour}">{escape(word)}</span>')
    return f'<div data-drawn="{KIND}" style="line-height:2">{" ".join(parts)}</div>'
