"""A sentence with a switch: its last word changes, and with it where one of its words looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from handcalc.record.matrix import Matrix
from handcalc.views import assets
from handcalc.views.asking.asked_sentence import drawn_words, shares_by_word, words_of


class SentenceSwitch(anywidget.AnyWidget):
    """The words of a sentence, the arcs of the one that asks, and a button for each ending.

    `shares` has for each ending the attention weights, labelled by words.
    """

    _esm = assets.script("sentence_widget")
    _css = assets.style(*assets.QUESTION_STYLES)

    words: Any = traitlets.List().tag(sync=True)
    own = traitlets.Int().tag(sync=True)
    before = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    endings: Any = traitlets.List().tag(sync=True)  # [[last word, shares], ...]

    def __init__(
        self, sentence: str, asks: str, shares: Mapping[str, Matrix], *, before: str, note: str
    ) -> None:
        words = words_of(sentence)
        own = words.index(asks)
        endings = [[end, shares_by_word([*words[:-1], end], own, A)] for end, A in shares.items()]
        super().__init__(words=words, own=own, endings=endings, before=before, note=note)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; without a kernel a line of words for each ending, in inline colours."""
        lines = [drawn_words([*self.words[:-1], end], self.own, shares) for end, shares in self.endings]
        told = "; ".join(self._told(end, shares) for end, shares in self.endings)
        read = f'{"".join(lines)}<p style="opacity:.75">{told}.</p>'
        fallback = {"text/plain": told, "text/html": read}
        return assets.with_fallback(super()._repr_mimebundle_(**options), fallback)

    def _told(self, end: str, shares: Any) -> str:
        words = [*self.words[:-1], end]
        most = max((k for k in range(len(words)) if shares[k]), key=lambda k: shares[k])
        return f"… {end}: “{words[self.own]}” gives {shares[most]:.2f} of its attention to “{words[most]}”"
