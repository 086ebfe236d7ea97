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
from handcalc.views import assets, html
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
        fallback=html.sheet(shown, places=places),
        variants=embedded(variants(shown)),
        script=assets.script(),
        places=places,
    )
    write_whole(path, page)


def embedded(data: Any) -> str:
    """JSON for a script element: ASCII alone, with nothing that HTML could take for markup.

    Long JSON is written as one JSON string, deflated and as base64; `unpacked` in binary.js reads both.
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    if len(text) > MOST_PLAIN:
        return json.dumps(b64encode(zlib.compress(text.encode(), DEFLATING)).decode())
    for sign, written in MARKUP.items():
        text = text.replace(sign, written)
    return text
