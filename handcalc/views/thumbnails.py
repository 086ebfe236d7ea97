"""Calculations in small: every number a square in its colour, matrix beside matrix; and a gallery of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import anywidget
import numpy as np
import traitlets
from ipywidgets import Output, VBox

from handcalc.foundation.run_note import run_note
from handcalc.notation.numbers import Values
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views import assets
from handcalc.views.palette import MINUS, NEVER_NEGATIVE, PLUS

WIDER, GAP, SHADES = 1.7, 1, 3  # than high, about; squares between matrices; shades of each colour
HEIGHT = 120  # of a picture, in pixels
SCRIPT = """export function render({ model, el }) {
  el.innerHTML = model.get("html");
  const buttons = [...el.querySelectorAll("button[data-name]")];
  const open = (chosen) => {
    model.send({ open: chosen.dataset.name });
    for (const button of buttons) button.ariaPressed = String(button === chosen);
  };
  for (const button of buttons) button.addEventListener("click", () => open(button));
  const goTo = () => el.closest(".widget-vbox")?.firstElementChild.scrollIntoView({ block: "start" });
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
    """One picture of a gallery: what opens it, its title, the calculation, and the code that makes it."""

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
        """Show one above the pictures, in the place of the one before."""
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
    """A calculation in small, as SVG: its matrices in their order, from left to right and line by line."""
    placed, wide, high = _placed(list(calculation.values()))
    paths: dict[tuple[tuple[int, int, int], int], list[str]] = {}
    for matrix, left, top in placed:
        _add_squares(paths, matrix, left, top)
    drawn = "".join(
        f'<path d="{"".join(squares)}" fill="rgb{colour}" fill-opacity="{(shade + 1) / SHADES:.2f}"/>'
        for (colour, shade), squares in paths.items()
    )
    scale = min(HEIGHT / high, 2 * HEIGHT / wide, 6)
    count = sum(m.values.size for m in calculation.steps.values())
    told = f"{calculation.title}: {len(calculation.steps)} steps, {count} numbers"
    size = f'viewBox="0 0 {wide} {high}" width="{wide * scale:.0f}" height="{high * scale:.0f}"'
    return f'<svg {size} role="img" aria-label="{escape(told)}">{drawn}</svg>'


def _placed(matrices: Sequence[Matrix]) -> tuple[list[tuple[Matrix, int, int]], int, int]:
    """Where each matrix begins, and how large the whole is."""
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


def _add_squares(paths: dict[Any, list[str]], matrix: Matrix, left: int, top: int) -> None:
    """Squares of one colour beside each other are one piece."""
    shades = _shades(matrix.values)
    for i, row in enumerate(shades):
        start = 0
        for j in range(1, len(row) + 1):
            if j == len(row) or row[j] != row[start]:
                colour = MINUS if row[start] < 0 else NEVER_NEGATIVE if matrix.never_negative else PLUS
                if row[start]:
                    key = (colour, abs(int(row[start])) - 1)
                    paths.setdefault(key, []).append(f"M{left + start} {top + i}h{j - start}v1h{start - j}z")
                start = j


def _shades(values: Values) -> Values:
    """-3 to 3, by how large a number is beside the largest of its matrix."""
    finite = np.where(np.isfinite(values), values, 0.0)
    largest = np.abs(finite).max() or 1.0
    return np.asarray(np.sign(finite) * np.ceil(np.sqrt(np.abs(finite) / largest) * SHADES))
