"""Numbers as a small image within a page: a colour is as strong as its number is large."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np

from handcalc.notation import numbers
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.palette import FAINTEST, MINUS, NEVER_NEGATIVE, PLUS, STRONGEST

COLOUR_LEVELS = 15  # strengths of each hue


def alternative_text(matrix: Matrix) -> str:
    """The alternative text of the image, as HTML."""
    rows, columns = matrix.shape
    return f"All {rows:,} by {columns:,} numbers of {escape(spoken_name(matrix))} as colours"


def image_address(spots: numbers.Values, matrix: Matrix) -> str:
    """The spots of a matrix as an image, in an address of its own."""
    return f"data:image/png;base64,{base64.b64encode(_png(spots, matrix)).decode()}"


def _png(spots: numbers.Values, matrix: Matrix) -> bytes:
    """An image with a palette: 0 is the page, then the strengths of plus, then those of minus."""
    largest = numbers.largest(matrix.values) or 1.0
    levels = np.ceil(np.abs(spots) / largest * COLOUR_LEVELS).astype(np.uint8)
    places = np.where(spots < 0, levels + COLOUR_LEVELS, levels).astype(np.uint8)
    plus = NEVER_NEGATIVE if matrix.never_negative else PLUS
    palette = bytes([0, 0, 0, *plus * COLOUR_LEVELS, *MINUS * COLOUR_LEVELS])
    strengths = [
        FAINTEST + (STRONGEST - FAINTEST) * level / COLOUR_LEVELS for level in range(1, COLOUR_LEVELS + 1)
    ]
    opacities = bytes([0, *(round(255 * strength) for strength in strengths * 2)])
    height, width = spots.shape
    lines = b"".join(b"\0" + line.tobytes() for line in places)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"tRNS", opacities), (b"IDAT", zlib.compress(lines, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in (*parts, (b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
