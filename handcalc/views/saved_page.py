"""The explorer as one HTML file: no kernel, no network, on a phone too."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable
from functools import cache, partial
from html import escape
from os import PathLike
from typing import Any

from handcalc.foundation.atomic_files import write_whole
from handcalc.foundation.errors import HandcalcError
from handcalc.foundation.progress import with_progress
from handcalc.notation.accepted_types import TOKEN_CONVENTIONS, Convention
from handcalc.notation.numbers import show
from handcalc.notation.validation import read_places
from handcalc.record.calculation import Calculation
from handcalc.record.matrix import Matrix
from handcalc.views import assets, html, text
from handcalc.views.atlas import atlas_outline, block_sheets
from handcalc.views.atlas.atlas_outline import drawn_blocks, first_path
from handcalc.views.variants import folded, full_address, full_number, openable, variants
from handcalc.views.visible_window import window_around

PAGE_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>{title}</title>
<style>
html {{ color-scheme: light dark; background: Canvas; }}
body {{ max-width: 1500px; margin: 0 auto; padding: 12px 16px; font-family: system-ui, sans-serif; }}
@media (max-width: 640px) {{ body {{ padding: 8px; }} }}
@media screen and (prefers-color-scheme: dark) {{
  img.hc-picture {{ filter: invert(1) hue-rotate(180deg); mix-blend-mode: lighten; }}
}}
@media print {{ html {{ color-scheme: light; }} body {{ max-width: none; padding: 0; }} }}
@page {{ margin: 12mm; }}
</style>
</head>
<body>
<main id="{id}"{about}><noscript>{fallback}</noscript></main>
{data}{code}
</body>
</html>
"""
AS_IT_IS = '<script type="module">{code}</script>'  # of a page that is to be there at once
DEFLATED = '<script type="text/plain" id="code">{code}</script>\n<script type="module">{loader}</script>'
LOADER = """
const code = document.getElementById("code").textContent;
const bytes = Uint8Array.fromBase64?.(code) ?? Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
const inflated = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(inflated).text();
document.body.append(script);
"""
MAX_DRAWN_NUMBERS = 500  # numbers that a page draws for readers without scripts
MAX_PLAIN_JSON = 20_000  # characters of JSON that a page carries as they are
DEFLATE_LEVEL = 9  # the most
ESCAPED_MARKUP = {sign: f"\\u{ord(sign):04x}" for sign in "<>&"}
MAX_PAGE_BYTES = 9_990_000  # of a page: below 10 MB
ATLAS_NOTE = "What you move or switch changes only the block that is open."
WATCHED_IN_PARTS = (
    "watch keeps a number in view where all of a calculation is on one page; this one has so many numbers "
    "that one block is open at a time."
)
Written = Callable[[str, Any], str]


def save_html(calculation: Calculation, path: str | PathLike[str], **options: Any) -> None:
    """Write the explorer of a calculation to `path`; without scripts its numbers are still there.

    Options are those of `page_html`. Raises HandcalcError where that does, and for a path that cannot be
    written.
    """
    write_whole(path, page_html(calculation, **options))


def page_html(
    calculation: Calculation,
    *,
    convention: Convention | None = None,
    places: int = 2,
    open: str = "",  # noqa: A002 - as explore has it
    watch: str = "",
    training: Any = None,
    action: str = "save_html",
) -> str:
    """The explorer of a calculation as one page.

    Arguments are those of `explore`, and so are errors; with `open` slides begin there, too. Of a calculation
    of millions of numbers the page has the map, every block, and the weights of as many as fit, from the one
    that is opened on. `training` is what views/training_views.py writes of one; `action` is what the person
    called.
    """
    places = read_places(places)
    if isinstance(calculation, Calculation) and atlas_outline.opens_by_block(calculation):
        shown = calculation if convention is None else calculation.in_convention(convention)
        at = full_address(shown, open)
        if watch:
            raise HandcalcError(WATCHED_IN_PARTS)
        data = data_script("calculation", book(shown))
        frame = explorer_frame(shown, places, at)
        around = len(PAGE_TEMPLATE.format(data=data, **frame).encode())
        data += "".join(written_blocks(shown, at, partial(data_script, kind="data-path"), around).values())
    else:
        shown = openable(calculation, convention, action)
        at = full_address(shown, open)
        frame = explorer_frame(shown, places, at, full_number(shown, watch))
        data = calculation_script(shown)
        data += data_script("training", training) if training else ""
    return PAGE_TEMPLATE.format(data=data, **frame)


def explorer_frame(shown: Calculation, places: int, at: str, watch: str = "") -> dict[str, Any]:
    """The frame of a page: all but the data of the calculation."""
    about = {"places": str(places), "at": at, "watch": watch}
    written = "".join(f' data-{name}="{escape(text)}"' for name, text in about.items() if text)
    return frame(shown.title, "explorer", _without_scripts(shown, places), "saved_page", about=written)


def frame(
    title: str,
    id: str,  # noqa: A002 - as HTML has it
    fallback: str,
    *scripts: str,
    about: str = "",
    as_it_is: bool = False,
) -> dict[str, Any]:
    """The parts of every page but its data; the first script runs at once, sooner if it is `as_it_is`."""
    if as_it_is:
        code = AS_IT_IS.format(code=styled_script(scripts[0]))
    else:
        code = DEFLATED.format(code=deflated_script(scripts[0]), loader=LOADER)
    return {
        "title": escape(title),
        "id": id,
        "about": about,
        "fallback": fallback,
        "code": code,
        "policy": policy(*scripts),
    }


def calculation_script(shown: Calculation) -> str:
    """A calculation in all its forms, as an element."""
    return data_script("calculation", folded(variants(shown)))


def data_script(name: str, data: Any, kind: str = "id") -> str:
    """Data as an element that packed_numbers.js reads: that of this id, or of another attribute."""
    return f'<script type="application/json" {kind}="{escape(name)}">{embedded(data)}</script>\n'


def practice_html(title: str, problems: dict[str, Any], fallback: str) -> str:
    """Problems to fill in as one page, which marks them itself."""
    data = data_script("problems", problems)
    return PAGE_TEMPLATE.format(data=data, **frame(title, "practice", fallback, "practice_page"))


def question_page(title: str, state: dict[str, Any], explorer: Any, fallback: str) -> str:
    """The page with the state of an `Asking` widget; an explorer in its answer is live on it, too."""
    scripts = ["question_page"] + ["saved_page"] * (explorer is not None)
    data = ""
    if explorer is not None:
        state = state | {"explorer": {"data-places": explorer.places, "data-at": explorer.at}}
        data = calculation_script(explorer.calculation)
        data += f'<script type="text/plain" id="later">{deflated_script("saved_page")}</script>\n'
    data = data_script("question", state) + data
    return PAGE_TEMPLATE.format(data=data, **frame(title, "asked", fallback, *scripts, as_it_is=True))


@cache
def styled_script(page: str) -> str:
    """The script of a page, which brings its style sheet along: both are inflated together."""
    style = json.dumps(assets.style(*assets.SAVED_STYLES[page]), ensure_ascii=False)
    adopted = (
        f"const style=new CSSStyleSheet();style.replaceSync({style});document.adoptedStyleSheets.push(style);"
    )
    return f"{{{adopted}}}\n{assets.script(page)}"


@cache
def deflated_script(page: str) -> str:
    """The script of a page with its style, deflated to a third: the browser inflates it."""
    return _deflated(styled_script(page))


@cache
def policy(*pages: str) -> str:
    """The content policy that lets these scripts run, and the few lines that inflate them."""
    return assets.policy_element(scripts=[LOADER, *map(styled_script, pages)])


def _deflated(text: str) -> str:
    return b64encode(zlib.compress(text.encode(), DEFLATE_LEVEL)).decode()


def _without_scripts(calculation: Calculation, places: int) -> str:
    """A drawn sheet, or a list for a large calculation: a part that few will see must not weigh most."""
    if atlas_outline.opens_by_block(calculation):
        return f"<pre>{escape(text.sheet_text(calculation, places=places))}</pre>"
    if sum(m.values.size for m in calculation.values()) <= MAX_DRAWN_NUMBERS:
        return html.sheet_html(calculation, places=places)
    listed = "\n\n".join(_listed(matrix, places) for matrix in calculation.values())
    return f"<pre>{escape(listed)}</pre>"


def _listed(matrix: Matrix, places: int) -> str:
    """A matrix by name, and the numbers in its window row by row."""
    shown = window_around(matrix.shape)
    head = " · ".join(filter(None, [matrix.display_name, shown.words]))
    rows = matrix.values[shown.values].tolist()
    return "\n".join([head, *(" ".join(show(value, places) for value in row) for row in rows)])


def embedded(data: Any) -> str:
    """JSON for a script element: ASCII alone, with nothing that HTML could take for markup.

    Long JSON is written as one JSON string, deflated and as base64; packed_numbers.js reads both.
    """
    written = json.dumps(data, allow_nan=False, separators=(",", ":"))
    if len(written) > MAX_PLAIN_JSON:
        return json.dumps(_deflated(written))
    for sign, code in ESCAPED_MARKUP.items():
        written = written.replace(sign, code)
    return written


def written_blocks(calculation: Calculation, at: str, written: Written, around: int) -> dict[str, str]:
    """Path -> block as `written`, nearest to the opened one first: all without weights, then with.

    `around` is the bytes of the page without blocks. A block with no room at all says so, and how to save it
    alone.
    """
    paths = by_nearness(drawn_blocks(calculation), first_path(calculation, at))
    found = {path: written(path, {"trouble": _no_room(path)}) for path in paths}
    left = MAX_PAGE_BYTES - around - sum(map(len, found.values()))
    turns = [(has_weights, path) for has_weights in (False, True) for path in paths]
    for has_weights, path in with_progress(turns, "Writing blocks"):
        if has_weights and _least(calculation, path) > left:
            continue
        block = written(path, block_sheets.block_sheet(calculation, path, has_weights=has_weights))
        more = len(block) - len(found[path])
        if more <= left:
            left -= more
            found[path] = block
    return found


def by_nearness(paths: list[str], start: str) -> list[str]:
    """The block that is open, those beside it, those of the same layer, and so on; of equals the nearest."""
    here = paths.index(start)

    def common(path: str) -> int:
        pairs = zip(path.split("."), start.split("."), strict=False)
        return next(
            (k for k, (a, b) in enumerate(pairs) if a != b), min(path.count("."), start.count(".")) + 1
        )

    return sorted(paths, key=lambda path: (path != start, -common(path), abs(paths.index(path) - here)))


def _least(calculation: Calculation, path: str) -> int:
    """The least bytes that a block's weights take: 4 for each number, as base64 a third more."""
    level = calculation.level(path)
    return sum(
        4 * m.values.size * 4 // 3 for m in level.givens.values() if m.values.size > block_sheets.HEAVY_GIVEN
    )


def _no_room(path: str) -> str:
    alone = f'calc.blocks["{path}"]' if path else 'calc.level("")'
    return f'This file has no room for this block; {alone}.save_html("block.html") saves it alone.'


def book(calculation: Calculation) -> dict[str, Any]:
    """The page's data before a block is opened."""
    return {"book": atlas_outline.outline_spec(calculation, TOKEN_CONVENTIONS), "note": ATLAS_NOTE}
