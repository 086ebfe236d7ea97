"""A map as HTML: each part a picture and its title, a link to its block; the page lays it out."""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape
from io import BytesIO

import numpy as np

from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views.map.map_plan import (
    MAX_STACKED,
    Part,
    describe_map,
    path_shown,
    plain_label,
    plan,
    pooled,
    short_titles,
    size_of,
)
from handcalc.views.palette import FAINTEST, MINUS, NEVER_NEGATIVE, PLUS, STRONGEST

Link = Callable[[str], str]  # a block's path -> an address
SHADES = 16  # of a picture that is written down
UNKNOWN = (127, 127, 127, 70)  # −∞: hidden
ROW = "display:flex;align-items:center;gap:4px 14px"


def anchor(path: str) -> str:
    """Where the part of a block leads to, unless a page says otherwise."""
    return f"#{path}"


def map_html(
    calculation: Calculation,
    *,
    lit: str = "",
    link: Link = anchor,
    has_pictures: bool = True,
    has_all: bool = False,
) -> str:
    """The whole map; the part at the path `lit` is lit.

    Without pictures a page draws them; of several layers one is opened, unless it has all.
    """
    whole = plan(calculation, lit=lit)
    page = _Page(path_shown(whole, lit), link, has_pictures, has_all)
    title = escape(f"Map of {calculation.title}")
    says = escape(f"{title}: {describe_map(whole)}")
    return f'<div class="hc-map" data-whole="" role="group" aria-label="{says}">{page.columns(whole)}</div>'


class _Page:
    def __init__(self, lit: str, link: Link, has_pictures: bool, has_all: bool) -> None:
        self.lit, self.link, self.has_pictures, self.has_all = lit, link, has_pictures, has_all

    def columns(self, frame: Part) -> str:
        layers = [part for column in frame.columns for part in column if part.is_layer]
        is_around = (layer for layer in layers if f"{self.lit}.".startswith(f"{layer.path}."))
        opened = next(is_around, layers[0] if layers else None)
        columns = "".join(self._column(column, opened) for column in frame.columns)
        return f'<div class="hc-map-columns" style="{ROW}">{columns}</div>'

    def _column(self, parts: tuple[Part, ...], opened: Part | None) -> str:
        is_grid = len(parts) > 1
        rows = f"display:grid;grid:repeat({min(len(parts), MAX_STACKED)},auto)/auto-flow;gap:3px 8px"
        titles = zip(parts, short_titles(parts), strict=True)
        inside = "".join(self._part(part, title, len(parts), part is opened) for part, title in titles)
        return f'<div class="hc-map-column"{f""" style="{rows}" """ if is_grid else ""}>{inside}</div>'

    def _part(self, part: Part, title: str, beside: int, is_open: bool) -> str:
        if not part.columns:
            return self._link(part, title, f"hc-map-{part.kind}", self._picture(part, beside))
        is_folded = part.is_layer and not self.has_all and not is_open
        kind = f"hc-map-frame{' hc-map-layer' if part.is_layer else ''}{' hc-folded' if is_folded else ''}"
        head = self._link(part, title, "hc-map-head", self._picture(part, 1) if part.is_layer else "")
        inside = "" if is_folded else self.columns(part)
        return f'<div class="{kind}" data-frame="{escape(part.path)}">{head}{inside}</div>'

    def _link(self, part: Part, title: str, kind: str, picture: str) -> str:
        says = " ".join(filter(None, [plain_label(part.title), plain_label(part.detail)]))
        data = f'data-block="{escape(part.path)}"'
        if part.kind in ("steps", "given"):
            data += f' data-names="{escape(chr(10).join(part.names))}"'
        if part.path == self.lit and self.lit and part.kind in ("block", "frame"):
            data += ' aria-current="true"'
        where = f'class="hc-map-part {kind}" href="{escape(self.link(part.path))}" {data}'
        return (
            f'<a {where} aria-label="{escape(says)}" title="{escape(says)}">{picture}'
            f'<span class="hc-map-title">{title}</span></a>'
        )

    def _picture(self, part: Part, beside: int) -> str:
        if part.face is None:
            return ""
        wide, high = size_of(part, beside)
        source = f' src="{drawn(part.face)}"' if self.has_pictures else ""
        face = f'data-face="{escape(part.face.name or "")}" width="{wide:.0f}" height="{high:.0f}"'
        return f'<img alt="" {face}{source} style="image-rendering:pixelated">'


def drawn(matrix: Matrix) -> str:
    """A matrix as a small image, in an address of its own; a colour is as strong as the number is large."""
    from PIL import Image

    values = pooled(matrix.values)
    strength = np.ceil(np.abs(values) / (np.abs(values).max() or 1.0) * SHADES) / SHADES
    hues = np.where((values < 0)[..., None], MINUS, NEVER_NEGATIVE if matrix.never_negative else PLUS)
    opacity = np.where(values == 0, 0, 255 * (FAINTEST + (STRONGEST - FAINTEST) * strength))
    pixels = np.dstack([hues, opacity]).round().astype(np.uint8)
    if matrix.values.shape == values.shape:
        pixels[np.isneginf(matrix.values)] = UNKNOWN
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
