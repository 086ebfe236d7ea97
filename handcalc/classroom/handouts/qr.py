"""QR codes: rows of dark and light, drawn as one shape wherever they stand."""

from __future__ import annotations

from importlib.util import find_spec

from handcalc.foundation.extras import needed

Modules = tuple[str, ...]  # the rows of a code, 1 for dark
QUIET_ZONE = 4  # modules of white around a code: ISO/IEC 18004


def has_segno() -> bool:
    """Whether codes can be made: segno is installed."""
    return find_spec("segno") is not None


def make_modules(text: str) -> Modules:
    """The rows of a code, 1 for dark. Raises HandcalcError where segno is not installed."""
    matrix = needed("segno").make_qr(text, error="m").matrix
    return tuple("".join("01"[bool(dark)] for dark in row) for row in matrix)


def draw_qr_svg(rows: Modules) -> str:
    """A code as a picture for a page; `currentColor` is its ink."""
    size = len(rows) + 2 * QUIET_ZONE
    strokes = [
        f"M{start + QUIET_ZONE},{number + QUIET_ZONE}h{end - start}v1H{start + QUIET_ZONE}z"
        for number, row in enumerate(rows)
        for start, end in dark_runs(row)
    ]
    return (
        f'<svg class="qr" viewBox="0 0 {size} {size}" shape-rendering="crispEdges" aria-hidden="true">'
        f'<path fill="currentColor" d="{"".join(strokes)}"/></svg>'
    )


def dark_runs(line: str) -> list[tuple[int, int]]:
    """The start and end of each dark stretch in a row."""
    edges = [k for k in range(len(line) + 1) if (f"0{line}0")[k] != (f"0{line}0")[k + 1]]
    return list(zip(edges[::2], edges[1::2], strict=True))
