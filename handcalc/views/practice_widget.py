"""A sheet to be filled in on the page; what is typed goes to whoever marks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from handcalc.views import assets


class Practising(anywidget.AnyWidget):
    """The page's side of practising: it shows its state, and sends what is typed.

    `on_message(message)` gets `{"typed": [step, row, column, text]}`, and `{"ask": word, "step": name}` where
    the word is "hint", "next" or "back".
    """

    _esm = assets.script("practice_widget")
    _css = assets.style()

    spec = traitlets.Dict().tag(sync=True)
    blank: Any = traitlets.List().tag(sync=True)
    places = traitlets.Int(2).tag(sync=True)
    sizes = traitlets.Dict().tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    file = traitlets.Unicode().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    states = traitlets.Dict().tag(sync=True)
    messages = traitlets.Dict().tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)
    back = traitlets.Bool(default_value=False).tag(sync=True)
    score = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    hints = traitlets.Dict().tag(sync=True)
    spent: Any = traitlets.List().tag(sync=True)
    finished = traitlets.Bool(default_value=False).tag(sync=True)

    def __init__(self, on_message: Callable[[Any], None], fallback: Callable[[], dict[str, str]]) -> None:
        super().__init__()
        self._fallback = fallback
        self.on_msg(lambda _, message, __: on_message(message))

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, with HTML and text beside it for readers without a kernel."""
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return data | self._fallback(), metadata
