"""A sentence with a switch: as its last word changes, one of its words looks elsewhere."""

from __future__ import annotations

from typing import Any

import traitlets

from handcalc.views import assets
from handcalc.views.asking.asked_sentence import Endings
from handcalc.views.widget_script import Kind, PageWidget


class SentenceSwitch(PageWidget, kind=Kind("sentence_widget")):
    """The words of a sentence, the arcs of the asking word, and a button for each ending."""

    words: Any = traitlets.List().tag(sync=True)
    own = traitlets.Int().tag(sync=True)
    endings: Any = traitlets.List().tag(sync=True)  # [[last word, shares], ...]
    before = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)

    def __init__(self, still: Endings, *, before: str, note: str) -> None:
        self._still = still
        endings = [list(ending) for ending in still.endings]
        super().__init__(words=still.words, own=still.own, endings=endings, before=before, note=note)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; without a kernel a line of words for each ending, in inline colours."""
        read = {"text/plain": repr(self._still), "text/html": self._still._repr_html_()}
        return assets.with_fallback(super()._repr_mimebundle_(**options), read)
