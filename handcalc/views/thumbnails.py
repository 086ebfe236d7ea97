"""Calculations in small: every number a dot in its colour, matrix beside matrix; and a gallery of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import anywidget
import numpy as np
import traitlets
from ipywidgets import Output, VBox

from handcalc.foundation.run_note import run_note
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views import assets
from handcalc.views.number_image import address_of, colour_places

WIDER, GAP = 1.7, 1  # than high, about; squares between matrices
HEIGHT = 120  # of a picture, in pixels
SCRIPT = """export function render({ model, el }) {
  el.innerHTML = model.get("html");
  const buttons = [...el.querySelectorAll("button[data-name]")];
  const open = (chosen) => {
    model.send({ open: chosen.dataset.name });
    for (const button of buttons) button.ariaPressed = String(button === chosen);
  };
  for (const button of buttons) button.addEventListener("click", () => open(button));
  const goTo = () => {
    const above = el.closest(".widget-vbox")?.firstElementChild;
    if (!above) return;
    const sizes = new ResizeObserver(() => above.scrollIntoView({ block: "start" })); // it may be drawn later
    sizes.observe(above);
    setTimeout(() => sizes.disconnect(), 3000);
  };
  model.on("msg:custom", goTo);
}
export default { render };"""
STYLE = """.hc-gallery h4 { margin: 10px 0 4px; font: 600 14px/1.3 system-ui, sans-serif; }
.hc-gallery div { display: flex; flex-wrap: wrap; gap: 6px; }
.hc-gallery button { display: grid; gap: 2px; align-content: space-between; padding: 5px; cursor: pointer;
  font: 11px/1.3 system-ui, sans-serif; color: inherit; background: none; border-radius: 5px;
  border: 1px solid color-mix(in srgb, currentcolor 30%, transparent); }
.hc-gallery button:is(:hover, [aria-pressed="true"]) { border-color: currentcolor; }"""


class Shown(NamedTuple):
    """One picture of a gallery: the name that opens it, its title, the calculation, and its code."""

    name: str
    title: str
    calculation: Calculation
    code: str


class GalleryButtons(anywidget.AnyWidget):
    """The pictures as buttons."""

    _esm, _css = SCRIPT, STYLE

    html = traitlets.Unicode().tag(sync=True)


class Gallery(VBox):  # type: ignore[misc]
    """Pictures by theme; a click opens one above them, in the explorer."""

    def __init__(self, themes: Mapping[str, Sequence[Shown]], open_: Callable[[str], Any]) -> None:
        self._html = gallery_html(themes)
        self._buttons, self._above = GalleryButtons(html=self._html), Output()
        self._make = open_
        self._buttons.on_msg(lambda _, message, __: self.show(message.get("open")))
        super().__init__([self._above, self._buttons])

    def show(self, name: str) -> None:
        """Show one above the pictures, instead of the one before."""
        from IPython.display import display

        self._above.clear_output(wait=True)
        with self._above:
            display(self._make(name))  # type: ignore[no-untyped-call]
        self._buttons.send({"opened": name})  # and the page goes there

    def _repr_mimebundle_(self, **options: Any) -> Any:
        note = f"<p>{run_note('Run this cell to open them.')}</p>"
        read = {
            "text/plain": "a gallery of calculations",
            "text/html": f"<style>{STYLE}</style>{note}{self._html}",
        }
        return assets.with_fallback(super()._repr_mimebundle_(**options), read)


def gallery_html(themes: Mapping[str, Sequence[Shown]]) -> str:
    """The pictures by theme, each a button with its title."""
    parts = []
    for theme, shown in themes.items():
        parts.append(f"<h4>{escape(theme)}</h4><div>{' '.join(map(_button, shown))}</div>")
    return f'<div class="hc-gallery" style="display: block">{"".join(parts)}</div>'


def _button(one: Shown) -> str:
    name, title, code = map(escape, (one.name, one.title, one.code))
    return f'<button data-name="{name}" title="{code}">{thumbnail(one.calculation)}{title}</button>'


def thumbnail(calculation: Calculation) -> str:
    """A calculation in small, as an image: its matrices in order, from left to right and line by line."""
    placed, wide, high = _placed(list(calculation.values()))
    colours = np.zeros((high, wide), np.uint8)
    for matrix, left, top in placed:
        rows, columns = matrix.shape
        finite = np.where(np.isfinite(matrix.values), matrix.values, 0.0)
        colours[top : top + rows, left : left + columns] = colour_places(finite, matrix)
    scale = min(HEIGHT / high, 2 * HEIGHT / wide, 6)
    count = sum(m.values.size for m in calculation.steps.values())
    told = f"{calculation.title}: {len(calculation.steps)} steps, {count} numbers"
    size = f'width="{wide * scale:.0f}" height="{high * scale:.0f}" style="image-rendering: pixelated"'
    sharp = colours.repeat(times := math.ceil(scale), axis=0).repeat(times, axis=1)  # without styles, too
    return f'<img {size} alt="{escape(told)}" src="{address_of(sharp)}">'


def _placed(matrices: Sequence[Matrix]) -> tuple[list[tuple[Matrix, int, int]], int, int]:
    """The place of each matrix, and the size of the whole."""
    squares = sum((m.shape[0] + GAP) * (m.shape[1] + GAP) for m in matrices)
    most = max(round(WIDER * squares**0.5), *(m.shape[1] for m in matrices))
    found, left, top, high, wide = [], 0, 0, 0, 0
    for matrix in matrices:
        rows, columns = matrix.shape
        if left and left + columns > most:
            left, top, high = 0, top + high + GAP, 0
        found.append((matrix, left, top))
        left, high, wide = left + columns + GAP, max(high, rows), max(wide, left + columns)
    return found, wide, top + high
