"""Reading PDFs as a person holds them: texts with their places and sizes, frames, ink."""

from ctypes import c_int, create_string_buffer
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

import numpy as np
import pypdfium2
from pypdfium2 import raw

MM = 72 / 25.4  # points
EDGE = 11.5 * MM
TILES = 20  # of a page, either way: each is 5 % of it


@dataclass(frozen=True)
class Text:
    """A run of letters, as large as `size`; the box is (left, bottom, right, top) in points."""

    size: float
    box: tuple[float, float, float, float]
    is_formula: bool

    def overlaps(self, other: "Text", touch: float = 0.7) -> bool:
        """Whether two runs are on top of one another; the letters of a formula may."""
        (a, b, c, d), (e, f, g, h) = self.box, other.box
        is_over = a + touch < g and e + touch < c and b + touch < h and f + touch < d
        return is_over and not (self.is_formula and other.is_formula)


class Page:
    """One page; `size` is its width and height in points."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._page, self.size = page, page.get_size()

    @cached_property
    def texts(self) -> list[Text]:
        found = self._objects(raw.FPDF_PAGEOBJ_TEXT)
        return [Text(_size(one), one.get_bounds(), "Math" in one.get_font().get_base_name()) for one in found]

    @cached_property
    def words(self) -> list[str]:
        return self.said.split()

    @cached_property
    def said(self) -> str:
        """All that is written, letters of formulas as plain ones."""
        return normalize("NFKC", " ".join(self._page.get_textpage().get_text_range().split()))

    @property
    def frames(self) -> list[tuple[float, float, float, float]]:
        """The boxes around blocks: whatever is drawn that is wider than 55 mm and holds a title."""
        drawn = {tuple(map(round, one.get_bounds())) for one in self._objects(raw.FPDF_PAGEOBJ_PATH)}
        return [box for box in drawn if box[2] - box[0] > 55 * MM and box[3] - box[1] > 25 * MM]

    def dots(self, scale: float = 1.0) -> np.ndarray:
        """Whether there is ink, dot by dot."""
        return np.asarray(self._page.render(scale=scale).to_pil().convert("L")) < 200

    @property
    def is_grey(self) -> bool:
        """Whether nothing on it has a colour."""
        red, green, blue = np.moveaxis(
            np.asarray(self._page.render(scale=0.5).to_pil().convert("RGB")), -1, 0
        )
        return bool((red == green).all() and (green == blue).all())

    @cached_property
    def fill(self) -> float:
        """The share of the tiles within the margins that hold ink."""
        edge = int(EDGE)
        dots = self.dots()[edge:-edge, edge:-edge]
        rows = (np.array_split(row, TILES, axis=1) for row in np.array_split(dots, TILES))
        return float(np.mean([tile.any() for row in rows for tile in row]))

    @property
    def links(self) -> list[str]:
        """Where its links lead to."""
        found, link, at, document = [], raw.FPDF_LINK(), c_int(0), self._page.pdf.raw
        while raw.FPDFLink_Enumerate(self._page.raw, at, link):
            room = create_string_buffer(1000)
            raw.FPDFAction_GetURIPath(document, raw.FPDFLink_GetAction(link), room, len(room))
            found.append(room.value.decode())
        return found

    def _objects(self, kind: int) -> list[pypdfium2.PdfObject]:
        return list(self._page.get_objects(filter=[kind]))


def _size(found: pypdfium2.PdfObject) -> float:
    """How large its type is on the page."""
    size = raw.c_float()
    raw.FPDFTextObj_GetFontSize(found.raw, size)
    a, b, *_ = found.get_matrix().get()
    return size.value * float(np.hypot(a, b))


def pages(data) -> list[Page]:
    """Every page of a PDF: a path, or its bytes."""
    return [Page(page) for page in pypdfium2.PdfDocument(data)]
