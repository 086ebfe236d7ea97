"""A matplotlib figure that saves the same bytes every time and shows itself with words beside it."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.image import BboxImage
from matplotlib.mathtext import MathTextParser
from matplotlib.transforms import Affine2D, Bbox, Transform, TransformedBbox

from handcalc.foundation.atomic_files import read_path, write_whole
from handcalc.foundation.errors import HandcalcError, listed, short
from handcalc.record.equations import meaning_in_words, spoken_name, typeset_equation
from handcalc.record.matrix import Matrix
from handcalc.views.palette import Colours
from handcalc.views.visible_window import window_around

REPEATABLE: dict[Any, Any] = {
    "svg.hashsalt": "handcalc",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
}
UNDATED: dict[str, dict[str, Any]] = {  # parts that would change with the day or with matplotlib's version
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap"
# also marimo, Colab
DARK_PAGES = ':is([data-jp-theme-light="false"],.vscode-dark,.dark-theme,[theme="dark"])'
DARKENED = "filter:invert(1) hue-rotate(180deg);mix-blend-mode:lighten"  # black paper becomes the page's own
PX_PER_PT = 96 / 72  # of a browser, to a point
INCH = 72.0  # in points
FIGURE_WIDTH = 11.0  # inches; a notebook's 950 px show it at nine tenths
MAX_FIGURE_WIDTH = 1000


class Formulas(MathTextParser):  # type: ignore[type-arg]
    """matplotlib's reader of formulas, which remembers what it has read.

    Its own memory belongs to one page's renderer: on the next page every formula would be read anew.
    """

    def parse(self, s: str, dpi: float = 72, prop: FontProperties | None = None, **how: Any) -> Any:
        return _parsed(s, dpi, FontProperties() if prop is None else prop.copy(), **how)


_FORMULAS = Formulas("path")


@lru_cache(4096)
def _parsed(formula: str, dpi: float, type_: FontProperties, **how: Any) -> Any:
    return super(Formulas, _FORMULAS).parse(formula, dpi, type_, **how)


class Picture(Figure):
    """A figure with an alternative text; in a notebook it is an SVG image, without pyplot."""

    def __init__(self, title: str, alt: str, **options: Any) -> None:
        super().__init__(**options)
        FigureCanvasAgg(self)
        self.title, self.alt = title, alt
        self.tables = ""  # the numbers, for readers who listen
        self.frames: list[Frame] = []  # where each matrix is drawn

    def draw(self, renderer: RendererBase) -> None:
        """Draw as matplotlib does, the same strokes, without reading a formula twice."""
        paths = getattr(renderer, "_text2path", None)  # not public: where it is missing it is only slower
        if paths is not None:
            paths.mathtext_parser = _FORMULAS
        super().draw(renderer)

    def savefig(self, fname: str | PathLike[str] | IO[Any], **options: Any) -> None:
        """Save as matplotlib does, as SVG, PNG, PDF and more, the same bytes on every run, whole or not.

        Raises HandcalcError for an unknown kind of file, and for a file that cannot be written.
        """
        kind = str(options.pop("format", None) or _ending(fname) or rcParams["savefig.format"]).lower()
        known = self.canvas.get_supported_filetypes()
        if kind not in known:
            raise HandcalcError(f"A picture is saved as {listed(sorted(known))}, not as {short(kind)}.")
        if kind in UNDATED:
            options["metadata"] = UNDATED[kind] | {"Title": self.title} | options.get("metadata", {})
        content = io.BytesIO()
        is_path = isinstance(fname, str | PathLike)
        with rc_context(REPEATABLE):
            super().savefig(content if is_path else fname, format=kind, **options)
        if is_path:
            path = read_path(fname)
            write_whole(path if path.suffix else path.with_suffix(f".{kind}"), content.getvalue())

    def __repr__(self) -> str:
        return f"<Figure: {self.alt}>"

    def _repr_html_(self) -> str:
        saved = io.BytesIO()
        self.savefig(saved, format="svg")
        data = base64.b64encode(_terse(saved.getvalue())).decode()
        width = round(self.get_figwidth() * 72 * PX_PER_PT)
        return (
            f'{self._in_the_dark()}<img class="hc-picture" alt="{escape(self.alt)}" width="{width}" '
            f'style="max-width:100%;height:auto;border-radius:6px" src="data:image/svg+xml;base64,{data}">'
            f"{self.tables}"
        )

    def _in_the_dark(self) -> str:
        """A style that darkens a light picture where the notebook is dark: lightness changes, hues stay."""
        is_light = sum(to_rgb(self.get_facecolor())) > 1.5
        return f"<style>{DARK_PAGES} img.hc-picture{{{DARKENED}}}</style>" if is_light else ""


def inches(width: float | None) -> float:
    """The limit of a figure's width in inches: as requested, checked, or the default."""
    if width is None:
        return FIGURE_WIDTH
    if not isinstance(width, int | float) or isinstance(width, bool) or not 0 < width <= MAX_FIGURE_WIDTH:
        raise HandcalcError(
            f"width is {short(width)}; it must be a number of inches above 0, up to {MAX_FIGURE_WIDTH}."
        )
    return float(width)


def describe_figure(title: str, matrices: list[Matrix]) -> str:
    """The alternative text of a figure: `Heatmaps of Self-attention: X, 6 by 4, given; …`."""
    return f"{title}: {'; '.join(_described(matrix) for matrix in matrices)}."


def tables_for_listeners(matrices: Iterable[Matrix], places: int) -> str:
    """The numbers of a figure as tables that nobody sees."""
    return f'<div style="{UNSEEN}">{"".join(_table(matrix, places) for matrix in matrices)}</div>'


def _table(matrix: Matrix, places: int) -> str:
    shown = window_around(matrix.shape)
    labels, columns = shown.labels(matrix)
    corner = "<td></td>" if labels else ""
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in columns)
    rows = [f"<tr>{corner}{head}</tr>"] if columns else []
    for label, texts in zip_longest(labels, shown.texts(matrix, places)):
        name = f'<th scope="row">{escape(label)}</th>' if label else ""
        rows.append(f"<tr>{name}{''.join(f'<td>{text}</td>' for text in texts)}</tr>")
    caption = escape(", ".join(filter(None, [_described(matrix), shown.words])))
    return f"<table><caption>{caption}</caption>{''.join(rows)}</table>"


def _described(matrix: Matrix) -> str:
    rows, columns = matrix.shape
    called = typeset_equation(matrix)["spoken"] if matrix.name else spoken_name(matrix)
    parts = [called, f"{rows} by {columns}"]
    return ", ".join(filter(None, [*parts, "given" if matrix.is_given else "", meaning_in_words(matrix)]))


def _terse(svg: bytes) -> bytes:
    """The same drawing without comments, indentation and thousandths, its styles and shapes named briefly."""
    svg = re.sub(rb"\s+", b" ", re.sub(rb">\s+<", b"><", re.sub(rb"<!--.*?-->", b"", svg, flags=re.DOTALL)))
    svg = re.sub(rb'( [xy]="-?\d+\.\d\d)\d+"', rb'\1"', svg)
    names = {name: b"_%x" % k for k, name in enumerate(dict.fromkeys(re.findall(rb' id="([^"]+)"', svg)))}
    svg = re.sub(rb'(id="|"#|url\(#)([^")]+)', lambda m: m[1] + names.get(m[2], m[2]), svg)
    styles = {
        style: b"%x" % k for k, style in enumerate(dict.fromkeys(re.findall(rb' style="([^"]*)"', svg)))
    }
    rules = b"".join(b"._%b{%b}" % (name, style) for style, name in styles.items())
    svg = re.sub(rb' style="([^"]*)"', lambda m: b' class="_%b"' % styles[m[1]], svg)
    return svg.replace(b"</style>", rules + b"</style>", 1) if b"</style>" in svg else svg


def _ending(fname: object) -> str:
    return Path(fname).suffix.lstrip(".").lower() if isinstance(fname, str | PathLike) else ""


class Frame:
    """The drawing of one matrix on a figure: its place, its name, and its rows and columns.

    matplotlib's own axes would do, but their ticks and spines take more time than all numbers.
    """

    def __init__(self, onto: Figure, place: Transform, label: str, shape: tuple[int, int]) -> None:
        self.onto, self.place, self.label, self.shape = onto, place, label, shape
        self.artists: list[Artist] = []

    @property
    def bbox(self) -> TransformedBbox:
        """The room of its cells on the canvas."""
        rows, columns = self.shape
        return TransformedBbox(Bbox([[0, 0], [columns, rows]]), self.place)

    def add(self, artist: Artist) -> None:
        """Draw something more; it may cross the edge of the cells."""
        if not artist.is_transform_set():
            artist.set_transform(self.place)
        artist.set_clip_on(False)
        self.onto.add_artist(artist)
        self.artists.append(artist)

    def add_image(self, colours: Colours, extent: tuple[float, float, float, float]) -> None:
        """Draw rows of colours over an area: left, right, low, top."""
        left, right, low, top = extent
        room = TransformedBbox(Bbox([[left, top], [right, low]]), self.place)
        image = BboxImage(room, interpolation="nearest", origin="upper")
        image.set_data(np.asarray(colours))
        self.add(image)


def on_page(page: Figure, x: float, y: float, cell: tuple[float, float], scale: float) -> Transform:
    """From columns and rows to dots: the corner is (x, y) points from the page's lower left."""
    wide, high = cell
    points = Affine2D().scale(wide, -high).translate(x, y).scale(scale / INCH)
    return points + page.dpi_scale_trans
