"""The whole of a large matrix as colours: a small image that lies over the page's own background."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np

from handcalc.notation import numbers
from handcalc.record.equations import spoken_name
from handcalc.record.matrix import Matrix
from handcalc.views.colours import FAINTEST, MINUS, NEVER_NEGATIVE, PLUS, STRONGEST
from handcalc.views.visible_window import MOST, SPOTS, Window, strip

COLOUR_LEVELS = 15  # strengths of each hue
STRIP_WIDTH = 24  # pixels: the width of a strip that stands beside the numbers
ABOUT_STRIP_WIDTH, MIN_STRIP_HEIGHT, MAX_STRIP_HEIGHT = 280, 14, 96  # pixels: about how wide one above them is, and its height
MAX_SPOTS_ACROSS = 48  # spots along the shorter side, at most


def is_beside(window: Window) -> bool:
    """Whether the strip stands beside the numbers, as high as they are, and not above them."""
    return window.shape[1] <= MOST


def strip_image(matrix: Matrix, window: Window) -> str:
    """HTML of the strip, with a frame around what the window shows."""
    rows, columns = matrix.shape
    beside = is_beside(window)
    spots = strip(matrix.values, (SPOTS, MOST) if beside else (MAX_SPOTS_ACROSS, SPOTS))
    height = min(max(ABOUT_STRIP_WIDTH * rows // columns, MIN_STRIP_HEIGHT), MAX_STRIP_HEIGHT)
    size = f"width:{STRIP_WIDTH}px;height:100%" if beside else f"width:100%;height:{height}px"
    told = f"All {rows:,} by {columns:,} numbers of {escape(spoken_name(matrix))} as colours"
    return (
        f'<span class="hc-strip" style="position:relative;display:block;{size}">'
        f'<img alt="{told}" style="display:block;width:100%;height:100%;image-rendering:pixelated" '
        f'src="data:image/png;base64,{base64.b64encode(_png(spots, matrix)).decode()}">'
        f'<span style="position:absolute;box-sizing:border-box;{_window_frame(window)}"></span></span>'
    )


def _window_frame(window: Window) -> str:
    """Where the window is in the whole, in hundredths."""
    sides = zip(
        ("top", "left"), ("height", "width"), (window.rows, window.columns), window.shape, strict=True
    )
    return ";".join(
        f"{start}:{100 * shown.start / count:.4g}%;{length}:{100 * len(shown) / count:.4g}%"
        for start, length, shown, count in sides
    )


def _png(spots: numbers.Values, matrix: Matrix) -> bytes:
    """An image with a palette: 0 is the page, then the strengths of plus, then those of minus."""
    largest = numbers.largest(matrix.values) or 1.0
    levels = np.ceil(np.abs(spots) / largest * COLOUR_LEVELS).astype(np.uint8)
    places = np.where(spots < 0, levels + COLOUR_LEVELS, levels).astype(np.uint8)
    plus = NEVER_NEGATIVE if matrix.never_negative else PLUS
    palette = bytes([0, 0, 0, *plus * COLOUR_LEVELS, *MINUS * COLOUR_LEVELS])
    strengths = [FAINTEST + (STRONGEST - FAINTEST) * level / COLOUR_LEVELS for level in range(1, COLOUR_LEVELS + 1)]
    opacities = bytes([0, *(round(255 * strength) for strength in strengths * 2)])
    height, width = spots.shape
    lines = b"".join(b"\0" + line.tobytes() for line in places)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"tRNS", opacities), (b"IDAT", zlib.compress(lines, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in (*parts, (b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
