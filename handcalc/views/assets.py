"""The scripts and styles of pages: nothing is built or fetched at run time."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from handcalc.views.palette import ACCENTS

BROWSER_FOLDER = Path(__file__).parent / "browser"
PAGE_STYLES = (
    "sheet",
    "explorer",
    "marks",
    "pointing",
    "drawer",
    "ribbons",
    "stages",
    "making",
    "controls",
    "beside",
    "what_if",
    "windows",
    "present",
    "verdicts",
    "practice",
    "guess",
    "map",
    "blocks",
    "atlas",
    "training",
    "narrow",
    "print",  # last, as it takes controls away
)
QUESTION_STYLES = ("sheet", "verdicts", "guess")
SAVED_PAGE_STYLES = tuple(name for name in PAGE_STYLES if name not in ("practice", "guess"))


@cache
def styles() -> dict[str, Path]:
    """All style sheets by name, whatever room they are in: no two have the same."""
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


def accents() -> str:
    """The accents of drawn sheets as custom properties: --hc-chosen, --hc-a, --hc-b and --hc-c."""
    properties = (f"--hc-{role}:light-dark({light},{dark})" for role, (light, dark) in ACCENTS.items())
    return f".handcalc-explorer,.handcalc-sheet,.handcalc-guess{{{';'.join(properties)}}}"
