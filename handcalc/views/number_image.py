"""Numbers as a small image within a page: a colour is as strong as its number is large."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np
from numpy.typing import NDArray

from handcalc.notation import numbers
from handcalc.notation.numbers import Values
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.palette import FAINTEST, MINUS, NEVER_NEGATIVE, PLUS, STRONGEST

COLOUR_LEVELS = 15  # strengths of each hue
STRENGTHS = [FAINTEST + (STRONGEST - FAINTEST) * k / COLOUR_LEVELS for k in range(1, COLOUR_LEVELS + 1)]
HUES = PLUS, NEVER_NEGATIVE, MINUS


def alternative_text(matrix: Matrix) -> str:
    """The alternative text of the image, as HTML."""
    rows, columns = matrix.shape
    return f"All {rows:,} by {columns:,} numbers of {escape(spoken_name(matrix))} as colours"


def image_address(spots: Values, matrix: Matrix) -> str:
    """The spots of a matrix as an image, in an address of its own."""
    return address_of(colour_places(spots, matrix))


def colour_places(spots: Values, matrix: Matrix) -> NDArray[np.uint8]:
    """The place of each spot's colour in the palette: 0 is the page, then the strengths of each hue."""
    levels = np.ceil(np.abs(spots) / (numbers.largest(matrix.values) or 1.0) * COLOUR_LEVELS)
    hue = np.where(spots < 0, 2, 1 if matrix.never_negative else 0)
    return np.where(levels, levels + COLOUR_LEVELS * hue, 0).astype(np.uint8)


def address_of(places: NDArray[np.uint8]) -> str:
    """Colours by their places in the palette as an image, in an address of its own."""
    palette = bytes([0, 0, 0, *(part for hue in HUES for _ in STRENGTHS for part in hue)])
    opacities = bytes([0, *(round(255 * strength) for strength in STRENGTHS * len(HUES))])
    height, width = places.shape
    lines = b"".join(b"\0" + line.tobytes() for line in places)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"tRNS", opacities), (b"IDAT", zlib.compress(lines, 9)))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in (*parts, (b"IEND", b"")))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
