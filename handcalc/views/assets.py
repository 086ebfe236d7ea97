"""The scripts, styles and content policy of pages; none is built or fetched at run time."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from handcalc.views.palette import ACCENTS

BROWSER_FOLDER = Path(__file__).parent / "browser"
PAGE_STYLES = (
    "sheet",
    "explorer",
    "marks",
    "pointing",
    "panel",
    "frame",
    "ribbons",
    "making",
    "controls",
    "beside",
    "what_if",
    "windows",
    "present",
    "verdicts",
    "practice",
    "asking",
    "map",
    "blocks",
    "training",
    "narrow",
    "print",  # last, as it takes controls away
)
QUESTION_STYLES = ("sheet", "marks", "making", "verdicts", "asking")
SAVED_STYLES = {  # of pages that are files
    "saved_page": tuple(name for name in PAGE_STYLES if name not in ("practice", "asking")),
    "practice_page": PAGE_STYLES,
    "question_page": QUESTION_STYLES,
}
PAGE_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {style}; img-src data:; "
    "connect-src 'none'; base-uri 'none'; form-action 'none'"
)
APART = re.compile(r"@(?:property|keyframes) [\w-]+ ?{(?:[^{}]|{[^{}]*})*}")  # what cannot be nested
ROOTS, DRAWN = ":is(.handcalc-explorer,.handcalc-guess)", ":where(svg,svg *,img,math,math *)"
BOXES = ["margin", "padding", "border", "background", "float", "box-sizing", "letter-spacing"]
BOXES += ["text-transform", "line-height"]
TEXTS = ["font", "color", "display", "width", "height", "min-width", "min-height", "max-width", "max-height"]
TEXTS += ["position", "text-align", "text-indent", "text-shadow", "text-decoration", "vertical-align"]
TEXTS += ["white-space", "word-spacing", "list-style", "border-radius", "box-shadow", "opacity", "overflow"]


def _taken_back(names: Sequence[str]) -> str:
    return ";".join(f"{name}:revert" for name in names)


# Of what is drawn only what boxes have: attributes, which say the rest, count as rules of the page.
TAKEN_BACK = (
    f"{ROOTS}{{all:initial;display:block;color-scheme:inherit}}"
    f".hc-guess-around,{ROOTS} :not({DRAWN}){{{_taken_back(BOXES + TEXTS)}}}"
    f"{ROOTS} {DRAWN}{{{_taken_back(BOXES)}}}"
)
POLICY_META = '<meta http-equiv="Content-Security-Policy" content="{policy}">'


@cache
def styles() -> dict[str, Path]:
    """All style sheets by name, from every room: no two share a name."""
    return {path.stem: path for path in sorted(BROWSER_FOLDER.rglob("*.css"))}


@cache
def script(page: str) -> str:
    """The script of a page, with all modules that it needs: `make scripts` has written it."""
    return (BROWSER_FOLDER / "bundles" / f"{page}.js").read_text(encoding="utf-8")


@cache
def style(*names: str) -> str:
    """Style sheets by name, in order, without comments and needless spaces: every output carries them."""
    joined = "\n".join(styles()[name].read_text(encoding="utf-8") for name in names or PAGE_STYLES)
    bare = re.sub(r"\s+", " ", re.sub(r"(?s)/\*.*?\*/", "", joined))
    return accents() + re.sub(r" ?([{};]) ?", r"\1", bare).strip()


def shut_in(style: str) -> str:
    """The style of a widget whose host has rules of its own: what those say of tables stays outside.

    Nested rules weigh more than those of a page; the first ones take back what the page says.
    """
    apart = "".join(rule[0] for rule in APART.finditer(style))
    return f"{apart}:root:root,:host:host{{{TAKEN_BACK}{APART.sub('', style)}}}"


def accents() -> str:
    """The accents of drawn sheets as custom properties: --hc-chosen, --hc-a, --hc-b and --hc-c."""
    properties = (f"--hc-{role}:light-dark({light},{dark})" for role, (light, dark) in ACCENTS.items())
    return f".handcalc-explorer,.handcalc-sheet,.handcalc-guess{{{';'.join(properties)}}}"


def policy_element(*, scripts: Sequence[str] = (), style: str | None = None) -> str:
    """The element for a page's head, of the whole text of its scripts and, where it has but one, its style.

    Without `style` the page may contain any style, as that of a drawn sheet does.
    """
    allowed = {
        "scripts": " ".join(map(_source_hash, scripts)) or "'none'",
        "style": "'unsafe-inline'" if style is None else _source_hash(style),
    }
    return POLICY_META.format(policy=PAGE_POLICY.format(**allowed))


def _source_hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def with_fallback(shown: Any, fallback: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A widget's stored data and metadata, with HTML and text added for readers without a kernel."""
    data, metadata = shown if isinstance(shown, tuple) else (shown or {}, {})
    return data | fallback, metadata
