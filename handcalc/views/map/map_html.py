"""A map as HTML: each part a picture and its title, a link to its block; the page lays it out."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from handcalc.formulas.generation import chosen_word
from handcalc.record.calculation import Calculation
from handcalc.views.map.map_plan import (
    MAX_SPOTS,
    MAX_STACKED,
    MapPart,
    describe_map,
    plain_label,
    plan,
    short_titles,
    size_of,
)
from handcalc.views.number_image import alternative_text, image_address
from handcalc.views.visible_window import strip

Link = Callable[[str], str]  # a block's path -> an address
ROW = "display:flex;align-items:center;gap:4px 14px"


def anchor(path: str) -> str:
    """The link of a block's part, unless a page says otherwise."""
    return f"#{path}"


def map_html(
    calculation: Calculation,
    *,
    link: Link = anchor,
    has_pictures: bool = True,
    has_all: bool = False,
) -> str:
    """The whole map.

    Without pictures a page draws them, and writes the chosen words; of several layers one is opened, unless
    it has all.
    """
    whole = plan(calculation)
    words = {name: word for name, m in calculation.items() if m.values.size == 1 and (word := chosen_word(m))}
    page = _Page(link, has_pictures, has_all, words)
    says = escape(f"Map of {calculation.title}: {describe_map(whole)}")
    return f'<div class="hc-map" data-whole="" role="group" aria-label="{says}">{page.columns(whole)}</div>'


class _Page(NamedTuple):
    link: Link
    has_pictures: bool
    has_all: bool
    words: dict[str, str]

    def columns(self, frame: MapPart) -> str:
        layers = [part for column in frame.columns for part in column if part.is_layer]
        opened = layers[0] if layers else None
        columns = "".join(self._column(column, opened) for column in frame.columns)
        return f'<div class="hc-map-columns" style="{ROW}">{columns}</div>'

    def _column(self, parts: list[MapPart], opened: MapPart | None) -> str:
        is_grid = len(parts) > 1
        rows = f"display:grid;grid:repeat({min(len(parts), MAX_STACKED)},auto)/auto-flow;gap:3px 8px"
        titles = zip(parts, short_titles(parts), strict=True)
        inside = "".join(self._part(part, title, len(parts), part is opened) for part, title in titles)
        return f'<div class="hc-map-column"{f""" style="{rows}" """ if is_grid else ""}>{inside}</div>'

    def _part(self, part: MapPart, title: str, beside: int, is_open: bool) -> str:
        if not part.columns:
            return self._link(part, title, f"hc-map-{part.kind}", self._picture(part, beside))
        is_folded = part.is_layer and not self.has_all and not is_open
        kind = f"hc-map-frame{' hc-map-layer' if part.is_layer else ''}{' hc-folded' if is_folded else ''}"
        head = self._link(part, title, "hc-map-head", self._picture(part, 1) if part.is_layer else "")
        inside = "" if is_folded else self.columns(part)
        return f'<div class="{kind}" data-frame="{escape(part.path)}">{head}{inside}</div>'

    def _link(self, part: MapPart, title: str, kind: str, picture: str) -> str:
        says = " ".join(filter(None, [plain_label(part.title), plain_label(part.detail)]))
        data = f'data-block="{escape(part.path)}"'
        if part.kind in ("steps", "given"):
            data += f' data-names="{escape(chr(10).join(part.names))}"'
        where = f'class="hc-map-part {kind}" href="{escape(self.link(part.path))}" {data}'
        chosen = [name for name in part.names if name in self.words] if part.columns else []
        word = self.words[chosen[0]] if len(chosen) == 1 else ""
        told, shown = f"{says}, {word}" if word else says, ""
        if word:
            live = "" if self.has_pictures else f' data-word="{escape(chosen[0])}"'
            shown = f" · <b{live}>{escape(word)}</b>"
        return (
            f'<a {where} aria-label="{escape(told)}" title="{escape(says)}">{picture}'
            f'<span class="hc-map-title">{title}{shown}</span></a>'
        )

    def _picture(self, part: MapPart, beside: int) -> str:
        if part.face is None:
            return ""
        wide, high = (round(length) for length in size_of(part, beside))
        about = f'class="hc-map-picture" data-face="{escape(part.face.name or "")}"'
        told = alternative_text(part.face)
        if not self.has_pictures:  # the page draws it
            size = f'style="width:{wide}px;height:{high}px"'
            return f'<canvas {about} role="img" aria-label="{told}" {size}></canvas>'
        address = image_address(strip(part.face.values, MAX_SPOTS), part.face)
        size = f'width="{wide}" height="{high}" style="image-rendering:pixelated"'
        return f'<img {about} alt="{told}" src="{address}" {size}>'
