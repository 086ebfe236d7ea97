"""The explorer as one HTML file: no kernel, no network, on a phone too."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from html import escape
from os import PathLike
from typing import Any

from handcalc.calculation import Calculation
from handcalc.files import write_whole
from handcalc.reading import read_places
from handcalc.views import assets, html, text
from handcalc.views.variants import openable, variants

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
html {{ color-scheme: light dark; background: Canvas; }}
body {{ max-width: 1500px; margin: 0 auto; padding: 12px 16px; font-family: system-ui, sans-serif; }}
{style}
</style>
</head>
<body>
<main id="explorer"><noscript>{fallback}</noscript></main>
<script type="application/json" id="calculation">{variants}</script>
<script type="module">
{script}
const variants = await unpacked(document.getElementById("calculation").textContent);
new Explorer(document.getElementById("explorer"), variants, {{ places: {places}, level: 1 }});
</script>
</body>
</html>
"""
MOST_DRAWN = 500  # numbers that a page draws for readers without scripts
MOST_PLAIN = 60_000  # characters of JSON that a page carries as they are
DEFLATING = 6  # of 9: more takes longer and gains little
MARKUP = {sign: f"\\u{ord(sign):04x}" for sign in "<>&"}


def save_html(
    calculation: Calculation,
    path: str | PathLike[str],
    *,
    convention: str | None = None,
    places: int = 2,
) -> None:
    """Write the explorer of a calculation to `path`; without scripts its numbers are still there.

    Arguments are those of `explore`. Raises HandcalcError where `explore` does, and for a path that
    cannot be written.
    """
    shown, places = openable(calculation, convention, "save_html"), read_places(places)
    page = PAGE.format(
        title=escape(shown.title),
        style=assets.style(),
        fallback=_without_scripts(shown, places),
        variants=embedded(variants(shown)),
        script=assets.script(),
        places=places,
    )
    write_whole(path, page)


def _without_scripts(calculation: Calculation, places: int) -> str:
    """A drawn sheet, or of a large calculation its text: what few will see must not weigh most."""
    if sum(m.values.size for m in calculation.values()) <= MOST_DRAWN:
        return html.sheet(calculation, places=places)
    return f"<pre>{escape(text.sheet(calculation, places=places))}</pre>"


def embedded(data: Any) -> str:
    """JSON for a script element: ASCII alone, with nothing that HTML could take for markup.

    Long JSON is written as one JSON string, deflated and as base64; `unpacked` in binary.js reads both.
    """
    written = json.dumps(data, allow_nan=False, separators=(",", ":"))
    if len(written) > MOST_PLAIN:
        return json.dumps(b64encode(zlib.compress(written.encode(), DEFLATING)).decode())
    for sign, code in MARKUP.items():
        written = written.replace(sign, code)
    return written
